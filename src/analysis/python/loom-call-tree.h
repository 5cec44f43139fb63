/* SPDX-License-Identifier: Apache-2.0
 *
 * A call tree for the icicle chart. It is made from a Python profile or from nested spans (loom-span-tree.h). A sampled
 * profile contains the tree. A deterministic profile contains no stacks, so its tree is estimated from the pairs of
 * caller and callee. Immutable, ref-counted atomically, any thread.
 */
#pragma once

#include "loom-python-profile.h"

/* Maximum number of nodes. A larger tree is incomplete; its LoomCallTree.is_cut is TRUE. */
#define LOOM_CALL_TREE_MAX_NODES 200000
/* Branches with less than this share of the time of all roots get no nodes; their time counts as self time of their
 * caller. */
#define LOOM_CALL_TREE_MIN_SHARE 0.00005

typedef struct {
  guint32 parent; /* index of the parent in the array of nodes; LOOM_FRAME_NONE: the node is a root */
  /* index of the node's function in LoomCallTree.functions; if the tree is made from a profile, also the index of the
   * function in the profile */
  guint32 function;
  guint32 depth;
  guint32 n_below; /* number of descendants of this node; they follow the node in the array */
  gint64 start_ns; /* left edge of the node's bar; the bars of nodes with equal depth are in order and don't overlap */
  gint64 dur_ns;   /* total time of the node, which is the width of its bar; ≥ 0 */
  gint64 own_ns;   /* self time of the node */
  /* TRUE if an ancestor of the node has the same function; then the callees of this node are not shown */
  gboolean recursive;
  guint64 calls; /* number of spans whose times the node contains; 0 if the tree is made from a profile */
  /* if `function` is LOOM_CALL_TREE_OTHER, number of smaller nodes that this node replaces; else 0 */
  guint32 n_merged;
} LoomCallNode;

/* Function of a node that represents several smaller children of its parent; only in trees of spans. */
#define LOOM_CALL_TREE_OTHER 0

/* A function, or a name of spans. Texts are borrowed from the tree. */
typedef struct {
  const char *name;     /* name of the function; "": it is not known */
  const char *category; /* category of the spans, which determines their colour on the timeline */
  const char *file;     /* "": unknown */
  gint64 line;          /* 0: unknown */
  guint32 text_hash;    /* hash of `name` */
} LoomCallFunction;

typedef struct {
  LoomPythonProfile *profile; /* NULL: the tree is made from spans */
  const LoomCallNode *nodes;  /* all nodes in pre-order: a node comes before its descendants */
  guint32 n_nodes;
  const LoomCallFunction *functions;
  guint32 n_functions;
  gboolean is_cut;
  gint64 width_ns; /* sum of the times of all roots */
  /* Only in trees of spans. `waits_ns`: time of the calls that only wait for a device. `omits_waits`: TRUE if these
   * calls are omitted from the tree; then `width_ns` does not include their time. */
  gint64 waits_ns;
  gboolean omits_waits;
  gatomicrefcount refs;
  GArray *all, *all_functions; /* private: these arrays own `nodes` and `functions` */
  gpointer texts;              /* private: owns the texts of a tree of spans */
  GDestroyNotify free_texts;
} LoomCallTree;

/* Makes the tree of a profile, and keeps a reference to the profile. Slow for large trees, so it should be called on a
 * worker thread. LOOM_CALL_TREE_MAX_NODES and LOOM_CALL_TREE_MIN_SHARE limit the size of the tree. */
LoomCallTree *loom_call_tree_new (LoomPythonProfile *profile);
/* Makes a tree from LoomCallNodes in pre-order and LoomCallFunctions. Computes the edges of the nodes' bars and
 * `n_below`. Takes ownership of both arrays, and of `texts`, which owns the texts of the functions. */
LoomCallTree *loom_call_tree_new_from_nodes (GArray *nodes, GArray *functions, gpointer texts,
                                             GDestroyNotify free_texts);
LoomCallTree *loom_call_tree_ref (LoomCallTree *tree);
void loom_call_tree_unref (LoomCallTree *tree);

gboolean loom_call_tree_is_estimate (const LoomCallTree *tree);
gboolean loom_call_tree_is_chronological (const LoomCallTree *tree);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCallTree, loom_call_tree_unref)
