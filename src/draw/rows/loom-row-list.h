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
 * Row indices are valid until the next call that is said to lay out anew; loom_row_list_get_serial() changes then.
 */
#pragma once

#include "loom-counter-mode.h"
#include "loom-source-overrides.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

G_BEGIN_DECLS

typedef struct _LoomRowList LoomRowList;

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
  guint32 series;        /* index for loom_trace_get_series() */
  const char *label;     /* "gpu0", "Receive"; borrowed from the outline */
  guint color;           /* index into LoomTheme.series */
  LoomQuantity quantity; /* what is read from it */
  guint part;            /* of the row */
} LoomCounterSeries;

typedef enum {
  LOOM_PLOT_LINES, /* every series a line; one series: a filled area */
  LOOM_PLOT_MEAN,  /* faint lines and their mean */
  LOOM_PLOT_STACK, /* the series of all parts of this kind one on the other */
} LoomCounterPlotKind;

/* One counter of a plot: the row's own comes first, then those laid over it. Parts of one unit share a scale. */
typedef struct {
  LoomCounterPlotKind kind;
  LoomCounterMode mode;
  const char *label; /* its title; borrowed from the outline */
  const char *unit;  /* of what is shown: "B/s" for the rate of bytes */
  LoomCounterScale scale;
  guint first, n; /* into the row's series */
} LoomCounterPart;

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
  const LoomCounterSeries *series; /* of all parts */
  guint n_series;
  const LoomCounterPart *parts; /* of a counter; NULL else */
  guint n_parts;
  guint item; /* the outline's own number of the row: same row, same number until the next timeline */
} LoomTimelineRow;

LoomRowList *loom_row_list_new (void);
void loom_row_list_free (LoomRowList *outline);

/* Lists the rows of a timeline where nobody waits for it, before it is shared: the first outline that shows it takes them, if
 * sources are called so there. `names` may be NULL. Any thread. */
void loom_row_list_prepare (LoomTimeline *timeline, const LoomSourceOverrides *names);

/* The rows become those of `timeline` (NULL: none); a reference is taken. Lays out anew. What people did is kept. */
void loom_row_list_set_timeline (LoomRowList *outline, LoomTimeline *timeline);
/* What sources are called, of this timeline and those that follow; copied. TRUE when rows were laid out anew for it. */
gboolean loom_row_list_set_names (LoomRowList *outline, const LoomSourceOverrides *edits);
const LoomSourceOverrides *loom_row_list_get_names (
  const LoomRowList *outline);                                         /* borrowed; NULL: nothing was said of any */
LoomTimeline *loom_row_list_get_timeline (const LoomRowList *outline); /* borrowed, NULL at first */

guint loom_row_list_get_serial (const LoomRowList *outline);

/* Rows: first the pinned ones, then the others, both in order of y. */
guint loom_row_list_get_n_rows (const LoomRowList *outline);
guint loom_row_list_get_n_pinned (const LoomRowList *outline);
const LoomTimelineRow *loom_row_list_get_row (const LoomRowList *outline, guint row);
double loom_row_list_get_pinned_height (const LoomRowList *outline);
double loom_row_list_get_height (const LoomRowList *outline); /* of the rows that scroll */

/* The row at y from the top of the rows as they stand with `scroll_px`; G_MAXUINT below the last. O(log rows). */
guint loom_row_list_row_at (const LoomRowList *outline, double y, double scroll_px);
/* Top of a row in those coordinates. */
double loom_row_list_row_top (const LoomRowList *outline, guint row, double scroll_px);
/* First row that scrolls whose bottom is below `y` (content coordinates); n_rows when none. */
guint loom_row_list_first_below (const LoomRowList *outline, double y);

/* Every counter there is, shown or not, in order. Borrowed until the next timeline. */
typedef struct {
  const char *key;
  const char *detail; /* the whole path in words */
} LoomTimelineCounter;
GArray *loom_row_list_list_counters (const LoomRowList *outline);

/* The key of the first counter that shows, NULL when none does. */
const char *loom_row_list_get_first_counter (const LoomRowList *outline);

