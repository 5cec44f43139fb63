/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the kernels and calls of all ranks, several ranks at the same time, and adds the operations of all ranks to one
 * model.
 */
#include "loom-slowdown-kernels.h"

#include "loom-array.h"
#include "loom-int64-hash.h"
#include "loom-parallel.h"
#include "loom-slowdown-numbers.h"
#include "loom-slowdown-rank.h"
#include "loom-slowdown-steps.h"
#include "loom-work-kind.h"

/* Maximum number of ranks that are read at the same time; each needs memory for its kernels and calls. */
#define MOST_THREADS 8

typedef struct {
  LoomSlowdownModel *model;
  const LoomCollectives *collectives;
  LoomSlowdownJoins joins;
  LoomSteps *steps;
  /* const LoomStep *: the elements of `steps` in which work of devices is recorded, see loom_slowdown_steps_list() */
  GPtrArray *recorded;
  /* array: [trace] the elements of `recorded` whose spans are in this trace; NULL: there are none */
  GPtrArray **recorded_of;
  GHashTable *step_of_run; /* LoomStep.run_step (guint64) → 1 + index in LoomSlowdownModel.steps of the step */
  /* Key (guint64): made by find_like() for a kernel. Value: 1 + index in LoomSlowdownModel.likes of the set of kernels
   * that are comparable with this kernel. */
  GHashTable *likes;
  GHashTable *kinds;   /* name of a kernel → 1 + index in LoomSlowdownModel.kinds of the kernel's kind */
  GHashTable *workers; /* LoomRankKey → 1 + index in LoomSlowdownModel.workers of the rank's worker */
  GCancellable *cancellable;
} Reading;

/* --- steps that are replayed -------------------------------------------------------------------------------------- */

typedef struct {
  LoomSlowdownStep step;
  guint32 run_step; /* LoomStep.run_step of the joined steps */
} RunStep;

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  const RunStep *x = a, *y = b;
  if (x->step.range.begin_ns != y->step.range.begin_ns)
    return x->step.range.begin_ns < y->step.range.begin_ns ? -1 : 1;
  if (x->step.number != y->step.number)
    return x->step.number < y->step.number ? -1 : 1;
  return x->run_step < y->run_step ? -1 : x->run_step > y->run_step;
}

/* Fills Reading.recorded_of. Without this array, the program would have to search through all steps for each trace. */
static void
list_steps_of_traces (Reading *reading, guint n_traces)
{
  reading->recorded_of = g_new0 (GPtrArray *, n_traces + 1);
  for (guint i = 0; i < reading->recorded->len; i++) {
    LoomStep *step = reading->recorded->pdata[i];
    GPtrArray **list = &reading->recorded_of[step->span.trace];
    if (*list == NULL)
      *list = g_ptr_array_new ();
    g_ptr_array_add (*list, step);
  }
}

static void
free_steps_of_traces (Reading *reading, guint n_traces)
{
  for (guint i = 0; reading->recorded_of != NULL && i < n_traces; i++)
    g_clear_pointer (&reading->recorded_of[i], g_ptr_array_unref);
  g_clear_pointer (&reading->recorded_of, g_free);
}

/* Joins the steps of all ranks that have the same LoomStep.run_step into one RunStep. It extends from the earliest
 * start to the latest end on these ranks. Returns an array of RunStep, owned by the caller. */
static GArray *
join_steps (Reading *reading)
{
  GArray *joined = g_array_new (FALSE, FALSE, sizeof (RunStep));
  for (guint i = 0; i < reading->recorded->len; i++) {
    const LoomStep *own = reading->recorded->pdata[i];
    guint32 found = loom_slowdown_numbers_find (reading->step_of_run, own->run_step);
    if (found == LOOM_SLOWDOWN_NONE) {
      const RunStep step = { { .number = own->number, .range = { own->begin_ns, own->end_ns } }, own->run_step };
      loom_slowdown_numbers_set (reading->step_of_run, own->run_step, joined->len);
      g_array_append_val (joined, step);
      continue;
    }
    LoomRange *range = &g_array_index (joined, RunStep, found).step.range;
    range->begin_ns = MIN (range->begin_ns, own->begin_ns);
    range->end_ns = MAX (range->end_ns, own->end_ns);
  }
  return joined;
}

static void
read_steps (Reading *reading)
{
  g_autoptr (GArray) joined = join_steps (reading);
  g_array_sort (joined, compare_steps);
  LoomRange range = reading->collectives->range;
  gboolean is_of_steps = loom_slowdown_steps_end_range (reading->steps, range);
  g_hash_table_remove_all (reading->step_of_run);
  for (guint i = 0; i < joined->len; i++) {
    const RunStep *one = &g_array_index (joined, RunStep, i);
    if (!loom_slowdown_steps_is_whole (one->step.range, range, is_of_steps))
      continue;
    loom_slowdown_numbers_set (reading->step_of_run, one->run_step, reading->model->steps->len);
    g_array_append_val (reading->model->steps, one->step);
  }
  reading->model->replay.n_steps = reading->model->steps->len;
}

