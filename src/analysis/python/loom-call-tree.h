/* SPDX-License-Identifier: Apache-2.0
 *
 * The call tree of a Python profile: the one that was sampled, or an estimate from who called whom, for a profile that
 * was counted has no stacks (formats/python-profiles.md §2 "Call-graph/flame estimate"). Immutable, ref-counted
 * atomically, any thread.
 */
#pragma once

#include "loom-python-profile.h"

G_BEGIN_DECLS

/* Reported by loom_call_tree_is_cut(). */
#define LOOM_CALL_TREE_MAX_NODES 200000
/* Of an estimate: branches with less than this share of the whole are not followed, their time is the
 * caller's own. */
#define LOOM_CALL_TREE_MIN_SHARE 0.00005

typedef struct {
  guint32 parent;   /* LOOM_FRAME_NONE: a root */
  guint32 function; /* in the profile */
  guint32 depth;
  guint32 n_below;    /* nodes of its subtree, without itself: they follow it */
  gint64 start_ns;    /* left edge; nodes of one depth stand in order and do not overlap */
  gint64 dur_ns;      /* ≥ 0 */
  gint64 own_ns;      /* what its children leave */
  gboolean recursive; /* it is above itself already: not descended */
} LoomCallNode;

typedef struct _LoomCallTree LoomCallTree;

/* The tree of the profile; takes a reference. Works in time, up to the limits. */
LoomCallTree *loom_call_tree_new (LoomPythonProfile *profile);
LoomCallTree *loom_call_tree_ref (LoomCallTree *tree);
void loom_call_tree_unref (LoomCallTree *tree);

LoomPythonProfile *loom_call_tree_get_profile (const LoomCallTree *tree);            /* borrowed */
const LoomCallNode *loom_call_tree_get_nodes (const LoomCallTree *tree, guint32 *n); /* pre-order */
gint64 loom_call_tree_get_width_ns (const LoomCallTree *tree);                       /* of all roots */
guint32 loom_call_tree_get_n_levels (const LoomCallTree *tree);

gboolean loom_call_tree_is_estimate (const LoomCallTree *tree);
gboolean loom_call_tree_is_chronological (const LoomCallTree *tree);
gboolean loom_call_tree_is_cut (const LoomCallTree *tree);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCallTree, loom_call_tree_unref)

G_END_DECLS
