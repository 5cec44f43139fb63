/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the painters of the track area: the state that they share, and a function for each kind of
 * mark.
 */
#pragma once

#include "loom-box-canvas.h"
#include "loom-timeline-painter.h"

/* How strongly the mark of a span is painted, and whether it is selected. */
typedef enum {
  LOOM_PAINT_TONE_FULL,
  LOOM_PAINT_TONE_FAINT, /* tone of a mark that is not a hit of the active search */
  /* tone of a mark that is not among the selected spans while spans are selected, or not on the critical path while the
   * path is shown */
  LOOM_PAINT_TONE_DIM,
  LOOM_PAINT_N_TONES,
  LOOM_PAINT_SELECTED = 0x80, /* flag that is combined with a tone: the span is selected */
} LoomPaintTone;

/* A vertical band behind the data, from x0 to x1, for a bottleneck or a highlighted range. */
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
  const GArray *tints; /* LoomPaintTint: bands behind the data of all rows; borrowed; NULL: none */
  LoomBoxCanvas canvas;
  gboolean searching; /* TRUE: marks that the search did not find are painted faintly */
  guint8 *tones;      /* array indexed by mark: LoomPaintTone; NULL: all marks are painted fully, none is selected */
  LoomThemeDim dim;   /* how strongly the marks of spans that are not selected are dimmed */
  LoomColor span[LOOM_PAINT_N_TONES][LOOM_N_FILLS]; /* colours of the fills of spans, by tone */
  /* fills of the bars in lanes of folded groups, mixed with the background of groups */
  LoomColor soft[LOOM_PAINT_N_TONES][LOOM_N_FILLS];
} LoomPaintContext;

void loom_paint_init (LoomPaintContext *paint, cairo_t *cr, const LoomDrawList *list, const LoomPaintOptions *options);

/* Returns the tone of each mark (LoomPaintTone: how strongly it is painted, and whether it is selected). Owned by the
 * caller; NULL if all marks are painted fully and none is selected. O(marks · log selected spans). */
guint8 *loom_paint_tones_new (const LoomPaintContext *paint);

/* Returns the tone of a mark, with the flag LOOM_PAINT_SELECTED removed. `number`: index of the mark in the list. */
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

/* loom_paint_strip() paints the marks of a strip (the part of a row that shows one level of nesting) onto the canvas,
 * loom_paint_plot() the lines of a plot. */
void loom_paint_strip (LoomPaintContext *paint, const LoomDepthRow *strip);
void loom_paint_plot (LoomPaintContext *paint, const LoomPlot *plot);

/* Paints the bars of the critical path onto the canvas, along the lower edge of the strip (a level of nesting of a
 * row). */
void loom_paint_path_bars (LoomPaintContext *paint, const LoomDepthRow *strip);

/* Paints hatching onto the canvas over waits: over the parts of collectives and messages in which a rank waits for
 * others, over waits of streams and, in the lanes of folded groups, over waits for data. Must be called after
 * loom_paint_strip(). */
void loom_paint_waiting (LoomPaintContext *paint, const LoomDepthRow *strip);

/* The next three functions paint onto `cr`, on top of the spans. They must be called after the pixels of the canvas are
 * complete. loom_paint_strip_text() paints the names in spans. loom_paint_strip_outlines() paints the outlines of
 * selected and hovered spans, and the ragged right edges of spans that never ended. loom_paint_instants() paints
 * instants. */
void loom_paint_strip_text (LoomPaintContext *paint, const LoomDepthRow *strip);
void loom_paint_strip_outlines (LoomPaintContext *paint, const LoomDepthRow *strip);
void loom_paint_instants (LoomPaintContext *paint, const LoomDepthRow *strip);

/* The next three functions paint onto `cr`: the arrows, the links of the critical path, and the selection. */
void loom_paint_flows (LoomPaintContext *paint);
void loom_paint_path_links (LoomPaintContext *paint);
void loom_paint_selection (LoomPaintContext *paint, double height);
/* loom_paint_list_tints() returns the bands that are painted behind the data (LoomPaintContext.tints). There is a band
 * for each bottleneck, and for each range that is highlighted for the selected element of a panel.
 * loom_paint_stretches() paints the highlighted ranges on top of the data, loom_paint_bottlenecks() paints the
 * bottlenecks. */
GArray *loom_paint_list_tints (const LoomPaintContext *paint);
void loom_paint_stretches (LoomPaintContext *paint);
void loom_paint_bottlenecks (LoomPaintContext *paint);
void loom_paint_marks (LoomPaintContext *paint, double height);
void loom_paint_tags (LoomPaintContext *paint);
/* The next functions paint that ranks are late (LoomTimelineRow.late). loom_paint_late() paints bars along the lower
 * edge of the lane of a rank. loom_paint_late_header() paints a bar at the edge of the header of a row, and words below
 * the name or, in a low row, to its right. loom_paint_late_header() returns the right edge of the room for the name.
 * loom_paint_late_shift() returns by how many px the name is painted higher, so that there is room for the words below
 * it. */
void loom_paint_late (LoomPaintContext *paint, const LoomDepthRow *strip);
double loom_paint_late_header (LoomPaintContext *paint, const LoomTimelineRow *row, double top, double x, double middle,
                               double right);
double loom_paint_late_shift (const LoomTimelineRow *row);
/* Returns TRUE if `y` is on the words below the name. `middle`: the middle of the header of the row. */
gboolean loom_paint_late_is_line (const LoomTimelineRow *row, double middle, double y);
void loom_paint_notes (LoomPaintContext *paint); /* paints the notes of rows (LoomTimelineRow.note) */
void loom_paint_box (LoomPaintContext *paint);

/* Paints a vertical line of `width` logical pixels, but at least one device pixel, aligned to device pixels. */
void loom_paint_vertical (cairo_t *cr, double x, double y0, double y1, double width, double scale);
/* Paints a frame of this line width along the inner edges of the box. */
void loom_paint_frame (cairo_t *cr, double x0, double y0, double x1, double y1, double width);

/* Sets the rectangle of a span in the track area; the rectangle may be outside the view. If the row of the span is
 * folded away, returns FALSE, and sets the rectangle to the part of the group's lane at the time of the span. */
gboolean loom_paint_locate (const LoomPaintContext *paint, LoomSpanId span, double *x0, double *x1, double *y,
                            double *height);
