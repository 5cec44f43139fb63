/* SPDX-License-Identifier: Apache-2.0
 *
 * A profile that counts calls does not contain stacks, but only the time of each function under each of its callers.
 * The tree is estimated from these times. If a caller has several nodes in the tree, the time of a callee under this
 * caller is divided among these nodes in proportion to the times of the nodes. Instead of recursion, a stack stores the
 * nodes whose callees have not been added yet.
 */
#include "loom-call-tree.h"

#include "loom-string-pool.h"

#include <string.h>

/* Maximum sum of the times of all roots. Times in a damaged file can have any value, so a limit is needed. */
#define MAX_WIDTH_NS 4e18

typedef struct {
  guint32 function, parent;
  double value_ns;
} Branch;

/* --- trees of sampled profiles ------------------------------------------------------------------------------------ */

static void
copy_frames (LoomCallTree *tree)
{
  guint32 n;
  const LoomPythonProfileFrame *frames = loom_python_profile_get_frames (tree->profile, &n);
  g_autofree guint32 *numbers = g_new (guint32, (gsize) n + 1);
  for (guint32 i = 0; i < n; i++) {
    const LoomPythonProfileFrame *frame = &frames[i];
    numbers[i] = LOOM_FRAME_NONE;
    if (frame->depth >= LOOM_PYTHON_PROFILE_MAX_SHOWN_DEPTH || tree->all->len >= LOOM_CALL_TREE_MAX_NODES) {
      tree->is_cut = TRUE;
      continue;
    }
    guint32 parent = frame->parent != LOOM_FRAME_NONE ? numbers[frame->parent] : LOOM_FRAME_NONE;
    LoomCallNode node = { parent,        frame->function, frame->depth, 0, frame->start_ns,
                          frame->dur_ns, frame->own_ns,   FALSE,        0, 0 };
    numbers[i] = tree->all->len;
    g_array_append_val (tree->all, node);
  }
}

/* --- trees estimated from a profile that counts calls ------------------------------------------------------------- */

/* Returns how much time of a callee belongs to one of its callers. If the profile states only the number of calls from
 * this caller, the callee's time is divided among all its callers in proportion to these numbers. */
static double
value_of (const LoomPythonProfile *profile, const LoomPythonProfileCall *call)
{
  guint32 n;
  if (call->cumulative_ns != LOOM_TIME_NONE)
    return MAX (0, (double) call->cumulative_ns);
  const LoomPythonProfileCall *callers = loom_python_profile_get_callers (profile, call->callee, &n);
  double all = 0;
  for (guint32 i = 0; i < n; i++)
    all += (double) MAX (0, callers[i].calls);
  const LoomPythonProfileFunction *callee = loom_python_profile_get_function (profile, call->callee);
  double whole = (double) MAX (0, callee->cumulative_ns);
  /* calls from callers that are not in the profile are included, so their share of the time is assigned to no caller */
  all = MAX (all, (double) callee->calls);
  return all > 0 ? whole * (double) MAX (0, call->calls) / all : 0;
}

/* Sums over the callers of a function. `n`, `calls` and `value_ns` include only callers that are in the profile and are
 * not the function itself. `self_calls`: number of calls of the function by itself. */
typedef struct {
  guint n;
  double calls, self_calls, value_ns;
  /* time under callers that the file lists only as callers, not as functions (LOOM_FUNCTION_CALLER) */
  double absent_ns;
} Callers;

static Callers
sum_callers (const LoomPythonProfile *profile, guint32 function)
{
  guint32 n;
  Callers sum = { 0 };
  const LoomPythonProfileCall *callers = loom_python_profile_get_callers (profile, function, &n);
  for (guint32 i = 0; i < n; i++) {
    double calls = (double) MAX (0, callers[i].calls), value_ns = value_of (profile, &callers[i]);
    if (loom_python_profile_get_function (profile, callers[i].caller)->flags & LOOM_FUNCTION_CALLER) {
      sum.absent_ns += value_ns;
    } else if (callers[i].caller == function) {
      sum.self_calls += calls;
    } else {
      sum.n++;
      sum.calls += calls;
      sum.value_ns += value_ns;
    }
  }
  return sum;
}

/* Returns the part of a function's time that belongs to no known caller, in ns. If the function has no callers, this is
 * its whole time. Otherwise it is the time of the function minus the time under its callers.
 *
 * The profile counts the time of a nested call (a call inside another call of the function) in the time of the outer
 * call, which is called primitive. Therefore the time under callers is first multiplied by the estimated share of
 * primitive calls among the calls by callers. Calls without a caller are always primitive. */
