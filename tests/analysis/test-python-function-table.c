/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests tables, differences and call trees of Python profiles.
 */
#include "loom-call-tree.h"
#include "loom-python-function-table.h"
#include "loom-python-profile-builder.h"

#include <math.h>
#include <string.h>

static guint32
add (LoomPythonProfileBuilder *builder, const char *name, gint64 calls, gint64 own_ns, gint64 cumulative_ns)
{
  guint32 number = loom_python_profile_builder_function (builder, "a.py", 4, 7, name, strlen (name));
  LoomPythonProfileFunction *entry = loom_python_profile_builder_get_function (builder, number);
  entry->calls = entry->primitive_calls = calls;
  entry->own_ns = own_ns;
  entry->cumulative_ns = cumulative_ns;
  return number;
}

static void
call (LoomPythonProfileBuilder *builder, guint32 caller, guint32 callee, gint64 own_ns, gint64 cumulative_ns)
{
  LoomPythonProfileCall entry = { caller, callee, 1, 1, own_ns, cumulative_ns };
  g_assert_true (loom_python_profile_builder_call (builder, &entry));
}

static LoomPythonProfile *
one (const char *name, gint64 calls, gint64 own_ns, LoomPythonProfileTimer timer)
{
  LoomPythonProfileBuilder *builder = loom_python_profile_builder_new (LOOM_PYTHON_PROFILE_CPROFILE);
  add (builder, "both", calls, own_ns, own_ns);
  add (builder, name, 1, 5, 5);
  loom_python_profile_builder_set_timer (builder, timer);
  return loom_python_profile_builder_finish (builder);
}

/* The difference between two profiles: functions that one of the profiles lacks count as 0. */
static void
test_difference (void)
{
  g_autoptr (LoomPythonProfile) a = one ("only a", 4, 100, LOOM_TIMER_CPU);
  g_autoptr (LoomPythonProfile) b = one ("only b", 5, 150, LOOM_TIMER_CPU);
  g_autoptr (LoomPythonFunctionTable) table = loom_python_function_table_new (a, b);
  g_assert_cmpuint (table->rows->len, ==, 3);
  const LoomPythonFunctionRow *both = loom_python_function_table_get_row (table, 0), *only_a = both + 1,
                              *only_b = both + 2;
  g_assert_cmpint (both->own_ns, ==, -50);
  g_assert_cmpint (both->calls, ==, -1);
  g_assert_cmpfloat (both->own_per_call_ns, ==, 25.0 - 30.0);
  g_assert_cmpint (only_a->own_ns, ==, 5);
  g_assert_cmpuint (only_a->baseline, ==, G_MAXUINT32);
  g_assert_cmpint (only_b->own_ns, ==, -5);
  g_assert_cmpint (only_b->calls, ==, -1);
  g_assert_cmpuint (only_b->function, ==, G_MAXUINT32);
}

static void
test_other_timer (void)
{
  g_autoptr (LoomPythonProfile) a = one ("x", 4, 100, LOOM_TIMER_CPU);
  g_autoptr (LoomPythonProfile) b = one ("x", 5, 150, LOOM_TIMER_ELAPSED);
  g_assert_null (loom_python_function_table_new (a, b));
}

static void
test_rows (void)
{
  g_autoptr (LoomPythonProfile) a = one ("Other", 4, 100, LOOM_TIMER_CPU);
  g_autoptr (LoomPythonFunctionTable) table = loom_python_function_table_new (a, NULL);
  const LoomPythonFunctionRow *both = loom_python_function_table_get_row (table, 0), *other = both + 1;
  g_assert_cmpint (loom_python_function_table_row_compare (both, other, LOOM_PYTHON_FUNCTION_COLUMN_SELF), >, 0);
  g_assert_cmpint (loom_python_function_table_row_compare (both, other, LOOM_PYTHON_FUNCTION_COLUMN_FUNCTION), >, 0);
  g_assert_cmpint (loom_python_function_table_row_compare (both, other, LOOM_PYTHON_FUNCTION_COLUMN_PLACE), ==, 0);
  g_assert_cmpint (loom_python_function_table_row_compare (both, other, LOOM_PYTHON_FUNCTION_COLUMN_SELF_PER_CALL), >,
                   0);
  LoomPythonFunctionRow none = *both;
  none.own_per_call_ns = NAN;
  g_assert_cmpint (loom_python_function_table_row_compare (&none, both, LOOM_PYTHON_FUNCTION_COLUMN_SELF_PER_CALL), <,
                   0);
  g_assert_cmpint (loom_python_function_table_row_compare (both, &none, LOOM_PYTHON_FUNCTION_COLUMN_SELF_PER_CALL), >,
                   0);
  g_assert_cmpint (loom_python_function_table_row_compare (&none, &none, LOOM_PYTHON_FUNCTION_COLUMN_SELF_PER_CALL), ==,
                   0);
  g_assert_true (loom_python_function_table_row_matches (other, "oth"));
  g_assert_true (loom_python_function_table_row_matches (other, "a.py"));
  g_assert_false (loom_python_function_table_row_matches (other, "x"));
  g_assert_true (loom_python_function_table_row_matches (other, ""));
}

