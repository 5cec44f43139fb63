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
    1 << 0, /* merges several spans: `span` is the longest, `fill` the share of the time that they cover */
  LOOM_DRAW_ITEM_OPEN = 1 << 1,    /* the span never ended: ragged right edge */
  LOOM_DRAW_ITEM_SUSPECT = 1 << 2, /* times are implausible */
  LOOM_DRAW_ITEM_HIT = 1 << 3,     /* the span, or one of the merged spans, is a search hit */
  LOOM_DRAW_ITEM_INSTANT = 1 << 4, /* an instant at x0 */
  LOOM_DRAW_ITEM_GLOBAL = 1 << 5,  /* an instant that is drawn across all tracks */
  LOOM_DRAW_ITEM_PATH = 1 << 6,    /* the critical path runs through the mark or, in a folded group, through its cell */
} LoomMarkFlags;

typedef struct {
  float x0, x1; /* x1 ≥ x0; cut a few pixels outside the view */
  LoomSpanId span;
  guint32 name_id; /* name of the span, in its trace */
  /* number of merged spans, saturated; 1 for a single span. A hint: loom_draw_list_hit() counts exactly */
  guint32 count;
  guint8 color; /* index into LoomTheme.span */
  guint8 fill;  /* share of covered time for DENSE, 0 … 255 */
  guint8 base;  /* share of the height below the bar, in a summary lane, 0 … 255; fill + base ≤ 255 */
  guint8 flags;
} LoomDrawItem;

/* A strip in view: the part of a row that shows the spans of one depth, or the summary lane of a group. */
typedef struct {
  guint row;       /* row of the row list */
  guint16 index;   /* number of the strip within the row */
  gboolean group;  /* summary lane: bars rise from the bottom */
  gboolean folded; /* the strip shows all tracks of its folded row */
  gboolean pinned; /* the strip belongs to a pinned row or to the sticky group, so it covers the scrolled rows */
  guint item;      /* item of the row */
  /* marks overlap (tracks that share the row), so hit testing must check more than neighbours */
  gboolean tangled;
  float y, height;
  guint32 first, n;          /* range in the array of marks, ascending by x0 */
  guint32 first_bar, n_bars; /* range in the array of bars of the critical path, ascending by x0 */
} LoomDepthRow;

/* One pixel column of a line plot. The line continues at `last` until the next column. */
typedef struct {
  float x;
  /* extremes and last value within the column; for a mean, extremes over all series. NaN: a gap begins */
  float low, high, last;
} LoomPlotColumn;

typedef enum {
  LOOM_LINE_SERIES,
  LOOM_LINE_MEAN,  /* mean of the series of a LOOM_PLOT_MEAN part */
  LOOM_LINE_LAYER, /* layer of a stack, from low to high; `last` is the edge farther from zero */
  LOOM_LINE_TOTAL, /* top of a stack, only where pixels merge samples: it lies between low and high */
} LoomLineKind;

typedef struct {
  LoomLineKind kind;
  guint part;       /* part of the row; for a total the first part */
  guint series;     /* index into the row's series; G_MAXUINT for lines of several series */
  guint32 first, n; /* range in the array of columns; the last column only ends the line, except for totals */
} LoomPlotLine;

/* A plot in view, or a plot drawn over a row of spans. */
typedef struct {
  guint row;        /* row of the row list in which it is drawn */
  guint source_row; /* row of the counter; differs from `row` for plots over spans */
  gboolean pinned;
  float y, height;
  /* range in the array of lines, which are sorted by part; the mean of a part comes after its series. A LOOM_PLOT_MEAN
   * part has only the mean if it is not the first part, or if the lines of its series would only be a blur. */
  guint32 first, n;
} LoomPlot;

/* What the colours of spans show. */
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
  /* The critical path, which bars and links show; the list takes a reference. NULL, or one of another timeline: none. */
  LoomPathOverlay *path;
} LoomDrawOptions;

LoomDrawList *loom_draw_list_new (void);
void loom_draw_list_free (LoomDrawList *list);

/* Builds the list again. `options` may be NULL. Keeps a reference to the row list's timeline until the next build. */
void loom_draw_list_build (LoomDrawList *list, LoomRowList *outline, const LoomViewport *viewport,
                           const LoomDrawOptions *options);

/* TRUE if the list was built with search hits: other spans are drawn faintly. */
gboolean loom_draw_list_is_searching (const LoomDrawList *list);
const LoomViewport *loom_draw_list_get_viewport (const LoomDrawList *list);
LoomRowList *loom_draw_list_get_row_list (const LoomDrawList *list); /* borrowed, NULL before the first build */
const LoomDrawItem *loom_draw_list_get_marks (const LoomDrawList *list, guint *n);
const LoomDepthRow *loom_draw_list_get_strips (const LoomDrawList *list, guint *n);
const LoomPlot *loom_draw_list_get_plots (const LoomDrawList *list, guint *n);
const LoomPlotLine *loom_draw_list_get_lines (const LoomDrawList *list, guint *n);
const LoomPlotColumn *loom_draw_list_get_columns (const LoomDrawList *list, guint *n);
/* TRUE if the list was built with a critical path: spans off the path are drawn dimmed. */
gboolean loom_draw_list_has_path (const LoomDrawList *list);
const LoomPathBar *loom_draw_list_get_path_bars (const LoomDrawList *list, guint *n);
const LoomPathLink *loom_draw_list_get_path_links (const LoomDrawList *list, guint *n);

typedef enum {
  LOOM_DRAW_HIT_NONE, /* nothing: below the last row */
  LOOM_DRAW_HIT_ROW,  /* an empty part of a row */
  LOOM_DRAW_HIT_SPAN,
  LOOM_DRAW_HIT_DENSE, /* several merged spans; `span` is the longest */
  LOOM_DRAW_HIT_INSTANT,
  /* folded group; `span` is the span that fills most of the place, `fill` its busy share */
  LOOM_DRAW_HIT_GROUP,
  LOOM_DRAW_HIT_COUNTER, /* a plot; the value that holds at the pointer */
} LoomHitKind;

typedef struct {
  LoomHitKind kind;
  guint row;               /* row of the row list; G_MAXUINT for NONE */
  LoomSpanId span;         /* LOOM_SPAN_ID_NONE if there is none */
  guint32 count;           /* number of spans in the mark's range, exact */
  double fill;             /* covered share of the mark's range, 0 … 1 */
  gint64 begin_ns, end_ns; /* times of the span, or the range of time that the mark represents */
  guint series;            /* for COUNTER: nearest series of the row */
  double value;            /* for COUNTER: its value at the pointer; NaN in a gap */
  double x0, y0, x1, y1;   /* the rectangle to outline */
} LoomDrawHit;

/* Finds what is at (x, y). Marks narrower than 2·slack_px are also hit up to slack_px from their edges; the nearest mark is
 * chosen, then the narrower, then the earlier. O(log marks). */
LoomHitKind loom_draw_list_hit (const LoomDrawList *list, double x, double y, double slack_px, LoomDrawHit *hit);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomDrawList, loom_draw_list_free)