/* --- operations of a rank ----------------------------------------------------------------------------------------- */

static guint32
find_kind (Reading *reading, const char *name)
{
  gpointer found = g_hash_table_lookup (reading->kinds, name);
  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  const LoomSlowdownPart part = { .name = name };
  g_array_append_val (reading->model->kinds, part);
  g_hash_table_insert (reading->kinds, (gpointer) name, GUINT_TO_POINTER (reading->model->kinds->len));
  return reading->model->kinds->len - 1;
}

/* Returns the index of the set of kernels with which a kernel can be compared. `key`: see
 * LoomSlowdownRank.like_keys. */
static guint32
find_like (Reading *reading, const LoomSlowdownRank *rank, guint32 kernel, guint64 key)
{
  guint32 like = loom_slowdown_numbers_find (reading->likes, key);
  if (like == LOOM_SLOWDOWN_NONE) {
    const LoomSlowdownKernel *one = loom_slowdown_calls_get_kernel (&rank->own, kernel);
    guint32 kind = find_kind (reading, loom_trace_get_name (rank->trace, one->name_id)->text);
    like = loom_slowdown_model_add_like (reading->model, kind, FALSE);
    g_array_index (reading->model->likes, LoomSlowdownLike, like).is_kernel = one->work == LOOM_WORK_KIND_COMPUTE;
    loom_slowdown_numbers_set (reading->likes, key, like);
  }
  return like;
}

static guint32
find_worker (Reading *reading, const LoomRankKey *key)
{
  gpointer found = g_hash_table_lookup (reading->workers, key);
  if (found != NULL)
    return GPOINTER_TO_UINT (found) - 1;
  gint stage = loom_pipeline_stages_get (&reading->joins.stages, key->rank);
  const LoomSlowdownWorker worker = { .node = key->node, .rank = key->rank, .row = -1, .stage = stage };
  g_array_append_val (reading->model->workers, worker);
  g_hash_table_insert (reading->workers, g_memdup2 (key, sizeof *key), GUINT_TO_POINTER (reading->model->workers->len));
  return reading->model->workers->len - 1;
}

static void
extend_step (Reading *reading, const LoomSlowdownKernel *kernel)
{
  if (kernel->step == LOOM_SLOWDOWN_NONE)
    return;
  LoomSlowdownStep *step = &g_array_index (reading->model->steps, LoomSlowdownStep, kernel->step);
  step->range.end_ns = MAX (step->range.end_ns, kernel->end_ns);
}

/* Adds the operations of a rank to the model. */
static void
add_rank (Reading *reading, const LoomSlowdownRank *rank)
{
  LoomSlowdownModel *model = reading->model;
  guint32 worker = find_worker (reading, &rank->key), first = model->replay.operations->len;
  for (guint i = 0; i < rank->places->len; i++) {
    LoomSlowdownPlace place = g_array_index (rank->places, LoomSlowdownPlace, i);
    place.worker = worker;
    g_array_append_val (model->places, place);
  }
  loom_slowdown_replay_append (&model->replay, &rank->replay);
  for (guint32 i = 0; i < rank->replay.operations->len; i++) {
    LoomSlowdownOperation *operation = &g_array_index (model->replay.operations, LoomSlowdownOperation, first + i);
    gboolean is_kernel = i < rank->own.kernels->len;
    operation->worker = worker;
    if (is_kernel)
      extend_step (reading, loom_slowdown_calls_get_kernel (&rank->own, i));
    if (is_kernel && rank->like_keys[i] != 0)
      operation->like = find_like (reading, rank, i, rank->like_keys[i]);
  }
  g_array_index (model->workers, LoomSlowdownWorker, worker).idle_ns += rank->idle_ns / MAX (model->steps->len, 1);
  model->has_launches |= rank->has_launches;
  model->lacks_launches |= rank->lacks_launches;
}

/* --- reading all traces ------------------------------------------------------------------------------------------- */

/* Returns an array of LoomRankKey: the ranks of the trace's devices, in the order of their tracks. Owned by the
 * caller. */
static GArray *
list_ranks (const LoomTrace *trace)
{
  GArray *ranks = g_array_new (FALSE, FALSE, sizeof (LoomRankKey));
  g_autoptr (GHashTable) known = g_hash_table_new_full (loom_rank_key_hash, loom_rank_key_equal, g_free, NULL);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    const LoomRankKey key = loom_rank_key (track->node, track->rank, 0);
    if (loom_trace_track_is_device (track) && track->rank >= 0 && !g_hash_table_contains (known, &key)) {
      g_hash_table_add (known, g_memdup2 (&key, sizeof key));
      g_array_append_val (ranks, key);
    }
  }
  return ranks;
}

