/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the step of each row of a LoomDataFrame. Rows without a step number are processed in order of time. Of the
 * steps that enclose a row, a binary tree finds the one with the lowest number in O(log steps). The leaves of the tree
 * are the steps, sorted by step number. A step is entered into the tree when it begins. Each node holds the latest end
 * of the entered steps below the node.
 */
#include "loom-step-of-row.h"

#include "loom-int64-hash.h"
#include "loom-statistics.h"
#include "loom-step-index.h"

typedef struct {
  /* index of the step in LoomStepIndex.items; if numbers are computed as smdebug does, the step number in the file */
  guint32 step;
  gint64 begin_ns, end_ns;
} Window;

typedef struct {
  const LoomDataFrameRows *rows;
  LoomStepOfRow *steps;
} Finder;

/* A binary tree whose leaves are the windows (times of steps), in order of their step numbers. `end_ns` of a node:
 * latest end of those windows below the node that were entered with tree_enter(). */
typedef struct {
  gint64 *end_ns;
  guint n_leaves; /* number of leaves; a power of two */
} Tree;

static void
tree_init (Tree *tree, guint n)
{
  for (tree->n_leaves = 1; tree->n_leaves < n; tree->n_leaves *= 2)
    ;
  tree->end_ns = g_new (gint64, tree->n_leaves * 2);
  for (guint i = 0; i < tree->n_leaves * 2; i++)
    tree->end_ns[i] = G_MININT64;
}

static void
tree_enter (Tree *tree, guint leaf, gint64 end_ns)
{
  for (guint i = leaf + tree->n_leaves; i > 0; i /= 2)
    tree->end_ns[i] = MAX (tree->end_ns[i], end_ns);
}

/* Returns the first leaf whose window was entered and ends after the time; G_MAXUINT if there is none. */
static guint
tree_find (const Tree *tree, gint64 time_ns)
{
  guint at = 1;
  if (tree->end_ns[1] <= time_ns)
    return G_MAXUINT;
  while (at < tree->n_leaves)
    at = tree->end_ns[at * 2] > time_ns ? at * 2 : at * 2 + 1;
  return at - tree->n_leaves;
}

/* Assigns each row to a window (the time of a step) that begins before the row and ends after it. Of several such
 * windows, takes the first in `windows`, which are sorted by step number. `order`: the rows without a step number,
 * sorted by start. */
static void
sweep (Finder *finder, const Window *windows, guint n_windows, const guint32 *order, guint32 n)
{
  Tree tree;
  guint next = 0;
  g_autofree guint64 *begins = g_new (guint64, n_windows + 1);
  g_autofree guint32 *by_begin = g_new (guint32, n_windows + 1);
  for (guint i = 0; i < n_windows; i++) {
    begins[i] = loom_statistics_time_key (windows[i].begin_ns);
    by_begin[i] = i;
  }
  loom_statistics_sort (begins, by_begin, n_windows);
  tree_init (&tree, n_windows);
  for (guint32 i = 0; i < n; i++) {
    guint32 row = order[i];
    guint64 start = loom_statistics_time_key (finder->rows->start_ns[row]);
    for (; next < n_windows && begins[next] < start; next++)
      tree_enter (&tree, by_begin[next], windows[by_begin[next]].end_ns);
    guint found = tree_find (&tree, finder->rows->end_ns[row]);
    if (found != G_MAXUINT)
      finder->steps->on_rank[row] = windows[found].step;
    else
      finder->steps->n_without++;
  }
  g_free (tree.end_ns);
}

/* --- steps as smdebug finds them ---------------------------------------------------------------------------------- */

static int
compare_windows (gconstpointer a, gconstpointer b)
{
  const Window *x = a, *y = b;
  return x->step < y->step ? -1 : x->step > y->step;
}

/* Joins windows (times of steps) that have equal step numbers, and sorts the windows by step number. */
static void
join_windows (GArray *windows)
{
  guint n = 0;
  Window *at = (Window *) (gpointer) windows->data;
  g_array_sort (windows, compare_windows);
  for (guint i = 0; i < windows->len; i++) {
    if (n > 0 && at[n - 1].step == at[i].step) {
      at[n - 1].begin_ns = MIN (at[n - 1].begin_ns, at[i].begin_ns);
      at[n - 1].end_ns = MAX (at[n - 1].end_ns, at[i].end_ns);
    } else {
      at[n++] = at[i];
    }
  }
  g_array_set_size (windows, n);
}

static void
find_as_written (Finder *finder)
{
  const LoomDataFrameRows *rows = finder->rows;
  g_autoptr (GArray) windows = g_array_new (FALSE, FALSE, sizeof (Window));
  g_autofree guint64 *starts = g_new (guint64, MAX (rows->n, 1));
  g_autofree guint32 *order = g_new (guint32, MAX (rows->n, 1));
  guint32 n = 0;
  for (guint32 i = 0; i < rows->n; i++) {
    Window window = { (guint32) rows->step[i], rows->start_ns[i], rows->end_ns[i] };
    if (rows->step[i] < 0) {
      starts[n] = loom_statistics_time_key (rows->start_ns[i]);
      order[n++] = i;
      continue;
    }
    finder->steps->on_rank[i] = window.step;
    if ((rows->flags[i] & LOOM_ROW_STEP) != 0)
      g_array_append_val (windows, window);
  }
  loom_statistics_sort (starts, order, n);
  join_windows (windows);
  sweep (finder, (const Window *) (gpointer) windows->data, windows->len, order, n);
}

/* --- steps by the intended rules ---------------------------------------------------------------------------------- */

