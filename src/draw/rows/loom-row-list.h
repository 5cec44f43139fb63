/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of the window: the tree job → node → rank → process → thread over the tracks of all traces, flattened to the
 * rows that are not folded, hidden or filtered away. Tracks with the same identity from several sources of one format
 * share a row if they do not run at the same time (cycles, rotated files).
 *
 * The user's changes to rows (folded, pinned, hidden, resized, moved) are stored by key, are kept for a new timeline,
 * and can be saved. Keys are stable strings, made from node, rank, process, thread, kind and name, never from
 * positions.
 *
 * One thread (the one that draws). Building costs O(tracks · log tracks), layout O(rows), lookups O(log rows). Row
 * indices are valid until the next call that lays out again.
 */
#pragma once

#include "loom-counter-mode.h"
#include "loom-source-overrides.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

typedef struct _LoomRowList LoomRowList;

/* Heights in logical pixels. */
#define LOOM_STRIP_PX 18      /* one depth row */
#define LOOM_ROW_PADDING_PX 3 /* space above and below the strips of a track */
#define LOOM_GROUP_PX 24
/* Maximum height of the lane of a folded rank, when lanes grow to fill the room. */
#define LOOM_LANE_MAX_PX 64
#define LOOM_COUNTER_PX 48

/* Plots with more series than this are drawn as faint lines and their mean. */
#define LOOM_PLOT_MAX_LINES 8

typedef enum {
  LOOM_ROW_GROUP,   /* a node, rank or process, whose lane shows its utilization */
  LOOM_ROW_SPANS,   /* n_strips depth rows */
  LOOM_ROW_ASYNC,   /* n_strips depth rows of an async track */
  LOOM_ROW_COUNTER, /* a plot of one or more series */
  LOOM_ROW_INSTANTS,
} LoomRowKind;

/* A series in a plot. */
typedef struct {
  guint32 trace;
  guint32 track;
  guint32 series;        /* index for loom_trace_get_series() */
  const char *label;     /* "gpu0", "Receive"; borrowed from the row list */
  guint color;           /* index into LoomTheme.series */
  LoomQuantity quantity; /* the quantity that is shown */
  guint part;            /* index of the row's part that the series belongs to */
} LoomCounterSeries;

typedef enum {
  LOOM_PLOT_LINES, /* one line per series; a filled area if there is only one series */
  LOOM_PLOT_MEAN,  /* faint lines and their mean */
  LOOM_PLOT_STACK, /* the series of all parts of this kind are stacked */
} LoomCounterPlotKind;

/* One counter of a plot: first the row's own, then those laid over it. Parts with the same unit share a scale. */
typedef struct {
  LoomCounterPlotKind kind;
  LoomCounterMode mode;
  const char *label; /* title of the counter; borrowed from the row list */
  const char *unit;  /* unit of the quantity shown: "B/s" for the rate of bytes */
  LoomCounterScale scale;
  guint first, n; /* range in the row's series */
} LoomCounterPart;

/* A row of the list. Borrowed until the next layout. */
typedef struct {
  LoomRowKind kind;
  const char *key;
  const char *label;       /* text of the header: "rank 0", "stream 7", "GPU utilization" */
  const char *short_label; /* where `label` does not fit: "GPU 0 · s7"; NULL: none */
  /* the whole path in words, for tooltips and accessible names: "algo-1, rank 0, GPU 0, stream 7" */
  const char *detail;
  const char *unit; /* unit of the shown quantity of a counter: "%", "B/s", …; else "" */
  const char *node; /* NULL: unknown */
  gint rank;        /* −1: unknown */
  guint level;      /* indentation, from 0 */
  gboolean foldable;
  gboolean folded;
  gboolean pinned;
  gboolean overlay; /* a counter that is also drawn over the spans of its node */
  /* a group with a lane that shows its utilization; an unfolded node has none, because the lanes of its ranks are below
   * it */
  gboolean has_lane;
  /* top of the row: for pinned rows from the top of the pinned area, for others from the top of the scrolled content */
  double y;
  double height;
  guint n_strips;             /* parts, one per depth of nesting (1 when folded); 0: groups, counters */
  guint first_overflow_strip; /* strips from here on are overflow lanes; n_strips if there are none */
  const LoomTrackId *tracks;  /* tracks of the row, in time order; for a group the tracks of its preview */
  guint n_tracks;
  const LoomCounterSeries *series; /* series of all parts */
  guint n_series;
  const LoomCounterPart *parts; /* parts of a counter; NULL for other rows */
  guint n_parts;
  guint n_alike; /* number of ranks that have no rows because this one represents them */
  guint item;    /* number of the row's item: constant until the next timeline, whatever the layout */
  /* row of the unfolded group that stays visible while this row is scrolled; G_MAXUINT: none */
  guint sticky;
  double end_y; /* for an unfolded group: end of its last row, in the coordinates of y */
} LoomTimelineRow;