/* Appends a LoomSlowdownRank for each rank of a trace. */
static void
list_ranks_of_trace (Reading *reading, guint number, GArray *all)
{
  LoomRun *run = loom_timeline_get_run (reading->collectives->timeline);
  g_autoptr (GArray) keys = list_ranks (loom_run_get_trace (run, number));
  for (guint i = 0; i < keys->len; i++) {
    const LoomSlowdownRank rank = { .collectives = reading->collectives,
                                    .joins = &reading->joins,
                                    .steps = reading->recorded_of[number],
                                    .step_of_run = reading->step_of_run,
                                    .number = number,
                                    .key = g_array_index (keys, LoomRankKey, i),
                                    .has_others = keys->len > 1 };
    g_array_append_val (all, rank);
  }
}

static void
read_item (guint item, guint worker, gpointer user_data)
{
  loom_slowdown_rank_read (&((LoomSlowdownRank *) user_data)[item]);
}

/* Makes room for the operations and waits of all ranks, assuming that each has as many as the `n` ranks read so far. The
 * number of spans of the run limits the room, because these ranks may have far more spans than the others. */
static void
reserve (LoomSlowdownReplay *replay, guint n, guint n_all, guint64 n_spans)
{
  loom_array_reserve (replay->operations, MIN ((gsize) replay->operations->len * n_all / n, n_spans));
  loom_array_reserve (replay->waits, MIN ((gsize) replay->waits->len * n_all / n, n_spans));
}

/* Reads as many ranks at a time as there are threads, and frees the memory of these ranks before the next ranks are
 * read. */
static void
read_ranks (Reading *reading, GArray *all)
{
  guint n_threads = MIN (loom_parallel_resolve (0), MOST_THREADS);
  for (guint first = 0; first < all->len && !g_cancellable_is_cancelled (reading->cancellable); first += n_threads) {
    LoomSlowdownRank *ranks = &g_array_index (all, LoomSlowdownRank, first);
    guint n = MIN (n_threads, all->len - first);
    loom_parallel_for (n, n_threads, read_item, ranks, NULL);
    for (guint i = 0; i < n; i++) {
      add_rank (reading, &ranks[i]);
      loom_slowdown_rank_clear (&ranks[i]);
    }
    if (first == 0)
      reserve (&reading->model->replay, n, all->len,
               loom_run_count_spans (loom_timeline_get_run (reading->collectives->timeline)));
  }
}

static void
read_traces (Reading *reading)
{
  LoomRun *run = loom_timeline_get_run (reading->collectives->timeline);
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (LoomSlowdownRank));
  reading->model->n_stages = reading->joins.stages.n;
  reading->model->replay.n_groups = reading->joins.joins->len;
  read_steps (reading);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    list_ranks_of_trace (reading, i, ranks);
  read_ranks (reading, ranks);
  for (guint i = 0; i < reading->model->steps->len; i++) {
    LoomSlowdownStep *step = &g_array_index (reading->model->steps, LoomSlowdownStep, i);
    step->measured_ns = loom_time_sub (step->range.end_ns, step->range.begin_ns);
  }
}

gboolean
loom_slowdown_kernels_read (LoomSlowdownModel *model, const LoomCollectives *collectives, GCancellable *cancellable)
{
  Reading reading = { .model = model,
                      .collectives = collectives,
                      .step_of_run = g_hash_table_new (loom_int64_hash_packed, NULL),
                      .likes = g_hash_table_new (loom_int64_hash_packed, NULL),
                      .kinds = g_hash_table_new (g_str_hash, g_str_equal),
                      .workers = g_hash_table_new_full (loom_rank_key_hash, loom_rank_key_equal, g_free, NULL),
                      .cancellable = cancellable };
  LoomRun *run = loom_timeline_get_run (collectives->timeline);
  gboolean done = loom_slowdown_joins_init (&reading.joins, model, collectives, cancellable);
  reading.steps = done ? loom_steps_new (collectives->timeline, cancellable) : NULL;
  done = reading.steps != NULL;
  if (done) {
    reading.recorded = loom_slowdown_steps_list (reading.steps, run);
    list_steps_of_traces (&reading, loom_run_get_n_traces (run));
    read_traces (&reading);
  }
  free_steps_of_traces (&reading, loom_run_get_n_traces (run));
  g_clear_pointer (&reading.recorded, g_ptr_array_unref);
  g_clear_pointer (&reading.steps, loom_steps_unref);
  loom_slowdown_joins_clear (&reading.joins);
  g_hash_table_unref (reading.step_of_run);
  g_hash_table_unref (reading.likes);
  g_hash_table_unref (reading.kinds);
  g_hash_table_unref (reading.workers);
  return done && !g_cancellable_is_cancelled (cancellable);
}
