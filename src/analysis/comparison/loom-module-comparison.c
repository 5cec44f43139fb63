/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-module-comparison.h"

#include <math.h>

#define NONE LOOM_TREE_COMPARISON_NONE

/* A change of device time between two runs. If a module is in both runs, this is the change of the module's own
 * kernels; if it is in only one run, the change of its whole subtree. */
typedef struct {
  guint32 row;
  double size_ns; /* absolute value of the change */
} Change;

LoomModuleLevel
loom_module_comparison_find_level (LoomRun *first, LoomRun *second)
{
  LoomModuleLevel level = 0;
  while (level < LOOM_MODULE_N_LEVELS &&
         !(loom_module_tree_has_level (first, level) && loom_module_tree_has_level (second, level)))
    level++;
  return level;
}

double
loom_module_comparison_get_change (const LoomModuleComparison *comparison, guint32 row)
{
  return comparison->rows[row].time_ns[1] - comparison->rows[row].time_ns[0];
}

double
loom_module_comparison_get_share (const LoomModuleComparison *comparison, guint32 row)
{
  double share =
    loom_module_comparison_get_change (comparison, row) / loom_module_comparison_get_change (comparison, 0);
  return isfinite (share) && share > 0 ? share : NAN;
}

const LoomModuleNode *
loom_module_comparison_get_node (const LoomModuleComparison *comparison, guint32 row)
{
  guint run = comparison->rows[row].node[1] != NONE;
  return &comparison->trees[run]->nodes[comparison->rows[row].node[run]];
}

/* --- rows of the comparison --------------------------------------------------------------------------------------- */

static void
set_times (LoomModuleComparison *self, LoomModuleChange *row)
{
  for (guint i = 0; i < 2; i++) {
    if (row->node[i] == NONE)
      continue;
    const LoomModuleNode *node = &self->trees[i]->nodes[row->node[i]];
    double n = self->is_per_step ? (double) self->trees[i]->n_steps : 1;
    for (guint phase = 0; phase < LOOM_MODULE_N_PHASES; phase++) {
      row->phase_ns[i][phase] = (double) node->all_ns[phase] / n;
      row->self_ns[i] += (double) node->self_ns[phase] / n;
    }
    row->time_ns[i] = (double) loom_module_tree_sum (self->trees[i], row->node[i]) / n;
  }
}

static void
add_row (LoomModuleComparison *self, guint32 first, guint32 second, guint32 parent)
{
  LoomModuleChange row = { .node = { first, second }, .parent = parent };
  row.depth = parent == NONE ? 0 : self->rows[parent].depth + 1;
  set_times (self, &row);
  self->rows[self->n++] = row;
}

/* Adds a row for each node of a subtree that exists in only one run. */
static void
add_subtree (LoomModuleComparison *self, const LoomTreeComparisonPair *pair, guint32 parent)
{
  guint run = pair->node[0] == NONE;
  guint32 root = pair->node[run], base = self->n;
  const LoomModuleTree *tree = self->trees[run];
  for (guint32 i = root; i < tree->labels[root].end; i++)
    add_row (self, run == 0 ? i : NONE, run == 1 ? i : NONE,
             i == root ? parent : base + (tree->nodes[i].parent - root));
}

/* Returns, for each pair of corresponding nodes, the index in `pairs` of its first child and of its next sibling; 0:
 * there is none. The first half of the array contains the first children, the second half the siblings. Owned by the
 * caller. */
static guint32 *
list_children (const LoomModuleComparison *self, const GArray *pairs)
{
  guint32 n = pairs->len, *first = g_new0 (guint32, 2 * (gsize) n), *next = first + n;
  g_autofree guint32 *pair_of_first = g_new0 (guint32, self->trees[0]->n);
  g_autofree guint32 *pair_of_second = g_new0 (guint32, self->trees[1]->n);
  guint32 *const pair_of[] = { pair_of_first, pair_of_second };
  for (guint32 i = 0; i < n; i++)
    for (guint run = 0; run < 2; run++)
      if (g_array_index (pairs, LoomTreeComparisonPair, i).node[run] != NONE)
        pair_of[run][g_array_index (pairs, LoomTreeComparisonPair, i).node[run]] = i;
  for (guint32 i = n; i-- > 1;) {
    const LoomTreeComparisonPair *pair = &g_array_index (pairs, LoomTreeComparisonPair, i);
    guint run = pair->node[0] == NONE;
    guint32 parent = pair_of[run][self->trees[run]->nodes[pair->node[run]].parent];
    next[i] = first[parent];
    first[parent] = i;
  }
  return first;
}

static void
set_ends (LoomModuleComparison *self)
{
  for (guint32 i = self->n; i-- > 0;) {
    LoomModuleChange *row = &self->rows[i];
    row->end = MAX (row->end, i + 1);
    if (row->parent != NONE)
      self->rows[row->parent].end = MAX (self->rows[row->parent].end, row->end);
  }
}

/* Adds a row for each pair of nodes. If a node is in only one run, adds rows for all nodes of its subtree, too. The
 * rows are in pre-order. `pairs`: each pair comes after the pair of its parent. */
static void
add_rows (LoomModuleComparison *self, const GArray *pairs)
{
  g_autofree guint32 *first = list_children (self, pairs), *row_of = g_new (guint32, pairs->len);
  g_autofree guint32 *parent_of = g_new0 (guint32, pairs->len);
  const guint32 *next = first + pairs->len;
  guint32 at = 0;
  self->rows = g_new0 (LoomModuleChange, (gsize) self->trees[0]->n + self->trees[1]->n);
  for (;;) {
    const LoomTreeComparisonPair *pair = &g_array_index (pairs, LoomTreeComparisonPair, at);
    guint32 parent = at == 0 ? NONE : row_of[parent_of[at]];
    row_of[at] = self->n;
    if (pair->node[0] != NONE && pair->node[1] != NONE)
      add_row (self, pair->node[0], pair->node[1], parent);
    else
      add_subtree (self, pair, parent);
    if (first[at] != 0) {
      parent_of[first[at]] = at;
      at = first[at];
      continue;
    }
    while (at != 0 && next[at] == 0)
      at = parent_of[at];
    if (at == 0)
      break;
    parent_of[next[at]] = parent_of[at];
    at = next[at];
  }
  set_ends (self);
}