static void
check_tree (LoomPythonProfile *profile, const char *expected)
{
  g_autoptr (LoomCallTree) tree = loom_call_tree_new (profile);
  const LoomCallNode *nodes = tree->nodes;
  g_autoptr (GString) found = g_string_new (NULL);
  for (guint32 i = 0; i < tree->n_nodes; i++)
    g_string_append_printf (found, "%u %s %" G_GINT64_FORMAT "+%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT "%s;",
                            nodes[i].depth, loom_python_profile_get_function (profile, nodes[i].function)->name,
                            nodes[i].start_ns, nodes[i].dur_ns, nodes[i].own_ns, nodes[i].recursive ? " again" : "");
  g_assert_cmpstr (found->str, ==, expected);
}

/* The time of a function is divided among its callers in proportion to the time of the calls from each caller. Of the
 * 80 ns of c, 60 ns are in calls from a. So of the 40 ns of d when c calls it, 30 ns are placed below a. */
static void
test_estimate (void)
{
  LoomPythonProfileBuilder *builder = loom_python_profile_builder_new (LOOM_PYTHON_PROFILE_CPROFILE);
  guint32 top = add (builder, "top", 1, 20, 200), a = add (builder, "a", 1, 40, 100), b = add (builder, "b", 1, 60, 80),
          c = add (builder, "c", 2, 40, 80), d = add (builder, "d", 2, 40, 40);
  call (builder, top, a, 40, 100);
  call (builder, top, b, 60, 80);
  call (builder, a, c, 30, 60);
  call (builder, b, c, 10, 20);
  call (builder, c, d, 40, 40);
  g_autoptr (LoomPythonProfile) profile = loom_python_profile_builder_finish (builder);
  check_tree (profile,
              "0 top 0+200/20;1 a 0+100/40;2 c 0+60/30;3 d 0+30/30;1 b 100+80/60;2 c 100+20/10;3 d 100+10/10;");
  g_autoptr (LoomCallTree) tree = loom_call_tree_new (profile);
  g_assert_true (loom_call_tree_is_estimate (tree));
  g_assert_false (loom_call_tree_is_chronological (tree));
  g_assert_false (tree->is_cut);
  g_assert_cmpint (tree->width_ns, ==, 200);
  g_assert_cmpuint (tree->nodes[0].n_below, ==, 6);
}

/* A recursive call is a node of the call tree without children, so that the tree is finite; so is a
 * call that closes a cycle of calls. A cycle that is not called from outside still has a root. */
static void
test_recursion (void)
{
  LoomPythonProfileBuilder *builder = loom_python_profile_builder_new (LOOM_PYTHON_PROFILE_CPROFILE);
  guint32 f = add (builder, "f", 5, 80, 100), g = add (builder, "g", 1, 20, 20);
  call (builder, f, f, 40, 50);
  call (builder, f, g, 20, 20);
  g_autoptr (LoomPythonProfile) self = loom_python_profile_builder_finish (builder);
  check_tree (self, "0 f 0+100/30;1 f 0+50/50 again;1 g 50+20/20;");
  builder = loom_python_profile_builder_new (LOOM_PYTHON_PROFILE_CPROFILE);
  guint32 even = add (builder, "even", 1, 50, 100), odd = add (builder, "odd", 1, 50, 90);
  call (builder, even, odd, 50, 90);
  call (builder, odd, even, 40, 80);
  g_autoptr (LoomPythonProfile) ring = loom_python_profile_builder_finish (builder);
  check_tree (ring, "0 even 0+100/10;1 odd 0+90/10;2 even 0+80/80 again;");
}

/* Roots of the call tree: functions without callers, and functions whose callers are not in the profile. */
static void
test_absent_callers (void)
{
  LoomPythonProfileBuilder *builder = loom_python_profile_builder_new (LOOM_PYTHON_PROFILE_CPROFILE);
  guint32 f = add (builder, "f", 2, 30, 30), absent = add (builder, "absent", 0, 0, 0),
          top = add (builder, "top", 1, 5, 15);
  loom_python_profile_builder_get_function (builder, absent)->flags |= LOOM_FUNCTION_CALLER;
  call (builder, absent, f, 20, 20);
  call (builder, top, f, 10, 10);
  g_autoptr (LoomPythonProfile) profile = loom_python_profile_builder_finish (builder);
  check_tree (profile, "0 f 0+20/20;0 top 20+15/5;1 f 20+10/10;");
}

/* The structure that `python3 -m cProfile script.py` produces: exec runs the script, and an import
 * in the script calls exec again, inside the first call. The node of exec without a caller has the
 * whole time of exec. */
