/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-path-sets.h"

#include "loom-parallel-axes.h"
#include "loom-transfer-list.h"

/* number of nodes of LoomPathModules.sets processed between two checks of the cancellable */
#define SETS_PER_LOOK 65536

G_STATIC_ASSERT (LOOM_N_PARALLEL_AXES + LOOM_CRITICAL_PATH_MOST_CHANGES <= 32);

/* --- axes and modules of kernels and copies ----------------------------------------------------------------------- */

/* Returns the axis of a transfer. For a collective, this is the axis of its group of ranks; for a message, the axis
 * that its sync event states, or the pipeline axis if none is stated. */
static LoomParallelAxis
get_axis (const LoomCollectives *collectives, const LoomParallelAxes *axes, const LoomTransferList *list,
          guint32 number)
{
  guint32 n;
  if (number < collectives->n)
    return (LoomParallelAxis) axes->axis_of[number];
  const LoomTransfer *message = &g_array_index (list->transfers, LoomTransfer, number);
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (list->timeline), message->trace);
  LoomParallelAxis stated = (LoomParallelAxis) loom_trace_get_meetings (trace, &n)[message->meeting].axis;
  return stated != LOOM_PARALLEL_AXIS_UNKNOWN ? stated : LOOM_PARALLEL_AXIS_PIPELINE;
}

static gboolean
find_axes (LoomPathSets *sets, const LoomCollectives *collectives, GCancellable *cancellable)
{
  const GArray *joins = sets->graph->items.joins;
  sets->axis_of_join = g_new0 (guint8, MAX (joins->len, 1));
  if (joins->len == 0)
    return TRUE;
  const LoomParallelAxes *axes = loom_parallel_axes_get (collectives, cancellable);
  const LoomTransferList *list = axes != NULL ? loom_transfer_list_get (collectives, cancellable) : NULL;
  if (list == NULL)
    return FALSE;
  for (guint i = 0; i < joins->len; i++) {
    const LoomPathJoin *join = &g_array_index (joins, LoomPathJoin, i);
    sets->axis_of_join[i] = (guint8) get_axis (collectives, axes, list, join->transfer);
    sets->has_axis[sets->axis_of_join[i]] |= !join->of_hosts;
  }
  return TRUE;
}

static void
find_modules (LoomPathSets *sets)
{
  const LoomPathItems *items = &sets->graph->items;
  if (sets->modules.classes->len == 0)
    return;
  sets->set_of_work = g_new0 (guint32, MAX (items->works->len, 1));
  for (guint32 i = 0; i < items->works->len; i++) {
    const LoomPathWork *work = loom_path_items_get_work (items, i);
    if (work->launch == LOOM_PATH_NONE)
      continue;
    const LoomPathCall *call = loom_path_items_get_call (items, work->launch);
    sets->set_of_work[i] = loom_path_modules_find (&sets->modules, (LoomSpanId) { call->trace, call->span });
  }
}

gboolean
loom_path_sets_init (LoomPathSets *sets, const LoomPathGraph *graph, const LoomRunNames *names,
                     const LoomCollectives *collectives, GCancellable *cancellable)
{
  *sets = (LoomPathSets) { .graph = graph, .sets_ns = g_array_new (FALSE, TRUE, sizeof (gint64)) };
  if (!loom_path_modules_init (&sets->modules, loom_timeline_get_run (graph->items.timeline), names, cancellable))
    return FALSE;
  g_array_set_size (sets->sets_ns, sets->modules.sets.n);
  find_modules (sets);
  return find_axes (sets, collectives, cancellable);
}

void
loom_path_sets_clear (LoomPathSets *sets)
{
  loom_path_modules_clear (&sets->modules);
  g_array_unref (sets->sets_ns);
  g_free (sets->axis_of_join);
  g_free (sets->set_of_work);
  g_free (sets->bits);
}

/* --- time on the path --------------------------------------------------------------------------------------------- */

/* Returns the parallel axis of the collective or message in which a kernel or copy takes part. `kind`: kind of the
 * path's segment for the kernel or copy. Returns LOOM_N_PARALLEL_AXES if the kernel or copy takes part in no collective
 * or message, or if `kind` is not a transfer. */
static LoomParallelAxis
get_axis_of_work (const LoomPathSets *sets, guint32 work, LoomPathKind kind)
{
  if (kind != LOOM_PATH_KIND_TRANSFER)
    return LOOM_N_PARALLEL_AXES;
  guint32 join = loom_path_items_get_work (&sets->graph->items, work)->join;
  return join != LOOM_PATH_NONE ? (LoomParallelAxis) sets->axis_of_join[join] : LOOM_N_PARALLEL_AXES;
}

static gboolean
is_timed (LoomPathKind kind)
{
  return kind == LOOM_PATH_KIND_COMPUTE || kind == LOOM_PATH_KIND_MEMORY || kind == LOOM_PATH_KIND_TRANSFER ||
         kind == LOOM_PATH_KIND_COMMUNICATION;
}

void
loom_path_sets_init_times (const LoomPathSets *sets, LoomPathSetTimes *times)
{
  *times = (LoomPathSetTimes) { .sets_ns = g_new0 (gint64, MAX (sets->sets_ns->len, 1)) };
}

void
loom_path_sets_take_times (LoomPathSets *sets, LoomPathSetTimes *times)
{
  for (guint axis = 0; axis < LOOM_N_PARALLEL_AXES; axis++)
    sets->axes_ns[axis] += times->axes_ns[axis];
  for (guint set = 0; set < sets->sets_ns->len; set++)
    g_array_index (sets->sets_ns, gint64, set) += times->sets_ns[set];
  g_free (times->sets_ns);
}

