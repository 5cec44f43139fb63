/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums up the nodes of a call tree by function.
 */
#include "loom-call-tree-table.h"

#include "loom-chart.h"
#include "loom-cxx-name.h"
#include "loom-span-tree.h"
#include "loom-time.h"
#include "loom-work-kind.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  guint32 function;
  gint64 total_ns, self_ns;
  guint64 calls;
} Name;

static gboolean
is_in_itself (const LoomCallTree *tree, guint32 node)
{
  guint32 function = tree->nodes[node].function;
  for (guint32 i = tree->nodes[node].parent; i != LOOM_FRAME_NONE; i = tree->nodes[i].parent)
    if (tree->nodes[i].function == function)
      return TRUE;
  return FALSE;
}

/* Adds the times and calls of a node to the sums of its function. `by_caller`: TRUE if the tree shows the callers of
 * each function below the function. Only roots are counted in this case, because the time of a root is the self time of
 * its function. */
static void
add_node (GArray *names, const LoomCallTree *tree, guint32 number, gboolean by_caller)
{
  const LoomCallNode *node = &tree->nodes[number];
  Name *name = &g_array_index (names, Name, node->function);
  if (by_caller && node->depth > 0)
    return;
  name->self_ns += by_caller ? node->dur_ns : node->own_ns;
  name->calls += node->calls;
  if (!by_caller && !is_in_itself (tree, number))
    name->total_ns += node->dur_ns;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const Name *x = a, *y = b;
  gint64 one = MAX (x->total_ns, x->self_ns), other = MAX (y->total_ns, y->self_ns);
  if (one != other)
    return one > other ? -1 : 1;
  return x->function < y->function ? -1 : 1;
}

static GArray *
sum_names (const LoomCallTree *tree, gboolean by_caller)
{
  GArray *names = g_array_sized_new (FALSE, TRUE, sizeof (Name), tree->n_functions);
  g_array_set_size (names, tree->n_functions);
  for (guint32 i = 0; i < tree->n_functions; i++)
    g_array_index (names, Name, i).function = i;
  for (guint32 i = 0; i < tree->n_nodes; i++)
    add_node (names, tree, i, by_caller);
  g_array_sort (names, compare_names);
  return names;
}

static LoomResultTable *
new_table (gboolean by_self)
{
  LoomResultTable *table = loom_result_table_new (_ ("Names in the tree"));
  loom_result_table_add_column (table, C_ ("column", "Name"), NULL, NULL);
  guint total = loom_result_table_add_column (
    table, C_ ("column", "Total"), "ns", _ ("Time of the calls including their callees; recursive calls count once"));
  guint self =
    loom_result_table_add_column (table, C_ ("column", "Self"), "ns", _ ("Time of the calls without their callees"));
  loom_result_table_add_share_column (table, C_ ("column", "Self Share"),
                                      _ ("Self time as a share of the total time of the tree"));
  loom_result_table_add_column (table, C_ ("column", "Calls"), "", NULL);
  loom_result_table_set_order (table, by_self ? self : total, TRUE);
  return table;
}

LoomResultTable *
loom_call_tree_table_new (const LoomCallTree *tree, gboolean by_caller, GArray **functions)
{
  g_return_val_if_fail (tree != NULL && functions != NULL, NULL);
  g_autoptr (GArray) names = sum_names (tree, by_caller);
  /* In a tree of spans, most of the total time belongs to steps and other ranges that enclose the calls. The table is
   * therefore sorted by self time. */
  LoomResultTable *table = new_table (by_caller || tree->profile == NULL);
  *functions = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < MIN (names->len, LOOM_CALL_TREE_TABLE_MOST); i++) {
    const Name *name = &g_array_index (names, Name, i);
    const char *text = tree->functions[name->function].name;
    if (name->total_ns + name->self_ns == 0)
      break;
    loom_result_table_add_row (table, *text != '\0' ? text : _ ("(no name)"));
    if (!by_caller)
      loom_result_table_set_number (table, 1, (double) name->total_ns);
    loom_result_table_set_number (table, 2, (double) name->self_ns);
    loom_result_table_set_number (table, 3, 100 * (double) name->self_ns / (double) MAX (tree->width_ns, 1));
    if (name->calls > 0)
      loom_result_table_set_number (table, 4, (double) name->calls);
    g_array_append_val (*functions, name->function);
  }
  return table;
}

/* Returns TRUE if the “function” is a range that encloses work, such as a step. Its self time does not belong to any
 * function. */
static gboolean
is_annotation (const LoomCallFunction *function)
{
  LoomWorkKind work = loom_work_kind_classify (function->name, function->category, FALSE);
  return work == LOOM_WORK_KIND_ANNOTATION || work == LOOM_WORK_KIND_NONE ||
         strcmp (function->name, "ProfilerStep") == 0;
}

/* Returns TRUE if at least one function of the tree has self time. Two kinds of functions are not considered: functions
 * that only wait for a device; and “functions” that are not called, but are ranges around calls, such as steps
 * (is_annotation()). `own_ns`: for each function of the tree, its self time. */
