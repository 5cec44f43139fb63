/* SPDX-License-Identifier: Apache-2.0
 *
 * The call tree of a Python profile: the sampled tree, or an estimate from the caller–callee pairs, because a
 * deterministic profile contains no stacks (formats/python-profiles.md §2 "Call-graph/flame estimate"). Immutable,
 * ref-counted atomically, any thread.
 */
#pragma once

#include "loom-python-profile.h"

/* The tree is cut at this number of nodes; see `is_cut`. */
#define LOOM_CALL_TREE_MAX_NODES 200000
/* An estimate doesn't follow branches below this share of the whole; their time counts as self time of the caller. */
#define LOOM_CALL_TREE_MIN_SHARE 0.00005

typedef struct {
  guint32 parent;   /* LOOM_FRAME_NONE: a root */
  guint32 function; /* number in the profile */
  guint32 depth;
  guint32 n_below;    /* number of nodes in its subtree without itself; they follow it directly */
  gint64 start_ns;    /* left edge; nodes of the same depth are in order and don't overlap */
  gint64 dur_ns;      /* ≥ 0 */
  gint64 own_ns;      /* self time */
  gboolean recursive; /* the function is its own ancestor: callees are not followed */
} LoomCallNode;

typedef struct {
  LoomPythonProfile *profile;
  const LoomCallNode *nodes; /* in pre-order */
  guint32 n_nodes;
  gboolean is_cut;
  gint64 width_ns; /* sum of all roots */
  gatomicrefcount refs;
  GArray *all; /* private: owns `nodes` */
} LoomCallTree;

/* Makes the tree of the profile and takes a reference to it. Blocks, up to the limits above. */
LoomCallTree *loom_call_tree_new (LoomPythonProfile *profile);
LoomCallTree *loom_call_tree_ref (LoomCallTree *tree);
void loom_call_tree_unref (LoomCallTree *tree);

gboolean loom_call_tree_is_estimate (const LoomCallTree *tree);
gboolean loom_call_tree_is_chronological (const LoomCallTree *tree);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCallTree, loom_call_tree_unref)
