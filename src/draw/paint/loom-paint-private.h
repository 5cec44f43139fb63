/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the painters of the track area. Private to them.
 */
#pragma once

#include "loom-box-canvas.h"
#include "loom-timeline-painter.h"

/* How strongly a mark is painted. */
typedef enum {
  LOOM_PAINT_TONE_FULL,
  LOOM_PAINT_TONE_FAINT, /* not a search hit */
  LOOM_PAINT_TONE_DIM,   /* not selected, or not on the critical path */
  LOOM_PAINT_N_TONES,
  LOOM_PAINT_SELECTED = 0x80, /* bit combined with one of the tones above: the span is selected */
} LoomPaintTone;

/* A vertical band behind the data. */
typedef struct {
  double x0, x1;
  LoomColor color;
} LoomPaintTint;

typedef struct {
  cairo_t *cr;
  const LoomDrawList *list;
  LoomRowList *outline;
  const LoomViewport *viewport;
  const LoomPaintOptions *options;
  const LoomTheme *theme;
  const GArray *tints; /* LoomPaintTint, painted under the data of all rows; borrowed; NULL: none */
  LoomBoxCanvas canvas;
  gboolean searching; /* marks that are not search hits are painted faintly */
  guint8 *tones;      /* LoomPaintTone by mark; NULL: all marks are painted fully and none is selected */
  LoomThemeDim dim;   /* how marks outside the selection are dimmed */
  LoomColor span[LOOM_PAINT_N_TONES][LOOM_N_FILLS]; /* fills by tone */
  LoomColor soft[LOOM_PAINT_N_TONES][LOOM_N_FILLS]; /* fills of bars in summary lanes, on the background of groups */
} LoomPaintContext;

void loom_paint_init (LoomPaintContext *paint, cairo_t *cr, const LoomDrawList *list, const LoomPaintOptions *options);

/* The tones of all marks, owned by the caller; NULL if all are painted fully and none is selected. O(marks · log selected
 * spans). */
guint8 *loom_paint_tones_new (const LoomPaintContext *paint);

/* Returns the tone of mark `number` of the list, without the bit that says whether its span is selected. */
static inline LoomPaintTone
loom_paint_tone (const LoomPaintContext *paint, guint32 number)
{
  return paint->tones != NULL ? (LoomPaintTone) (paint->tones[number] & ~LOOM_PAINT_SELECTED) : LOOM_PAINT_TONE_FULL;
}

static inline gboolean
loom_paint_is_selected (const LoomPaintContext *paint, guint32 number)
{
  return paint->tones != NULL && (paint->tones[number] & LOOM_PAINT_SELECTED) != 0;
}

/* Paint onto the canvas: marks of a strip, lines of a plot. */
void loom_paint_strip (LoomPaintContext *paint, const LoomDepthRow *strip);
void loom_paint_plot (LoomPaintContext *paint, const LoomPlot *plot);

/* Paints the bars of the critical path onto the canvas, on the lower edge of the strip. */
void loom_paint_path_bars (LoomPaintContext *paint, const LoomDepthRow *strip);

/* Paints onto cr, before the names: hatches the waiting part of collectives. */
void loom_paint_waiting (LoomPaintContext *paint, const LoomDepthRow *strip);

/* Paint onto cr, after the canvas has ended: names in spans, ragged edges, outlines of selected and hovered spans. */
void loom_paint_strip_text (LoomPaintContext *paint, const LoomDepthRow *strip);
void loom_paint_strip_outlines (LoomPaintContext *paint, const LoomDepthRow *strip);
void loom_paint_instants (LoomPaintContext *paint, const LoomDepthRow *strip);

/* Paint onto cr: the user's selection, marks and other overlays. */
void loom_paint_flows (LoomPaintContext *paint);
void loom_paint_path_links (LoomPaintContext *paint);
void loom_paint_selection (LoomPaintContext *paint, double height);
/* Bottlenecks and the ranges of a panel's element: tints behind the data (for `tints`), and a thin band above it. */
GArray *loom_paint_list_tints (const LoomPaintContext *paint);
void loom_paint_stretches (LoomPaintContext *paint);
void loom_paint_bottlenecks (LoomPaintContext *paint);
void loom_paint_marks (LoomPaintContext *paint, double height);
void loom_paint_tags (LoomPaintContext *paint);
void loom_paint_box (LoomPaintContext *paint);

/* Paints a vertical line one device pixel (or `width` logical pixels) wide, aligned to device pixels. */
void loom_paint_vertical (cairo_t *cr, double x, double y0, double y1, double width, double scale);
/* Paints a frame inside the edges of the box x0 … x1, y0 … y1. */
void loom_paint_frame (cairo_t *cr, double x0, double y0, double x1, double y1, double width);

/* The rectangle of a span in the track area, which may be outside the view. FALSE if its row is folded away: then the
 * rectangle is in the group's row. */
gboolean loom_paint_locate (const LoomPaintContext *paint, LoomSpanId span, double *x0, double *x1, double *y,
                            double *height);