/* --- subtrees that explain the change ----------------------------------------------------------------------------- */

static gboolean
is_in_both (const LoomModuleChange *row)
{
  return row->node[0] != NONE && row->node[1] != NONE;
}

static int
compare_sizes (gconstpointer a, gconstpointer b)
{
  const Change *x = a, *y = b;
  if (x->size_ns != y->size_ns)
    return x->size_ns > y->size_ns ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

/* Returns the changes (Change) that are not noise, sorted by descending size. Owned by the caller. */
static GArray *
list_changes (const LoomModuleComparison *self)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (Change));
  for (guint32 i = 1; i < self->n;) { /* skip the root: its own kernels belong to no module */
    const LoomModuleChange *row = &self->rows[i];
    double self_ns = fabs (row->self_ns[1] - row->self_ns[0]);
    double least_ns = LOOM_MODULE_COMPARISON_LEAST * MAX (row->self_ns[0], row->self_ns[1]);
    Change change = { i, is_in_both (row) ? self_ns : fabs (row->time_ns[1] - row->time_ns[0]) };
    if (change.size_ns > 0 && (!is_in_both (row) || change.size_ns >= least_ns))
      g_array_append_val (changes, change);
    i = is_in_both (row) ? i + 1 : row->end;
  }
  g_array_sort (changes, compare_sizes);
  return changes;
}

/* Keeps only the outermost marks: if a row is marked with is_main, resets is_main of all rows below it. Returns the
 * number of rows that stay marked, and sets `deepest` to the greatest depth of these rows. */
static guint
count_marked (LoomModuleComparison *self, guint32 *deepest)
{
  guint n = 0;
  *deepest = 0;
  for (guint32 i = 0; i < self->n; i++) {
    if (!self->rows[i].is_main)
      continue;
    n++;
    *deepest = MAX (*deepest, self->rows[i].depth);
    for (guint32 k = i + 1; k < self->rows[i].end; k++)
      self->rows[k].is_main = FALSE;
    i = self->rows[i].end - 1;
  }
  return n;
}

static void
lift (LoomModuleComparison *self, guint32 depth)
{
  for (guint32 i = 0; i < self->n; i++)
    if (self->rows[i].is_main && self->rows[i].depth == depth) {
      self->rows[i].is_main = FALSE;
      self->rows[self->rows[i].parent].is_main = TRUE;
    }
}

static void
find_main (LoomModuleComparison *self)
{
  g_autoptr (GArray) changes = list_changes (self);
  double all_ns = 0, found_ns = 0;
  guint32 deepest;
  for (guint i = 0; i < changes->len; i++)
    all_ns += g_array_index (changes, Change, i).size_ns;
  for (guint i = 0; i < changes->len && found_ns < LOOM_MODULE_COMPARISON_SHARE * all_ns; i++) {
    found_ns += g_array_index (changes, Change, i).size_ns;
    self->rows[g_array_index (changes, Change, i).row].is_main = TRUE;
  }
  while (count_marked (self, &deepest) > LOOM_MODULE_COMPARISON_MOST_MAIN)
    lift (self, deepest);
  g_array_set_size (changes, 0);
  for (guint32 i = 0; i < self->n; i++) {
    Change change = { i, fabs (loom_module_comparison_get_change (self, i)) };
    if (self->rows[i].is_main)
      g_array_append_val (changes, change);
  }
  g_array_sort (changes, compare_sizes);
  for (guint i = 0; i < changes->len; i++)
    g_array_append_val (self->main, g_array_index (changes, Change, i).row);
}

/* --- public functions --------------------------------------------------------------------------------------------- */

LoomModuleComparison *
loom_module_comparison_new (const LoomModuleTreeQuery queries[2], GCancellable *cancellable)
{
  LoomModuleLevel level = loom_module_comparison_find_level (loom_timeline_get_run (queries[0].timeline),
                                                             loom_timeline_get_run (queries[1].timeline));
  if (level == LOOM_MODULE_N_LEVELS)
    return NULL;
  g_autoptr (LoomModuleComparison) self = g_new0 (LoomModuleComparison, 1);
  self->level = level;
  self->main = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < 2; i++) {
    self->trees[i] = loom_module_tree_new (&queries[i], level, cancellable);
    if (self->trees[i] == NULL)
      return NULL;
  }
  self->is_per_step = self->trees[0]->n_steps > 0 && self->trees[1]->n_steps > 0;
  g_autoptr (GArray) pairs =
    loom_tree_comparison_align (self->trees[0]->labels, self->trees[1]->labels, &self->is_cut, cancellable);
  if (pairs == NULL)
    return NULL;
  self->is_cut = self->is_cut || self->trees[0]->is_cut || self->trees[1]->is_cut;
  add_rows (self, pairs);
  find_main (self);
  return g_steal_pointer (&self);
}

void
loom_module_comparison_free (LoomModuleComparison *comparison)
{
  if (comparison == NULL)
    return;
  for (guint i = 0; i < 2; i++)
    loom_module_tree_free (comparison->trees[i]);
  g_array_unref (comparison->main);
  g_free (comparison->rows);
  g_free (comparison);
}
