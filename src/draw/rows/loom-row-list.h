/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of rows that the timeline shows. All tracks of all traces form a tree: job → node → rank → process → thread.
 * The list contains those rows of the tree that are not folded, hidden or filtered away. Tracks of the same thread or
 * stream from several files of one format share a row if they do not overlap in time, as in successive profiling cycles
 * or rotated files.
 *
 * The user's changes to rows (folded, pinned, hidden, resized, moved) are stored by key, are kept for a new timeline,
 * and can be saved. Keys are stable strings, made from node, rank, process, thread, kind and name, never from
 * positions.
 *
 * Used by one thread, the one that draws. Building takes O(tracks · log tracks), layout O(rows), lookups O(log rows).
 * Row indices are valid until the next call that lays out again.
 */
#pragma once

#include "loom-counter-mode.h"
#include "loom-source-overrides.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

typedef struct _LoomRowList LoomRowList;

/* Heights in logical pixels. */
#define LOOM_STRIP_PX 18      /* height of a strip (the part of a row that shows one level of nesting) */
#define LOOM_ROW_PADDING_PX 3 /* height of the space above the first and below the last level of nesting of a row */
#define LOOM_GROUP_PX 24
/* Maximum height of the lane of a folded rank (a summary of its rows). Lanes are made higher, up to this, to fill the
 * area for rows. */
#define LOOM_LANE_MAX_PX 96
#define LOOM_COUNTER_PX 48

/* Maximum number of series that a plot draws as normal lines. With more series, the plot shows their mean as a normal
 * line, and the series as faint lines. Plots of some metrics have a lower limit (loom-counter-grouping.c). */
#define LOOM_PLOT_MAX_LINES 8

typedef enum {
  LOOM_ROW_GROUP,   /* a group (a node, rank or process); its lane shows how busy it is */
  LOOM_ROW_SPANS,   /* spans of threads or streams, in n_strips levels of nesting */
  LOOM_ROW_ASYNC,   /* spans of an async track in n_strips levels of nesting */
  LOOM_ROW_COUNTER, /* a plot of one or more series */
  LOOM_ROW_INSTANTS,
} LoomRowKind;

/* A series in a plot. */
typedef struct {
  guint32 trace;
  guint32 track;
  guint32 series;        /* index of the series in its track, for loom_trace_get_series() */
  const char *label;     /* label of the series, for example "gpu0"; borrowed from the row list */
  guint color;           /* colour of the series, as an index into LoomTheme.series */
  LoomQuantity quantity; /* which quantity is shown: the value of the counter, its difference or its rate */
  guint part;            /* index, in the row's `parts`, of the counter to which the series belongs */
} LoomCounterSeries;

typedef enum {
  LOOM_PLOT_LINES, /* a line for each series; if there is a single series, the area below its line is filled */
  LOOM_PLOT_MEAN,  /* faint lines of the series, and a line of their mean */
  /* the series are stacked, together with the series of all other counters of the row that have this kind */
  LOOM_PLOT_STACK,
} LoomCounterPlotKind;

/* One of the counters that are drawn in a plot. The first part of a row is the row's own counter; the user has laid the
 * other counters over it. Parts with the same unit have the same scale. */
typedef struct {
  LoomCounterPlotKind kind;
  LoomCounterMode mode;
  const char *label; /* title of the counter; borrowed from the row list */
  const char *unit;  /* unit of the quantity that is shown, for example "B/s" for the rate of bytes */
  LoomCounterScale scale;
  guint first, n; /* range of the counter's series in the array of the row's series */
} LoomCounterPart;

/* A message in a row about reading the events of its rank: that they are being read, that there are too many, or that
 * they could not be read. */
typedef struct {
  const char *text;  /* a sentence for the user; NULL: the row has no note */
  gboolean is_error; /* TRUE: the events could not be read; FALSE: they are being read, or there are too many of them */
} LoomRowNote;

