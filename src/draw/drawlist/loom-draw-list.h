/* SPDX-License-Identifier: Apache-2.0
 *
 * The draw list: what the timeline shows in the current view, as plain data. It contains marks (each represents a span,
 * several spans or an instant), bars of the critical path, and plots of counters. Painters, hit testing, tooltips and
 * accessible descriptions all use this list, so they always agree.
 *
 * The list is built only for the rows in view, in O(pixels · log spans). It has at most about two marks per pixel of a
 * strip (LoomDepthRow). Arrays are reused, and memory is not allocated per mark. Only one thread at a time may use a
 * list.
 *
 * x is in logical pixels of the track area, y from the top of the rows (pinned rows first), as in LoomViewport.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-data-waits.h"
#include "loom-lane-shares.h"
#include "loom-path-overlay.h"
#include "loom-row-list.h"
#include "loom-viewport.h"

typedef struct _LoomDrawList LoomDrawList;

typedef enum {
  LOOM_DRAW_ITEM_DENSE =
    /* the mark represents several spans: `span` is the longest one, `fill` the share of the mark's time that the spans
     * cover */
  1 << 0,
  LOOM_DRAW_ITEM_OPEN = 1 << 1,    /* the span never ended; drawn with a ragged right edge */
  LOOM_DRAW_ITEM_SUSPECT = 1 << 2, /* the times of the span are not credible (LOOM_REF_SUSPECT) */
  LOOM_DRAW_ITEM_HIT = 1 << 3,     /* the span, or one of the spans that the mark represents, is a search hit */
  LOOM_DRAW_ITEM_INSTANT = 1 << 4, /* the span is an instant, at x0 */
  LOOM_DRAW_ITEM_GLOBAL = 1 << 5,  /* the span is an instant that is drawn across all tracks */
  /* the critical path runs through the mark, which is a span or, in the lane of a folded group, a bar of the lane */
  LOOM_DRAW_ITEM_PATH = 1 << 6,
  /* in the lane of a group: the bar shows waiting. The wait is for data if the bar has the colour of data loading;
   * otherwise it is for other ranks in collectives. On any other row: the span is a wait of a device stream for another
   * stream or for the host */
  LOOM_DRAW_ITEM_WAITING = 1 << 7,
} LoomMarkFlags;

typedef struct {
  float x0, x1; /* left and right edge in px, x1 ≥ x0; at most a few px outside of the view */
  LoomSpanId span;
  guint32 name_id; /* id of the span's name in its trace */
  /* estimated number of spans that the mark represents, saturated; 1 for a single span. loom_draw_list_hit() counts
   * exactly */
  guint32 count;
  guint8 color; /* colour of the mark, as an index into LoomTheme.span */
  /* in a mark with the flag LOOM_DRAW_ITEM_DENSE: share of the mark's time that its spans cover, in 1/255; in the lane
   * of a group: height of the bar, as a share of the lane's height in 1/255 */
  guint8 fill;
  /* in the lane of a group: distance of the bar from the lower edge of the lane, as a share of the lane's height in
   * 1/255; fill + base ≤ 255 */
  guint8 base;
  guint8 flags;
} LoomDrawItem;

/* A strip in view. A strip is the part of a row that shows the spans of one depth of nesting, or the lane of a folded
 * group, which summarises the rows of the group. */
typedef struct {
  guint row;      /* index of the row in the row list */
  guint16 index;  /* index of the strip (level of nesting) within the row */
  gboolean group; /* TRUE: the strip is the lane of a folded group; bars begin at the lower edge of the lane */
  /* TRUE: the row is folded; the strip is then the only strip of the row, and shows all tracks of the row */
  gboolean folded;
  /* TRUE if the strip is in a pinned row or in the sticky group (see loom-row-list.h), and so covers scrolled rows */
  gboolean pinned;
  guint item; /* `item` of the strip's row, see LoomTimelineRow */
  /* TRUE if the marks of the strip may overlap, because several tracks share the row. In this case, all marks of the
   * strip must be compared to find the mark under the pointer */
  gboolean tangled;
  float y, height;
  guint32 first, n;          /* range of the strip's marks in the array of marks, sorted by x0 */
  guint32 first_bar, n_bars; /* range of the strip's bars in the array of bars of the critical path, sorted by x0 */
} LoomDepthRow;

