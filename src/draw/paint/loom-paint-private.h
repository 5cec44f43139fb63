/* SPDX-License-Identifier: Apache-2.0
 *
 * What the painters of the track area share. Private to them.
 */
#pragma once

#include "loom-box-canvas.h"
#include "loom-timeline-painter.h"

G_BEGIN_DECLS

typedef struct {
  cairo_t *cr;
  const LoomDrawList *list;
  LoomRowList *outline;
  const LoomViewport *viewport;
  const LoomPaintOptions *options;
  const LoomTheme *theme;
  LoomBoxCanvas canvas;
  gboolean searching;              /* marks that are no hits stand back */
  LoomColor span[2][LOOM_N_FILLS]; /* fills: as they are, and standing back */
} LoomPaintContext;

void loom_paint_init (LoomPaintContext *paint, cairo_t *cr, const LoomDrawList *list, const LoomPaintOptions *options);

/* Onto the canvas: marks of a strip, lines of a plot. */
void loom_paint_strip (LoomPaintContext *paint, const LoomDepthRow *strip);
void loom_paint_plot (LoomPaintContext *paint, const LoomPlot *plot);

/* Onto cr, before the names: the part of collectives that is waiting. */
void loom_paint_waiting (LoomPaintContext *paint, const LoomDepthRow *strip);

/* Onto cr, after the canvas is done: names in spans, ragged edges, outlines of what is selected or under the pointer. */
void loom_paint_strip_text (LoomPaintContext *paint, const LoomDepthRow *strip);
void loom_paint_strip_outlines (LoomPaintContext *paint, const LoomDepthRow *strip);
void loom_paint_instants (LoomPaintContext *paint, const LoomDepthRow *strip);

/* Onto cr: what belongs to the person. */
void loom_paint_flows (LoomPaintContext *paint);
void loom_paint_selection (LoomPaintContext *paint, double height);
void loom_paint_stretches (LoomPaintContext *paint, double height);
void loom_paint_bottlenecks (LoomPaintContext *paint, double height);
void loom_paint_marks (LoomPaintContext *paint, double height);
void loom_paint_tags (LoomPaintContext *paint);
void loom_paint_box (LoomPaintContext *paint);

/* A vertical line of one device pixel (or `width` logical ones), crisp. */
void loom_paint_vertical (cairo_t *cr, double x, double y0, double y1, double width, double scale);
/* A box around x0 … x1, y0 … y1 drawn inside it. */
void loom_paint_frame (cairo_t *cr, double x0, double y0, double x1, double y1, double width);

/* Where a span stands in the track area; FALSE when its row is folded away (then it is the group's row). The rectangle
 * can lie outside the view. */
gboolean loom_paint_locate (const LoomPaintContext *paint, LoomSpanId span, double *x0, double *x1, double *y,
                            double *height);

G_END_DECLS
