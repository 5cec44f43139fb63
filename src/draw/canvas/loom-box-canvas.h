/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints very many axis-parallel boxes. On the screen and in images, boxes are written directly into pixels, if
 * possible in the memory of the target surface; in SVG and PDF files, boxes are cairo rectangles. Private to the
 * painters. Only one thread at a time may use a canvas.
 *
 * Coordinates are logical pixels from the origin of `cr` when painting began. Earlier painting on `cr` stays visible
 * where there is no box.
 */
#pragma once

#include "loom-color.h"

typedef struct _LoomBoxCanvasScratch LoomBoxCanvasScratch;

typedef struct {
  cairo_t *cr;
  cairo_surface_t *image; /* image surface into which boxes are written; NULL: boxes are painted as cairo rectangles */
  /* TRUE: `image` is the surface of `cr` itself; FALSE: it is a separate image, which is painted onto `cr` at the
   * end */
  gboolean direct;
  guint32 *pixels;
  int stride;                   /* distance from one line of `pixels` to the next, in elements */
  double scale;                 /* device pixels per logical pixel */
  double origin_x, origin_y;    /* origin of the logical coordinates, in device pixels */
  int left, top, right, bottom; /* clip rectangle of boxes, in device pixels, inside the area full_left … full_bottom */
  int full_left, full_top, full_right, full_bottom;
  LoomBoxCanvasScratch *scratch; /* working memory for columns; NULL until first used */
} LoomBoxCanvas;

/* Begins to paint boxes. Until loom_box_canvas_end() is called, nothing else may be painted on `cr`. `covers`: TRUE if
 * the first boxes cover the whole area and are opaque, so that earlier painting is not kept. */
void loom_box_canvas_begin (LoomBoxCanvas *canvas, cairo_t *cr, double width, double height, double scale,
                            gboolean covers);
void loom_box_canvas_end (LoomBoxCanvas *canvas);

/* Clips all boxes to y0 … y1, until this function is called again. */
void loom_box_canvas_clip_y (LoomBoxCanvas *canvas, double y0, double y1);

/* Returns FALSE if boxes between y0 and y1 would be outside of the clip. */
gboolean loom_box_canvas_shows_y (const LoomBoxCanvas *canvas, double y0, double y1);

/* Paints a box whose edges are rounded to device pixels; it is at least one device pixel wide and high. */
void loom_box_canvas_box (LoomBoxCanvas *canvas, double x0, double y0, double x1, double y1, LoomColor color);
/* Paints a box whose upper and lower edges are antialiased instead of rounded to device pixels. */
void loom_box_canvas_soft_box (LoomBoxCanvas *canvas, double x0, double y0, double x1, double y1, LoomColor color);

/* A set of boxes of one colour that do not overlap, in any order: a curve, or the area below a curve. Their upper and
 * lower edges are antialiased. Boxes that meet in the same column of device pixels are joined. While the set is
 * painted, only loom_box_canvas_columns_box() may be called. */
typedef struct {
  LoomBoxCanvas *canvas;
  LoomColor color;
  int left, right; /* range of the columns of device pixels that have boxes, relative to full_left */
} LoomBoxCanvasColumns;

void loom_box_canvas_columns_begin (LoomBoxCanvas *canvas, LoomBoxCanvasColumns *columns, LoomColor color);
void loom_box_canvas_columns_box (LoomBoxCanvasColumns *columns, double x0, double y0, double x1, double y1);
void loom_box_canvas_columns_end (LoomBoxCanvasColumns *columns);

/* A set of boxes of one colour that are hatched with oblique lines over what was painted before. The lines continue from
 * box to box. `y`: vertical position to which the lines are tied, so that they move with the boxes when rows are
 * scrolled. While the set is painted, only loom_box_canvas_hatching_box() may be called. `hatching` is freed by
 * loom_box_canvas_hatching_end(). */
typedef struct _LoomBoxCanvasHatching LoomBoxCanvasHatching;

LoomBoxCanvasHatching *loom_box_canvas_hatching_begin (LoomBoxCanvas *canvas, double y, LoomColor color);
void loom_box_canvas_hatching_box (LoomBoxCanvasHatching *hatching, double x0, double y0, double x1, double y1);
void loom_box_canvas_hatching_end (LoomBoxCanvasHatching *hatching);

/* A set of boxes with the same y and height, side by side. The boxes are painted into one line of pixels, which is then
 * copied to all other lines of the set. While the set is painted, only loom_box_canvas_strip_box() may be called. */
typedef struct {
  LoomBoxCanvas *canvas;
  double y0, y1;
  int top, bottom;
  guint32 *line; /* the line of pixels; NULL: the strip is not visible, or boxes are painted as cairo rectangles */
} LoomBoxCanvasStrip;

void loom_box_canvas_strip_begin (LoomBoxCanvas *canvas, LoomBoxCanvasStrip *strip, double y0, double y1);
void loom_box_canvas_strip_box (LoomBoxCanvasStrip *strip, double x0, double x1, LoomColor color);
void loom_box_canvas_strip_end (LoomBoxCanvasStrip *strip);

void loom_box_canvas_scratch_free (LoomBoxCanvasScratch *scratch);