static gboolean
has_calls (const LoomCallTree *tree, const gint64 *own_ns)
{
  for (guint32 i = 0; i < tree->n_functions; i++)
    if (own_ns[i] > 0 && !loom_span_tree_is_wait (tree->functions[i].name) && !is_annotation (&tree->functions[i]))
      return TRUE;
  return FALSE;
}

/* Self times in a call tree. `waits_ns`: sum over all functions that wait for devices. `longest`: the waiting function
 * with the most self time; `longest_ns`: its self time. `most`: the function with the most self time among those that
 * do not wait; `most_ns`: its self time. Ranges that enclose work are considered only if the tree contains no other
 * functions. */
typedef struct {
  gint64 waits_ns, longest_ns, most_ns;
  guint32 longest, most;
} SelfTimes;

static void
add_function (SelfTimes *times, const LoomCallTree *tree, guint32 function, gint64 own_ns)
{
  gboolean waits = loom_span_tree_is_wait (tree->functions[function].name);
  gint64 *most_ns = waits ? &times->longest_ns : &times->most_ns;
  times->waits_ns += waits ? own_ns : 0;
  if (own_ns <= *most_ns)
    return;
  *most_ns = own_ns;
  *(waits ? &times->longest : &times->most) = function;
}

static SelfTimes
sum_self_times (const LoomCallTree *tree, gboolean by_caller)
{
  g_autofree gint64 *own_ns = g_new0 (gint64, tree->n_functions + 1);
  SelfTimes times = { 0, -1, -1, 0, 0 };
  for (guint32 i = 0; i < tree->n_nodes; i++) {
    const LoomCallNode *node = &tree->nodes[i];
    own_ns[node->function] += !by_caller ? node->own_ns : node->depth == 0 ? node->dur_ns : 0;
  }
  gboolean calls = has_calls (tree, own_ns);
  for (guint32 i = 0; i < tree->n_functions; i++)
    if (!calls || !is_annotation (&tree->functions[i]))
      add_function (&times, tree, i, own_ns[i]);
  return times;
}

static gboolean
hides_waits (const LoomCallTree *tree)
{
  return tree->omits_waits && tree->waits_ns > 0;
}

static char *
dup_function (const LoomCallTree *tree, guint32 function)
{
  const char *name = tree->functions[function].name;
  return loom_cxx_name_dup_short (*name != '\0' ? name : _ ("(no name)"));
}

static char *
dup_share (gint64 part_ns, gint64 whole_ns)
{
  return loom_chart_format (100 * (double) part_ns / (double) MAX (whole_ns, 1), "%");
}

char *
loom_call_tree_table_dup_answer (const LoomCallTree *tree, gboolean by_caller)
{
  g_return_val_if_fail (tree != NULL, NULL);
  const SelfTimes times = sum_self_times (tree, by_caller);
  gboolean waits = times.waits_ns > times.most_ns;
  if (tree->n_nodes == 0 || (times.most_ns < 0 && times.longest_ns < 0))
    return g_strdup ("");
  g_autofree char *name = dup_function (tree, waits ? times.longest : times.most),
                  *time = loom_time_format_duration (times.most_ns),
                  *share = dup_share (waits ? times.waits_ns : times.most_ns, tree->width_ns);
  if (waits)
    return g_strdup_printf (/* Translators: a share, and the name of a function */
                            _ ("For %s of the time of all calls, threads wait for devices, longest in %s."), share,
                            name);
  return g_strdup_printf (
    /* Translators: the name of a function, a duration and a share */
    hides_waits (tree)
      ? _ ("%s has the longest self time of the calls that do not wait: %s, which is %s of their time.")
      : _ ("%s has the longest self time: %s, which is %s of the time of all calls."),
    name, time, share);
}

char *
loom_call_tree_table_dup_details (const LoomCallTree *tree, gboolean by_caller)
{
  g_return_val_if_fail (tree != NULL, NULL);
  const SelfTimes times = sum_self_times (tree, by_caller);
  if (hides_waits (tree)) {
    g_autofree char *hidden = loom_time_format_duration (tree->waits_ns),
                    *part = dup_share (tree->waits_ns, tree->width_ns + tree->waits_ns);
    return g_strdup_printf (/* Translators: a duration and a share */
                            _ ("Waits for devices are not shown here: %s, which is %s of the time of all calls."),
                            hidden, part);
  }
  if (times.most_ns <= 0 || times.waits_ns <= times.most_ns)
    return g_strdup ("");
  g_autofree char *name = dup_function (tree, times.most), *time = loom_time_format_duration (times.most_ns),
                  *share = dup_share (times.most_ns, tree->width_ns);
  return g_strdup_printf (
    /* Translators: the name of a function, a duration and a share */
    _ ("Of the other calls, %s has the longest self time: %s, which is %s of the time of all calls."), name, time,
    share);
}
