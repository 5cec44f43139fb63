/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-path-savings.h"

#include "loom-parallel.h"
#include "loom-path-replay.h"

/* no savings are computed for kinds of segments that take less than 1 / CHANGED_SHARE of the path */
#define CHANGED_SHARE 1000

typedef struct {
  LoomCriticalPath *path;
  const LoomPathGraph *graph;
  const LoomRunNames *names;
  const guint32 *name_ids;
  GCancellable *cancellable;
  LoomPathReplay replay;
  GArray *picks; /* LoomPathPick: first the kinds, then the names in the order of path->names, then axes and modules */
  GPtrArray *savings;    /* gint64 *: [pick] address at which the savings of the pick are stored */
  guint n_kinds;         /* number of picks that select a kind of segments */
  guint n_names;         /* number of picks that select a name */
  LoomPathTimes **times; /* [thread] array of this thread, see get_times() */
} Savings;

/* Returns the array of a thread. The array has one element per node. A thread uses its array for all its items, because
 * a new array is slow: the operating system has to clear each of its pages. */
static LoomPathTimes *
get_times (Savings *savings, guint worker)
{
  if (savings->times[worker] == NULL)
    savings->times[worker] = g_new (LoomPathTimes, MAX (savings->graph->n, 1));
  return savings->times[worker];
}

static void
run_pick (Savings *savings, guint item, guint worker)
{
  loom_path_replay_run (&savings->replay, item, get_times (savings, worker), savings->savings->pdata[item]);
}

static void
add_pick (Savings *savings, LoomPathPick pick, gint64 *saving_ns)
{
  g_array_append_val (savings->picks, pick);
  g_ptr_array_add (savings->savings, saving_ns);
}

static void
add_kinds (Savings *savings)
{
  LoomCriticalPath *path = savings->path;
  for (guint i = 0; i < LOOM_N_PATH_KINDS; i++)
    if (path->kinds_ns[i] > loom_critical_path_get_length (path) / CHANGED_SHARE && i != LOOM_PATH_KIND_SYNC)
      add_pick (savings, (LoomPathPick) { i, LOOM_PATH_NONE, 0 }, path->kind_saving_ns[i]);
  savings->n_kinds = savings->picks->len;
}

static void
add_names (Savings *savings)
{
  LoomCriticalPath *path = savings->path;
  for (guint i = 0; i < MIN (path->names->len, LOOM_CRITICAL_PATH_MOST_CHANGES); i++) {
    LoomPathName *name = &g_array_index (path->names, LoomPathName, i);
    /* If name_ids[i] is LOOM_PATH_NONE, `name` is the time of the host between spans, which has no name. In a pick,
     * LOOM_PATH_NONE would select work with any name. Therefore, the pick gets an id that no name has. It selects
     * nothing, and the saving stays unknown (is_known FALSE). */
    guint32 id = savings->name_ids[i] != LOOM_PATH_NONE ? savings->name_ids[i] : savings->names->n;
    name->is_known = id < savings->names->n;
    add_pick (savings, (LoomPathPick) { name->kind, id, 0 }, name->saving_ns);
  }
  savings->n_names = savings->picks->len - savings->n_kinds;
}

/* Adds a pick (LoomPathPick: the work that one replay makes faster) for each parallel axis and each class of modules
 * that has time on the path. Axes and classes without time on the path are skipped: their savings are 0, because the
 * path would be as long without their work. */
static void
add_sets (Savings *savings)
{
  LoomCriticalPath *path = savings->path;
  for (guint i = 0; i < path->axes->len; i++) {
    LoomPathShare *axis = &g_array_index (path->axes, LoomPathShare, i);
    LoomPathPick pick = { LOOM_N_PATH_KINDS, LOOM_PATH_NONE, loom_path_sets_get_axis_bit (axis->axis) };
    if (axis->path_ns > 0)
      add_pick (savings, pick, axis->saving_ns);
  }
  for (guint i = 0; i < path->modules->len; i++) {
    LoomPathShare *module = &g_array_index (path->modules, LoomPathShare, i);
    if (module->is_known)
      add_pick (savings, (LoomPathPick) { LOOM_N_PATH_KINDS, LOOM_PATH_NONE, loom_path_sets_get_module_bit (i) },
                module->saving_ns);
  }
}

/* Sets LoomPathName.slack_ns, the mean slack of all work with this name and kind, for the names whose savings are
 * computed. */
static void
add_slack (Savings *savings, guint worker)
{
  const LoomPathGraph *graph = savings->graph;
  gint64 *slack_ns = (gint64 *) (gpointer) get_times (savings, worker);
  /* each sum may contain 2^32 values of slack in ns; the precision of double is enough, because the mean is only
   * displayed */
  g_autofree double *sums = g_new0 (double, savings->picks->len + 1);
  g_autofree guint64 *counts = g_new0 (guint64, savings->picks->len + 1);
  loom_path_replay_get_slack (graph, slack_ns);
  for (guint32 v = 0; v < graph->n; v++)
    for (guint32 e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++) {
      guint pick = savings->replay.own_picks[e];
      sums[pick] += (double) slack_ns[v];
      counts[pick]++;
    }
  for (guint i = savings->n_kinds; i < savings->n_kinds + savings->n_names; i++)
    if (counts[i + 1] > 0)
      g_array_index (savings->path->names, LoomPathName, i - savings->n_kinds).slack_ns =
        (gint64) (sums[i + 1] / (double) counts[i + 1]);
}

/* Item 0: computes the slack. Other items: run the replay of one pick. */
static void
compute_item (guint item, guint worker, gpointer data)
{
  Savings *savings = data;
  if (g_cancellable_is_cancelled (savings->cancellable))
    return;
  if (item == 0)
    add_slack (savings, worker);
  else
    run_pick (savings, item - 1, worker);
}

void
loom_path_savings_compute (LoomCriticalPath *path, const LoomPathGraph *graph, const LoomRunNames *names,
                           const guint32 *name_ids, const LoomPathSets *sets, GCancellable *cancellable)
{
  guint n_threads = loom_parallel_resolve (0);
  Savings savings = { .path = path,
                      .graph = graph,
                      .names = names,
                      .name_ids = name_ids,
                      .cancellable = cancellable,
                      .picks = g_array_new (FALSE, FALSE, sizeof (LoomPathPick)),
                      .savings = g_ptr_array_new (),
                      .times = g_new0 (LoomPathTimes *, n_threads) };
  add_kinds (&savings);
  add_names (&savings);
  add_sets (&savings);
  loom_path_replay_init (&savings.replay, graph, names, (const LoomPathPick *) (gpointer) savings.picks->data,
                         savings.picks->len, sets);
  loom_parallel_for (savings.picks->len + 1, n_threads, compute_item, &savings, NULL);
  loom_path_replay_clear (&savings.replay);
  g_array_unref (savings.picks);
  g_ptr_array_unref (savings.savings);
  for (guint i = 0; i < n_threads; i++)
    g_free (savings.times[i]);
  g_free (savings.times);
}