LoomRowList *loom_row_list_new (void);
void loom_row_list_free (LoomRowList *outline);

/* Builds the rows of a timeline ahead of time, before the timeline is shared: the first row list that shows it uses
 * them, if its names of sources are the same. `names` may be NULL. Any thread. */
void loom_row_list_prepare (LoomTimeline *timeline, const LoomSourceOverrides *names);

/* Shows the rows of `timeline` (NULL: none) and takes a reference. Lays out again. The user's changes are kept. */
void loom_row_list_set_timeline (LoomRowList *outline, LoomTimeline *timeline);
/* Sets the user's names of sources, for this timeline and later ones; copied. Returns TRUE if this laid out the rows
 * again. */
gboolean loom_row_list_set_names (LoomRowList *outline, const LoomSourceOverrides *edits);
const LoomSourceOverrides *loom_row_list_get_names (
  const LoomRowList *outline);                                         /* borrowed; NULL: the user gave no names */
LoomTimeline *loom_row_list_get_timeline (const LoomRowList *outline); /* borrowed, NULL before the first timeline */

/* The rows: first the pinned rows, then the others, both in order of y. */
guint loom_row_list_get_n_rows (const LoomRowList *outline);
guint loom_row_list_get_n_pinned (const LoomRowList *outline);
const LoomTimelineRow *loom_row_list_get_row (const LoomRowList *outline, guint row);
double loom_row_list_get_pinned_height (const LoomRowList *outline);
double loom_row_list_get_height (const LoomRowList *outline); /* height of the scrolled rows */

/* Sets the height of the area for rows. If there are several ranks, the lanes of folded ranks fill this height: each is
 * LOOM_GROUP_PX to LOOM_LANE_MAX_PX high, independent of unfolded ranks. Returns TRUE if rows were laid out again.
 * Before the first call lanes are LOOM_GROUP_PX high. */
gboolean loom_row_list_set_room (LoomRowList *outline, double height_px);

/* The unfolded group whose rows are at the top of the scrolled area while its own row is scrolled out of view. It is
 * shown at the top, over the rows below it, until its last row leaves the view. G_MAXUINT: none. O(log rows). */
guint loom_row_list_get_sticky (const LoomRowList *outline, double scroll_px);
/* Height at the top of the area that pinned rows and the sticky group cover. O(log rows). */
double loom_row_list_get_cover (const LoomRowList *outline, double scroll_px);
/* The height that pinned rows and the sticky group would cover if this scrolled row were at the top. */
double loom_row_list_get_cover_of_row (const LoomRowList *outline, guint row);

/* The row at y from the top of the area, if the rows are scrolled by `scroll_px`; G_MAXUINT below the last row.
 * O(log rows). */
guint loom_row_list_row_at (const LoomRowList *outline, double y, double scroll_px);
/* Top of a row in the coordinates of row_at(); for the sticky group the place where it stays. O(log rows). */
double loom_row_list_row_top (const LoomRowList *outline, guint row, double scroll_px);
/* First scrolled row whose bottom is below `y` (content coordinates); n_rows if there is none. */
guint loom_row_list_first_below (const LoomRowList *outline, double y);

/* All counters, shown or not, in order. Borrowed until the next timeline. */
typedef struct {
  const char *key;
  const char *detail; /* the whole path in words */
} LoomTimelineCounter;
GArray *loom_row_list_list_counters (const LoomRowList *outline);

/* The key of the first visible counter; NULL if none is visible. */
const char *loom_row_list_get_first_counter (const LoomRowList *outline);

/* The row of a key; G_MAXUINT if it does not exist or is not visible. */
guint loom_row_list_find (const LoomRowList *outline, const char *key);

/* Finds the row of a span, instant or counter's track and, for spans, the strip. If the row is folded away, sets the
 * row of the nearest visible group and returns FALSE. */
gboolean loom_row_list_find_span (const LoomRowList *outline, LoomSpanId span, guint *row, guint *strip);
gboolean loom_row_list_find_track (const LoomRowList *outline, LoomTrackId track, guint *row);
/* Returns the number of the strip, within the row, that shows depth row `trace_row` of one of the row's tracks;
 * G_MAXUINT if it is not shown. */