/* One pixel column of a line in a plot. The line stays at the height of `last` from this column to the next one. */
typedef struct {
  float x;
  /* lowest, highest and last value in the column; in the line of a mean of several series, `low` and `high` are the
   * extremes of all these series. A column of NaN is the start of a gap */
  float low, high, last;
} LoomPlotColumn;

typedef enum {
  LOOM_LINE_SERIES,
  LOOM_LINE_MEAN, /* line of the mean of all series in a LOOM_PLOT_MEAN part */
  /* layer of a stack: it fills the area between `low` and `high`; `last` is `low` or `high`, whichever is farther from
   * zero */
  LOOM_LINE_LAYER,
  /* range in which the top of a stack lies: from `low` to `high`; only for pixels with several samples */
  LOOM_LINE_TOTAL,
} LoomLineKind;

typedef struct {
  LoomLineKind kind;
  /* index of the line's part (LoomCounterPart: one counter of the plot) among the parts of the row; for
   * LOOM_LINE_TOTAL, index of the first part of the stack */
  guint part;
  guint series; /* index of the line's series in the row; G_MAXUINT: the line shows several series */
  /* range of the line's columns in the array of columns. The last column is not drawn, but only contains the end of the
   * line; a line of the kind LOOM_LINE_TOTAL has no such column */
  guint32 first, n;
} LoomPlotLine;

/* The plot of a counter in view, in its own row or over a row of spans. */
typedef struct {
  guint row; /* index in the row list of the row in which the plot is drawn */
  /* index in the row list of the counter's own row; differs from `row` if the plot is drawn over spans */
  guint source_row;
  gboolean pinned;
  float y, height;
  /* range of the plot's lines in the array of lines, sorted by part (LoomCounterPart: one counter of the plot). The
   * line of the mean of a part comes after the lines of its series. A part of the kind LOOM_PLOT_MEAN has no lines of
   * its series in two cases: it is not the first part of the row; or these lines would be too close together to be
   * distinguished */
  guint32 first, n;
} LoomPlot;

/* The property of spans that determines their colours. */
typedef enum {
  LOOM_COLOR_BY_NAME,
  LOOM_COLOR_BY_CATEGORY,
  LOOM_COLOR_BY_RANK,
  LOOM_COLOR_BY_DURATION,
} LoomColorBy;

typedef struct {
  LoomColorBy color_by;
  /* The search hits, sorted by trace, then span; borrowed while the list is built. NULL: there is no search. */
  const LoomSpanId *hits;
  gsize n_hits;
  /* The critical path, whose bars and links are drawn; NULL: none. The path must belong to the timeline of the row
   * list; a path of another timeline is ignored. The draw list takes a reference. */
  LoomPathOverlay *path;
  /* The collectives of the run, borrowed while the list is built: in the lanes of groups, they divide communication
   * into waiting and transferring. They must belong to the timeline of the row list. NULL: unknown. */
  const LoomCollectives *collectives;
  /* The waits for data of the whole run, borrowed while the list is built: the lanes of ranks show them where the
   * devices do no work. They must belong to the timeline of the row list. NULL: unknown. */
  const LoomDataWaits *data_waits;
  /* The shares of the kinds of work in the lanes of ranks, computed in advance; borrowed while the list is built.
   * Shares of another timeline are ignored. NULL: unknown. */
  const LoomLaneShares *lane_shares;
} LoomDrawOptions;

LoomDrawList *loom_draw_list_new (void);
void loom_draw_list_free (LoomDrawList *list);