void
loom_path_sets_add_work (const LoomPathSets *sets, LoomPathSetTimes *times, guint32 work, LoomPathKind kind,
                         gint64 path_ns)
{
  LoomParallelAxis axis = get_axis_of_work (sets, work, kind);
  if (axis != LOOM_N_PARALLEL_AXES)
    times->axes_ns[axis] += path_ns;
  if (sets->set_of_work != NULL && is_timed (kind))
    times->sets_ns[sets->set_of_work[work]] += path_ns;
}

void
loom_path_sets_add_host (const LoomPathSets *sets, LoomPathSetTimes *times, LoomSpanId span, gint64 path_ns)
{
  times->sets_ns[loom_path_modules_find (&sets->modules, span)] += path_ns;
}

/* --- choice of the axes and modules to list ----------------------------------------------------------------------- */

static void
add_axes (const LoomPathSets *sets, LoomCriticalPath *path)
{
  for (guint axis = 0; axis < LOOM_N_PARALLEL_AXES; axis++) {
    LoomPathShare share = { .axis = axis, .name = loom_parallel_axis_to_string (axis), .path_ns = sets->axes_ns[axis] };
    share.is_known = TRUE;
    if (sets->has_axis[axis])
      g_array_append_val (path->axes, share);
  }
}

/* Returns the time on the path of each class of modules: [1 + index of the class] time in ns. A set is a chain of
 * nested classes; its time is added once to each of its classes, even if modules of one class are nested in each other.
 * NULL when cancelled. */
static gint64 *
sum_classes (const LoomPathSets *sets, GCancellable *cancellable)
{
  const LoomSpanTrie *trie = &sets->modules.sets;
  guint n = sets->modules.classes->len;
  g_autofree gint64 *sums = g_new0 (gint64, n + 1);
  /* [1 + index of the class] the last node of the trie whose time was added to the class; 0: none yet */
  g_autofree guint32 *added = g_new0 (guint32, n + 1);
  for (guint32 set = 1; set < trie->n; set++) {
    if (set % SETS_PER_LOOK == 0 && g_cancellable_is_cancelled (cancellable))
      return NULL;
    for (guint32 node = set; node != 0; node = trie->nodes[node].parent) {
      guint32 module = trie->nodes[node].name;
      if (module > n || added[module] == set)
        continue;
      added[module] = set;
      sums[module] += g_array_index (sets->sets_ns, gint64, set);
    }
  }
  return g_steal_pointer (&sums);
}

typedef struct {
  LoomPathShare share;
  guint32 module; /* index of the class of modules in LoomPathModules.classes, plus 1 */
} Module;

static int
compare_modules (gconstpointer a, gconstpointer b)
{
  const Module *x = a, *y = b;
  if (x->share.path_ns != y->share.path_ns)
    return x->share.path_ns > y->share.path_ns ? -1 : 1;
  return g_strcmp0 (x->share.name, y->share.name);
}

/* Lists the classes that have time on the path, longest time first. `sums`: result of sum_classes(). */
static GArray *
list_modules (const LoomPathSets *sets, LoomCriticalPath *path, const gint64 *sums)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (Module));
  for (guint i = 0; i < sets->modules.classes->len; i++) {
    Module one = { .share = { .path_ns = sums[i + 1], .axis = LOOM_PARALLEL_AXIS_UNKNOWN }, .module = i + 1 };
    if (one.share.path_ns <= 0)
      continue;
    one.share.name = g_string_chunk_insert (path->texts, sets->modules.classes->pdata[i]);
    g_array_append_val (found, one);
  }
  g_array_sort (found, compare_modules);
  return found;
}

gboolean
loom_path_sets_choose (LoomPathSets *sets, LoomCriticalPath *path, GCancellable *cancellable)
{
  const LoomSpanTrie *trie = &sets->modules.sets;
  g_autofree gint64 *sums = sum_classes (sets, cancellable);
  if (sums == NULL)
    return FALSE;
  g_autoptr (GArray) found = list_modules (sets, path, sums);
  g_autofree guint32 *bits = g_new0 (guint32, sets->modules.classes->len + 1);
  add_axes (sets, path);
  for (guint i = 0; i < found->len; i++) {
    Module *one = &g_array_index (found, Module, i);
    one->share.is_known = i < LOOM_CRITICAL_PATH_MOST_CHANGES;
    if (one->share.is_known)
      bits[one->module] = loom_path_sets_get_module_bit (i);
    g_array_append_val (path->modules, one->share);
  }
  sets->bits = g_new0 (guint32, trie->n);
  /* a parent comes before its children in the trie, so the parent's bits are already set */
  for (guint32 set = 1; set < trie->n; set++) {
    guint32 module = trie->nodes[set].name;
    sets->bits[set] = sets->bits[trie->nodes[set].parent] | (module <= sets->modules.classes->len ? bits[module] : 0);
  }
  return TRUE;
}

guint32
loom_path_sets_get_bits_of_work (const LoomPathSets *sets, guint32 work, LoomPathKind kind)
{
  LoomParallelAxis axis = get_axis_of_work (sets, work, kind);
  guint32 bits = axis != LOOM_N_PARALLEL_AXES ? loom_path_sets_get_axis_bit (axis) : 0;
  return sets->set_of_work != NULL && is_timed (kind) ? bits | sets->bits[sets->set_of_work[work]] : bits;
}

guint32
loom_path_sets_get_bits_of_host (const LoomPathSets *sets, LoomSpanId span)
{
  return sets->bits[loom_path_modules_find (&sets->modules, span)];
}
