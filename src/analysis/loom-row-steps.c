/* SPDX-License-Identifier: Apache-2.0
 *
 * A sweep over time: steps enter when they begin, and a tree over their numbers knows the latest end below each node.
 */
#include "loom-row-steps.h"

#include <string.h>

#include "loom-stats.h"

typedef struct {
  gint32 step;
  gint64 begin_ns, end_ns;
} Window;

typedef struct {
  const LoomFrameRows *rows;
  gint32 *steps;
  guint32 n_without;
} Finder;

/* The tree: leaves are windows by number, each inner node has the latest end of those below that began. */
typedef struct {
  gint64 *end_ns;
  guint n_leaves; /* a power of two */
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

/* The first leaf that ends after the time; G_MAXUINT when there is none. */
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

static int
compare_windows (gconstpointer a, gconstpointer b)
{
  const Window *x = a, *y = b;
  return x->step < y->step ? -1 : x->step > y->step;
}

/* One window per number, sorted by it. */
static void
join_windows (GArray *windows)
{
  guint n = 0;
  Window *at = (Window *) windows->data;
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

/* `order`: rows without a number, by start. */
static void
sweep (Finder *finder, GArray *windows, const guint32 *order, guint32 n)
{
  Tree tree;
  guint next = 0;
  join_windows (windows);
  g_autofree guint64 *begins = g_new (guint64, windows->len + 1);
  g_autofree guint32 *by_begin = g_new (guint32, windows->len + 1);
  for (guint i = 0; i < windows->len; i++) {
    begins[i] = loom_stats_time_key (g_array_index (windows, Window, i).begin_ns);
    by_begin[i] = i;
  }
  loom_stats_sort (begins, by_begin, windows->len);
  tree_init (&tree, windows->len);
  for (guint32 i = 0; i < n; i++) {
    guint32 row = order[i];
    guint64 start = loom_stats_time_key (finder->rows->start_ns[row]);
    for (; next < windows->len && begins[next] < start; next++)
      tree_enter (&tree, by_begin[next], g_array_index (windows, Window, by_begin[next]).end_ns);
    guint found = tree_find (&tree, finder->rows->end_ns[row]);
    if (found != G_MAXUINT)
      finder->steps[row] = g_array_index (windows, Window, found).step;
    else
      finder->n_without++;
  }
  g_free (tree.end_ns);
}

/* Rows with or without a number of a step, in the order of (worker,) time; how many there are. */
static guint32
gather (const LoomFrameRows *rows, gboolean pooled, guint32 *order)
{
  g_autofree guint64 *keys = g_new (guint64, MAX (rows->n, 1));
  guint32 n = 0;
  for (guint32 i = 0; i < rows->n; i++)
    if (rows->step[i] < 0) {
      keys[n] = loom_stats_time_key (rows->start_ns[i]);
      order[n++] = i;
    }
  loom_stats_sort (keys, order, n);
  if (pooled)
    return n;
  for (guint32 i = 0; i < n; i++)
    keys[i] = rows->worker[order[i]];
  loom_stats_sort (keys, order, n);
  return n;
}

static GArray **
gather_windows (const LoomFrameRows *rows, gboolean pooled, guint n_groups)
{
  GArray **windows = g_new (GArray *, n_groups);
  for (guint i = 0; i < n_groups; i++)
    windows[i] = g_array_new (FALSE, FALSE, sizeof (Window));
  for (guint32 i = 0; i < rows->n; i++) {
    Window window = { rows->step[i], rows->start_ns[i], rows->end_ns[i] };
    if ((rows->flags[i] & LOOM_ROW_STEP) != 0 && rows->step[i] >= 0)
      g_array_append_val (windows[pooled ? 0 : rows->worker[i]], window);
  }
  return windows;
}

gint32 *
loom_row_steps_dup (const LoomFrame *frame, guint32 *n_without)
{
  const LoomFrameRows *rows = loom_frame_get_rows (frame);
  gboolean pooled = loom_frame_get_numbers (frame) == LOOM_NUMBERS_SMDEBUG;
  guint n_groups = 1;
  Finder finder = { rows, g_memdup2 (rows->step, MAX (rows->n, 1) * sizeof (gint32)), 0 };
  if (!pooled)
    loom_frame_get_workers (frame, &n_groups);
  g_autofree guint32 *order = g_new (guint32, MAX (rows->n, 1));
  guint32 n = gather (rows, pooled, order);
  GArray **windows = gather_windows (rows, pooled, n_groups);
  for (guint32 first = 0, last; first < n; first = last) {
    guint32 worker = pooled ? 0 : rows->worker[order[first]];
    for (last = first + 1; last < n && (pooled || rows->worker[order[last]] == worker); last++)
      ;
    sweep (&finder, windows[worker], order + first, last - first);
  }
  for (guint i = 0; i < n_groups; i++)
    g_array_unref (windows[i]);
  g_free (windows);
  if (n_without != NULL)
    *n_without = finder.n_without;
  return finder.steps;
}
