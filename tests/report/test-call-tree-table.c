/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the table of names in a call tree, with sums that were calculated by hand. In the tree, f [0, 100) calls g [10,
 * 60) and g [70, 80); the first g calls f [20, 50).
 */
#include "loom-call-tree-table.h"

static LoomCallTree *
make_tree (void)
{
  static const LoomCallFunction functions[] = { { "other", "", "", 0, 0 },
                                                { "f", "", "", 0, 0 },
                                                { "g", "", "", 0, 0 } };
  static const LoomCallNode nodes[] = {
    { .parent = LOOM_FRAME_NONE, .function = 1, .depth = 0, .dur_ns = 100, .own_ns = 40, .calls = 1 },
    { .parent = 0, .function = 2, .depth = 1, .dur_ns = 50, .own_ns = 20, .calls = 1 },
    { .parent = 1, .function = 1, .depth = 2, .dur_ns = 30, .own_ns = 30, .calls = 2 },
    { .parent = 0, .function = 2, .depth = 1, .dur_ns = 10, .own_ns = 10, .calls = 1 },
  };
  GArray *all = g_array_new (FALSE, FALSE, sizeof (LoomCallNode)),
         *names = g_array_new (FALSE, FALSE, sizeof (LoomCallFunction));
  g_array_append_vals (all, nodes, G_N_ELEMENTS (nodes));
  g_array_append_vals (names, functions, G_N_ELEMENTS (functions));
  return loom_call_tree_new_from_nodes (all, names, NULL, NULL);
}

static void
check_row (LoomResultTable *table, guint row, const char *name, double total_ns, double self_ns, double calls)
{
  g_assert_cmpstr (loom_result_table_get_text (table, row, 0), ==, name);
  g_assert_cmpfloat (loom_result_table_get_number (table, row, 1), ==, total_ns);
  g_assert_cmpfloat (loom_result_table_get_number (table, row, 2), ==, self_ns);
  g_assert_cmpfloat (loom_result_table_get_number (table, row, 3), ==, self_ns);
  g_assert_cmpfloat (loom_result_table_get_number (table, row, 4), ==, calls);
}

/* The time of the inner call of f is part of that of the outer call and is counted once. Names without time have no
 * row. */
static void
test_top_down (void)
{
  g_autoptr (LoomCallTree) tree = make_tree ();
  g_autoptr (GArray) functions = NULL;
  g_autoptr (LoomResultTable) table = loom_call_tree_table_new (tree, FALSE, &functions);
  g_assert_cmpuint (table->n_rows, ==, 2);
  check_row (table, 0, "f", 100, 70, 3);
  check_row (table, 1, "g", 60, 30, 2);
  g_assert_cmpuint (functions->len, ==, 2);
  g_assert_cmpuint (g_array_index (functions, guint32, 0), ==, 1);
  g_assert_cmpuint (g_array_index (functions, guint32, 1), ==, 2);
}

/* In a bottom-up tree, callers are below the names that they call: the table counts only the roots, and has no total
 * times. */
static void
test_by_caller (void)
{
  g_autoptr (LoomCallTree) tree = make_tree ();
  g_autoptr (GArray) functions = NULL;
  g_autoptr (LoomResultTable) table = loom_call_tree_table_new (tree, TRUE, &functions);
  gboolean descending;
  g_assert_cmpuint (table->n_rows, ==, 1);
  g_assert_cmpfloat (loom_result_table_get_number (table, 0, 2), ==, 100);
  g_assert_true (loom_result_table_is_empty_column (table, 1));
  g_assert_cmpuint (loom_result_table_get_order (table, &descending), ==, 2);
  g_assert_true (descending);
}

/* The answer names a function, not a step that encloses it and has a longer self time. If there are only steps, it names
 * them. */
