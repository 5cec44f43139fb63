/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the draw list, and shared by its files: the arrays of the list, and the view converted to the local time
 * of one clock.
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
  LoomPathOverlay *path; /* the critical path in the options if it belongs to `timeline`; NULL: none */
  GArray *bars, *links;  /* bars and links of the critical path: arrays of LoomPathBar and LoomPathLink */
  /* The arrays of the previous list, from which marks and bars are copied if only the positions of rows have changed
   * since. */
  GArray *old_strips, *old_marks, *old_bars;
  GHashTable *old_index; /* key made from LoomDepthRow.item and the index of the strip → index in old_strips, plus 1 */
  gboolean has_old;
  /* result of loom_row_list_get_detail_serial() when the list was made. If this number has changed since, marks cannot
   * be copied: rows then show other details (single events that are shown in place of the sums in the index of a
   * trace) */
  guint detail_serial;
  gint64 *edges; /* working memory: times of the edges of all pixels; one more element than pixels */
  LoomSpanSummary *summaries;
  double *sums; /* working memory for plots, LOOM_SUMS_PER_PX values per pixel */
  guint *counts;
  guint n_scratch;
  GByteArray *cells, *pens; /* working memory for the lanes of folded groups */
  /* y range of one band of the view: the list has only strips whose upper edge is in this range */
  double band_top, band_bottom;
  /* for the list of one band (a part of the view's height, made by one thread): the list of the whole view; for the
   * list of the whole view: this list itself */
  const LoomDrawList *whole;
  /* lists of the second and later bands (parts of the view's height); NULL until needed */
  LoomDrawList *bands[LOOM_MOST_BANDS - 1];
};

/* The view in the local time of a clock: local time = begin_ns + x × ns_per_px. This conversion is exact at both edges
 * of the view. */
typedef struct {
  gint64 begin_ns, end_ns; /* begin and end of the view in local time */
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

/* A pen adds the marks of one row of a track (LoomRow) to a list. It contains the row, the view in the time of the
 * row's clock, and the mark that is being made. */
typedef struct {
  LoomDrawList *list;
  LoomTrackId id;
  LoomTrace *trace;
  const LoomSpans *spans;
  const LoomTrack *track;
  const LoomRow *row;
  LoomLocalView view;
  gboolean device;
  /* the part of the view that is drawn, in local time, and in px from the left edge of the view; marks are cut at the
   * ends of this part */
  gint64 begin_ns, end_ns;
  double x0, x1;
  LoomRowHits hits;
  /* The pixel column in which spans narrower than a pixel are being merged into one mark (`cell_x`), and the summary of
   * the spans that have been merged so far (`cell`). */
  gint64 cell_x;
  LoomSpanSummary cell;
} LoomDrawPen;

void loom_draw_pen_init (LoomDrawPen *pen, LoomDrawList *list, LoomTrackId id);
/* Selects a row of the pen's track. `number`: index of the row in the trace. */
void loom_draw_pen_set_row (LoomDrawPen *pen, guint number);

/* Returns the time at which a span ends, in the local time of its clock. */
static inline gint64
loom_draw_pen_end (const LoomDrawPen *pen, guint32 span)
{
  return loom_time_add (pen->spans->start_ns[span], pen->spans->dur_ns[span]);
}

/* Returns the colour of a span as an index into LoomTheme.span. `name_id`: its name. */
guint loom_draw_pen_get_color (const LoomDrawPen *pen, guint32 span, guint32 name_id);

/* Adds a mark from x0 to x1 px that represents `count` spans. `span`: the longest of these spans; `fill`: the share of
 * the time from x0 to x1 that the spans cover, 0 … 1. Returns the mark, which is valid until another one is added. */
LoomDrawItem *loom_draw_pen_push (LoomDrawPen *pen, double x0, double x1, guint32 span, guint32 name_id, guint32 count,
                                  double fill, guint flags);

/* Sets list->edges to the times of the edges of `n_cells` pixel columns, each `cell_px` px wide, in the local time of
 * `view`. */
void loom_draw_fill_edges (LoomDrawList *list, const LoomLocalView *view, guint n_cells, guint cell_px);

/* Ends a strip, the part of a row that shows one level of nesting: all marks and bars since strip->first and
 * strip->first_bar become marks and bars of this strip. */
void loom_draw_close_strip (LoomDrawList *list, LoomDepthRow *strip);

/* Returns the width of the view in whole pixels. */
guint loom_draw_list_n_px (const LoomDrawList *list);

/* Copies the marks and bars of a strip (one level of nesting of a row) from the previous list. Returns FALSE if the
 * previous list does not have this strip. */
gboolean loom_draw_take_over (LoomDrawList *list, guint item, LoomDepthRow *strip);

void loom_draw_list_set_timeline (LoomDrawList *list, LoomTimeline *timeline);
/* Makes a list without marks, in whose view cells of lanes can be computed (loom-lane-cells.h). `collectives` and
 * `data_waits` as in LoomDrawOptions; borrowed. */
LoomDrawList *loom_draw_list_new_view (LoomTimeline *timeline, const LoomViewport *view,
                                       const LoomCollectives *collectives, const LoomDataWaits *data_waits);

/* Allocates the working memory for the pixels of the view. Call it before rows are added. */
void loom_draw_list_ensure_scratch (LoomDrawList *list);

static inline gboolean
loom_draw_list_is_in_band (const LoomDrawList *list, double y)
{
  return y >= list->band_top && y < list->band_bottom;
}

/* loom_draw_add_strips() adds the strips (one per level of nesting) of a row that shows spans, async spans or instants.
 * The strips contain the marks of all tracks of this row. loom_draw_add_group() adds the lane of a folded group. */
void loom_draw_add_strips (LoomDrawList *list, guint row, double top);
void loom_draw_add_group (LoomDrawList *list, guint row, double top);

/* The next two functions add bars of the critical path to a strip: loom_draw_add_path() those of one row of a trace,
 * loom_draw_add_group_path() those of all tracks of a folded row or group. If a strip shows several rows, their bars
 * may be added in any order. When all bars of a strip have been added, call loom_draw_mark_path(). */
void loom_draw_add_path (LoomDrawList *list, LoomTrackId id, const LoomRow *row);
void loom_draw_add_group_path (LoomDrawList *list, const LoomTimelineRow *row, guint cell_px);
/* Must be called when all bars of the critical path in a strip have been added; these are the bars from
 * strip->first_bar on. Sorts the bars, and sets LOOM_DRAW_ITEM_PATH in those marks of the strip that are on the
 * critical path. */
void loom_draw_mark_path (LoomDrawList *list, LoomDepthRow *strip);

/* Adds the plot of a counter that has a row of its own. Writes only to the arrays plots, lines, columns, sums and
 * counts. The functions that add strips and paths do not use these arrays, so one thread may add plots while others add
 * strips. */
void loom_draw_add_plot (LoomDrawList *list, guint row, double top);
/* Adds the plots that are drawn over rows of spans. Must be called after the strips of all rows were added, because the
 * function looks for rows of spans among these strips. */
void loom_draw_add_overlays (LoomDrawList *list);
