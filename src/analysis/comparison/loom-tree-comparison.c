/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-tree-comparison.h"

typedef struct {
  const LoomTreeComparisonNode *trees[2];
  /* [tree] guint32: the children, in this tree, of the pair of nodes that is being aligned */
  GArray *children[2];
  GArray *pairs;
  /* [i × (n[1] + 1) + j] least cost of aligning the children from index i on in the first tree with the children from
   * index j on in the second tree; n[1]: number of children in the second tree */
  guint32 *costs;
} Alignment;

static guint32
get_cost (const LoomTreeComparisonNode *tree, guint32 node)
{
  return MIN (tree[node].end - node, LOOM_TREE_COMPARISON_MOST_COST);
}

static gboolean
is_equal (const Alignment *self, guint32 first, guint32 second)
{
  return g_str_equal (self->trees[0][first].label, self->trees[1][second].label);
}

static void
add_pair (Alignment *self, guint32 first, guint32 second)
{
  LoomTreeComparisonPair pair = { { first, second } };
  g_array_append_val (self->pairs, pair);
}

static guint32
find_cost (const Alignment *self, const guint32 *a, const guint32 *b, const guint n[2], guint i, guint j)
{
  const guint32 *costs = self->costs + (gsize) i * (n[1] + 1) + j;
  guint32 least = i == n[0] && j == n[1] ? 0 : G_MAXUINT32;
  if (i < n[0])
    least = MIN (least, costs[n[1] + 1] + get_cost (self->trees[0], a[i]));
  if (j < n[1])
    least = MIN (least, costs[1] + get_cost (self->trees[1], b[j]));
  if (i < n[0] && j < n[1] && is_equal (self, a[i], b[j]))
    least = MIN (least, costs[n[1] + 2]);
  return least;
}

/* Adds the pairs of two sequences of children, from left to right. Matches two children whenever this has the least
 * cost. So if several alignments have the least cost, the one that matches the leftmost children is used. */
static void
add_pairs (Alignment *self, const guint32 *a, const guint32 *b, const guint n[2])
{
  for (guint i = 0, j = 0; i < n[0] || j < n[1];) {
    const guint32 *costs = self->costs + (gsize) i * (n[1] + 1) + j;
    if (i < n[0] && j < n[1] && is_equal (self, a[i], b[j]) && costs[0] == costs[n[1] + 2])
      add_pair (self, a[i++], b[j++]);
    else if (i < n[0] && costs[0] == costs[n[1] + 1] + get_cost (self->trees[0], a[i]))
      add_pair (self, a[i++], LOOM_TREE_COMPARISON_NONE);
    else
      add_pair (self, LOOM_TREE_COMPARISON_NONE, b[j++]);
  }
}

static void
align_block (Alignment *self, guint begin)
{
  const guint32 *blocks[2] = { NULL, NULL };
  guint n[2] = { 0, 0 };
  for (guint t = 0; t < 2; t++) {
    if (begin >= self->children[t]->len)
      continue;
    blocks[t] = &g_array_index (self->children[t], guint32, begin);
    n[t] = MIN (self->children[t]->len - begin, LOOM_TREE_COMPARISON_BLOCK);
  }
  for (guint i = n[0] + 1; i-- > 0;)
    for (guint j = n[1] + 1; j-- > 0;)
      self->costs[(gsize) i * (n[1] + 1) + j] = find_cost (self, blocks[0], blocks[1], n, i, j);
  add_pairs (self, blocks[0], blocks[1], n);
}

static void
list_children (Alignment *self, guint tree, guint32 node)
{
  const LoomTreeComparisonNode *nodes = self->trees[tree];
  g_array_set_size (self->children[tree], 0);
  for (guint32 child = node + 1; child < nodes[node].end; child = nodes[child].end)
    g_array_append_val (self->children[tree], child);
}

static gboolean
align_all (Alignment *self, gboolean *is_cut, GCancellable *cancellable)
{
  /* self->pairs is also a queue: the children of each pair are aligned and added to its end. Recursion is avoided,
   * because a tree in a file can be deeper than the stack of a thread allows. */
  for (guint p = 0; p < self->pairs->len; p++) {
    LoomTreeComparisonPair pair = g_array_index (self->pairs, LoomTreeComparisonPair, p);
    if (pair.node[0] == LOOM_TREE_COMPARISON_NONE || pair.node[1] == LOOM_TREE_COMPARISON_NONE)
      continue;
    for (guint t = 0; t < 2; t++)
      list_children (self, t, pair.node[t]);
    guint most = MAX (self->children[0]->len, self->children[1]->len);
    *is_cut = *is_cut || most > LOOM_TREE_COMPARISON_BLOCK;
    for (guint begin = 0; begin < most; begin += LOOM_TREE_COMPARISON_BLOCK) {
      if (g_cancellable_is_cancelled (cancellable))
        return FALSE;
      align_block (self, begin);
    }
  }
  return TRUE;
}

GArray *
loom_tree_comparison_align (const LoomTreeComparisonNode *first, const LoomTreeComparisonNode *second, gboolean *is_cut,
                            GCancellable *cancellable)
{
  g_autoptr (GArray) first_children = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) second_children = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (LoomTreeComparisonPair));
  gsize n_costs = LOOM_TREE_COMPARISON_BLOCK + 1;
  g_autofree guint32 *costs = g_new (guint32, n_costs * n_costs);
  Alignment self = { { first, second }, { first_children, second_children }, pairs, costs };
  *is_cut = FALSE;
  add_pair (&self, 0, 0);
  return align_all (&self, is_cut, cancellable) ? g_steal_pointer (&pairs) : NULL;
}
