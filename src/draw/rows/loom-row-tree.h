/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree from which the row list is made: all possible rows, in order, shown or not. Built once per timeline, immutable
 * except for the fields of layout and filters. Private to the row list.
 */
#pragma once

#include "loom-row-list.h"
#include "loom-row-state.h"

/* Separates the parts of a key. Control characters in a trace's names are replaced, so no label contains it. */
#define LOOM_KEY_SEPARATOR "\x1f"

/* Plots of a machine that sort before this are never moved into a folded group: utilization of GPU and CPU. */
#define LOOM_PLOTS_IN_SIGHT 2

typedef struct _LoomRowTreeItem LoomRowTreeItem;

typedef enum {
  LOOM_LEVEL_JOB,
  LOOM_LEVEL_NODE,
  LOOM_LEVEL_WORKER, /* a rank, or a file without a rank */
  LOOM_LEVEL_PROCESS,
  LOOM_LEVEL_COUNTERS, /* group for the counters of a process, if there are many */
  LOOM_LEVEL_QUIET,    /* a group of the threads of a process that hardly did anything; only if there are several */
  LOOM_LEVEL_ROW,
} LoomRowTreeLevel;

/* Order of the children of a group; larger numbers are formats of processes. */
typedef enum {
  LOOM_SECTION_DEVICES, /* work of accelerators, below a rank or a file */
  LOOM_SECTION_PLOTS,
  LOOM_SECTION_PROCESS_INSTANTS,
  LOOM_SECTION_THREADS,
  LOOM_SECTION_ASYNC,
  LOOM_SECTION_WORKERS,
  /* section after those of all formats: threads that were hardly busy, and rows with few markers */
  LOOM_SECTION_QUIET = 1000,
} LoomRowTreeSection;

struct _LoomRowTreeItem {
  LoomRowTreeLevel level;
  LoomRowKind kind;
  char *key;
  char *label;
  char
    *short_label;   /* for a row of a device: the label with the word before its number cut to one letter; NULL: none */
  char *detail;     /* set when the tree is complete */
  const char *unit; /* borrowed from a trace, or static */
  const char *node; /* borrowed from a trace; NULL: unknown */
  gint rank;
  LoomRowTreeItem *parent; /* NULL for the root */
  GPtrArray *children;     /* LoomRowTreeItem, owned by the tree */
  gint section;            /* order among siblings: section, sort, order label (or label if NULL), second sort */
  gint64 sort, sort2;
  char *order_label;
  char *thread_words; /* translated name of the thread; NULL: no thread */
  /* label of a thread's instants if they are not below the thread's spans; NULL: `label` */
  char *alone_label;
  char *given;               /* the user's name of the only source below it; NULL: none, or several */
  gboolean is_given;         /* TRUE if `given` was set from the first source */
  gboolean is_unnamed;       /* the label only states the number of the thread or the kind of row */
  gboolean is_device;        /* a row with work of an accelerator, or a process that has only such rows */
  gboolean folded;           /* initial state */
  gboolean hidden;           /* initial state: TRUE for a row of very few markers if there are rows of spans */
  GArray *tracks;            /* LoomTrackId; for a group the tracks of its preview */
  GArray *series;            /* LoomCounterSeries; labels are owned by the tree */
  LoomCounterPart part;      /* default plot of a counter */
  GArray *lanes;             /* guint16: first strip of each lane, and the number of strips at the end */
  guint n_strips;            /* parts of the row, one for each depth of nesting */
  guint number;              /* index in the tree's items */
  guint row;                 /* set by the layout: its row; G_MAXUINT: not shown */
  const LoomRowState *state; /* set by the layout: the user's changes; NULL: none */
  guint n_alike;             /* set by the layout: number of other ranks that this one represents */
  gboolean is_represented;   /* set by the layout: another rank represents this one */
  char *folded_detail;       /* case-folded detail for filters; NULL until needed */
};

typedef struct {
  LoomTimeline *timeline;
  LoomRowTreeItem *root;
  GPtrArray *items;    /* all items, by number */
  GHashTable *by_key;  /* borrowed key → item */
  GStringChunk *texts; /* labels of series */
  guint *first_track;  /* [trace] → index of its first track in track_item; the last element is the total */
  LoomRowTreeItem **track_item;
  guint n_ranks;
  LoomSourceOverrides *names; /* the user's names of sources; owned, NULL: none */
} LoomRowTree;

/* Builds the tree and takes a reference to the timeline. `names`: the user's names of sources, only used during the
 * call; NULL: none. */
LoomRowTree *loom_row_tree_new (LoomTimeline *timeline, const LoomSourceOverrides *names);
void loom_row_tree_free (LoomRowTree *tree);

/* Builds the tree ahead of time; the timeline owns it, the result is borrowed. */
const LoomRowTree *loom_row_tree_prepare (LoomTimeline *timeline, const LoomSourceOverrides *names);
/* Takes the tree prepared with the same names, or builds a new one. */
LoomRowTree *loom_row_tree_take (LoomTimeline *timeline, const LoomSourceOverrides *names);

/* The row of a track; for a counter its plot. NULL for tracks without a row. */
LoomRowTreeItem *loom_row_tree_get (const LoomRowTree *tree, LoomTrackId track);

/* Finds or creates a child with this key. For the source files that build the tree. */
LoomRowTreeItem *loom_row_tree_child (LoomRowTree *tree, LoomRowTreeItem *parent, LoomRowTreeLevel level,
                                      const char *key, const char *label);
const LoomTrack *loom_row_tree_track (const LoomRowTree *tree, LoomTrackId track);
const LoomSource *loom_row_tree_source (const LoomRowTree *tree, LoomTrackId track);
/* The track's extent on the timeline; FALSE if the track is empty. */
gboolean loom_row_tree_extent (const LoomRowTree *tree, LoomTrackId id, LoomRange *range);

/* Makes plots of the counter tracks gathered for `process` (LoomTrackId), as children of `process` or `node`. */
void loom_row_tree_add_plots (LoomRowTree *tree, LoomRowTreeItem *process, LoomRowTreeItem *node, const GArray *tracks);

/* Removes levels with a single child, gathers plots, sorts, and sets the number of strips of each row. */
void loom_row_tree_shape (LoomRowTree *tree);

/* Chooses the preview tracks of every group, and its initial fold state. */
void loom_row_tree_choose_pictures (LoomRowTree *tree);
