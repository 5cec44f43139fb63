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

typedef struct _LoomCanvasScratch LoomCanvasScratch;

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
  LoomCanvasScratch *scratch; /* of columns and bars; NULL before the first of them */
} LoomCanvas;

/* Between begin and end nothing else may be painted on `cr`. `covers`: boxes will lie everywhere, opaque ones lowest, so
 * that what was there needs not be mixed with them. */
void loom_canvas_begin (LoomCanvas *canvas, cairo_t *cr, double width, double height, double scale, gboolean covers);
void loom_canvas_end (LoomCanvas *canvas);

/* Boxes are cut to y0 … y1 until the next call. */
void loom_canvas_clip_y (LoomCanvas *canvas, double y0, double y1);

/* FALSE when nothing between y0 and y1 would be seen. */
gboolean loom_canvas_shows_y (const LoomCanvas *canvas, double y0, double y1);

/* A box whose edges fall on device pixels (rounded); at least one device pixel in both directions. */
void loom_canvas_box (LoomCanvas *canvas, double x0, double y0, double x1, double y1, LoomColor color);
/* A box whose upper and lower edges are soft. */
void loom_canvas_soft_box (LoomCanvas *canvas, double x0, double y0, double x1, double y1, LoomColor color);

/* Soft boxes of one colour that do not lie over one another, in any order: a curve, or what is below it. Where two meet
 * in one device pixel they become one. Between begin and end only loom_canvas_columns_box(). */
typedef struct {
  LoomCanvas *canvas;
  LoomColor color;
  int left, right; /* touched, from full_left */
} LoomCanvasColumns;

void loom_canvas_columns_begin (LoomCanvas *canvas, LoomCanvasColumns *columns, LoomColor color);
void loom_canvas_columns_box (LoomCanvasColumns *columns, double x0, double y0, double x1, double y1);
void loom_canvas_columns_end (LoomCanvasColumns *columns);

/* Many boxes of one height beside each other: painted into one line of pixels, which is then repeated. Between begin
 * and end only loom_canvas_strip_box(). */
typedef struct {
  LoomCanvas *canvas;
  double y0, y1;
  int top, bottom;
  guint32 *line; /* NULL: nothing of it is visible, or rectangles */
} LoomCanvasStrip;

/* Opaque bars of different height beside each other, standing on y1: what they do not fill stays. */
typedef struct {
  double x0, x1;
  double height;
  LoomColor color;
} LoomCanvasBar;

void loom_canvas_bars (LoomCanvas *canvas, double y1, const LoomCanvasBar *bars, guint n);

void loom_canvas_strip_begin (LoomCanvas *canvas, LoomCanvasStrip *strip, double y0, double y1);
void loom_canvas_strip_box (LoomCanvasStrip *strip, double x0, double x1, LoomColor color);
void loom_canvas_strip_end (LoomCanvasStrip *strip);

void loom_canvas_scratch_free (LoomCanvasScratch *scratch);

G_END_DECLS
