/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the kernels and copies, and the calls of the host that launch them or wait for them. The calls of all threads
 * of a trace are treated as one sequence, sorted by time, because usually only one thread launches at a time.
 */
#include <string.h>

#include "loom-int64-hash.h"
#include "loom-launch-walk.h"
#include "loom-merge-sort.h"
#include "loom-rank-key.h"
#include "loom-slowdown-calls.h"
#include "loom-slowdown-joins.h"
#include "loom-slowdown-kernels.h"
#include "loom-slowdown-steps.h"
#include "loom-span-walk.h"
#include "loom-steps.h"
#include "loom-string-pool.h"
#include "loom-work-kind.h"

/* a call counts as waiting for the copy that it launches if two conditions hold: the call takes at least this long, and
 * it does not end before the copy */
#define SLOW_CALL_NS 50000

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
  /* `rank`, `node`: the rank that is being read, and its node. They are needed if the trace contains several ranks, for
   * example in a merged file; the node is needed because ranks of different nodes can have equal numbers. `rank` −1:
   * the trace has a single rank. */
  gint rank;
  const char *node;
  guint32 number, worker;
  guint32 step_track; /* track with the span of the last step that was read */
  const LoomTrace *trace;
  LoomSlowdownCalls own;
} Reading;

static guint32
find_number (GHashTable *table, guint64 key)
{
  gpointer found = g_hash_table_lookup (table, GSIZE_TO_POINTER (key));
  return found != NULL ? GPOINTER_TO_UINT (found) - 1 : LOOM_SLOWDOWN_NONE;
}

static void
set_number (GHashTable *table, guint64 key, guint32 number)
{
  g_hash_table_insert (table, GSIZE_TO_POINTER (key), GUINT_TO_POINTER (number + 1));
}

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
    guint32 found = find_number (reading->step_of_run, own->run_step);
    if (found == LOOM_SLOWDOWN_NONE) {
      const RunStep step = { { .number = own->number, .range = { own->begin_ns, own->end_ns } }, own->run_step };
      set_number (reading->step_of_run, own->run_step, joined->len);
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
    set_number (reading->step_of_run, one->run_step, reading->model->steps->len);
    g_array_append_val (reading->model->steps, one->step);
  }
  reading->model->replay.n_steps = reading->model->steps->len;
}

static void
add_event (Reading *reading, gint64 time_ns, LoomSlowdownCallType type, guint32 span, guint32 step)
{
  const LoomSlowdownCall event = {
    .time_ns = time_ns, .type = type, .span = span, .step = step, .kernel = LOOM_SLOWDOWN_NONE
  };
  g_array_append_val (reading->own.events, event);
}

/* Returns TRUE if the rank `rank` of `node` is being read: either the whole trace is read at once (reading->rank is
 * −1), or the ranks of the trace are read one by one, and this rank is the current one. */
static gboolean
is_read (const Reading *reading, const char *node, gint rank)
{
  return reading->rank < 0 || (rank == reading->rank && g_strcmp0 (node, reading->node) == 0);
}

static guint32
find_track (const Reading *reading, guint32 span)
{
  guint32 track, row;
  loom_trace_locate_span (reading->trace, span, &track, &row);
  return track;
}

static void
add_steps (Reading *reading)
{
  const GPtrArray *recorded = reading->recorded_of[reading->number];
  for (guint i = 0; recorded != NULL && i < recorded->len; i++) {
    const LoomStep *step = recorded->pdata[i];
    guint32 number = is_read (reading, step->node, step->rank) ? find_number (reading->step_of_run, step->run_step)
                                                               : LOOM_SLOWDOWN_NONE;
    if (number == LOOM_SLOWDOWN_NONE)
      continue;
    const LoomSlowdownPlace place = { reading->worker, number, step->span };
    g_array_append_val (reading->model->places, place);
    reading->step_track = find_track (reading, step->span.span);
    add_event (reading, step->begin_ns, LOOM_SLOWDOWN_STEP_BEGINS, LOOM_SLOWDOWN_NONE, number);
    add_event (reading, step->end_ns, LOOM_SLOWDOWN_STEP_ENDS, LOOM_SLOWDOWN_NONE, number);
  }
}