/* The lateness of a rank: the times at which the other ranks wait for it, and texts for the user that state this. */
typedef struct {
  const char *node; /* NULL: unknown */
  gint rank;
  const char *label;       /* a few words for the header of the rank, for example "late · costs 1.39 ms per step" */
  const char *short_label; /* the words to use if there is no room for the label; NULL: there are none */
  const char *sentence;    /* a sentence with the content of the label, for tooltips and screen readers */
  const LoomRange *ranges;
  guint n_ranges;
} LoomRowLateness;

/* A track of a detail that is shown in a row. A detail contains the single events of a time range, which are shown in
 * place of the sums in the index of a trace (loom-run-details.h). In `range` (timeline ns), the track is drawn in place
 * of the tracks of the detail's trace. */
typedef struct {
  LoomTrackId id;
  LoomRange range;
} LoomRowDetail;

/* A row of the list. Borrowed until the next layout. */
typedef struct {
  LoomRowKind kind;
  const char *key;
  const char *label;       /* text of the header, for example "rank 0", "stream 7", "GPU utilization" */
  const char *short_label; /* text for headers that are too narrow for `label`, for example "GPU 0 · s7"; NULL: none */
  /* names of the groups around the row and of the row itself, for tooltips and accessible names: "algo-1, rank 0, GPU
   * 0, stream 7" */
  const char *detail;
  const char *unit; /* for counters, unit of the quantity that is shown: "%", "B/s", …; else "" */
  const char *node; /* name of the node; NULL: unknown */
  gint rank;        /* number of the rank; −1: unknown */
  guint level;      /* level in the tree, from 0; the header is indented accordingly */
  gboolean foldable;
  gboolean folded;
  gboolean pinned;
  gboolean overlay; /* TRUE: the counter is drawn in its own row and also over the spans of its node or rank */
  /* TRUE for a group with a lane that shows how busy the group is. An unfolded node has no lane, because the ranks
   * below it have lanes. */
  gboolean has_lane;
  /* TRUE: the lane shows the mean of its tracks, one for each rank of a node or of the job. FALSE: the lane shows how
   * busy its tracks are together, as those of a rank, of a device or of a process. */
  gboolean is_mean;
  /* upper edge in px: of a pinned row, from the top of the pinned area; of any other row, from the top of the scrolled
   * content */
  double y;
  double height;
  /* number of strips, one for each level of nesting; 1 if the row is folded, 0 for groups and counters */
  guint n_strips;
  /* the tracks that the row shows, in order of time; for a group, the tracks from which its lane is made */
  const LoomTrackId *tracks;
  guint n_tracks;
  /* in rows of spans and instants: tracks of details (loom-run-details.h), each of which is shown in place of a part of
   * `tracks`; all tracks from details of the same trace have the same range */
  const LoomRowDetail *details;
  guint n_details;
  LoomRowNote note;
  /* set only for the group of a rank; NULL: the rank is not late, or its lateness is unknown */
  const LoomRowLateness *late;
  const LoomCounterSeries *series; /* the series of all counters in `parts`, in the order of `parts` */
  guint n_series;
  const LoomCounterPart *parts; /* counters of the plot; NULL for rows that are not counters */
  guint n_parts;
  guint n_alike; /* number of other ranks that this rank represents; these other ranks have no rows */
  /* number of the LoomRowTreeItem of the row; constant until another timeline is set, even if rows are laid out
   * again */
  guint item;
  /* index of the row of an unfolded group that stays visible at the top while this row is scrolled; G_MAXUINT: none */
  guint sticky;
  double end_y; /* for an unfolded group: lower edge of its last row in px, measured like `y` */
} LoomTimelineRow;

LoomRowList *loom_row_list_new (void);
void loom_row_list_free (LoomRowList *outline);

/* Builds the tree of the rows of a timeline ahead of time, before other threads use the timeline. The first row list
 * for this timeline uses the tree, if the row list has the same `names`. `names`: the names that the user gave to
 * sources; NULL: none. May be called on any thread. */
void loom_row_list_prepare (LoomTimeline *timeline, const LoomSourceOverrides *names);

