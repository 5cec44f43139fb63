/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-critical-path.h"

#include <glib/gi18n.h>

#include "loom-parallel.h"
#include "loom-path-recordings.h"
#include "loom-path-savings.h"
#include "loom-path-walk.h"

#define STRETCHES_PER_PIECE 65536 /* number of segments that a thread processes at once to sum the time of each rank */

typedef struct {
  LoomCriticalPath *path;
  LoomPathGraph *graph;
  LoomRunNames *names;
  /* [id · LOOM_N_PATH_KINDS + kind] 1 + index of the element of path->names with this name and kind; 0: there is no
   * such element yet. `id`: id of the name in `names`; names->n: time without a name */
  guint32 *name_of;
  /* guint32: for each element of path->names, in the same order, the id of its name in `names`; LOOM_PATH_NONE: the
   * element is the time of the host between spans, which has no name */
  GArray *name_ids;
  LoomPathWalk walk;
  /* time on the path by parallel axis and by class of modules; NULL: not needed */
  LoomPathSets *sets;
  GCancellable *cancellable;
} Computation;

const char *
loom_critical_path_kind_to_string (LoomPathKind kind)
{
  static const char *const words[LOOM_N_PATH_KINDS] = { "host",     "data_loading",  "launch",
                                                        "pause",    "computation",   "memory",
                                                        "transfer", "communication", "synchronization" };
  g_return_val_if_fail (kind < LOOM_N_PATH_KINDS, "");
  return words[kind];
}

/* --- sums of the path by name and by rank ------------------------------------------------------------------------- */

static LoomPathName *
find_name (Computation *all, LoomPathKind kind, guint32 name)
{
  guint32 *place = &all->name_of[MIN (name, all->names->n) * LOOM_N_PATH_KINDS + kind];
  if (*place == 0) {
    LoomPathName made = { .kind = kind,
                          .name = name != LOOM_PATH_NONE ? all->names->names[name].text : "",
                          .slack_ns = -1 };
    g_array_append_val (all->path->names, made);
    g_array_append_val (all->name_ids, name);
    *place = all->path->names->len;
  }
  return &g_array_index (all->path->names, LoomPathName, *place - 1);
}

static gint64
get_length (const LoomPathStretch *stretch)
{
  return stretch->range.end_ns - stretch->range.begin_ns;
}

static void
sum_names (Computation *all)
{
  GArray *stretches = all->path->stretches;
  for (guint32 i = 0; i < stretches->len; i++) {
    LoomPathStretch *stretch = &g_array_index (stretches, LoomPathStretch, i);
    LoomPathName *name = find_name (all, stretch->kind, stretch->name);
    stretch->name = (guint32) (name - (LoomPathName *) (gpointer) all->path->names->data);
    if (name->n == 0 || get_length (stretch) > get_length (&g_array_index (stretches, LoomPathStretch, name->longest)))
      name->longest = i;
    name->n++;
    name->path_ns += get_length (stretch);
  }
}

/* Returns the rank of a segment of the path. If the segment has no span, returns `known`: the rank of the next segment
 * on the path. */
static gint
get_rank (const Computation *all, const LoomPathStretch *stretch, gint known)
{
  guint32 track, row;
  if (loom_timeline_span_id_is_none (stretch->span))
    return known;
  const LoomTrace *trace = loom_path_items_get_trace (&all->graph->items, stretch->span.trace);
  loom_trace_locate_span (trace, stretch->span.span, &track, &row);
  return loom_trace_get_track (trace, track)->rank;
}

static void
add_to_rank (GArray *ranks, gint rank, gint64 length_ns)
{
  for (guint i = 0; i < ranks->len; i++) {
    LoomPathRank *own = &g_array_index (ranks, LoomPathRank, i);
    if (own->rank == rank) {
      own->path_ns += length_ns;
      return;
    }
  }
  LoomPathRank made = { rank, length_ns };
  g_array_append_val (ranks, made);
}

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  const LoomPathRank *x = a, *y = b;
  return x->path_ns != y->path_ns ? (x->path_ns > y->path_ns ? -1 : 1) : x->rank - y->rank;
}

/* Returns the rank of the first segment with a span from index `from` on; −1: none has a span. */
static gint
find_rank_after (const Computation *all, guint32 from)
{
  const GArray *stretches = all->path->stretches;
  while (from < stretches->len && loom_timeline_span_id_is_none (g_array_index (stretches, LoomPathStretch, from).span))
    from++;
  return from < stretches->len ? get_rank (all, &g_array_index (stretches, LoomPathStretch, from), -1) : -1;
}