static double
root_value (const LoomPythonProfile *profile, guint32 function)
{
  const LoomPythonProfileFunction *entry = loom_python_profile_get_function (profile, function);
  double whole_ns = (double) MAX (0, entry->cumulative_ns);
  if (entry->flags & LOOM_FUNCTION_CALLER)
    return 0;
  Callers callers = sum_callers (profile, function);
  double n_rootless = (double) entry->calls - callers.self_calls - callers.calls;
  if (callers.n == 0)
    return whole_ns;
  if (n_rootless <= 0 || callers.calls <= 0)
    return callers.absent_ns;
  double share = CLAMP (((double) entry->primitive_calls - n_rootless) / callers.calls, 0, 1);
  return MAX (callers.absent_ns, whole_ns - share * callers.value_ns);
}

static int
compare_branches (gconstpointer a, gconstpointer b)
{
  const Branch *first = a, *second = b;
  if (first->value_ns != second->value_ns)
    /* the largest branch is last on the stack, so that it is followed first */
    return first->value_ns < second->value_ns ? -1 : 1;
  return first->function < second->function ? 1 : -1;
}

static void
push_sorted (GArray *stack, GArray *branches)
{
  g_array_sort (branches, compare_branches);
  if (branches->len > 0)
    g_array_append_vals (stack, branches->data, branches->len);
}

static double
push_roots (LoomCallTree *tree, GArray *stack)
{
  g_autoptr (GArray) roots = g_array_new (FALSE, FALSE, sizeof (Branch));
  double all = 0;
  Branch largest = { G_MAXUINT32, LOOM_FRAME_NONE, 0 };
  for (guint32 i = 0; i < tree->profile->functions->len; i++) {
    Branch root = { i, LOOM_FRAME_NONE, root_value (tree->profile, i) };
    double whole = (double) loom_python_profile_get_function (tree->profile, i)->cumulative_ns;
    if (root.value_ns > 0)
      g_array_append_val (roots, root);
    if (whole > largest.value_ns)
      largest = (Branch) { i, LOOM_FRAME_NONE, whole };
    all += root.value_ns;
  }
  /* all functions have callers, because they call each other in a cycle: start with the function that has the most
   * time */
  if (roots->len == 0 && largest.function != G_MAXUINT32) {
    g_array_append_val (roots, largest);
    all = largest.value_ns;
  }
  push_sorted (stack, roots);
  return all;
}

static gboolean
is_on_path (const LoomCallTree *tree, guint32 node, guint32 function)
{
  for (; node != LOOM_FRAME_NONE; node = g_array_index (tree->all, LoomCallNode, node).parent)
    if (g_array_index (tree->all, LoomCallNode, node).function == function)
      return TRUE;
  return FALSE;
}

/* Divides the time `value_ns` of the node with the index `number` among the callees of its function, in proportion to
 * their times under this function. The callees together never get more time than the node. Omits callees that would get
 * less than `least_ns`. */
static void
push_callees (LoomCallTree *tree, GArray *stack, guint32 number, double value_ns, double least_ns)
{
  g_autoptr (GArray) branches = g_array_new (FALSE, FALSE, sizeof (Branch));
  guint32 function = g_array_index (tree->all, LoomCallNode, number).function, n;
  double whole = (double) loom_python_profile_get_function (tree->profile, function)->cumulative_ns, sum = 0;
  const LoomPythonProfileCall *callees = loom_python_profile_get_callees (tree->profile, function, &n);
  for (guint32 i = 0; i < n; i++)
    sum += value_of (tree->profile, &callees[i]);
  double scale = whole > 0 ? MIN (value_ns / whole, sum > 0 ? value_ns / sum : G_MAXDOUBLE) : 0;
  for (guint32 i = 0; i < n; i++) {
    Branch branch = { callees[i].callee, number, value_of (tree->profile, &callees[i]) * scale };
    if (branch.value_ns >= least_ns && branch.value_ns > 0)
      g_array_append_val (branches, branch);
  }
  push_sorted (stack, branches);
}

static void
estimate (LoomCallTree *tree)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (Branch));
  double least_ns = push_roots (tree, stack) * LOOM_CALL_TREE_MIN_SHARE;
  while (stack->len > 0) {
    Branch branch = g_array_index (stack, Branch, stack->len - 1);
    g_array_set_size (stack, stack->len - 1);
    guint32 depth =
      branch.parent != LOOM_FRAME_NONE ? g_array_index (tree->all, LoomCallNode, branch.parent).depth + 1 : 0;
    if (tree->all->len >= LOOM_CALL_TREE_MAX_NODES || depth >= LOOM_PYTHON_PROFILE_MAX_SHOWN_DEPTH) {
      tree->is_cut = TRUE;
      continue;
    }
    gboolean recursive = is_on_path (tree, branch.parent, branch.function);
    LoomCallNode node = { branch.parent,
                          branch.function,
                          depth,
                          0,
                          0,
                          (gint64) (MIN (branch.value_ns, MAX_WIDTH_NS) + 0.5),
                          0,
                          recursive,
                          0,
                          0 };
    g_array_append_val (tree->all, node);
    if (!recursive)
      push_callees (tree, stack, tree->all->len - 1, branch.value_ns, least_ns);
  }
}

