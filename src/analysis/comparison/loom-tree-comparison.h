/* SPDX-License-Identifier: Apache-2.0
 *
 * Aligns two trees of labelled nodes, such as the modules of a step in two runs: which nodes correspond, and which
 * exist in only one of the trees. The roots correspond. The children of two corresponding nodes are aligned as
 * sequences by the algorithm of R. Wagner and M. Fischer (The String-to-String Correction Problem, 1974): nodes
 * correspond only if their labels are equal; adding or removing a node costs the size of its subtree, at most
 * LOOM_TREE_COMPARISON_MOST_COST. Of alignments with equal cost, the one that matches the leftmost nodes is used.
 */
#pragma once

#include <gio/gio.h>

#define LOOM_TREE_COMPARISON_MOST_COST 10
/* Longer sequences of children are aligned in blocks of this many, so that time and memory stay bounded. */
#define LOOM_TREE_COMPARISON_BLOCK 1024
#define LOOM_TREE_COMPARISON_NONE G_MAXUINT32

/* A node of a tree in pre-order: its children follow it directly. */
typedef struct {
  const char *label; /* borrowed */
  guint32 end;       /* index after the last node of the subtree */
} LoomTreeComparisonNode;

typedef struct {
  guint32 node[2]; /* [tree] index of the node, or LOOM_TREE_COMPARISON_NONE: the subtree was added or removed */
} LoomTreeComparisonPair;

/* Returns LoomTreeComparisonPair for all corresponding nodes, each before its descendants, and for the roots of the
 * subtrees that were removed (in the first tree only) or added (in the second tree only). Both trees have a root at
 * index 0. `is_cut`: set to TRUE if sequences were aligned in blocks, which may not be the least cost. Owned by the
 * caller; NULL only when cancelled. Any thread. O(Σ children of both nodes of a pair, multiplied); with more than
 * LOOM_TREE_COMPARISON_BLOCK children, O(children · LOOM_TREE_COMPARISON_BLOCK). */
GArray *loom_tree_comparison_align (const LoomTreeComparisonNode *first, const LoomTreeComparisonNode *second,
                                    gboolean *is_cut, GCancellable *cancellable);