/* Shows the rows of `timeline` (NULL: none), and takes a reference. The user's changes to rows are kept. */
void loom_row_list_set_timeline (LoomRowList *outline, LoomTimeline *timeline);
/* Sets the names that the user gave to sources, for this timeline and later ones; copied. Returns TRUE if the rows
 * were laid out again. */
gboolean loom_row_list_set_names (LoomRowList *outline, const LoomSourceOverrides *edits);
/* Returns the names that the user gave to sources. Borrowed; NULL: none were set. */
const LoomSourceOverrides *loom_row_list_get_names (const LoomRowList *outline);
/* Returns the timeline whose rows are listed, borrowed; NULL before the first timeline is set. */
LoomTimeline *loom_row_list_get_timeline (const LoomRowList *outline);

/* loom_row_list_add_detail() shows the tracks of a detail (loom-run-details.h) in the rows of its trace. In `range`
 * (timeline ns), these tracks replace the tracks of the trace. Tracks that the trace lacks get rows of their own.
 * loom_row_list_remove_detail() stops showing the tracks of the detail. Both functions lay the rows out again. A detail
 * must be removed from the row list before it is removed from the run, and before another detail of its trace is added.
 * Details are forgotten when another timeline is set. */
void loom_row_list_add_detail (LoomRowList *outline, guint detail, LoomRange range);
void loom_row_list_remove_detail (LoomRowList *outline, guint detail);
/* Returns TRUE if the rows show the detail (loom-run-details.h): it was added, and has not been removed or forgotten
 * since. */
gboolean loom_row_list_has_detail (const LoomRowList *outline, guint detail);
/* Returns an array with one LoomRowDetail for each detail (loom-run-details.h) that rows show, sorted by the numbers of
 * the details. Rows may show several tracks of a detail. Its LoomRowDetail then contains only one of these tracks; it
 * does not matter which one, because all of them have the same detail and the same range. Owned by the caller. */
GArray *loom_row_list_list_details (const LoomRowList *outline);
/* Returns a number that changes when all rows are made anew, for example after a source was renamed. Details
 * (loom-run-details.h) and notes of rows are then forgotten. */
guint loom_row_list_get_tree_serial (const LoomRowList *outline);
/* Returns a number that changes whenever a detail (loom-run-details.h) is added or removed. */
guint loom_row_list_get_detail_serial (const LoomRowList *outline);
/* Sets the note in the row of the rank or file of a trace; copied. If this changes the note, lays the rows out again
 * and returns TRUE. */
gboolean loom_row_list_set_note (LoomRowList *outline, guint trace, LoomRowNote note);

/* Makes an empty array of LoomRowLateness, which owns the texts and ranges of its elements. */
GArray *loom_row_list_new_lateness (void);
/* Sets the ranks that are late; copied. `n` 0: none. Lays the rows out again. */
void loom_row_list_set_late (LoomRowList *outline, const LoomRowLateness *late, guint n);

/* Returns the number of rows. The pinned rows come first, then all other rows. The pinned rows are sorted by y, and so
 * are the other rows. */
guint loom_row_list_get_n_rows (const LoomRowList *outline);
guint loom_row_list_get_n_pinned (const LoomRowList *outline);
const LoomTimelineRow *loom_row_list_get_row (const LoomRowList *outline, guint row);
double loom_row_list_get_pinned_height (const LoomRowList *outline);
/* total height in px of all rows that are not pinned, whether they are in view or not */
double loom_row_list_get_height (const LoomRowList *outline);

/* Sets the height of the area for rows. If there are several ranks, the lanes of folded ranks get the height with which
 * all lanes would fill this area if all ranks were folded. This height is at most LOOM_LANE_MAX_PX, and at least the
 * height that loom_row_list_set_least_lane() has set (initially LOOM_GROUP_PX). Before the first call, lanes are
 * LOOM_GROUP_PX high. Returns TRUE if rows were laid out again. */
gboolean loom_row_list_set_room (LoomRowList *outline, double height_px);
/* Sets the minimum height of the lanes of folded ranks in px, for small windows; LOOM_GROUP_PX at first. Lays the rows
 * out again. */
void loom_row_list_set_least_lane (LoomRowList *outline, double height_px);