/* --- kernels and calls -------------------------------------------------------------------------------------------- */

static void
get_times (const Reading *reading, guint32 span, gint64 *begin_ns, gint64 *end_ns)
{
  loom_timeline_get_span (reading->collectives->timeline, (LoomSpanId) { reading->number, span }, begin_ns, end_ns);
}

static void
add_kernel (Reading *reading, const LoomLaunchWalk *walk, guint32 span, guint32 launch, guint32 stream)
{
  LoomSlowdownKernel kernel = { .span = span,
                                .launch = launch,
                                .launch_ns = LOOM_TIME_NONE,
                                .name_id = walk->spans->name_id[span],
                                .stream = stream,
                                .call = LOOM_SLOWDOWN_NONE,
                                .step = LOOM_SLOWDOWN_NONE,
                                .work = walk->works[1][walk->spans->name_id[span]] };
  gint64 launch_end_ns;
  get_times (reading, span, &kernel.begin_ns, &kernel.end_ns);
  if (launch != G_MAXUINT32)
    get_times (reading, launch, &kernel.launch_ns, &launch_end_ns);
  g_array_append_val (reading->own.kernels, kernel);
}

static void
read_kernels (Reading *reading, LoomLaunchWalk *walk)
{
  guint32 span, launch, stream = 0;
  for (guint i = 0; i < loom_trace_get_n_tracks (reading->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (reading->trace, i);
    guint first = reading->own.kernels->len;
    if (!is_read (reading, track->node, track->rank))
      continue;
    loom_launch_walk_begin (walk);
    loom_launch_walk_add_track (
      walk, track,
      loom_span_walk_get_local (reading->collectives->timeline, reading->number, track, reading->collectives->range));
    while (loom_launch_walk_next (walk, &span, &launch))
      add_kernel (reading, walk, span, launch, stream);
    stream += reading->own.kernels->len > first;
  }
}

#define IS_KERNEL_BEFORE(a, b) ((a)->begin_ns != (b)->begin_ns ? (a)->begin_ns < (b)->begin_ns : (a)->span < (b)->span)
LOOM_DEFINE_SORT (sort_kernels, LoomSlowdownKernel, IS_KERNEL_BEFORE)

static void
index_streams (Reading *reading)
{
  g_ptr_array_set_size (reading->own.streams, 0);
  for (guint32 i = 0; i < reading->own.kernels->len; i++) {
    guint32 stream = loom_slowdown_calls_get_kernel (&reading->own, i)->stream;
    while (reading->own.streams->len <= stream)
      g_ptr_array_add (reading->own.streams, g_array_new (FALSE, FALSE, sizeof (guint32)));
    g_array_append_val ((GArray *) reading->own.streams->pdata[stream], i);
  }
}

#define IS_CALL_BEFORE(a, b)                                  \
  ((a)->time_ns != (b)->time_ns ? (a)->time_ns < (b)->time_ns \
   : (a)->type != (b)->type     ? (a)->type < (b)->type       \
                                : (a)->span < (b)->span)
LOOM_DEFINE_SORT (sort_calls, LoomSlowdownCall, IS_CALL_BEFORE)

/* Adds one event for each call that launches kernels or copies, even if the call launches many of them. If the call
 * waited for a copy that it launched, also adds an event for the return of the call. */
static void
add_launches (Reading *reading)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  for (guint32 i = 0; i < reading->own.kernels->len; i++) {
    const LoomSlowdownKernel *kernel = loom_slowdown_calls_get_kernel (&reading->own, i);
    gint64 begin_ns, end_ns;
    if (kernel->launch == G_MAXUINT32)
      continue;
    if (g_hash_table_add (known, GUINT_TO_POINTER (kernel->launch)))
      add_event (reading, kernel->launch_ns, LOOM_SLOWDOWN_CALL, kernel->launch, LOOM_SLOWDOWN_NONE);
    get_times (reading, kernel->launch, &begin_ns, &end_ns);
    if (kernel->work != LOOM_WORK_KIND_MEMCPY || end_ns - begin_ns < SLOW_CALL_NS ||
        kernel->end_ns > end_ns + LOOM_SLOWDOWN_CLOCK_ERROR_NS)
      continue;
    add_event (reading, end_ns, LOOM_SLOWDOWN_CALL_RETURNS, kernel->launch, LOOM_SLOWDOWN_NONE);
    LoomSlowdownCall *event = &g_array_index (reading->own.events, LoomSlowdownCall, reading->own.events->len - 1);
    event->since_ns = begin_ns;
    event->kernel = i;
  }
}