typedef struct {
  const Computation *all;
  GArray *
    *ranks; /* [piece] LoomPathRank: the times of the ranks in a piece of STRETCHES_PER_PIECE segments of the path */
} RankSum;

static void
sum_ranks_of_part (guint item, guint worker, gpointer data)
{
  const RankSum *sum = data;
  const GArray *stretches = sum->all->path->stretches;
  guint32 begin = item * STRETCHES_PER_PIECE, end = begin + MIN (STRETCHES_PER_PIECE, stretches->len - begin);
  gint rank = find_rank_after (sum->all, end);
  for (guint32 i = end; i-- > begin;) {
    const LoomPathStretch *stretch = &g_array_index (stretches, LoomPathStretch, i);
    rank = get_rank (sum->all, stretch, rank);
    add_to_rank (sum->ranks[item], rank, get_length (stretch));
  }
}

static void
sum_ranks (Computation *all)
{
  guint n = (all->path->stretches->len + STRETCHES_PER_PIECE - 1) / STRETCHES_PER_PIECE;
  g_autofree GArray **ranks = g_new (GArray *, MAX (n, 1));
  RankSum sum = { all, ranks };
  for (guint i = 0; i < n; i++)
    ranks[i] = g_array_new (FALSE, FALSE, sizeof (LoomPathRank));
  loom_parallel_for (n, all->walk.n_threads, sum_ranks_of_part, &sum, NULL);
  for (guint i = 0; i < n; i++) {
    for (guint k = 0; k < ranks[i]->len; k++) {
      const LoomPathRank *rank = &g_array_index (ranks[i], LoomPathRank, k);
      add_to_rank (all->path->ranks, rank->rank, rank->path_ns);
    }
    g_array_unref (ranks[i]);
  }
  g_array_sort (all->path->ranks, compare_ranks);
}

/* --- path of the range and paths of steps ------------------------------------------------------------------------- */

static void
walk_all (Computation *all)
{
  LoomCriticalPath *path = all->path;
  loom_path_walk_add_stretches (&all->walk, path->stretches, path->kinds_ns);
  if (path->stretches->len == 0)
    return;
  path->range.begin_ns = g_array_index (path->stretches, LoomPathStretch, 0).range.begin_ns;
  path->range.end_ns = g_array_index (path->stretches, LoomPathStretch, path->stretches->len - 1).range.end_ns;
}

/* Data for computing the path of each step by several threads. A mark (LoomPathMark) is the start or the end of a step
 * on a rank. */
typedef struct {
  Computation *all;
  guint32 *marks; /* indices of the marks that belong to a step, sorted by step */
  /* guint32: [step] index of the step's first mark in `marks`; the last element is the length of `marks` */
  GArray *groups;
  gint *ranks; /* [LoomPathMark.line] rank of the process; −1: the process has no mark */
  guint n_lines;
  LoomPathStep *steps; /* [step] path of the step */
  gboolean *found;     /* [step] TRUE if a rank ends the step, so that the step has a path */
} StepWalk;

static inline const LoomPathMark *
get_mark (const LoomPathItems *items, guint32 mark)
{
  return &g_array_index (items->marks, LoomPathMark, mark);
}

/* Returns the index of the LoomPathMark at which the last rank ends a step; LOOM_PATH_NONE: no rank ends the step. If
 * several ranks end it at the same time, the lowest rank counts. Sets begins[LoomPathMark.line] to the time at which
 * each process starts the step. */
static guint32
find_step_end (const StepWalk *walk, guint step, gint64 *begins)
{
  const LoomPathItems *items = &walk->all->graph->items;
  guint32 found = LOOM_PATH_NONE, end = g_array_index (walk->groups, guint32, step + 1);
  for (guint32 i = g_array_index (walk->groups, guint32, step); i < end; i++) {
    const LoomPathMark *mark = get_mark (items, walk->marks[i]),
                       *last = found != LOOM_PATH_NONE ? get_mark (items, found) : NULL;
    if (mark->begins)
      begins[mark->line] = mark->time_ns;
    else if (last == NULL || mark->time_ns > last->time_ns ||
             (mark->time_ns == last->time_ns && mark->rank < last->rank))
      found = walk->marks[i];
  }
  return found;
}

