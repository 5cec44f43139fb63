/* SPDX-License-Identifier: Apache-2.0
 *
 * The marks to be drawn, as numbers: geometry and the spans or samples that they represent. Painters, hit testing,
 * tooltips and accessible descriptions all use the same list, so they cannot disagree.
 *
 * Built only for the rows in view, in O(pixels · log spans); has at most about two marks per pixel and strip. Arrays
 * are reused, nothing is allocated per mark. One thread at a time per list.
 *
 * x is in logical pixels of the track area, y from the top of the rows (pinned rows first), as in LoomViewport.
 */
#pragma once

#include "loom-path-overlay.h"
#include "loom-row-list.h"
#include "loom-viewport.h"

typedef struct _LoomDrawList LoomDrawList;

typedef enum {
  LOOM_DRAW_ITEM_DENSE =
    /* the mark represents several spans: `span` is the longest, `fill` the share of the mark's time that they cover */
  1 << 0,
  LOOM_DRAW_ITEM_OPEN = 1 << 1,    /* the span never ended; drawn with a ragged right edge */
  LOOM_DRAW_ITEM_SUSPECT = 1 << 2, /* times are implausible */
  LOOM_DRAW_ITEM_HIT = 1 << 3,     /* the span, or one of the spans that the mark represents, is a search hit */
  LOOM_DRAW_ITEM_INSTANT = 1 << 4, /* an instant at x0 */
  LOOM_DRAW_ITEM_GLOBAL = 1 << 5,  /* an instant that is drawn across all tracks */
  /* the critical path runs through the mark; in the lane of a folded group, it runs through this part of the lane */
  LOOM_DRAW_ITEM_PATH = 1 << 6,
} LoomMarkFlags;

typedef struct {
  float x0, x1; /* in px, x1 ≥ x0; at most a few px outside of the view */
  LoomSpanId span;
  guint32 name_id; /* id of the span's name in its trace */
  /* number of spans represented, saturated; 1 for a single span. An estimate: loom_draw_list_hit() counts exactly */
  guint32 count;
  guint8 color; /* index into LoomTheme.span */
  guint8 fill;  /* share of the time that the spans of a DENSE mark cover, in 1/255 */
  /* in the lane of a group: distance of the bar from the lower edge of the lane, as a share of the lane's height in
   * 1/255; fill + base ≤ 255 */
  guint8 base;
  guint8 flags;
} LoomDrawItem;

/* A strip in view: the part of a row that shows the spans of one depth of nesting, or the lane of a folded group, which
 * summarises the rows of the group. */
typedef struct {
  guint row;       /* index of the row in the row list */
  guint16 index;   /* index of the strip within the row */
  gboolean group;  /* TRUE for the lane of a folded group, whose bars begin at its lower edge */
  gboolean folded; /* TRUE for the only strip of a folded row, which shows all of its tracks */
  gboolean pinned; /* TRUE for a strip of a pinned row or of the sticky group, which covers scrolled rows */
  guint item;      /* `item` of the row, see LoomTimelineRow */
  /* TRUE if marks may overlap, because several tracks share the row; finding the mark under the pointer then takes more
   * than comparing the nearest ones */
  gboolean tangled;
  float y, height;
  guint32 first, n;          /* range in the array of marks, sorted by x0 */
  guint32 first_bar, n_bars; /* range in the array of bars of the critical path, sorted by x0 */
} LoomDepthRow;

/* A pixel column of a line in a plot. After it, the line continues at the height of `last` until the next column. */
typedef struct {
  float x;
  /* lowest, highest and last value in the column; in a line of the mean of several series, `low` and `high` are the
   * lowest and highest value of all these series. NaN: a gap begins */
  float low, high, last;
} LoomPlotColumn;

typedef enum {
  LOOM_LINE_SERIES,
  LOOM_LINE_MEAN, /* mean of all series of a LOOM_PLOT_MEAN part */
  /* layer of a stack: it fills the area between `low` and `high`; `last` is the edge that is farther from zero */
  LOOM_LINE_LAYER,
  /* uncertainty of the top of a stack, which lies between `low` and `high`; only for pixels with several samples */
  LOOM_LINE_TOTAL,
} LoomLineKind;

typedef struct {
  LoomLineKind kind;
  guint part;   /* index in the parts of the row; for LOOM_LINE_TOTAL, the first part of the stack */
  guint series; /* index in the series of the row; G_MAXUINT: the line shows several series */
  /* range in the array of columns; except in LOOM_LINE_TOTAL, the last column only marks the end of the line */
  guint32 first, n;
} LoomPlotLine;

