/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of the list of sources: a node, the files of a rank, or one file. Its texts are immutable. Called on the main
 * thread.
 */
#pragma once

#include "loom-source-overrides.h"
#include "loom-timeline.h"

#include <gio/gio.h>

#define LOOM_TYPE_SOURCE_ITEM (loom_source_item_get_type ())
G_DECLARE_FINAL_TYPE (LoomSourceItem, loom_source_item, LOOM, SOURCE_ITEM, GObject)

/* The members are read-only. */
struct _LoomSourceItem {
  GObject parent;
  gboolean is_node;
  char *label; /* label of the row, for example "algo-1", "rank 0" or "system" */
  /* label for a narrow column, without parts that neighbouring labels share; NULL: same as `label` */
  char *short_label;
  char *detail;  /* format and file; "" for a node */
  char *tooltip; /* all details: paths, clock, counts */
  gboolean has_clock;
  LoomClockState clock;    /* clock state of a file, or the least reliable one of a group; nodes have none */
  gboolean in_doubt;       /* the run contradicts the clock, or the evidence for its fit is weak */
  gboolean muted;          /* all sources of the line */
  gboolean can_read_trace; /* an index, whose trace may be on this machine */
  guint n_problems;
  GArray *sources;      /* guint: indices of the line's sources in the run */
  GPtrArray *paths;     /* char *: their paths, NULL-terminated */
  GListStore *children; /* the lines below this one; NULL: none */
};

/* Borrowed. */
const char *const *loom_source_item_get_paths (LoomSourceItem *self);

/* Makes the top-level lines of a timeline (LoomSourceItem): nodes, or files whose node is unknown. Names and muted
 * sources are taken from `edits`. */
GListStore *loom_source_item_tree_new (LoomTimeline *timeline, const LoomSourceOverrides *edits);
/* Changes `top` towards `wanted`, by about `most` new lines. Returns TRUE if both are equal then. Unchanged lines
 * remain the same objects, so that the list that shows them has little to update when sources are added. */
gboolean loom_source_item_tree_follow (GListStore *top, GListStore *wanted, guint most);