/* Returns the index of the row that heads the sticky group; G_MAXUINT: there is no sticky group. The sticky group is
 * the unfolded group whose rows are at the top of the scrolled area while the row that heads it has been scrolled out
 * of view. The row that heads the group is then shown at the top, over other rows, until the last row of the group
 * leaves the view. O(log rows). */
guint loom_row_list_get_sticky (const LoomRowList *outline, double scroll_px);
/* Returns how many px at the top of the area for rows are covered by pinned rows and the sticky group. O(log rows). */
double loom_row_list_get_cover (const LoomRowList *outline, double scroll_px);
/* Returns the height that pinned rows and the sticky group cover when `row`, a scrolled row, is scrolled to the top. */
double loom_row_list_get_cover_of_row (const LoomRowList *outline, guint row);

/* Returns the row at y px from the top of the area for rows, if the rows are scrolled by `scroll_px`; G_MAXUINT if y is
 * below the last row. O(log rows). */
guint loom_row_list_row_at (const LoomRowList *outline, double y, double scroll_px);
/* Returns the upper edge of a row, in px from the top of the area for rows. If the row heads the sticky group, returns
 * where it is shown at the top, not its place among the scrolled rows. O(log rows). */
double loom_row_list_row_top (const LoomRowList *outline, guint row, double scroll_px);
/* Returns the first scrolled row whose lower edge is below `y` px from the top of the scrolled content; the number of
 * rows if there is no such row. */
guint loom_row_list_first_below (const LoomRowList *outline, double y);

/* A counter of the run. loom_row_list_list_counters() returns all counters in the order of the tree of rows, whether
 * they are shown or not; borrowed until another timeline is set. */
typedef struct {
  const char *key;
  /* names of the groups around the counter and of the counter itself: "algo-1, rank 0, GPU utilization" */
  const char *detail;
} LoomTimelineCounter;
GArray *loom_row_list_list_counters (const LoomRowList *outline);

/* Returns the key of the first visible counter; NULL if none is visible. */
const char *loom_row_list_get_first_counter (const LoomRowList *outline);

/* Returns the row with this key; G_MAXUINT if no row has the key, or if the row is not visible. */
guint loom_row_list_find (const LoomRowList *outline, const char *key);

/* loom_row_list_find_span() finds the row that shows a span or instant, and the strip (level of nesting) within this
 * row. loom_row_list_find_track() finds the row that shows a track, for example of a counter. If the found row is
 * inside a folded group, both functions set `row` to the nearest visible group that contains it, and return FALSE. */
gboolean loom_row_list_find_span (const LoomRowList *outline, LoomSpanId span, guint *row, guint *strip);
gboolean loom_row_list_find_track (const LoomRowList *outline, LoomTrackId track, guint *row);
/* Returns the index of the strip (level of nesting) of `row` that shows one of the rows of a track; G_MAXUINT: `row`
 * does not show it. `trace_row`: index of the track's row (LoomRow) in the trace. */
guint loom_row_list_strip_of (const LoomRowList *outline, const LoomTimelineRow *row, LoomTrackId track,
                              guint trace_row);

/* Returns TRUE if the row shows the track, or is a group that contains it, folded or not. O(depth). */
gboolean loom_row_list_is_within (const LoomRowList *outline, const LoomTimelineRow *row, LoomTrackId track);

/* The functions below store changes that the user makes to rows. Each of them lays the rows out again. If no row has
 * the given key, the change is kept for a row that gets this key later. */
void loom_row_list_set_folded (LoomRowList *outline, const char *key, gboolean folded);
void loom_row_list_fold_all (LoomRowList *outline, gboolean folded);
void loom_row_list_set_pinned (LoomRowList *outline, const char *key, gboolean pinned);
void loom_row_list_set_hidden (LoomRowList *outline, const char *key, gboolean hidden);
void loom_row_list_show_all_hidden (LoomRowList *outline);
guint loom_row_list_get_n_hidden (const LoomRowList *outline);
/* Sets the height of a counter's row in px; 0: the default height. */
void loom_row_list_set_row_height (LoomRowList *outline, const char *key, double height_px);
/* Moves a row before another row of the same group; `before` NULL: to the end of the group. Returns FALSE if the rows
 * are in different groups. */
