/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of the window: the tree job → node → rank → process → thread over the tracks of all traces, flattened to
 * what is not folded, hidden or filtered away. Tracks with the same identity from several sources of one format share
 * a row when they do not run at the same time (cycles, rotated files).
 *
 * What a person did to rows (folded, pinned, hidden, resized, moved) is kept by key, survives a new timeline, and can
 * be saved. Keys are stable strings: made from node, rank, process, thread, kind and name, never from positions.
 *
 * One thread (the one that draws). Building costs O(tracks · log tracks), laying out O(rows), lookups O(log rows).
 * Row indices are valid until the next call that is said to lay out anew; loom_outline_get_serial() changes then.
 */
#pragma once

#include "loom-plot-mode.h"
#include "loom-source-edits.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

G_BEGIN_DECLS

typedef struct _LoomOutline LoomOutline;

/* Heights in logical pixels. */
#define LOOM_STRIP_PX 18      /* one depth row */
#define LOOM_ROW_PADDING_PX 3 /* above and below the strips of a track */
#define LOOM_GROUP_PX 24
#define LOOM_COUNTER_PX 48

/* More series than this in one plot are drawn as faint lines and their mean. */
#define LOOM_PLOT_MAX_LINES 8

typedef enum {
  LOOM_ROW_GROUP,   /* node, rank or process; folded, it shows how full it is */
  LOOM_ROW_SPANS,   /* n_strips depth rows */
  LOOM_ROW_ASYNC,   /* the same, for an async track */
  LOOM_ROW_COUNTER, /* a plot of one or more series */
  LOOM_ROW_INSTANTS,
} LoomRowKind;

/* A series in a plot. */
typedef struct {
  guint32 trace;
  guint32 track;
  guint32 series;    /* index for loom_trace_get_series() */
  const char *label; /* "gpu0", "Receive"; borrowed from the outline */
  guint color;       /* index into LoomTheme.series */
  LoomQuantity quantity; /* what is read from it */
  guint part;            /* of the row */
} LoomPlotSeries;

typedef enum {
  LOOM_PLOT_LINES, /* every series a line; one series: a filled area */
  LOOM_PLOT_MEAN,  /* faint lines and their mean */
  LOOM_PLOT_STACK, /* the series of all parts of this kind one on the other */
} LoomPlotKind;

/* One counter of a plot: the row's own comes first, then those laid over it. Parts of one unit share a scale. */
typedef struct {
  LoomPlotKind kind;
  LoomPlotMode mode;
  const char *label; /* its title; borrowed from the outline */
  const char *unit;  /* of what is shown: "B/s" for the rate of bytes */
  LoomPlotScale scale;
  guint first, n; /* into the row's series */
} LoomPlotPart;

/* Borrowed until the next layout. */
typedef struct {
  LoomRowKind kind;
  const char *key;
  const char *label; /* for the header: "rank 0", "stream 7", "GPU utilization" */
  const char
    *detail;        /* the whole path in words, for tooltips and accessible names: "algo-1, rank 0, GPU 0, stream 7" */
  const char *unit; /* of a counter: "%", "B/s", …; "" else. That of what is shown */
  const char *node; /* NULL unknown */
  gint rank;        /* −1 unknown */
  guint level;      /* indentation, from 0 */
  gboolean foldable;
  gboolean folded;
  gboolean pinned;
  gboolean overlay; /* a counter that is drawn over the spans of its node too */
  double y;         /* pinned rows: from the top of the pinned area; others: from the top of what scrolls */
  double height;
  guint n_strips;             /* depth rows shown (1 when folded); 0 for groups and counters */
  guint first_overflow_strip; /* strips from here on are overflow lanes; n_strips when there are none */
  const LoomTrackId *tracks;  /* of the row, in time order; of a group: those its folded picture is made of */
  guint n_tracks;
  const LoomPlotSeries *series; /* of all parts */
  guint n_series;
  const LoomPlotPart *parts; /* of a counter; NULL else */
  guint n_parts;
  guint item;                  /* the outline's own number of the row: same row, same number until the next timeline */
} LoomOutlineRow;

LoomOutline *loom_outline_new (void);
void loom_outline_free (LoomOutline *outline);

/* Lists the rows of a timeline where nobody waits for it, before it is shared: the first outline that shows it takes them, if
 * sources are called so there. `names` may be NULL. Any thread. */
void loom_outline_prepare (LoomTimeline *timeline, const LoomSourceEdits *names);

/* The rows become those of `timeline` (NULL: none); a reference is taken. Lays out anew. What people did is kept. */
void loom_outline_set_timeline (LoomOutline *outline, LoomTimeline *timeline);
/* What sources are called, of this timeline and those that follow; copied. TRUE when rows were laid out anew for it. */
gboolean loom_outline_set_names (LoomOutline *outline, const LoomSourceEdits *edits);
const LoomSourceEdits *loom_outline_get_names (const LoomOutline *outline); /* borrowed; NULL: nothing was said of any */
LoomTimeline *loom_outline_get_timeline (const LoomOutline *outline); /* borrowed, NULL at first */

guint loom_outline_get_serial (const LoomOutline *outline);

