/* SPDX-License-Identifier: Apache-2.0
 *
 * What is to be drawn, as numbers: marks with geometry and what they stand for. Painters paint it, pointers are
 * tested against it, tooltips and the accessible description read it, so none of them can disagree.
 *
 * Built for the rows in view only, at a cost of O(pixels · log spans); at most about two marks per pixel and strip.
 * Arrays are reused, nothing is allocated per mark. One thread at a time per list.
 *
 * x in logical pixels of the track area, y from the top of the rows (pinned ones first), as in LoomViewport.
 */
#pragma once

#include "loom-row-list.h"
#include "loom-viewport.h"

G_BEGIN_DECLS

typedef struct _LoomDrawList LoomDrawList;

typedef enum {
  LOOM_DRAW_ITEM_DENSE =
    1 << 0,                     /* hides several spans: `span` is the longest, `fill` how much of the time they cover */
  LOOM_DRAW_ITEM_OPEN = 1 << 1, /* never ended: ragged right edge */
  LOOM_DRAW_ITEM_SUSPECT = 1 << 2, /* times not credible */
  LOOM_DRAW_ITEM_HIT = 1 << 3,     /* it, or one it hides, is among the search hits */
  LOOM_DRAW_ITEM_INSTANT = 1 << 4, /* x0 is the instant */
  LOOM_DRAW_ITEM_GLOBAL = 1 << 5,  /* an instant that is drawn through all tracks */
} LoomMarkFlags;

typedef struct {
  float x0, x1; /* x1 ≥ x0; cut a few pixels outside the view */
  LoomSpanId span;
  guint32 name_id; /* of the span, in its trace */
  guint32 count;   /* spans hidden, saturated; 1 for a single one. A hint: loom_draw_list_hit() counts exactly */
  guint8 color;    /* index into LoomTheme.span */
  guint8 fill;     /* 0 … 255, of DENSE */
  guint8 flags;
} LoomDrawItem;

/* One depth row in view, or the picture of a folded group. */
typedef struct {
  guint row;      /* of the outline */
  guint16 index;  /* strip within the row */
  gboolean group; /* folded group: fills rise from the bottom */
  gboolean pinned;
  guint item;       /* of the outline's row */
  gboolean tangled; /* marks lie over one another (tracks that meet): not only neighbours can be under a pointer */
  float y, height;
  guint32 first, n; /* into the marks, ascending by x0 */
} LoomDepthRow;

/* One column of a line: the last value holds until the next column. */
typedef struct {
  float x;
  float low, high, last; /* extremes and last value within the column; of a mean: of all series. NaN: a gap begins */
} LoomPlotColumn;

typedef enum {
  LOOM_LINE_SERIES,
  LOOM_LINE_MEAN,  /* of a cloud */
  LOOM_LINE_LAYER, /* of a stack: from low to high, `last` is the edge away from zero */
  LOOM_LINE_TOTAL, /* of a stack, only where pixels hide something: its top lies between low and high */
} LoomLineKind;

typedef struct {
  LoomLineKind kind;
  guint part;       /* of the outline's row; that of a total is the first */
  guint series;     /* into the outline row's series; G_MAXUINT for what is of several */
  guint32 first, n; /* into the columns; the last one only ends the line, but of a total */
} LoomPlotLine;

/* A plot in view, or one drawn over a spans row. */
typedef struct {
  guint row;        /* of the outline: where it stands */
  guint source_row; /* the counter it shows; equal to `row` unless it is an overlay */
  gboolean pinned;
  float y, height;
  guint32 first, n; /* into the lines, part by part; the mean last. A cloud of many series has only its mean */
} LoomPlot;

/* How spans take their colour. */
typedef enum {
  LOOM_COLOR_BY_NAME,
  LOOM_COLOR_BY_CATEGORY,
  LOOM_COLOR_BY_RANK,
  LOOM_COLOR_BY_DURATION,
} LoomColorBy;

typedef struct {
  LoomColorBy color_by;
  /* Search hits, sorted by trace, then span; borrowed during the build. NULL: nothing is searched for. */
  const LoomSpanId *hits;
  gsize n_hits;
} LoomDrawOptions;

LoomDrawList *loom_draw_list_new (void);
void loom_draw_list_free (LoomDrawList *list);

/* Fills the list anew. `options` may be NULL. Holds a reference to the outline's timeline until the next build. */
void loom_draw_list_build (LoomDrawList *list, LoomRowList *outline, const LoomViewport *viewport,
                           const LoomDrawOptions *options);

/* TRUE when the list was built with search hits: what is no hit stands back. */
gboolean loom_draw_list_is_searching (const LoomDrawList *list);
const LoomViewport *loom_draw_list_get_viewport (const LoomDrawList *list);
LoomRowList *loom_draw_list_get_row_list (const LoomDrawList *list); /* borrowed, NULL before the first build */
const LoomDrawItem *loom_draw_list_get_marks (const LoomDrawList *list, guint *n);
const LoomDepthRow *loom_draw_list_get_strips (const LoomDrawList *list, guint *n);
const LoomPlot *loom_draw_list_get_plots (const LoomDrawList *list, guint *n);
const LoomPlotLine *loom_draw_list_get_lines (const LoomDrawList *list, guint *n);
const LoomPlotColumn *loom_draw_list_get_columns (const LoomDrawList *list, guint *n);

typedef enum {
  LOOM_DRAW_HIT_NONE, /* below the last row */
  LOOM_DRAW_HIT_ROW,  /* an empty place of a row */
  LOOM_DRAW_HIT_SPAN,
  LOOM_DRAW_HIT_DENSE, /* several spans; `span` is the longest */
  LOOM_DRAW_HIT_INSTANT,
  LOOM_DRAW_HIT_GROUP,   /* folded group; `span` is the one that fills most, busy in `fill` */
  LOOM_DRAW_HIT_COUNTER, /* the sample in force there */
} LoomHitKind;

typedef struct {
  LoomHitKind kind;
  guint row;               /* of the outline; G_MAXUINT for NONE */
  LoomSpanId span;         /* LOOM_SPAN_ID_NONE where there is none */
  guint32 count;           /* spans that touch the mark's range, exact */
  double fill;             /* 0 … 1 */
  gint64 begin_ns, end_ns; /* of the span, or of the stretch of time the mark stands for */
  guint series;            /* COUNTER: nearest series of the row */
  double value;            /* COUNTER: its value at the pointer; NaN in a gap */
  double x0, y0, x1, y1;   /* what to outline */
} LoomDrawHit;

/* What is at (x, y). Marks narrower than 2·slack_px can be met up to slack_px beside them; the nearest wins, then the
 * narrower, then the earlier. O(log marks). */
LoomHitKind loom_draw_list_hit (const LoomDrawList *list, double x, double y, double slack_px, LoomDrawHit *hit);

/* The value of a plot's series at an instant of the timeline: that of the last sample at or before it; FALSE before the
 * first and in gaps. O(log samples). */
gboolean loom_draw_list_value_at (const LoomDrawList *list, const LoomCounterSeries *series, gint64 time_ns,
                                  double *value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomDrawList, loom_draw_list_free)

G_END_DECLS
