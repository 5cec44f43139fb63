/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of the sidebar: a node, a rank of it, or one file. What it says never changes. Main thread.
 */
#pragma once

#include "loom-source-overrides.h"
#include "loom-timeline.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define LOOM_TYPE_SOURCE_ITEM (loom_source_item_get_type ())
G_DECLARE_FINAL_TYPE (LoomSourceItem, loom_source_item, LOOM, SOURCE_ITEM, GObject)

const char *loom_source_item_get_label (LoomSourceItem *self); /* "algo-1", "rank 0", "system" */
/* The same for a narrow column: of a long name what those beside it have too may be missing. */
const char *loom_source_item_get_short_label (LoomSourceItem *self);
const char *loom_source_item_get_detail (LoomSourceItem *self);  /* format and file; "" for a node */
const char *loom_source_item_get_tooltip (LoomSourceItem *self); /* paths, clock, counts: everything */
gboolean loom_source_item_is_node (LoomSourceItem *self);

/* Of a file or of files that agree; FALSE for a node. In doubt: the run contradicts it, or what it was fitted by is weak. */
gboolean loom_source_item_get_clock (LoomSourceItem *self, LoomClockState *state, gboolean *in_doubt);
guint loom_source_item_get_n_problems (LoomSourceItem *self);

/* Flat numbers of its sources in the run. */
const guint *loom_source_item_get_sources (LoomSourceItem *self, guint *n);
/* Paths of its sources, NULL-terminated, borrowed. */
const char *const *loom_source_item_get_paths (LoomSourceItem *self);

/* Lines below it, NULL for none; borrowed. */
GListModel *loom_source_item_get_children (LoomSourceItem *self);

/* All of it is. */
gboolean loom_source_item_is_muted (LoomSourceItem *self);

/* The top lines of a timeline, of LoomSourceItem: nodes, or files where no node is known. Names and what is muted as in `edits`. */
GListStore *loom_source_item_tree_new (LoomTimeline *timeline, const LoomSourceOverrides *edits);
/* Brings `top` nearer to `wanted` by about `most` new lines; TRUE when it has arrived there. Lines that say the same as
 * before stay the same objects, so that a list that shows them has little to do when sources arrive. */
gboolean loom_source_item_tree_follow (GListStore *top, GListStore *wanted, guint most);

G_END_DECLS