/* Rows: first the pinned ones, then the others, both in order of y. */
guint loom_outline_get_n_rows (const LoomOutline *outline);
guint loom_outline_get_n_pinned (const LoomOutline *outline);
const LoomOutlineRow *loom_outline_get_row (const LoomOutline *outline, guint row);
double loom_outline_get_pinned_height (const LoomOutline *outline);
double loom_outline_get_height (const LoomOutline *outline); /* of the rows that scroll */

/* The row at y from the top of the rows as they stand with `scroll_px`; G_MAXUINT below the last. O(log rows). */
guint loom_outline_row_at (const LoomOutline *outline, double y, double scroll_px);
/* Top of a row in those coordinates. */
double loom_outline_row_top (const LoomOutline *outline, guint row, double scroll_px);
/* First row that scrolls whose bottom is below `y` (content coordinates); n_rows when none. */
guint loom_outline_first_below (const LoomOutline *outline, double y);

/* Every counter there is, shown or not, in order. Borrowed until the next timeline. */
typedef struct {
  const char *key;
  const char *detail; /* the whole path in words */
} LoomOutlineCounter;
GArray *loom_outline_list_counters (const LoomOutline *outline);

/* The key of the first counter that shows, NULL when none does. */
const char *loom_outline_get_first_counter (const LoomOutline *outline);

/* The row of a key, G_MAXUINT when it does not exist or is not visible. */
guint loom_outline_find (const LoomOutline *outline, const char *key);

/* The row a span, instant or counter's track is on and, for spans, its strip; when that is folded away, the row of the
 * nearest group that shows, and FALSE. */
gboolean loom_outline_find_span (const LoomOutline *outline, LoomSpanId span, guint *row, guint *strip);
gboolean loom_outline_find_track (const LoomOutline *outline, LoomTrackId track, guint *row);
/* The strip of a depth row of one of the row's tracks, or G_MAXUINT when it is not shown. */
guint loom_outline_strip_of (const LoomOutline *outline, const LoomOutlineRow *row, LoomTrackId track, guint trace_row);

/* What people do; each lays out anew. Unknown keys are remembered. */
void loom_outline_set_folded (LoomOutline *outline, const char *key, gboolean folded);
void loom_outline_fold_all (LoomOutline *outline, gboolean folded);
void loom_outline_set_pinned (LoomOutline *outline, const char *key, gboolean pinned);
void loom_outline_set_hidden (LoomOutline *outline, const char *key, gboolean hidden);
void loom_outline_show_all_hidden (LoomOutline *outline);
guint loom_outline_get_n_hidden (const LoomOutline *outline);
void loom_outline_set_row_height (LoomOutline *outline, const char *key, double height_px); /* counters; 0: default */
/* Puts a row before another of the same group; `before` NULL: last of its group. FALSE when they are not siblings. */
gboolean loom_outline_move (LoomOutline *outline, const char *key, const char *before);
/* Ranks in this order within their groups, those that are not named behind in the order they have; n 0: as they came. */
void loom_outline_order_ranks (LoomOutline *outline, const gint *ranks, guint n);
void loom_outline_set_overlay (LoomOutline *outline, const char *key, gboolean overlay);
/* How a counter is shown. */
void loom_outline_set_plot_mode (LoomOutline *outline, const char *key, LoomPlotMode mode);
/* Lays another counter over a counter's plot, as its own row shows it, or takes it away. Of more than LOOM_PLOT_MAX_GUESTS
 * the last is left out: FALSE. */
gboolean loom_outline_set_guest (LoomOutline *outline, const char *key, const char *guest, gboolean laid);
gboolean loom_outline_has_guest (const LoomOutline *outline, const char *key, const char *guest);
/* Only rows whose path contains the text, letter case aside, and their groups, unfolded; NULL or "": all. */
void loom_outline_set_filter (LoomOutline *outline, const char *text);
gboolean loom_outline_is_filtered (const LoomOutline *outline);
/* How many rows a filter of this text would leave, were none hidden. O(rows). */
guint loom_outline_count_like (const LoomOutline *outline, const char *text);
/* Only rows that hold one of these tracks (LoomTrackId) of the present timeline, and their groups, unfolded; NULL: all. A
 * reference is taken. FALSE when nothing changed. */
gboolean loom_outline_set_only (LoomOutline *outline, GArray *tracks);
/* Only tracks of these sources (paths, NULL-terminated, copied); NULL: all. */
void loom_outline_set_sources (LoomOutline *outline, const char *const *paths);
/* TRUE when rows are hidden, filtered away or of other sources than those: not all of the run is a row. */
gboolean loom_outline_leaves_out (const LoomOutline *outline);
/* Unfolds, unhides and unfilters what is needed for the span or key to be a row. */
void loom_outline_reveal_span (LoomOutline *outline, LoomSpanId span);
void loom_outline_reveal (LoomOutline *outline, const char *key);

/* What people did, as one value of type a{sa{sv}} (key → what), to be saved; a reference. Restoring replaces all of it. */
GVariant *loom_outline_save (LoomOutline *outline);
void loom_outline_restore (LoomOutline *outline, GVariant *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomOutline, loom_outline_free)

G_END_DECLS