static void
walk_step (guint item, guint worker, gpointer data)
{
  const StepWalk *walk = data;
  const LoomPathGraph *graph = walk->all->graph;
  g_autofree gint64 *begins = g_new (gint64, MAX (walk->n_lines, 1));
  for (guint i = 0; i < walk->n_lines; i++)
    begins[i] = G_MININT64;
  guint32 end = find_step_end (walk, item, begins);
  if (end == LOOM_PATH_NONE)
    return;
  const LoomPathMark *last = get_mark (&graph->items, end);
  LoomPathStep step = { .number = last->number, .end_rank = last->rank };
  guint32 begin = loom_path_walk_sum_step (&walk->all->walk, worker, graph->mark_nodes[end], begins, step.kinds_ns);
  guint32 line = loom_path_walk_get_line (graph, begin);
  step.begin_rank = line != LOOM_PATH_NONE ? walk->ranks[line] : -1;
  step.range = (LoomRange) { graph->nodes[begin].time_ns, last->time_ns };
  walk->steps[item] = step;
  walk->found[item] = TRUE;
}

static int
compare_marks (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const LoomPathItems *items = user_data;
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;
  guint32 step_x = get_mark (items, x)->step, step_y = get_mark (items, y)->step;
  return step_x != step_y ? (step_x < step_y ? -1 : 1) : (x > y) - (x < y);
}

/* Fills StepWalk.marks, groups and ranks, so that the marks of a step are found without searching all marks. O(marks ·
 * log marks). */
static void
group_marks (StepWalk *walk)
{
  const LoomPathItems *items = &walk->all->graph->items;
  guint32 n = 0, before = LOOM_NO_RUN_STEP;
  for (guint i = 0; i < walk->n_lines; i++)
    walk->ranks[i] = -1;
  for (guint32 i = items->marks->len; i-- > 0;)
    walk->ranks[get_mark (items, i)->line] = get_mark (items, i)->rank;
  for (guint32 i = 0; i < items->marks->len; i++)
    if (get_mark (items, i)->step != LOOM_NO_RUN_STEP)
      walk->marks[n++] = i;
  g_qsort_with_data (walk->marks, (int) n, sizeof *walk->marks, compare_marks, (gpointer) items);
  for (guint32 i = 0; i < n; i++) {
    guint32 step = get_mark (items, walk->marks[i])->step;
    if (step != before)
      g_array_append_val (walk->groups, i);
    before = step;
  }
  g_array_append_val (walk->groups, n);
}

static void
walk_steps (Computation *all)
{
  const LoomPathItems *items = &all->graph->items;
  guint n_lines = items->first_line[loom_run_get_n_traces (loom_timeline_get_run (items->timeline))];
  g_autofree guint32 *marks = g_new (guint32, MAX (items->marks->len, 1));
  g_autofree gint *ranks = g_new (gint, MAX (n_lines, 1));
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (guint32));
  StepWalk walk = { .all = all, .marks = marks, .groups = groups, .ranks = ranks, .n_lines = n_lines };
  group_marks (&walk);
  guint n = groups->len - 1;
  g_autofree LoomPathStep *found = g_new (LoomPathStep, MAX (n, 1));
  g_autofree gboolean *is_found = g_new0 (gboolean, MAX (n, 1));
  walk.steps = found;
  walk.found = is_found;
  loom_parallel_for (n, all->walk.n_threads, walk_step, &walk, NULL);
  for (guint i = 0; i < n; i++)
    if (is_found[i])
      g_array_append_val (all->path->steps, found[i]);
}

/* --- public functions and their helpers --------------------------------------------------------------------------- */

typedef struct {
  LoomPathName name;
  /* `id`: id of the name in Computation.names; `place`: index of the name in path->names before sorting */
  guint32 id, place;
} NameAndId;

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const NameAndId *x = a, *y = b;
  if (x->name.path_ns != y->name.path_ns)
    return x->name.path_ns > y->name.path_ns ? -1 : 1;
  int order = (int) x->name.kind - (int) y->name.kind;
  return order != 0 ? order : g_strcmp0 (x->name.name, y->name.name);
}

/* Sorts path->names by time on the path, longest first; sorts name_ids in the same way, and updates
 * LoomPathStretch.name to the new indices. */