/* `waits`: TRUE if `span`, a span of the host, is a call that waits for the device. If `waits` is TRUE, or `span`
 * belongs to a collective or message, adds events for the start and the end of `span`. Otherwise, does nothing. */
static void
add_host_span (Reading *reading, guint32 span, gboolean waits)
{
  gint64 begin_ns, end_ns;
  gboolean joins = loom_slowdown_joins_find (&reading->joins, reading->number, span) != NULL;
  if (!waits && !joins)
    return;
  get_times (reading, span, &begin_ns, &end_ns);
  add_event (reading, begin_ns, joins ? LOOM_SLOWDOWN_BARRIER : LOOM_SLOWDOWN_CALL, joins ? span : LOOM_SLOWDOWN_NONE,
             LOOM_SLOWDOWN_NONE);
  add_event (reading, end_ns, joins ? LOOM_SLOWDOWN_BARRIER_ENDS : LOOM_SLOWDOWN_CALL_RETURNS, span,
             LOOM_SLOWDOWN_NONE);
  g_array_index (reading->own.events, LoomSlowdownCall, reading->own.events->len - 1).since_ns = begin_ns;
}

static void
add_calls (Reading *reading, const LoomLaunchWalk *walk)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (reading->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (reading->trace, i);
    if (track->kind != LOOM_TRACK_SPANS || (track->flags & (LOOM_TRACK_DEVICE | LOOM_TRACK_DERIVED)) != 0 ||
        !is_read (reading, track->node, track->rank))
      continue;
    LoomRange local =
      loom_span_walk_get_local (reading->collectives->timeline, reading->number, track, reading->collectives->range);
    for (guint k = 0; k < track->n_rows; k++) {
      const LoomRow *row = loom_trace_get_row (reading->trace, track->first_row + k);
      guint32 end = row->first + loom_trace_row_lower_bound (reading->trace, row, local.end_ns);
      for (guint32 span = row->first + loom_trace_row_first_ending_after (reading->trace, row, local.begin_ns);
           span < end; span++) {
        guint8 work = walk->works[0][walk->spans->name_id[span]];
        if (work == LOOM_WORK_KIND_SYNC || work == LOOM_WORK_KIND_COLLECTIVE)
          add_host_span (reading, span, work == LOOM_WORK_KIND_SYNC);
      }
    }
  }
}