/* --- positions of nodes, and public functions --------------------------------------------------------------------- */

/* Places the bars of nodes side by side from the left edge of their parent's bar, and computes self times. */
static void
lay_out (LoomCallTree *tree)
{
  guint32 n = tree->all->len;
  LoomCallNode *nodes = (LoomCallNode *) (gpointer) tree->all->data;
  g_autofree gint64 *next_ns = g_new0 (gint64, (gsize) n + 1);
  for (guint32 i = 0; i < n; i++) {
    LoomCallNode *node = &nodes[i], *parent = node->parent != LOOM_FRAME_NONE ? &nodes[node->parent] : NULL;
    gint64 *place = &next_ns[parent != NULL ? node->parent : n];
    node->start_ns = *place;
    if (parent != NULL) {
      node->dur_ns =
        MIN (node->dur_ns, loom_time_sub (loom_time_add (parent->start_ns, parent->dur_ns), node->start_ns));
      parent->own_ns -= node->dur_ns;
    }
    node->own_ns = node->dur_ns;
    *place = loom_time_add (node->start_ns, node->dur_ns);
    next_ns[i] = node->start_ns;
  }
}

static void
measure (LoomCallTree *tree)
{
  for (guint32 i = tree->all->len; i-- > 0;) {
    const LoomCallNode *node = &g_array_index (tree->all, LoomCallNode, i);
    tree->width_ns = MAX (tree->width_ns, loom_time_add (node->start_ns, node->dur_ns));
    if (node->parent != LOOM_FRAME_NONE)
      g_array_index (tree->all, LoomCallNode, node->parent).n_below += node->n_below + 1;
  }
}

static void
copy_functions (LoomCallTree *tree)
{
  for (guint32 i = 0; i < tree->profile->functions->len; i++) {
    const LoomPythonProfileFunction *of = loom_python_profile_get_function (tree->profile, i);
    LoomCallFunction function = { of->name, "pyinstrument", of->file, of->line,
                                  (guint32) loom_string_pool_hash (of->name, strlen (of->name)) };
    g_array_append_val (tree->all_functions, function);
  }
}

static LoomCallTree *
new_tree (GArray *nodes, GArray *functions)
{
  LoomCallTree *tree = g_new0 (LoomCallTree, 1);
  g_atomic_ref_count_init (&tree->refs);
  tree->all = nodes;
  tree->all_functions = functions;
  return tree;
}

static LoomCallTree *
finish (LoomCallTree *tree)
{
  measure (tree);
  tree->nodes = (const LoomCallNode *) (gpointer) tree->all->data;
  tree->n_nodes = tree->all->len;
  tree->functions = (const LoomCallFunction *) (gpointer) tree->all_functions->data;
  tree->n_functions = tree->all_functions->len;
  return tree;
}

LoomCallTree *
loom_call_tree_new_from_nodes (GArray *nodes, GArray *functions, gpointer texts, GDestroyNotify free_texts)
{
  LoomCallTree *tree = new_tree (nodes, functions);
  tree->texts = texts;
  tree->free_texts = free_texts;
  lay_out (tree);
  return finish (tree);
}

LoomCallTree *
loom_call_tree_new (LoomPythonProfile *profile)
{
  LoomCallTree *tree =
    new_tree (g_array_new (FALSE, FALSE, sizeof (LoomCallNode)), g_array_new (FALSE, FALSE, sizeof (LoomCallFunction)));
  tree->profile = loom_python_profile_ref (profile);
  copy_functions (tree);
  if (loom_call_tree_is_estimate (tree)) {
    estimate (tree);
    lay_out (tree);
  } else {
    copy_frames (tree);
  }
  return finish (tree);
}

LoomCallTree *
loom_call_tree_ref (LoomCallTree *tree)
{
  g_atomic_ref_count_inc (&tree->refs);
  return tree;
}

void
loom_call_tree_unref (LoomCallTree *tree)
{
  if (tree == NULL || !g_atomic_ref_count_dec (&tree->refs))
    return;
  g_clear_pointer (&tree->profile, loom_python_profile_unref);
  g_array_unref (tree->all);
  g_array_unref (tree->all_functions);
  if (tree->free_texts != NULL)
    tree->free_texts (tree->texts);
  g_free (tree);
}

gboolean
loom_call_tree_is_estimate (const LoomCallTree *tree)
{
  return tree->profile != NULL && tree->profile->kind == LOOM_PYTHON_PROFILE_CPROFILE;
}

gboolean
loom_call_tree_is_chronological (const LoomCallTree *tree)
{
  return tree->profile != NULL && tree->profile->kind == LOOM_PYTHON_PROFILE_SESSION;
}