gboolean loom_row_list_move (LoomRowList *outline, const char *key, const char *before);
/* Sorts the ranks of each group in the order of `ranks`. Ranks that are not in `ranks` come after all others, and keep
 * their order. If `n` is 0, restores the order of the timeline. */
void loom_row_list_order_ranks (LoomRowList *outline, const gint *ranks, guint n);
/* Shows only one of several ranks that do the same work: `representatives[i]` represents `ranks[i]`. A represented rank
 * has a row only if its representative has none, if the filter finds the represented rank, or if one of the functions
 * that reveal rows has shown it. Replaces all earlier representatives; if `n` is 0, all ranks have rows. */
void loom_row_list_fold_alike (LoomRowList *outline, const gint *ranks, const gint *representatives, guint n);
/* Shows all ranks that are represented by the rank with this key. */
void loom_row_list_show_alike (LoomRowList *outline, const char *key);
/* Returns the number of ranks that are represented by others. O(rows). */
guint loom_row_list_get_n_alike (const LoomRowList *outline);
void loom_row_list_set_overlay (LoomRowList *outline, const char *key, gboolean overlay);
/* Sets which quantity of a counter is shown (value, difference or rate), whether the scale is logarithmic, and whether
 * the series are stacked. */
void loom_row_list_set_plot_mode (LoomRowList *outline, const char *key, LoomCounterMode mode);
/* `laid` TRUE: draws the counter `guest` also in the plot of the counter `key`, with the settings that the user chose
 * for the row of `guest`. FALSE: removes `guest` from that plot. Returns FALSE if LOOM_PLOT_MAX_GUESTS counters are
 * already laid over that plot. */
gboolean loom_row_list_set_guest (LoomRowList *outline, const char *key, const char *guest, gboolean laid);
gboolean loom_row_list_has_guest (const LoomRowList *outline, const char *key, const char *guest);
/* Shows only rows whose path contains the text, ignoring case. Groups that contain such rows are shown, too, and
 * unfolded. NULL or "": shows all rows. */
void loom_row_list_set_filter (LoomRowList *outline, const char *text);
gboolean loom_row_list_is_filtered (const LoomRowList *outline);
/* Returns the text of the filter; "" if there is none. Borrowed until another filter is set. */
const char *loom_row_list_get_filter (const LoomRowList *outline);
/* Returns the number of rows that a filter with this text would show, including hidden rows. O(rows). */
guint loom_row_list_count_like (const LoomRowList *outline, const char *text);
/* Shows only rows with one of these tracks (LoomTrackId) of the current timeline. Groups that contain such rows are
 * shown, too, and unfolded. NULL: shows all rows. Takes a reference. Returns FALSE if nothing changed. */
gboolean loom_row_list_set_only (LoomRowList *outline, GArray *tracks);
/* Shows only tracks of these sources (paths, NULL-terminated, copied); NULL: all sources. */
void loom_row_list_set_sources (LoomRowList *outline, const char *const *paths);
/* Returns TRUE if some rows are hidden, do not pass the filter, or belong to sources that are not shown. */
gboolean loom_row_list_leaves_out (const LoomRowList *outline);
/* The next functions make a track, a span or a row visible. If necessary, they unfold groups, show hidden rows and
 * remove the filter. */
void loom_row_list_reveal_track (LoomRowList *outline, LoomTrackId track);
void loom_row_list_reveal_span (LoomRowList *outline, LoomSpanId span);
void loom_row_list_reveal (LoomRowList *outline, const char *key);

/* The next two functions return and set all changes that the user has made to rows, as a GVariant of type a{sa{sv}}
 * (key of the row → settings). loom_row_list_save() returns a reference that the caller owns. loom_row_list_restore()
 * replaces all earlier changes. */
GVariant *loom_row_list_save (LoomRowList *outline);
void loom_row_list_restore (LoomRowList *outline, GVariant *state);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRowList, loom_row_list_free)