/* Steps that have no span: a row may state a step number although its rank has no span of a step with this number. */
typedef struct {
  /* Key: worker and step number, packed into one pointer. Value: for a step that has no span on the worker, 1 + its
   * index in the array LoomStepOfRow.of_run. */
  GHashTable *on_rank;
  GHashTable *of_run; /* key: step number; value: index of the step of the run, plus 1 */
  /* guint32: one element for each step number that a row of a rank states although the rank has no span of such a step.
   * The element is the index of the step of the whole run with this number */
  GArray *added;
  guint32 n_on_rank;
} Further;

static guint32
further_step (Further *further, LoomStepOfRow *steps, guint32 worker, gint32 number)
{
  gpointer key = (gpointer) (gsize) ((guint64) worker << 32 | (guint32) number), run_key = GINT_TO_POINTER (number);
  guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (further->on_rank, key));
  if (known != 0)
    return known - 1;
  guint32 step = GPOINTER_TO_UINT (g_hash_table_lookup (further->of_run, run_key));
  if (step == 0) {
    step = ++steps->n_of_run;
    g_hash_table_insert (further->of_run, run_key, GUINT_TO_POINTER (step));
  }
  step--;
  g_array_append_val (further->added, step);
  g_hash_table_insert (further->on_rank, key, GUINT_TO_POINTER (++further->n_on_rank));
  return further->n_on_rank - 1;
}

static void
find_numbered (Finder *finder, const LoomStepIndex *index, Further *further)
{
  const LoomDataFrameRows *rows = finder->rows;
  for (guint32 i = 0; i < index->n; i++)
    finder->steps->on_rank[index->items[i].row] = i;
  for (guint32 i = 0; i < rows->n; i++) {
    if (rows->step[i] < 0 || (rows->flags[i] & LOOM_ROW_STEP) != 0)
      continue;
    guint32 found = loom_step_index_find (index, rows->worker[i], rows->step[i], rows->start_ns[i], rows->end_ns[i]);
    finder->steps->on_rank[i] =
      found != G_MAXUINT32 ? found : further_step (further, finder->steps, rows->worker[i], rows->step[i]);
  }
}

/* Fills `order` with the rows that have no step number and are not spans of steps, sorted by worker and start. Returns
 * their number. */
static guint32
gather_unnumbered (const LoomDataFrameRows *rows, guint32 *order)
{
  g_autofree guint64 *keys = g_new (guint64, MAX (rows->n, 1));
  guint32 n = 0;
  for (guint32 i = 0; i < rows->n; i++)
    if (rows->step[i] < 0 && (rows->flags[i] & LOOM_ROW_STEP) == 0) {
      keys[n] = loom_statistics_time_key (rows->start_ns[i]);
      order[n++] = i;
    }
  loom_statistics_sort (keys, order, n);
  for (guint32 i = 0; i < n; i++)
    keys[i] = rows->worker[order[i]];
  loom_statistics_sort (keys, order, n);
  return n;
}

static void
find_unnumbered (Finder *finder, const LoomStepIndex *index)
{
  const LoomDataFrameRows *rows = finder->rows;
  g_autofree Window *windows = g_new (Window, MAX (index->n, 1));
  g_autofree guint32 *order = g_new (guint32, MAX (rows->n, 1));
  guint32 n = gather_unnumbered (rows, order);
  for (guint32 i = 0; i < index->n; i++)
    windows[i] = (Window) { i, index->items[i].begin_ns, index->items[i].end_ns };
  for (guint32 first = 0, last; first < n; first = last) {
    guint32 worker = rows->worker[order[first]], from = index->first[worker];
    for (last = first + 1; last < n && rows->worker[order[last]] == worker; last++)
      ;
    sweep (finder, windows + from, index->first[worker + 1] - from, order + first, last - first);
  }
}

static void
find_intended (Finder *finder, const LoomDataFrame *frame)
{
  LoomStepIndex index;
  LoomStepOfRow *steps = finder->steps;
  loom_step_index_init (&index, frame, LOOM_ROW_STEP);
  steps->n_of_run = index.n_steps;
  Further further = { g_hash_table_new (loom_int64_hash_packed, NULL), g_hash_table_new (NULL, NULL),
                      g_array_new (FALSE, FALSE, sizeof (guint32)), index.n };
  find_numbered (finder, &index, &further);
  find_unnumbered (finder, &index);
  steps->of_run = g_new (guint32, further.n_on_rank + 1);
  for (guint32 i = 0; i < further.n_on_rank; i++)
    steps->of_run[i] = i < index.n ? index.items[i].step : g_array_index (further.added, guint32, i - index.n);
  g_hash_table_unref (further.on_rank);
  g_hash_table_unref (further.of_run);
  g_array_unref (further.added);
  loom_step_index_clear (&index);
}

void
loom_step_of_row_init (LoomStepOfRow *steps, const LoomDataFrame *frame)
{
  const LoomDataFrameRows *rows = &frame->rows;
  *steps = (LoomStepOfRow) { .on_rank = g_new (guint32, MAX (rows->n, 1)) };
  Finder finder = { rows, steps };
  for (guint32 i = 0; i < rows->n; i++)
    steps->on_rank[i] = LOOM_NO_STEP;
  if (frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG)
    find_as_written (&finder);
  else
    find_intended (&finder, frame);
}

void
loom_step_of_row_clear (LoomStepOfRow *steps)
{
  g_clear_pointer (&steps->on_rank, g_free);
  g_clear_pointer (&steps->of_run, g_free);
}
