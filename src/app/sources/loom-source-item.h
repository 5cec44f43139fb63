/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of the list of sources: a node, the files of a rank, or one file. Its texts are immutable. Main thread.
 */
#pragma once

#include "loom-source-overrides.h"
#include "loom-timeline.h"

#include <gio/gio.h>

#define LOOM_TYPE_SOURCE_ITEM (loom_source_item_get_type ())
G_DECLARE_FINAL_TYPE (LoomSourceItem, loom_source_item, LOOM, SOURCE_ITEM, GObject)

const char *loom_source_item_get_label (LoomSourceItem *self); /* as in "algo-1", "rank 0", "system" */
/* The label for a narrow column: parts of a long name that the neighboring labels share may be left out. */
const char *loom_source_item_get_short_label (LoomSourceItem *self);
const char *loom_source_item_get_detail (LoomSourceItem *self);  /* format and file; "" for a node */
const char *loom_source_item_get_tooltip (LoomSourceItem *self); /* all details: paths, clock, counts */
gboolean loom_source_item_is_node (LoomSourceItem *self);

/* The clock of a file, or of a group's files if they agree; FALSE for a node. In doubt: the run contradicts the
 * clock, or the evidence for its fit is weak. */
gboolean loom_source_item_get_clock (LoomSourceItem *self, LoomClockState *state, gboolean *in_doubt);
guint loom_source_item_get_n_problems (LoomSourceItem *self);

/* Indices of the line's sources in the run. */
const guint *loom_source_item_get_sources (LoomSourceItem *self, guint *n);
/* Paths of the line's sources, NULL-terminated, borrowed. */
const char *const *loom_source_item_get_paths (LoomSourceItem *self);

/* The lines below this one; NULL: none. Borrowed. */
GListModel *loom_source_item_get_children (LoomSourceItem *self);

/* TRUE if all sources of the line are muted. */
gboolean loom_source_item_is_muted (LoomSourceItem *self);

/* The top lines of a timeline, of LoomSourceItem: nodes, or files where no node is known. Names and muted sources
 * are taken from `edits`. */
GListStore *loom_source_item_tree_new (LoomTimeline *timeline, const LoomSourceOverrides *edits);
/* Changes `top` towards `wanted` by about `most` new lines; TRUE when both are equal. Unchanged lines stay the same
 * objects, so that a list that shows them has little to do when sources are added. */
gboolean loom_source_item_tree_follow (GListStore *top, GListStore *wanted, guint most);
