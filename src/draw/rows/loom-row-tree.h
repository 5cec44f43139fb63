/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree from which the row list is made. It contains an item for every possible row, whether the row is shown or
 * not, in the order in which rows are shown. Built once per timeline; afterwards only the members that the layout and
 * the filters set can change. Private to the row list.
 */
#pragma once

#include "loom-row-list.h"
#include "loom-row-state.h"

/* Separates the parts of the key of a row. No part contains this character, because control characters in the names of
 * a trace are replaced. */
#define LOOM_KEY_SEPARATOR "\x1f"

/* Number of plots that are never moved into a folded group: the plots of the utilization of GPU and CPU, which come
 * first. */
#define LOOM_PLOTS_IN_SIGHT 2

typedef struct _LoomRowTreeItem LoomRowTreeItem;

typedef enum {
  LOOM_LEVEL_JOB,
  LOOM_LEVEL_NODE,
  LOOM_LEVEL_WORKER, /* a rank, or a file whose tracks have no rank */
  LOOM_LEVEL_PROCESS,
  LOOM_LEVEL_COUNTERS, /* group for the counters of a process, if it has many counters */
  LOOM_LEVEL_QUIET,    /* group of those threads of a process that are hardly ever busy, if there are several */
  LOOM_LEVEL_ROW,
} LoomRowTreeLevel;

/* The children of a group are sorted by section, in this order. The section of a group that shows a process is
 * LOOM_SECTION_WORKERS plus a number that depends on the format of the trace that recorded the process. */
typedef enum {
  LOOM_SECTION_DEVICES, /* rows with work of accelerators, below a rank or a file */
  LOOM_SECTION_PLOTS,
  LOOM_SECTION_PROCESS_INSTANTS,
  LOOM_SECTION_THREADS,
  LOOM_SECTION_ASYNC,
  LOOM_SECTION_WORKERS,
  /* threads that are hardly ever busy, and rows with very few instants; they come after the processes of all formats */
  LOOM_SECTION_QUIET = 1000,
} LoomRowTreeSection;

struct _LoomRowTreeItem {
  LoomRowTreeLevel level;
  LoomRowKind kind;
  char *key;
  char *label;
  /* if `label` is shortened (loom-plane-label.h): the label in full, as in `detail`; NULL: `label` is not shortened */
  char *whole_label;
  /* for a row of a device: the name of the device and the label with its first word cut to one letter, for example "GPU
   * 0 · s7" for "stream 7"; NULL: none */
  char *short_label;
  /* names of the groups around the item and of the item itself: "algo-1, rank 0"; set when the tree is complete */
  char *detail;
  const char *unit; /* unit of a counter; borrowed from a trace, or static */
  const char *node; /* name of the node; borrowed from a trace; NULL: unknown */
  gint rank;
  LoomRowTreeItem *parent; /* group that contains the item; NULL for the root */
  GPtrArray *children;     /* LoomRowTreeItem: the items directly below this one; owned by the tree */
  /* sort keys among the children of a group. Children are sorted by `section`, then `sort`, then `order_label`, then
   * `sort2`. If `order_label` is NULL, `whole_label` is used instead; if that is NULL, too, `label` is used */
  gint section;
  gint64 sort, sort2;
  char *order_label;
  char *thread_words; /* translated name of the row's thread; NULL: no thread */
  /* for the instants of a thread: the label used when the row does not come directly after the row of the thread's
   * spans; NULL: `label` is used */
  char *alone_label;
  /* name that the user gave to the source of this item; NULL: none, or the item has several sources with different
   * names */
  char *given;
  gboolean is_given;    /* TRUE if `given` has been set for a source of this item, maybe to NULL */
  gboolean is_unnamed;  /* TRUE if the label contains no name, only the number of the thread or the kind of the row */
  gboolean is_nameless; /* TRUE if the events of the row belong to no thread ("(no thread)") */
  gboolean only_waits;  /* TRUE for a row of an accelerator's stream that only waits; it is shown below other streams */
  gboolean is_device;   /* TRUE for a row with work of an accelerator, and for a process that has only such rows */
  /* TRUE for a device that is a group. Devices become groups if all devices together have many rows */
  gboolean is_lane;
  gboolean is_derived; /* TRUE for a row whose tracks all repeat or sum up other tracks (LOOM_TRACK_DERIVED) */
  gboolean folded;     /* initial state: TRUE if the group is folded until the user unfolds it */
  /* TRUE for a row that has only tracks of details (loom-run-details.h: single events that are shown in place of the
   * sums in the index of a trace), because the index lacks these tracks */
  gboolean is_of_detail;
  gboolean hidden;      /* initial state: TRUE for a row with very few instants if there are also rows of spans */
  gboolean has_rows;    /* TRUE for a row; for a group, TRUE if it contains a row that is not hidden initially */
  GArray *tracks;       /* LoomTrackId: tracks of the row; for a group, the tracks from which its lane is made */
  GArray *series;       /* LoomCounterSeries: series of a counter's plot; their labels are owned by the tree */
  LoomCounterPart part; /* the plot of a counter without the user's changes */
  /* guint16, indexed by lane: index of the lane's first strip; the last element is the number of all strips. A row has
   * several lanes if spans overlap without being nested; a strip shows one level of nesting of a lane */
  GArray *lanes;
  guint n_strips; /* number of strips of the row; each level of nesting of each lane is drawn as a strip */
  /* LoomRowDetail: tracks of details (loom-run-details.h) that the row shows in place of parts of its own tracks; NULL:
   * none */
  GArray *details;
  LoomRowNote note;
  guint number; /* index of this item in the tree's `items` */
  guint row;    /* set by the layout: index of the item's row in the row list; G_MAXUINT: the item is not shown */
  const LoomRowState *state; /* set by the layout: changes that the user made to this row; NULL: none */
  /* set by the layout: number of other ranks that this rank represents (loom-row-alike.c) */
  guint n_alike;
  /* set by the layout: TRUE if a similar rank represents this rank (loom-row-alike.c) */
  gboolean is_represented;
  char *folded_detail; /* path and labels, case-folded, for filters; NULL until needed */
};