static void
test_called_from_nowhere (void)
{
  LoomPythonProfileBuilder *builder = loom_python_profile_builder_new (LOOM_PYTHON_PROFILE_CPROFILE);
  guint32 exec = add (builder, "exec", 2, 10, 108), script = add (builder, "script", 1, 90, 98),
          load = add (builder, "load", 1, 6, 8);
  add (builder, "disable", 1, 1, 1);
  loom_python_profile_builder_get_function (builder, exec)->primitive_calls = 1;
  call (builder, exec, script, 90, 98);
  call (builder, script, load, 6, 8);
  call (builder, load, exec, 2, 2);
  g_autoptr (LoomPythonProfile) profile = loom_python_profile_builder_finish (builder);
  check_tree (profile, "0 exec 0+108/10;1 script 0+98/90;2 load 0+8/6;3 exec 0+2/2 again;0 disable 108+1/1;");
}

/* f was called twice without a caller and once by top, never recursively: the time of the call from top appears once,
 * below top. */
static void
test_rest_of_callers (void)
{
  LoomPythonProfileBuilder *builder = loom_python_profile_builder_new (LOOM_PYTHON_PROFILE_CPROFILE);
  guint32 f = add (builder, "f", 3, 30, 30), top = add (builder, "top", 1, 5, 15), g = add (builder, "g", 4, 8, 8);
  LoomPythonProfileCall counted = { top, g, 1, LOOM_CALLS_UNKNOWN, LOOM_TIME_NONE, LOOM_TIME_NONE };
  call (builder, top, f, 10, 10);
  g_assert_true (loom_python_profile_builder_call (builder, &counted));
  g_autoptr (LoomPythonProfile) profile = loom_python_profile_builder_finish (builder);
  check_tree (profile, "0 f 0+20/20;0 top 20+15/3;1 f 20+10/10;1 g 30+2/2;0 g 35+6/6;");
}

/* If the calls from each caller have numbers but no times, the time of the function is divided in proportion to these
 * numbers. A function whose time is negative, as off-CPU time may be, takes no space in the tree. */
static void
test_no_times (void)
{
  LoomPythonProfileBuilder *builder = loom_python_profile_builder_new (LOOM_PYTHON_PROFILE_CPROFILE);
  guint32 a = add (builder, "a", 1, 0, 30), b = add (builder, "b", 1, 0, 60), c = add (builder, "c", 3, 60, 60),
          d = add (builder, "d", 1, -9, -9);
  LoomPythonProfileCall calls[] = { { a, c, 1, LOOM_CALLS_UNKNOWN, LOOM_TIME_NONE, LOOM_TIME_NONE },
                                    { b, c, 2, LOOM_CALLS_UNKNOWN, LOOM_TIME_NONE, LOOM_TIME_NONE } };
  g_assert_true (loom_python_profile_builder_call (builder, &calls[0]) &&
                 loom_python_profile_builder_call (builder, &calls[1]));
  call (builder, a, d, -9, -9);
  g_autoptr (LoomPythonProfile) profile = loom_python_profile_builder_finish (builder);
  check_tree (profile, "0 b 0+60/20;1 c 0+40/40;0 a 60+30/10;1 c 60+20/20;");
}

/* Times near G_MAXINT64 must not overflow. */
static void
test_huge_times (void)
{
  LoomPythonProfileBuilder *builder = loom_python_profile_builder_new (LOOM_PYTHON_PROFILE_CPROFILE);
  guint32 a = add (builder, "a", 1, 0, G_MAXINT64), b = add (builder, "b", 1, G_MAXINT64, G_MAXINT64);
  add (builder, "c", 1, G_MAXINT64, G_MAXINT64);
  call (builder, a, b, G_MAXINT64, G_MAXINT64);
  g_autoptr (LoomPythonProfile) profile = loom_python_profile_builder_finish (builder);
  g_autoptr (LoomCallTree) tree = loom_call_tree_new (profile);
  g_assert_cmpuint (tree->n_nodes, ==, 3);
  for (guint32 i = 0; i < tree->n_nodes; i++)
    g_assert_cmpint (tree->nodes[i].dur_ns, >, 0);
  g_assert_cmpint (tree->width_ns, ==, G_GINT64_CONSTANT (8000000000000000000));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/profile-table/python-profiles/2 comparing", test_difference);
  g_test_add_func ("/profile-table/python-profiles/2 different timers", test_other_timer);
  g_test_add_func ("/profile-table/rows", test_rows);
  g_test_add_func ("/call-tree/python-profiles/2 estimate", test_estimate);
  g_test_add_func ("/call-tree/python-profiles/2 recursive edges", test_recursion);
  g_test_add_func ("/call-tree/python-profiles/2 roots", test_absent_callers);
  g_test_add_func ("/call-tree/called-from-nowhere", test_called_from_nowhere);
  g_test_add_func ("/call-tree/rest-of-callers", test_rest_of_callers);
  g_test_add_func ("/call-tree/no-times", test_no_times);
  g_test_add_func ("/call-tree/huge-times", test_huge_times);
  return g_test_run ();
}