static void
sort_names (Computation *all)
{
  GArray *names = all->path->names;
  g_autoptr (GArray) both = g_array_sized_new (FALSE, FALSE, sizeof (NameAndId), names->len);
  for (guint i = 0; i < names->len; i++) {
    NameAndId one = { g_array_index (names, LoomPathName, i), g_array_index (all->name_ids, guint32, i), i };
    g_array_append_val (both, one);
  }
  g_array_sort (both, compare_names);
  g_autofree guint32 *moved = g_new (guint32, MAX (names->len, 1));
  for (guint i = 0; i < names->len; i++) {
    moved[g_array_index (both, NameAndId, i).place] = i;
    g_array_index (names, LoomPathName, i) = g_array_index (both, NameAndId, i).name;
    g_array_index (all->name_ids, guint32, i) = g_array_index (both, NameAndId, i).id;
  }
  for (guint32 i = 0; i < all->path->stretches->len; i++) {
    LoomPathStretch *stretch = &g_array_index (all->path->stretches, LoomPathStretch, i);
    stretch->name = moved[stretch->name];
  }
}

static void
set_counts (LoomCriticalPath *path, const LoomPathItems *items)
{
  path->n_works = items->works->len;
  for (guint32 i = 0; i < items->works->len; i++)
    path->n_launched += loom_path_items_get_work (items, i)->launch != LOOM_PATH_NONE;
  path->n_joins = items->joins->len;
  path->n_inferred = items->n_inferred;
  path->n_unjoined = items->n_unjoined;
}

static void
count_earlier (LoomCriticalPath *path, const LoomPathItems *items)
{
  LoomPathRecordings recordings;
  loom_path_recordings_init (&recordings, loom_timeline_get_run (items->timeline));
  g_autofree gint64 *ends_ns = g_new (gint64, MAX (recordings.n, 1));
  for (guint32 i = 0; i < recordings.n; i++)
    ends_ns[i] = LOOM_TIME_NONE;
  for (guint32 i = 0; i < items->works->len; i++) {
    const LoomPathWork *work = loom_path_items_get_work (items, i);
    gint64 *end_ns = &ends_ns[loom_path_recordings_get (&recordings, work->trace, work->span)];
    *end_ns = *end_ns == LOOM_TIME_NONE ? work->end_ns : MAX (*end_ns, work->end_ns);
  }
  for (guint32 i = 0; i < recordings.n; i++)
    path->n_earlier += ends_ns[i] != LOOM_TIME_NONE && ends_ns[i] <= path->range.begin_ns;
  loom_path_recordings_clear (&recordings);
}

/* Computes the savings. The time on the path by name, axis and module must have been summed before. */
static void
add_savings (Computation *all)
{
  if (!loom_path_sets_choose (all->sets, all->path, all->cancellable))
    return;
  loom_path_savings_compute (all->path, all->graph, all->names, (const guint32 *) (gpointer) all->name_ids->data,
                             all->sets, all->cancellable);
}

/* Fills `path`: the segments, the sums by kind and name, and the savings. If `sets` is NULL, savings are not
 * computed. */
static void
fill (LoomCriticalPath *path, LoomPathGraph *graph, LoomRunNames *names, LoomPathSets *sets, GCancellable *cancellable)
{
  g_autofree guint32 *name_of = g_new0 (guint32, (names->n + 1) * LOOM_N_PATH_KINDS);
  g_autoptr (GArray) name_ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  Computation all = { .path = path,
                      .graph = graph,
                      .names = names,
                      .name_of = name_of,
                      .name_ids = name_ids,
                      .sets = sets,
                      .cancellable = cancellable };
  loom_path_walk_init (&all.walk, graph, names, sets, cancellable);
  walk_all (&all);
  count_earlier (path, &graph->items);
  walk_steps (&all);
  sum_names (&all);
  sum_ranks (&all);
  sort_names (&all);
  if (sets != NULL && !g_cancellable_is_cancelled (cancellable))
    add_savings (&all);
  loom_path_walk_clear (&all.walk);
}

static void
fill_with_savings (LoomCriticalPath *path, LoomPathGraph *graph, LoomRunNames *names,
                   const LoomCollectives *collectives, GCancellable *cancellable)
{
  LoomPathSets sets;
  if (loom_path_sets_init (&sets, graph, names, collectives, cancellable))
    fill (path, graph, names, &sets, cancellable);
  loom_path_sets_clear (&sets);
}

static void
fill_stretches (LoomCriticalPath *path, LoomPathGraph *graph, GCancellable *cancellable)
{
  Computation all = { .path = path, .graph = graph, .cancellable = cancellable };
  loom_path_walk_init (&all.walk, graph, NULL, NULL, cancellable);
  walk_all (&all);
  loom_path_walk_clear (&all.walk);
}