/* Returns the index of the step that contains `time_ns`; LOOM_SLOWDOWN_NONE: there is none. O(log events). */
static guint32
find_step_at (const Reading *reading, gint64 time_ns)
{
  guint32 low = 0, high = reading->own.events->len;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (g_array_index (reading->own.events, LoomSlowdownCall, middle).time_ns <= time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return LOOM_SLOWDOWN_NONE;
  const LoomSlowdownCall *last = &g_array_index (reading->own.events, LoomSlowdownCall, low - 1);
  return last->type == LOOM_SLOWDOWN_STEP_ENDS ? LOOM_SLOWDOWN_NONE : last->step;
}

/* Sets, for each kernel, the index of its launch in reading->own.events, and the step in which it was launched. Also
 * sets the steps of the events. */
static void
number_launches (Reading *reading)
{
  g_autoptr (GHashTable) calls = g_hash_table_new (NULL, NULL), steps = g_hash_table_new (NULL, NULL);
  guint32 step = LOOM_SLOWDOWN_NONE, n_linked = 0;
  for (guint32 i = 0; i < reading->own.events->len; i++) {
    LoomSlowdownCall *event = &g_array_index (reading->own.events, LoomSlowdownCall, i);
    if (event->type == LOOM_SLOWDOWN_STEP_BEGINS)
      step = event->step;
    else if (event->type == LOOM_SLOWDOWN_STEP_ENDS)
      step = LOOM_SLOWDOWN_NONE;
    else
      event->step = step;
    if (event->type == LOOM_SLOWDOWN_CALL && event->span != LOOM_SLOWDOWN_NONE)
      g_hash_table_insert (calls, GUINT_TO_POINTER (event->span), GUINT_TO_POINTER (i + 1));
  }
  for (guint32 i = 0; i < reading->own.kernels->len; i++) {
    LoomSlowdownKernel *kernel = loom_slowdown_calls_get_kernel (&reading->own, i);
    gpointer call =
      kernel->launch != G_MAXUINT32 ? g_hash_table_lookup (calls, GUINT_TO_POINTER (kernel->launch)) : NULL;
    n_linked += kernel->launch != G_MAXUINT32;
    if (call == NULL) {
      kernel->step = find_step_at (reading, kernel->begin_ns);
      continue;
    }
    kernel->call = GPOINTER_TO_UINT (call) - 1;
    kernel->step = g_array_index (reading->own.events, LoomSlowdownCall, kernel->call).step;
    kernel->aside = find_track (reading, kernel->launch) != reading->step_track;
  }
  reading->model->has_launches |= n_linked > 0;
  reading->model->lacks_launches |= n_linked < reading->own.kernels->len / 2;
}

/* --- operations made of kernels and calls ------------------------------------------------------------------------- */

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

/* Returns the index of the set of kernels with which `kernel` can be compared. Comparable kernels have the same name,
 * the same position `place` among the kernels of this name in their step, and the same number `n` of kernels of this
 * name in the step. Kernels launched by the thread with the step spans are in other sets than kernels launched by other
 * threads, and their positions are counted separately. The reason is that backward kernels are launched by other
 * threads, and the order of forward and backward kernels differs between stages. */
static guint32
find_like (Reading *reading, const LoomSlowdownKernel *kernel, guint32 place, guint32 n)
{
  const char *name = loom_trace_get_name (reading->trace, kernel->name_id)->text;
  guint64 key = loom_string_pool_hash (name, strlen (name));
  key = loom_string_pool_hash_join (key, (guint64) place << 32 | n);
  key = loom_string_pool_hash_join (key, kernel->aside);
  guint32 like = find_number (reading->likes, key);
  if (like == LOOM_SLOWDOWN_NONE) {
    like = loom_slowdown_model_add_like (reading->model, find_kind (reading, name), FALSE);
    set_number (reading->likes, key, like);
  }
  return like;
}

static guint64
get_count_key (const LoomSlowdownKernel *kernel)
{
  return (guint64) kernel->step << 33 | (guint64) kernel->aside << 32 | kernel->name_id;
}

static void
add_kernel_operations (Reading *reading)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (loom_int64_hash_packed, NULL),
                         places = g_hash_table_new (loom_int64_hash_packed, NULL);
  for (guint32 i = 0; i < reading->own.kernels->len; i++) {
    guint64 key = get_count_key (loom_slowdown_calls_get_kernel (&reading->own, i));
    /* for a new key, find_number() returns LOOM_SLOWDOWN_NONE (G_MAXUINT32), so the sum wraps around to 0 */
    set_number (counts, key, find_number (counts, key) + 1);
  }
  for (guint32 i = 0; i < reading->own.kernels->len; i++) {
    const LoomSlowdownKernel *kernel = loom_slowdown_calls_get_kernel (&reading->own, i);
    const LoomSlowdownJoin *join = loom_slowdown_joins_find (&reading->joins, reading->number, kernel->span);
    gint64 from_ns = join != NULL ? join->joined_ns : kernel->begin_ns;
    guint64 key = get_count_key (kernel);
    LoomSlowdownOperation operation = { .duration_ns = MAX (0, kernel->end_ns - from_ns),
                                        .begin_ns = kernel->begin_ns,
                                        .group = join != NULL ? join->group : LOOM_SLOWDOWN_NONE,
                                        .like = join != NULL ? join->like : LOOM_SLOWDOWN_NONE,
                                        .worker = reading->worker,
                                        .step = kernel->step,
                                        .flags = LOOM_SLOWDOWN_CLOSES };
    if (join != NULL && join->is_collective)
      operation.flags |= LOOM_SLOWDOWN_WAITS;
    guint32 place = find_number (places, key) + 1;
    set_number (places, key, place);
    if (join == NULL && kernel->step != LOOM_SLOWDOWN_NONE && kernel->work != LOOM_WORK_KIND_COMMUNICATION)
      operation.like = find_like (reading, kernel, place, find_number (counts, key));
    loom_slowdown_replay_add (&reading->model->replay, &operation);
    if (kernel->step != LOOM_SLOWDOWN_NONE) {
      LoomSlowdownStep *step = &g_array_index (reading->model->steps, LoomSlowdownStep, kernel->step);
      step->range.end_ns = MAX (step->range.end_ns, kernel->end_ns);
    }
  }
}

