/* SPDX-License-Identifier: Apache-2.0
 *
 * A call tree as the icicle chart shows it. For a Python profile it is the sampled tree or, because a deterministic profile
 * contains no stacks, an estimate from the caller–callee pairs. For nested spans see loom-span-tree.h. Immutable,
 * ref-counted atomically, any thread.
 */
#pragma once

#include "loom-python-profile.h"

/* Maximum number of nodes; a larger tree is cut, see `is_cut`. */
#define LOOM_CALL_TREE_MAX_NODES 200000
/* Branches with less than this share of the whole time are not followed; their time counts as self time of the
 * caller. */
#define LOOM_CALL_TREE_MIN_SHARE 0.00005

typedef struct {
  guint32 parent;   /* LOOM_FRAME_NONE: a root */
  guint32 function; /* index in the tree's functions; for a profile, index in its functions */
  guint32 depth;
  guint32 n_below;    /* number of nodes in its subtree, without itself; they follow it directly */
  gint64 start_ns;    /* left edge of its bar; nodes of the same depth are in order and don't overlap */
  gint64 dur_ns;      /* ≥ 0 */
  gint64 own_ns;      /* self time */
  gboolean recursive; /* TRUE if the function is an ancestor, too; the callees of such a node are not followed */
  guint64 calls;      /* number of spans, in a tree of spans; else 0 */
  guint32 n_merged;   /* number of smaller nodes that a node with the function LOOM_CALL_TREE_OTHER replaces; else 0 */
} LoomCallNode;

/* In a tree of spans: the function of nodes that replace several smaller children of a node. */
#define LOOM_CALL_TREE_OTHER 0

/* A function, or a name of spans. Texts are borrowed from the tree. */
typedef struct {
  const char *name;     /* "" for none */
  const char *category; /* category, which determines the colour on the timeline */
  const char *file;     /* "": unknown */
  gint64 line;          /* 0: unknown */
  guint32 text_hash;    /* hash of the name */
} LoomCallFunction;

typedef struct {
  LoomPythonProfile *profile; /* NULL: a tree of spans */
  const LoomCallNode *nodes;  /* nodes in pre-order */
  guint32 n_nodes;
  const LoomCallFunction *functions;
  guint32 n_functions;
  gboolean is_cut;
  gint64 width_ns; /* sum of the times of all roots */
  gatomicrefcount refs;
  GArray *all, *all_functions; /* private: own `nodes` and `functions` */
  gpointer texts;              /* private: owns the texts of a tree of spans */
  GDestroyNotify free_texts;
} LoomCallTree;

/* Makes the tree of a profile, and keeps a reference to the profile. Takes time proportional to the tree, whose size
 * the limits above restrict; should be called on a worker thread. */
LoomCallTree *loom_call_tree_new (LoomPythonProfile *profile);
/* Makes a tree of LoomCallNodes in pre-order, whose edges and `n_below` are set here, and of LoomCallFunctions. Takes
 * both arrays, and `texts`, which owns the texts of the functions. */
LoomCallTree *loom_call_tree_new_from_nodes (GArray *nodes, GArray *functions, gpointer texts,
                                             GDestroyNotify free_texts);
LoomCallTree *loom_call_tree_ref (LoomCallTree *tree);
void loom_call_tree_unref (LoomCallTree *tree);

gboolean loom_call_tree_is_estimate (const LoomCallTree *tree);
gboolean loom_call_tree_is_chronological (const LoomCallTree *tree);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCallTree, loom_call_tree_unref)
