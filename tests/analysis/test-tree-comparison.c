/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-tree-comparison.h"

/* Aligns two trees and returns the pairs as text: "a" matched, "-a" removed, "+a" added. */
static char *
align (const LoomTreeComparisonNode *first, const LoomTreeComparisonNode *second)
{
  gboolean is_cut;
  g_autoptr (GArray) pairs = loom_tree_comparison_align (first, second, &is_cut, NULL);
  GString *text = g_string_new (NULL);
  for (guint p = 1; p < pairs->len; p++) {
    const LoomTreeComparisonPair *pair = &g_array_index (pairs, LoomTreeComparisonPair, p);
    gboolean in_first = pair->node[0] != LOOM_TREE_COMPARISON_NONE;
    gboolean in_second = pair->node[1] != LOOM_TREE_COMPARISON_NONE;
    const char *label = in_first ? first[pair->node[0]].label : second[pair->node[1]].label;
    g_string_append_printf (text, "%s%s ", in_first && in_second ? "" : in_first ? "-" : "+", label);
  }
  g_assert_false (is_cut);
  return g_string_free (text, FALSE);
}

static void
test_replaced (void)
{
  const LoomTreeComparisonNode first[] = { { "", 4 }, { "a", 2 }, { "b", 3 }, { "c", 4 } };
  const LoomTreeComparisonNode second[] = { { "", 4 }, { "a", 2 }, { "x", 3 }, { "c", 4 } };
  g_autofree char *text = align (first, second);
  g_assert_cmpstr (text, ==, "a -b +x c ");
}

static void
test_tie (void)
{
  const LoomTreeComparisonNode first[] = { { "", 4 }, { "a", 2 }, { "a", 3 }, { "b", 4 } };
  const LoomTreeComparisonNode second[] = { { "", 3 }, { "a", 2 }, { "b", 3 } };
  g_autofree char *text = align (first, second);
  g_assert_cmpstr (text, ==, "a -a b ");
}

/* The cost of a node is the size of its subtree: the small "a" is removed, although it is the leftmost one. */
static void
test_size (void)
{
  const LoomTreeComparisonNode first[] = { { "", 4 }, { "a", 2 }, { "a", 4 }, { "k", 4 } };
  const LoomTreeComparisonNode second[] = { { "", 4 }, { "a", 4 }, { "k", 3 }, { "m", 4 } };
  g_autofree char *text = align (first, second);
  g_assert_cmpstr (text, ==, "-a a k +m ");
}

static void
test_blocks (void)
{
  guint32 n = 3000;
  g_autofree LoomTreeComparisonNode *nodes = g_new (LoomTreeComparisonNode, n + 1);
  nodes[0] = (LoomTreeComparisonNode) { "", n + 1 };
  for (guint32 i = 1; i <= n; i++)
    nodes[i] = (LoomTreeComparisonNode) { "a", i + 1 };
  gboolean is_cut;
  g_autoptr (GArray) pairs = loom_tree_comparison_align (nodes, nodes, &is_cut, NULL);
  g_assert_true (is_cut);
  g_assert_cmpuint (pairs->len, ==, n + 1);
}

static void
test_cancelled (void)
{
  const LoomTreeComparisonNode nodes[] = { { "", 2 }, { "a", 2 } };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  gboolean is_cut;
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_tree_comparison_align (nodes, nodes, &is_cut, cancellable));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tree-comparison/replaced", test_replaced);
  g_test_add_func ("/tree-comparison/tie", test_tie);
  g_test_add_func ("/tree-comparison/size", test_size);
  g_test_add_func ("/tree-comparison/blocks", test_blocks);
  g_test_add_func ("/tree-comparison/cancelled", test_cancelled);
  return g_test_run ();
}