static void
add_event_operations (Reading *reading)
{
  for (guint32 i = 0; i < reading->own.events->len; i++) {
    const LoomSlowdownCall *event = &g_array_index (reading->own.events, LoomSlowdownCall, i);
    LoomSlowdownOperation operation = { .begin_ns = event->time_ns,
                                        .group = LOOM_SLOWDOWN_NONE,
                                        .like = LOOM_SLOWDOWN_NONE,
                                        .worker = reading->worker,
                                        .step = event->step,
                                        .flags = event->type == LOOM_SLOWDOWN_STEP_BEGINS ? LOOM_SLOWDOWN_OPENS
                                                 : event->type == LOOM_SLOWDOWN_STEP_ENDS ? LOOM_SLOWDOWN_CLOSES
                                                                                          : 0 };
    const LoomSlowdownJoin *join = event->type == LOOM_SLOWDOWN_BARRIER_ENDS
                                     ? loom_slowdown_joins_find (&reading->joins, reading->number, event->span)
                                     : NULL;
    if (join != NULL) {
      operation.group = join->group;
      operation.duration_ns = MAX (0, event->time_ns - join->joined_ns);
    }
    loom_slowdown_replay_add (&reading->model->replay, &operation);
  }
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
read_rank (Reading *reading, const LoomRankKey *key, gboolean has_others)
{
  LoomLaunchWalk walk;
  reading->rank = has_others ? key->rank : -1;
  reading->node = key->node;
  reading->worker = find_worker (reading, key);
  g_array_set_size (reading->own.kernels, 0);
  g_array_set_size (reading->own.events, 0);
  loom_launch_walk_init (&walk, reading->trace);
  read_kernels (reading, &walk);
  sort_kernels ((LoomSlowdownKernel *) (gpointer) reading->own.kernels->data, reading->own.kernels->len);
  index_streams (reading);
  add_steps (reading);
  add_launches (reading);
  add_calls (reading, &walk);
  sort_calls ((LoomSlowdownCall *) (gpointer) reading->own.events->data, reading->own.events->len);
  number_launches (reading);
  reading->own.first_kernel = reading->model->replay.operations->len;
  reading->own.first_event = reading->own.first_kernel + reading->own.kernels->len;
  add_kernel_operations (reading);
  add_event_operations (reading);
  loom_slowdown_calls_connect (&reading->own, &reading->model->replay);
  loom_launch_walk_clear (&walk);
}

static void
read_trace (Reading *reading, guint number)
{
  reading->number = number;
  reading->trace = loom_run_get_trace (loom_timeline_get_run (reading->collectives->timeline), number);
  g_autoptr (GArray) ranks = list_ranks (reading->trace);
  for (guint i = 0; i < ranks->len && !g_cancellable_is_cancelled (reading->cancellable); i++)
    read_rank (reading, &g_array_index (ranks, LoomRankKey, i), ranks->len > 1);
}

static void
read_traces (Reading *reading)
{
  LoomRun *run = loom_timeline_get_run (reading->collectives->timeline);
  reading->model->n_stages = reading->joins.stages.n;
  reading->model->replay.n_groups = reading->joins.joins->len;
  read_steps (reading);
  for (guint i = 0; i < loom_run_get_n_traces (run) && !g_cancellable_is_cancelled (reading->cancellable); i++)
    read_trace (reading, i);
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
  loom_slowdown_calls_init (&reading.own);
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
  loom_slowdown_calls_clear (&reading.own);
  return done && !g_cancellable_is_cancelled (cancellable);
}
