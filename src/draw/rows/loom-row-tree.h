/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree behind the outline: every row there could be, in order, whether shown or not. Built once per timeline,
 * immutable except for what layout and filters write into it. Private to the outline.
 */
#pragma once

#include "loom-row-list.h"
#include "loom-row-state.h"

G_BEGIN_DECLS

/* Separates the parts of a key: cannot stand in a label of a trace without being shown as a picture. */
#define LOOM_KEY_SEPARATOR "\x1f"

/* Plots of a machine that sort below this are never gathered into a folded group: utilization of GPU and CPU. */
#define LOOM_PLOTS_IN_SIGHT 2

typedef struct _LoomRowTreeItem LoomRowTreeItem;

typedef enum {
  LOOM_LEVEL_JOB,
  LOOM_LEVEL_NODE,
  LOOM_LEVEL_WORKER, /* a rank, or a file that has none */
  LOOM_LEVEL_PROCESS,
  LOOM_LEVEL_COUNTERS, /* the counters of a process, when there are many */
  LOOM_LEVEL_ROW,
} LoomRowTreeLevel;

/* Order of what stands below one group; further numbers are formats of processes. */
typedef enum {
  LOOM_SECTION_PLOTS,
  LOOM_SECTION_PROCESS_INSTANTS,
  LOOM_SECTION_THREADS,
  LOOM_SECTION_ASYNC,
  LOOM_SECTION_WORKERS,
} LoomRowTreeSection;

struct _LoomRowTreeItem {
  LoomRowTreeLevel level;
  LoomRowKind kind;
  char *key;
  char *label;
  char *detail;     /* filled at the end of the building */
  const char *unit; /* borrowed from a trace, or static */
  const char *node; /* borrowed from a trace; NULL unknown */
  gint rank;
  LoomRowTreeItem *parent; /* NULL for the root */
  GPtrArray *children;     /* of LoomRowTreeItem, owned by the tree */
  gint section;            /* order among siblings: section, sort, order label (label where NULL), second sort */
  gint64 sort, sort2;
  char *order_label;
  char *thread_words; /* the name of the thread as the person reads it; NULL: of none */
  char *
    alone_label; /* of a thread's instants: what they are called where they do not stand under its spans; NULL: the same */
  char *given;               /* what a person calls all that is below it; NULL: nothing, or several things */
  gboolean is_given;         /* that is known of the first of it */
  gboolean is_unnamed;       /* the label says what thread or kind of row it is, no more */
  gboolean folded;           /* at first */
  GArray *tracks;            /* LoomTrackId; of a group: those of its picture */
  GArray *series;            /* LoomCounterSeries; labels are owned by the tree */
  LoomCounterPart part;      /* of a counter, as it is where nobody changed it */
  GArray *lanes;             /* guint16: first strip of each lane, and the number of strips at the end */
  guint n_strips;            /* all of them */
  guint number;              /* in the tree's items */
  guint row;                 /* layout: the row it is on, G_MAXUINT when not shown */
  const LoomRowState *state; /* layout: what was done to it, NULL: nothing */
  char *folded_detail;       /* filters: its letter case put aside; NULL until one asks */
};

typedef struct {
  LoomTimeline *timeline;
  LoomRowTreeItem *root;
  GPtrArray *items;    /* all, by number */
  GHashTable *by_key;  /* borrowed key → item */
  GStringChunk *texts; /* labels of series */
  guint *first_track;  /* of each trace, into track_item; one more at the end */
  LoomRowTreeItem **track_item;
  guint n_ranks;
  LoomSourceOverrides *names; /* what sources are called; owned, NULL: as they are */
} LoomRowTree;

/* Takes a reference to the timeline. `names`, during the call: what sources are called; NULL: as they are. */
LoomRowTree *loom_row_tree_new (LoomTimeline *timeline, const LoomSourceOverrides *names);
void loom_row_tree_free (LoomRowTree *tree);

/* Makes it beforehand and lets the timeline keep it; borrowed. */
const LoomRowTree *loom_row_tree_prepare (LoomTimeline *timeline, const LoomSourceOverrides *names);
/* The one that was prepared with these names, else a new one. */
LoomRowTree *loom_row_tree_take (LoomTimeline *timeline, const LoomSourceOverrides *names);

/* The row of a track; a counter's is its plot. NULL for tracks that have none. */
LoomRowTreeItem *loom_row_tree_get (const LoomRowTree *tree, LoomTrackId track);

/* For the parts of the builder. */
LoomRowTreeItem *loom_row_tree_child (LoomRowTree *tree, LoomRowTreeItem *parent, LoomRowTreeLevel level,
                                      const char *key, const char *label);
const LoomTrack *loom_row_tree_track (const LoomRowTree *tree, LoomTrackId track);
const LoomSource *loom_row_tree_source (const LoomRowTree *tree, LoomTrackId track);
/* A range in the track's clock's timeline time; FALSE when the track is empty. */
gboolean loom_row_tree_extent (const LoomRowTree *tree, LoomTrackId track, LoomRange *range);

/* Makes plots of the counter tracks gathered for `process` (LoomTrackId), as children of it or of `node`. */
void loom_row_tree_add_plots (LoomRowTree *tree, LoomRowTreeItem *process, LoomRowTreeItem *node, const GArray *tracks);

/* Takes away levels that hold one thing, gathers plots, sorts, and counts strips. */
void loom_row_tree_shape (LoomRowTree *tree);

/* Chooses what the folded picture of every group is made of, and its first fold state. */
void loom_row_tree_choose_pictures (LoomRowTree *tree);

G_END_DECLS
