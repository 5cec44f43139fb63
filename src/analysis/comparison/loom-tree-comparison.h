/* SPDX-License-Identifier: Apache-2.0
 *
 * Aligns two trees of labelled nodes, such as the modules of a step in two runs: which nodes correspond, and which
 * exist in only one of the trees. The roots correspond. The children of two corresponding nodes are aligned as
 * sequences by the algorithm of R. Wagner and M. Fischer (The String-to-String Correction Problem, 1974). Nodes
 * correspond only if their labels are equal. Adding or removing a node costs the size of its subtree, at most
 * LOOM_TREE_COMPARISON_MOST_COST. Of alignments with equal cost, the one that matches the leftmost nodes is used.
 */
#pragma once

#include <gio/gio.h>

#define LOOM_TREE_COMPARISON_MOST_COST 10
/* A longer sequence of children is cut into blocks of this length, which are aligned separately, so that time and
 * memory stay bounded. */
#define LOOM_TREE_COMPARISON_BLOCK 1024
#define LOOM_TREE_COMPARISON_NONE G_MAXUINT32

/* A node of a tree. The nodes of a tree are an array in pre-order: a node is followed by its subtree. */
typedef struct {
  const char *label; /* borrowed */
  guint32 end;       /* index after the last node of the subtree */
} LoomTreeComparisonNode;

typedef struct {
  guint32 node[2]; /* [tree] index of the node; LOOM_TREE_COMPARISON_NONE: the subtree exists only in the other tree */
} LoomTreeComparisonPair;

/* Returns an array of LoomTreeComparisonPair. It has an element for each pair of corresponding nodes, and one for the
 * root of each subtree that was removed (is only in the first tree) or added (is only in the second tree). The element
 * of a node comes before those of its descendants. The root of each tree has the index 0. `is_cut`: set to TRUE if
 * sequences were aligned in blocks; another alignment may then have a lower cost. Owned by the caller; NULL only when
 * cancelled. Any thread. For two nodes with m and n children, O(m · n); if m or n exceeds LOOM_TREE_COMPARISON_BLOCK,
 * O((m + n) · LOOM_TREE_COMPARISON_BLOCK). */
GArray *loom_tree_comparison_align (const LoomTreeComparisonNode *first, const LoomTreeComparisonNode *second,
                                    gboolean *is_cut, GCancellable *cancellable);