/* The row of a key, G_MAXUINT when it does not exist or is not visible. */
guint loom_row_list_find (const LoomRowList *outline, const char *key);

/* The row a span, instant or counter's track is on and, for spans, its strip; when that is folded away, the row of the
 * nearest group that shows, and FALSE. */
gboolean loom_row_list_find_span (const LoomRowList *outline, LoomSpanId span, guint *row, guint *strip);
gboolean loom_row_list_find_track (const LoomRowList *outline, LoomTrackId track, guint *row);
/* The strip of a depth row of one of the row's tracks, or G_MAXUINT when it is not shown. */
guint loom_row_list_strip_of (const LoomRowList *outline, const LoomTimelineRow *row, LoomTrackId track,
                              guint trace_row);

/* What people do; each lays out anew. Unknown keys are remembered. */
void loom_row_list_set_folded (LoomRowList *outline, const char *key, gboolean folded);
void loom_row_list_fold_all (LoomRowList *outline, gboolean folded);
void loom_row_list_set_pinned (LoomRowList *outline, const char *key, gboolean pinned);
void loom_row_list_set_hidden (LoomRowList *outline, const char *key, gboolean hidden);
void loom_row_list_show_all_hidden (LoomRowList *outline);
guint loom_row_list_get_n_hidden (const LoomRowList *outline);
void loom_row_list_set_row_height (LoomRowList *outline, const char *key, double height_px); /* counters; 0: default */
/* Puts a row before another of the same group; `before` NULL: last of its group. FALSE when they are not siblings. */
gboolean loom_row_list_move (LoomRowList *outline, const char *key, const char *before);
/* Ranks in this order within their groups, those that are not named behind in the order they have; n 0: as they came. */
void loom_row_list_order_ranks (LoomRowList *outline, const gint *ranks, guint n);
void loom_row_list_set_overlay (LoomRowList *outline, const char *key, gboolean overlay);
/* How a counter is shown. */
void loom_row_list_set_plot_mode (LoomRowList *outline, const char *key, LoomCounterMode mode);
/* Lays another counter over a counter's plot, as its own row shows it, or takes it away. Of more than LOOM_PLOT_MAX_GUESTS
 * the last is left out: FALSE. */
gboolean loom_row_list_set_guest (LoomRowList *outline, const char *key, const char *guest, gboolean laid);
gboolean loom_row_list_has_guest (const LoomRowList *outline, const char *key, const char *guest);
/* Only rows whose path contains the text, letter case aside, and their groups, unfolded; NULL or "": all. */
void loom_row_list_set_filter (LoomRowList *outline, const char *text);
gboolean loom_row_list_is_filtered (const LoomRowList *outline);
/* The text of the filter, "" for none. Borrowed until it is set again. */
const char *loom_row_list_get_filter (const LoomRowList *outline);
/* How many rows a filter of this text would leave, were none hidden. O(rows). */
guint loom_row_list_count_like (const LoomRowList *outline, const char *text);
/* Only rows that hold one of these tracks (LoomTrackId) of the present timeline, and their groups, unfolded; NULL: all. A
 * reference is taken. FALSE when nothing changed. */
gboolean loom_row_list_set_only (LoomRowList *outline, GArray *tracks);
/* Only tracks of these sources (paths, NULL-terminated, copied); NULL: all. */
void loom_row_list_set_sources (LoomRowList *outline, const char *const *paths);
/* TRUE when rows are hidden, filtered away or of other sources than those: not all of the run is a row. */
gboolean loom_row_list_leaves_out (const LoomRowList *outline);
/* Unfolds, unhides and unfilters what is needed for the span or key to be a row. */
void loom_row_list_reveal_span (LoomRowList *outline, LoomSpanId span);
void loom_row_list_reveal (LoomRowList *outline, const char *key);

/* What people did, as one value of type a{sa{sv}} (key → what), to be saved; a reference. Restoring replaces all of it. */
GVariant *loom_row_list_save (LoomRowList *outline);
void loom_row_list_restore (LoomRowList *outline, GVariant *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRowList, loom_row_list_free)

G_END_DECLS
