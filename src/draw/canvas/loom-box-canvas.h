/* SPDX-License-Identifier: Apache-2.0
 *
 * Axis-parallel boxes, very many of them. On screens they are written straight into pixels, in the target's own memory
 * where it has any; for SVG and PDF they become rectangles. Private to the painters; one thread at a time.
 *
 * Coordinates are logical pixels from the origin of `cr` at the beginning. What was painted on `cr` before stays where
 * no box lies.
 */
#pragma once

#include "loom-color.h"

G_BEGIN_DECLS

typedef struct _LoomBoxCanvasScratch LoomBoxCanvasScratch;

typedef struct {
  cairo_t *cr;
  cairo_surface_t *image; /* NULL when boxes become rectangles */
  gboolean direct;        /* `image` is the target itself */
  guint32 *pixels;
  int stride;                   /* in pixels */
  double scale;                 /* device pixels per logical pixel */
  double origin_x, origin_y;    /* of the logical coordinates, in device pixels */
  int left, top, right, bottom; /* clip, device pixels */
  int full_left, full_top, full_right, full_bottom;
  LoomBoxCanvasScratch *scratch; /* of columns and bars; NULL before the first of them */
} LoomBoxCanvas;

/* Between begin and end nothing else may be painted on `cr`. `covers`: boxes will lie everywhere, opaque ones lowest, so
 * that what was there needs not be mixed with them. */
void loom_box_canvas_begin (LoomBoxCanvas *canvas, cairo_t *cr, double width, double height, double scale,
                            gboolean covers);
void loom_box_canvas_end (LoomBoxCanvas *canvas);

/* Boxes are cut to y0 … y1 until the next call. */
void loom_box_canvas_clip_y (LoomBoxCanvas *canvas, double y0, double y1);

/* FALSE when nothing between y0 and y1 would be seen. */
gboolean loom_box_canvas_shows_y (const LoomBoxCanvas *canvas, double y0, double y1);

/* A box whose edges fall on device pixels (rounded); at least one device pixel in both directions. */
void loom_box_canvas_box (LoomBoxCanvas *canvas, double x0, double y0, double x1, double y1, LoomColor color);
/* A box whose upper and lower edges are soft. */
void loom_box_canvas_soft_box (LoomBoxCanvas *canvas, double x0, double y0, double x1, double y1, LoomColor color);

/* Soft boxes of one colour that do not lie over one another, in any order: a curve, or what is below it. Where two meet
 * in one device pixel they become one. Between begin and end only loom_box_canvas_columns_box(). */
typedef struct {
  LoomBoxCanvas *canvas;
  LoomColor color;
  int left, right; /* touched, from full_left */
} LoomBoxCanvasColumns;

void loom_box_canvas_columns_begin (LoomBoxCanvas *canvas, LoomBoxCanvasColumns *columns, LoomColor color);
void loom_box_canvas_columns_box (LoomBoxCanvasColumns *columns, double x0, double y0, double x1, double y1);
void loom_box_canvas_columns_end (LoomBoxCanvasColumns *columns);

/* Many boxes of one height beside each other: painted into one line of pixels, which is then repeated. Between begin
 * and end only loom_box_canvas_strip_box(). */
typedef struct {
  LoomBoxCanvas *canvas;
  double y0, y1;
  int top, bottom;
  guint32 *line; /* NULL: nothing of it is visible, or rectangles */
} LoomBoxCanvasStrip;

/* Opaque bars of different height beside each other, standing on y1: what they do not fill stays. */
typedef struct {
  double x0, x1;
  double height;
  LoomColor color;
} LoomBoxCanvasBar;

void loom_box_canvas_bars (LoomBoxCanvas *canvas, double y1, const LoomBoxCanvasBar *bars, guint n);

void loom_box_canvas_strip_begin (LoomBoxCanvas *canvas, LoomBoxCanvasStrip *strip, double y0, double y1);
void loom_box_canvas_strip_box (LoomBoxCanvasStrip *strip, double x0, double x1, LoomColor color);
void loom_box_canvas_strip_end (LoomBoxCanvasStrip *strip);

void loom_box_canvas_scratch_free (LoomBoxCanvasScratch *scratch);

G_END_DECLS
