/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the parts of the draw list: its arrays, and the view in the time of one clock. Private to the draw list.
 */
#pragma once

#include "loom-draw-list.h"
#include "loom-draw-search-hits.h"
#include "loom-name-colors.h"
#include "loom-row-summary.h"

#define LOOM_SUMS_PER_PX 7

#define LOOM_MOST_BANDS 4

struct _LoomDrawList {
  LoomViewport viewport;
  LoomRowList *outline;
  LoomTimeline *timeline;
  LoomDrawOptions options;
  LoomNameColors *colors;
  GArray *strips, *marks, *plots, *lines, *columns;
  LoomPathOverlay *path; /* path for the whole list: the one in the options, if it is a path of this timeline */
  GArray *bars, *links;  /* LoomPathBar, LoomPathLink */
  /* The previous list: if only rows moved, its marks are reused. */
  GArray *old_strips, *old_marks, *old_bars;
  GHashTable *old_index; /* item and strip → index in old_strips + 1; NULL: nothing can be reused */
  gboolean has_old;
  gint64 *edges; /* working memory for pixels + 1 edges */
  LoomSpanSummary *summaries;
  double *sums; /* working memory of plots, LOOM_SUMS_PER_PX per pixel */
  guint *counts;
  guint n_scratch;
  GByteArray *cells, *pens;                 /* working memory of folded groups */
  double band_top, band_bottom;             /* only strips that begin in this range are added */
  const LoomDrawList *whole;                /* for a band: the list of the whole view; else the list itself */
  LoomDrawList *bands[LOOM_MOST_BANDS - 1]; /* the bands below the list's own band; NULL until needed */
};

/* The view in the time of a clock: local = begin + x × ns_per_px, exact at both edges. */
typedef struct {
  gint64 begin_ns, end_ns; /* times of the clock */
  double px_per_ns;
  double ns_per_px;
} LoomLocalView;

LoomLocalView loom_draw_local_view (const LoomDrawList *list, LoomTrackId track);

static inline double
loom_draw_local_view_x (const LoomLocalView *view, gint64 local_ns)
{
  return (double) loom_time_sub (local_ns, view->begin_ns) * view->px_per_ns;
}

LoomTrace *loom_draw_list_trace (const LoomDrawList *list, guint trace);

/* A row of a track, ready to add marks of its spans to a list. */
typedef struct {
  LoomDrawList *list;
  LoomTrackId id;
  LoomTrace *trace;
  const LoomSpans *spans;
  const LoomTrack *track;
  const LoomRow *row;
  LoomLocalView view;
  gboolean device;
  LoomRowHits hits;
  /* Merged narrow spans of the current pixel column. */
  gint64 cell_x;
  LoomSpanSummary cell;
} LoomDrawPen;

void loom_draw_pen_init (LoomDrawPen *pen, LoomDrawList *list, LoomTrackId id);
/* Selects a row of the pen's track, by its number in the trace. */
void loom_draw_pen_set_row (LoomDrawPen *pen, guint number);

/* Adds a mark from x0 to x1 that represents `count` spans, of which `span` is the longest; `fill`: 0 … 1. Returns the mark,
 * which is valid until the next one is added. */
LoomDrawItem *loom_draw_pen_push (LoomDrawPen *pen, double x0, double x1, guint32 span, guint32 name_id, guint32 count,
                                  double fill, guint flags);

/* Sets the edges of `n_cells` cells of a width, in the time of the view's clock. */
void loom_draw_fill_edges (LoomDrawList *list, const LoomLocalView *view, guint n_cells, guint cell_px);

/* Ends a strip whose marks and bars were added since strip->first and strip->first_bar. */
void loom_draw_close_strip (LoomDrawList *list, LoomDepthRow *strip);

/* Width of the view in whole pixels. */
guint loom_draw_list_n_px (const LoomDrawList *list);

/* Copies the marks of a strip from the previous list; FALSE if it doesn't have them. */
gboolean loom_draw_take_over (LoomDrawList *list, guint item, LoomDepthRow *strip);

void loom_draw_list_set_timeline (LoomDrawList *list, LoomTimeline *timeline);

/* Allocates working memory for the pixels of the view; must be called before strips are added. */
void loom_draw_list_ensure_scratch (LoomDrawList *list);

static inline gboolean
loom_draw_list_is_in_band (const LoomDrawList *list, double y)
{
  return y >= list->band_top && y < list->band_bottom;
}

/* Adds the strips of a row of spans, async spans or instants, from all its tracks; and the summary lane of a
 * group. */
void loom_draw_add_strips (LoomDrawList *list, guint row, double top);
void loom_draw_add_group (LoomDrawList *list, guint row, double top);

/* Add the bars of the critical path to a strip, before loom_draw_mark_path() marks the spans that it runs through: of the
 * spans of one row of a trace, or of all tracks of a folded row or a group. Bars of several rows may be in any order. */
void loom_draw_add_path (LoomDrawList *list, LoomTrackId id, const LoomRow *row);
void loom_draw_add_group_path (LoomDrawList *list, const LoomTimelineRow *row, guint cell_px);
/* Closes the bars that were added since strip->first_bar. */
void loom_draw_mark_path (LoomDrawList *list, LoomDepthRow *strip);

/* Adds the plot of a counter's row. Uses only plots, lines, columns, sums and counts, which the functions above do not
 * use: one thread may add plots while others add strips. */
void loom_draw_add_plot (LoomDrawList *list, guint row, double top);
/* Adds the plots over rows of spans, which share the lines of the counter's own plot; called when all rows were
 * added. */
void loom_draw_add_overlays (LoomDrawList *list);