/* The plot of a counter in view, in its own row or over a row of spans. */
typedef struct {
  guint row; /* index in the row list of the row in which the plot is drawn */
  /* index in the row list of the row of the counter itself; differs from `row` if the plot is drawn over spans */
  guint source_row;
  gboolean pinned;
  float y, height;
  /* range in the array of lines, sorted by part (LoomCounterPart: one counter of the plot); the line of the mean of a
   * part comes after the lines of its series. A LOOM_PLOT_MEAN part has a line for its mean but none for its series if
   * it is not the first part of the row, or if the lines of its series would merge into a blur. */
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
  /* Search hits, sorted by trace, then span; borrowed during the build. NULL: no search. */
  const LoomSpanId *hits;
  gsize n_hits;
  /* The critical path, for its bars and links. It must belong to the timeline of the row list; other paths are ignored.
   * The list takes a reference. NULL: none. */
  LoomPathOverlay *path;
} LoomDrawOptions;

LoomDrawList *loom_draw_list_new (void);
void loom_draw_list_free (LoomDrawList *list);

/* Builds the list anew. `options` may be NULL. Keeps a reference to the row list's timeline until the next build. */
void loom_draw_list_build (LoomDrawList *list, LoomRowList *outline, const LoomViewport *viewport,
                           const LoomDrawOptions *options);

/* Returns TRUE if the list was built with search hits: all other spans are drawn faintly then. */
gboolean loom_draw_list_is_searching (const LoomDrawList *list);
const LoomViewport *loom_draw_list_get_viewport (const LoomDrawList *list);
LoomRowList *loom_draw_list_get_row_list (const LoomDrawList *list); /* borrowed, NULL before the first build */
const LoomDrawItem *loom_draw_list_get_marks (const LoomDrawList *list, guint *n);
const LoomDepthRow *loom_draw_list_get_strips (const LoomDrawList *list, guint *n);
const LoomPlot *loom_draw_list_get_plots (const LoomDrawList *list, guint *n);
const LoomPlotLine *loom_draw_list_get_lines (const LoomDrawList *list, guint *n);
const LoomPlotColumn *loom_draw_list_get_columns (const LoomDrawList *list, guint *n);
/* Returns TRUE if the list was built with a critical path: spans that are not on it are dimmed then. */
gboolean loom_draw_list_has_path (const LoomDrawList *list);
const LoomPathBar *loom_draw_list_get_path_bars (const LoomDrawList *list, guint *n);
const LoomPathLink *loom_draw_list_get_path_links (const LoomDrawList *list, guint *n);

typedef enum {
  LOOM_DRAW_HIT_NONE, /* below the last row */
  LOOM_DRAW_HIT_ROW,  /* in a row, but not on a mark or plot */
  LOOM_DRAW_HIT_SPAN,
  LOOM_DRAW_HIT_DENSE, /* a mark of several spans; `span` is the longest */
  LOOM_DRAW_HIT_INSTANT,
  /* the lane of a folded group; `span` has the greatest share of the time at this place; `fill` is the share of the
   * time in which the group is busy */
  LOOM_DRAW_HIT_GROUP,
  LOOM_DRAW_HIT_COUNTER, /* a plot of a counter; `value` is the value of the counter at the pointer */
} LoomHitKind;

typedef struct {
  LoomHitKind kind;
  guint row;               /* index in the row list; G_MAXUINT for NONE */
  LoomSpanId span;         /* LOOM_SPAN_ID_NONE if there is none */
  guint32 count;           /* exact number of spans in the time range of the mark */
  double fill;             /* share of the mark's time range that spans cover, 0 … 1 */
  gint64 begin_ns, end_ns; /* times of the span; for several spans, the time range of the mark */
  guint series;            /* for COUNTER: index of the nearest series of the row */
  double value;            /* for COUNTER: value of this series at the pointer; NaN in a gap */
  double x0, y0, x1, y1;   /* the rectangle to outline, in px */
} LoomDrawHit;

/* Finds the item at (x, y). Marks narrower than 2 · slack_px are also found up to slack_px from their edges. Of
 * several marks, chooses the nearest, then the narrowest, then the earliest. O(log marks). */
LoomHitKind loom_draw_list_hit (const LoomDrawList *list, double x, double y, double slack_px, LoomDrawHit *hit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomDrawList, loom_draw_list_free)