/* Builds the list anew. `options` may be NULL. Keeps a reference to the timeline of the row list until the list is
 * built again. */
void loom_draw_list_build (LoomDrawList *list, LoomRowList *outline, const LoomViewport *viewport,
                           const LoomDrawOptions *options);

/* Returns TRUE if the list was built with search hits; spans that are not hits are drawn faintly then. */
gboolean loom_draw_list_is_searching (const LoomDrawList *list);
const LoomViewport *loom_draw_list_get_viewport (const LoomDrawList *list);
/* Returns the row list of the last build, borrowed; NULL before the first build. */
LoomRowList *loom_draw_list_get_row_list (const LoomDrawList *list);
const LoomDrawItem *loom_draw_list_get_marks (const LoomDrawList *list, guint *n);
const LoomDepthRow *loom_draw_list_get_strips (const LoomDrawList *list, guint *n);
const LoomPlot *loom_draw_list_get_plots (const LoomDrawList *list, guint *n);
const LoomPlotLine *loom_draw_list_get_lines (const LoomDrawList *list, guint *n);
const LoomPlotColumn *loom_draw_list_get_columns (const LoomDrawList *list, guint *n);
/* Returns TRUE if the list was built with a critical path; spans that are not on it are dimmed then. */
gboolean loom_draw_list_has_path (const LoomDrawList *list);
const LoomPathBar *loom_draw_list_get_path_bars (const LoomDrawList *list, guint *n);
const LoomPathLink *loom_draw_list_get_path_links (const LoomDrawList *list, guint *n);

typedef enum {
  LOOM_DRAW_HIT_NONE, /* the point is below the last row */
  LOOM_DRAW_HIT_ROW,  /* the point is in a row, but neither on a drawn span nor on a plot */
  LOOM_DRAW_HIT_SPAN,
  /* the point is on a mark of several spans. `span` is the longest of these spans; on a device, the longest one that is
   * work, or the longest of all if none is work */
  LOOM_DRAW_HIT_DENSE,
  LOOM_DRAW_HIT_INSTANT,
  /* the point is on the lane of a folded group. `span`: the span with the greatest share of the time at the point;
   * `fill`: the share of the time in which the group is busy */
  LOOM_DRAW_HIT_GROUP,
  /* the point is on the plot of a counter; `value` is the value of the counter at the time of the point */
  LOOM_DRAW_HIT_COUNTER,
} LoomHitKind;

typedef struct {
  LoomHitKind kind;
  guint row;       /* index of the row in the row list; G_MAXUINT for LOOM_DRAW_HIT_NONE */
  LoomSpanId span; /* LOOM_SPAN_ID_NONE if there is no span at the point */
  /* number of spans that are merged into the mark at the point; exact, except in the lane of a group, where it is
   * estimated (LoomDrawItem.count) */
  guint32 count;
  double fill; /* share of the time of the mark at the point that spans cover, 0 … 1 */
  /* begin and end of the span at the point; if several spans are merged into one mark, begin and end of the mark */
  gint64 begin_ns, end_ns;
  guint series;          /* for LOOM_DRAW_HIT_COUNTER: index of the series of the row whose line is nearest */
  double value;          /* for LOOM_DRAW_HIT_COUNTER: value of `series` at the pointer; NaN in a gap */
  double x0, y0, x1, y1; /* rectangle in px of the mark (drawn span) at the point or, without a mark, of the row */
} LoomDrawHit;

/* Sets `hit` to what is drawn at (x, y), and returns its kind. Marks narrower than 2 · slack_px are also found up to
 * slack_px from their edges. Of several marks, chooses the nearest, then the narrowest, then the earliest. O(log
 * marks). */
LoomHitKind loom_draw_list_hit (const LoomDrawList *list, double x, double y, double slack_px, LoomDrawHit *hit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomDrawList, loom_draw_list_free)