static void
test_answer (void)
{
  static const LoomCallFunction functions[] = { { "other", "", "", 0, 0 },
                                                { "ProfilerStep", "user_annotation", "", 0, 0 },
                                                { "matmul", "cpu_op", "", 0, 0 } };
  static const LoomCallNode nodes[] = {
    { .parent = LOOM_FRAME_NONE, .function = 1, .depth = 0, .dur_ns = 100, .own_ns = 70, .calls = 1 },
    { .parent = 0, .function = 2, .depth = 1, .dur_ns = 30, .own_ns = 30, .calls = 1 },
  };
  for (guint n_nodes = 1; n_nodes <= G_N_ELEMENTS (nodes); n_nodes++) {
    GArray *all = g_array_new (FALSE, FALSE, sizeof (LoomCallNode)),
           *names = g_array_new (FALSE, FALSE, sizeof (LoomCallFunction));
    g_array_append_vals (all, nodes, n_nodes);
    g_array_append_vals (names, functions, G_N_ELEMENTS (functions));
    g_autoptr (LoomCallTree) tree = loom_call_tree_new_from_nodes (all, names, NULL, NULL);
    g_autofree char *answer = loom_call_tree_table_dup_answer (tree, FALSE);
    g_assert_true (g_str_has_prefix (answer, n_nodes == 1 ? "ProfilerStep has" : "matmul has"));
  }
}

/* If waits are hidden, the details say how much time is hidden, and the answer names a function. */
static void
test_hidden (void)
{
  g_autoptr (LoomCallTree) tree = make_tree ();
  tree->waits_ns = 300;
  tree->omits_waits = TRUE;
  g_autofree char *answer = loom_call_tree_table_dup_answer (tree, FALSE),
                  *details = loom_call_tree_table_dup_details (tree, FALSE);
  g_assert_nonnull (
    strstr (details, "Waits for devices are not shown here: 300 ns, which is 75 % of the time of all calls"));
  g_assert_nonnull (
    strstr (answer, "f has the longest self time of the calls that do not wait: 70 ns, which is 70 % of their time"));
}

/* If threads mostly wait, the answer says so, and the details name the function with the most other self time. */
static void
test_waits (void)
{
  static const LoomCallFunction functions[] = { { "other", "", "", 0, 0 },
                                                { "cudaStreamSynchronize", "cuda_runtime", "", 0, 0 },
                                                { "matmul", "cpu_op", "", 0, 0 } };
  static const LoomCallNode nodes[] = {
    { .parent = LOOM_FRAME_NONE, .function = 2, .depth = 0, .dur_ns = 100, .own_ns = 20, .calls = 1 },
    { .parent = 0, .function = 1, .depth = 1, .dur_ns = 80, .own_ns = 80, .calls = 1 },
  };
  GArray *all = g_array_new (FALSE, FALSE, sizeof (LoomCallNode)),
         *names = g_array_new (FALSE, FALSE, sizeof (LoomCallFunction));
  g_array_append_vals (all, nodes, G_N_ELEMENTS (nodes));
  g_array_append_vals (names, functions, G_N_ELEMENTS (functions));
  g_autoptr (LoomCallTree) tree = loom_call_tree_new_from_nodes (all, names, NULL, NULL);
  g_autofree char *answer = loom_call_tree_table_dup_answer (tree, FALSE),
                  *details = loom_call_tree_table_dup_details (tree, FALSE);
  g_assert_nonnull (
    strstr (answer, "80 % of the time of all calls, threads wait for devices, longest in cudaStreamSynchronize"));
  g_assert_nonnull (strstr (details, "matmul has the longest self time: 20 ns, which is 20 %"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/report/call-tree-table/top-down", test_top_down);
  g_test_add_func ("/report/call-tree-table/by-caller", test_by_caller);
  g_test_add_func ("/report/call-tree-table/answer", test_answer);
  g_test_add_func ("/report/call-tree-table/hidden", test_hidden);
  g_test_add_func ("/report/call-tree-table/waits", test_waits);
  return g_test_run ();
}