/* Returns a LoomCriticalPath without segments; the caller adds them. */
static LoomCriticalPath *
new_empty (const LoomPathGraph *graph)
{
  LoomCriticalPath *path = g_new0 (LoomCriticalPath, 1);
  path->stretches = g_array_new (FALSE, FALSE, sizeof (LoomPathStretch));
  path->names = g_array_new (FALSE, FALSE, sizeof (LoomPathName));
  path->axes = g_array_new (FALSE, FALSE, sizeof (LoomPathShare));
  path->modules = g_array_new (FALSE, FALSE, sizeof (LoomPathShare));
  path->ranks = g_array_new (FALSE, FALSE, sizeof (LoomPathRank));
  path->steps = g_array_new (FALSE, FALSE, sizeof (LoomPathStep));
  path->late_ends = g_array_ref (graph->items.late_ends);
  set_counts (path, &graph->items);
  path->texts = g_string_chunk_new (256);
  path->has_index = loom_run_has_index (loom_timeline_get_run (graph->items.timeline));
  path->recorder = loom_recording_advice_find_recorder (loom_timeline_get_run (graph->items.timeline));
  return path;
}

static gboolean
can_be_filled (const LoomCriticalPath *path)
{
  return path->n_launched > 0 && !path->has_index;
}

static LoomCriticalPath *
make (LoomTimeline *timeline, LoomRange range, const LoomCollectives *collectives, const LoomSteps *steps,
      gboolean with_savings, GCancellable *cancellable)
{
  g_autoptr (LoomPathGraph) graph = loom_path_graph_new (timeline, range, collectives, steps, cancellable);
  if (graph == NULL)
    return NULL;
  g_autoptr (LoomCriticalPath) path = new_empty (graph);
  g_autoptr (LoomRunNames) names = loom_run_names_new (loom_timeline_get_run (timeline));
  if (can_be_filled (path) && with_savings)
    fill_with_savings (path, graph, names, collectives, cancellable);
  else if (can_be_filled (path))
    fill (path, graph, names, NULL, cancellable);
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&path);
}

LoomCriticalPath *
loom_critical_path_new_stretches (LoomTimeline *timeline, LoomRange range, const LoomCollectives *collectives,
                                  const LoomSteps *steps, LoomPathSlack **slack, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  if (slack != NULL)
    *slack = NULL;
  g_autoptr (LoomPathGraph) graph = loom_path_graph_new (timeline, range, collectives, steps, cancellable);
  if (graph == NULL)
    return NULL;
  g_autoptr (LoomCriticalPath) path = new_empty (graph);
  if (can_be_filled (path))
    fill_stretches (path, graph, cancellable);
  if (g_cancellable_is_cancelled (cancellable))
    return NULL;
  if (slack != NULL && path->stretches->len > 0)
    *slack = loom_path_slack_new (graph);
  return g_steal_pointer (&path);
}

LoomCriticalPath *
loom_critical_path_new (LoomTimeline *timeline, LoomRange range, const LoomCollectives *collectives,
                        const LoomSteps *steps, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  return make (timeline, range, collectives, steps, TRUE, cancellable);
}

LoomCriticalPath *
loom_critical_path_new_plain (LoomTimeline *timeline, LoomRange range, const LoomCollectives *collectives,
                              GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  return make (timeline, range, collectives, NULL, FALSE, cancellable);
}

void
loom_critical_path_free (LoomCriticalPath *path)
{
  if (path == NULL)
    return;
  g_array_unref (path->stretches);
  g_array_unref (path->names);
  g_array_unref (path->axes);
  g_array_unref (path->modules);
  g_array_unref (path->ranks);
  g_array_unref (path->steps);
  g_array_unref (path->late_ends);
  g_string_chunk_free (path->texts);
  g_free (path);
}

const char *
loom_critical_path_get_missing (const LoomCriticalPath *path)
{
  if (path->n_works == 0)
    return _ ("There are no GPU kernels or memory copies in this range.");
  /* A rank that is read from an index file has no launches. A path through the other ranks alone would lack the work of
   * this rank. */
  if (path->has_index)
    return _ (
      "Index files do not record kernel launches: open the trace files themselves to see what the devices waited for.");
  if (path->n_launched == 0)
    return _ ("The files do not contain the launches of the kernels.");
  return NULL;
}

const char *
loom_critical_path_get_advice (const LoomCriticalPath *path)
{
  gboolean unlinked = path->n_works > 0 && path->n_launched == 0 && !path->has_index;
  return loom_recording_advice_get (path->recorder, unlinked ? LOOM_LACKS_LAUNCHES : LOOM_LACKS_NOTHING);
}