typedef struct {
  LoomTimeline *timeline;
  LoomRowTreeItem *root;
  GPtrArray *items;    /* all items; the index is the item's `number` */
  GHashTable *by_key;  /* key of a row, borrowed from the item → item */
  GStringChunk *texts; /* labels of the series of all plots */
  guint *first_track;  /* array indexed by trace: index in track_item of the first track of the trace; the last element
                        * is the length of track_item */
  LoomRowTreeItem **track_item;
  /* number of a detail (loom-run-details.h) → array of LoomRowTreeItem *, indexed by track of the detail: item of the
   * row that shows the track; NULL: no row shows it */
  GHashTable *details;
  guint n_ranks;
  guint n_hidden;             /* number of items that are hidden initially */
  LoomSourceOverrides *names; /* a copy of the names that the user gave to sources; NULL: none */
} LoomRowTree;

/* Builds the tree and takes a reference to the timeline. `names`: the names that the user gave to sources, only used
 * during the call; NULL: none. */
LoomRowTree *loom_row_tree_new (LoomTimeline *timeline, const LoomSourceOverrides *names);
void loom_row_tree_free (LoomRowTree *tree);

/* Builds the tree ahead of time and stores it in the timeline, which then owns the tree. Returns the tree, borrowed. */
const LoomRowTree *loom_row_tree_prepare (LoomTimeline *timeline, const LoomSourceOverrides *names);
/* Returns the tree that loom_row_tree_prepare() stored in the timeline, if it was built with the same `names`; else a
 * new tree. Owned by the caller. */
LoomRowTree *loom_row_tree_take (LoomTimeline *timeline, const LoomSourceOverrides *names);

/* Counts the strips of a row, and finds the first strip of each lane. A row has several lanes if spans overlap without
 * being nested; a strip shows one level of nesting of a lane. If the row has several tracks, lanes with the same number
 * use the same strips. */
void loom_row_tree_measure_lanes (LoomRowTree *tree, LoomRowTreeItem *item);

/* Returns the item of the row that shows a track; for the track of a counter, the item of its plot. NULL: the track has
 * no row. */
LoomRowTreeItem *loom_row_tree_get (const LoomRowTree *tree, LoomTrackId track);

/* Returns the child of `parent` with this key; adds such a child if there is none. Only for the functions that build
 * the tree. */
LoomRowTreeItem *loom_row_tree_child (LoomRowTree *tree, LoomRowTreeItem *parent, LoomRowTreeLevel level,
                                      const char *key, const char *label);
/* Returns the label of the row of a track that is not a counter. Owned by the caller. */
char *loom_row_tree_dup_row_label (const LoomTrack *track);
const LoomTrack *loom_row_tree_track (const LoomRowTree *tree, LoomTrackId track);
const LoomSource *loom_row_tree_source (const LoomRowTree *tree, LoomTrackId track);
/* Sets `range` to the time from the first to the last event of the track, on the timeline. Returns FALSE if the track
 * is empty. */
gboolean loom_row_tree_extent (const LoomRowTree *tree, LoomTrackId id, LoomRange *range);

/* Makes plots for `tracks` (LoomTrackId), the counters of a process. A plot becomes a child of `node` if it shows a
 * measurement of the machine, else of `process`. */
void loom_row_tree_add_plots (LoomRowTree *tree, LoomRowTreeItem *process, LoomRowTreeItem *node, const GArray *tracks);

/* Converts the complete tree to the form that is shown. Replaces each group that has a single child by this child.
 * Moves plots, and threads that are hardly ever busy, into groups. Sorts all children, and counts the strips of each
 * row. */
void loom_row_tree_shape (LoomRowTree *tree);

/* Chooses, for each group, the tracks that its lane shows when the group is folded. Also chooses the groups that are
 * folded initially. */
void loom_row_tree_choose_pictures (LoomRowTree *tree);