guint loom_row_list_strip_of (const LoomRowList *outline, const LoomTimelineRow *row, LoomTrackId track,
                              guint trace_row);

/* Returns TRUE if the track is shown in this row, or is below this group, folded or not. O(depth). */
gboolean loom_row_list_is_within (const LoomRowList *outline, const LoomTimelineRow *row, LoomTrackId track);

/* What users can do to rows. Each call computes the layout anew. A setting for a key without a row is kept until the row
 * appears. */
void loom_row_list_set_folded (LoomRowList *outline, const char *key, gboolean folded);
void loom_row_list_fold_all (LoomRowList *outline, gboolean folded);
void loom_row_list_set_pinned (LoomRowList *outline, const char *key, gboolean pinned);
void loom_row_list_set_hidden (LoomRowList *outline, const char *key, gboolean hidden);
void loom_row_list_show_all_hidden (LoomRowList *outline);
guint loom_row_list_get_n_hidden (const LoomRowList *outline);
/* Sets the height of a counter row; 0: default height. */
void loom_row_list_set_row_height (LoomRowList *outline, const char *key, double height_px);
/* Moves a row before another row of the same group; `before` NULL: to the end of the group. Returns FALSE if they are
 * not siblings. */
gboolean loom_row_list_move (LoomRowList *outline, const char *key, const char *before);
/* Sorts ranks in this order within their groups; ranks not listed follow in their current order. n 0: the order of the
 * timeline. */
void loom_row_list_order_ranks (LoomRowList *outline, const gint *ranks, guint n);
/* Shows one rank for all that do the same work: `representatives[i]` represents `ranks[i]`, which gets no row while the
 * other has one. Replaces earlier ones; n 0: all ranks are shown. Filters, and revealing a rank, show it in any case. */
void loom_row_list_fold_alike (LoomRowList *outline, const gint *ranks, const gint *representatives, guint n);
/* Shows the ranks that the rank of this row represents. */
void loom_row_list_show_alike (LoomRowList *outline, const char *key);
/* Returns the number of ranks that others represent. O(rows). */
guint loom_row_list_get_n_alike (const LoomRowList *outline);
void loom_row_list_set_overlay (LoomRowList *outline, const char *key, gboolean overlay);
/* Sets how a counter is shown. */
void loom_row_list_set_plot_mode (LoomRowList *outline, const char *key, LoomCounterMode mode);
/* Lays another counter over a counter's plot, shown as in its own row, or removes it. Returns FALSE if the plot already
 * has LOOM_PLOT_MAX_GUESTS. */
gboolean loom_row_list_set_guest (LoomRowList *outline, const char *key, const char *guest, gboolean laid);
gboolean loom_row_list_has_guest (const LoomRowList *outline, const char *key, const char *guest);
/* Shows only rows whose path contains the text, ignoring case, and their groups, unfolded; NULL or "": all rows. */
void loom_row_list_set_filter (LoomRowList *outline, const char *text);
gboolean loom_row_list_is_filtered (const LoomRowList *outline);
/* The text of the filter, "" if there is none. Borrowed until it is set again. */
const char *loom_row_list_get_filter (const LoomRowList *outline);
/* The number of rows that a filter with this text would show, if none were hidden. O(rows). */
guint loom_row_list_count_like (const LoomRowList *outline, const char *text);
/* Shows only rows with one of these tracks (LoomTrackId) of the current timeline, and their groups, unfolded; NULL: all
 * rows. Takes a reference. Returns FALSE if nothing changed. */
gboolean loom_row_list_set_only (LoomRowList *outline, GArray *tracks);
/* Shows only tracks of these sources (paths, NULL-terminated, copied); NULL: all sources. */
void loom_row_list_set_sources (LoomRowList *outline, const char *const *paths);
/* Returns TRUE if rows are hidden, filtered away, or of sources that are not shown. */
gboolean loom_row_list_leaves_out (const LoomRowList *outline);
/* Unfolds, unhides and removes filters as needed to make the track, span or key a visible row. */
void loom_row_list_reveal_track (LoomRowList *outline, LoomTrackId track);
void loom_row_list_reveal_span (LoomRowList *outline, LoomSpanId span);
void loom_row_list_reveal (LoomRowList *outline, const char *key);

/* The user's changes as a value of type a{sa{sv}} (key → settings), for saving; a reference. restore() replaces all
 * changes. */
GVariant *loom_row_list_save (LoomRowList *outline);
void loom_row_list_restore (LoomRowList *outline, GVariant *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRowList, loom_row_list_free)
