/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of all threads of a rank are treated as one sequence, sorted by time, because usually only one thread
 * launches at a time.
 */
#include "loom-slowdown-rank.h"

#include <string.h>

#include "loom-int64-hash.h"
#include "loom-launch-walk.h"
#include "loom-merge-sort.h"
#include "loom-slowdown-numbers.h"
#include "loom-span-walk.h"
#include "loom-steps.h"
#include "loom-string-pool.h"
#include "loom-work-kind.h"

/* a call counts as waiting for the copy that it launches if two conditions hold: the call takes at least this long, and
 * it does not end before the copy */
#define SLOW_CALL_NS 50000

static void
add_event (LoomSlowdownRank *rank, gint64 time_ns, LoomSlowdownCallType type, guint32 span, guint32 step)
{
  const LoomSlowdownCall event = {
    .time_ns = time_ns, .type = type, .span = span, .step = step, .kernel = LOOM_SLOWDOWN_NONE
  };
  g_array_append_val (rank->own.events, event);
}

/* Returns TRUE if events of the rank `number` of `node` belong to the rank that is being read. */
static gboolean
is_own (const LoomSlowdownRank *rank, const char *node, gint number)
{
  return !rank->has_others || (number == rank->key.rank && g_strcmp0 (node, rank->key.node) == 0);
}

static guint32
find_track (const LoomSlowdownRank *rank, guint32 span)
{
  guint32 track, row;
  loom_trace_locate_span (rank->trace, span, &track, &row);
  return track;
}

static void
add_steps (LoomSlowdownRank *rank)
{
  for (guint i = 0; rank->steps != NULL && i < rank->steps->len; i++) {
    const LoomStep *step = rank->steps->pdata[i];
    guint32 number = is_own (rank, step->node, step->rank)
                       ? loom_slowdown_numbers_find (rank->step_of_run, step->run_step)
                       : LOOM_SLOWDOWN_NONE;
    if (number == LOOM_SLOWDOWN_NONE)
      continue;
    const LoomSlowdownPlace place = { 0, number, step->span };
    g_array_append_val (rank->places, place);
    rank->step_track = find_track (rank, step->span.span);
    add_event (rank, step->begin_ns, LOOM_SLOWDOWN_STEP_BEGINS, LOOM_SLOWDOWN_NONE, number);
    add_event (rank, step->end_ns, LOOM_SLOWDOWN_STEP_ENDS, LOOM_SLOWDOWN_NONE, number);
  }
}

/* --- kernels and calls -------------------------------------------------------------------------------------------- */

static void
get_times (const LoomSlowdownRank *rank, guint32 span, gint64 *begin_ns, gint64 *end_ns)
{
  loom_timeline_get_span (rank->collectives->timeline, (LoomSpanId) { rank->number, span }, begin_ns, end_ns);
}

static void
add_kernel (LoomSlowdownRank *rank, const LoomLaunchWalk *walk, guint32 span, guint32 launch, guint32 stream)
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
  get_times (rank, span, &kernel.begin_ns, &kernel.end_ns);
  if (launch != G_MAXUINT32)
    get_times (rank, launch, &kernel.launch_ns, &launch_end_ns);
  g_array_append_val (rank->own.kernels, kernel);
}

static void
read_kernels (LoomSlowdownRank *rank, LoomLaunchWalk *walk)
{
  guint32 span, launch, stream = 0;
  for (guint i = 0; i < loom_trace_get_n_tracks (rank->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (rank->trace, i);
    guint first = rank->own.kernels->len;
    if (!is_own (rank, track->node, track->rank))
      continue;
    loom_launch_walk_begin (walk);
    loom_launch_walk_add_track (
      walk, track,
      loom_span_walk_get_local (rank->collectives->timeline, rank->number, track, rank->collectives->range));
    while (loom_launch_walk_next (walk, &span, &launch))
      add_kernel (rank, walk, span, launch, stream);
    stream += rank->own.kernels->len > first;
  }
}

#define IS_KERNEL_BEFORE(a, b) ((a)->begin_ns != (b)->begin_ns ? (a)->begin_ns < (b)->begin_ns : (a)->span < (b)->span)
LOOM_DEFINE_SORT (sort_kernels, LoomSlowdownKernel, IS_KERNEL_BEFORE)

static void
index_streams (LoomSlowdownRank *rank)
{
  g_ptr_array_set_size (rank->own.streams, 0);
  for (guint32 i = 0; i < rank->own.kernels->len; i++) {
    guint32 stream = loom_slowdown_calls_get_kernel (&rank->own, i)->stream;
    while (rank->own.streams->len <= stream)
      g_ptr_array_add (rank->own.streams, g_array_new (FALSE, FALSE, sizeof (guint32)));
    g_array_append_val ((GArray *) rank->own.streams->pdata[stream], i);
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
add_launches (LoomSlowdownRank *rank)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  for (guint32 i = 0; i < rank->own.kernels->len; i++) {
    const LoomSlowdownKernel *kernel = loom_slowdown_calls_get_kernel (&rank->own, i);
    gint64 begin_ns, end_ns;
    if (kernel->launch == G_MAXUINT32)
      continue;
    if (g_hash_table_add (known, GUINT_TO_POINTER (kernel->launch)))
      add_event (rank, kernel->launch_ns, LOOM_SLOWDOWN_CALL, kernel->launch, LOOM_SLOWDOWN_NONE);
    if (kernel->work != LOOM_WORK_KIND_MEMCPY)
      continue;
    get_times (rank, kernel->launch, &begin_ns, &end_ns);
    if (end_ns - begin_ns < SLOW_CALL_NS || kernel->end_ns > end_ns + LOOM_SLOWDOWN_CLOCK_ERROR_NS)
      continue;
    add_event (rank, end_ns, LOOM_SLOWDOWN_CALL_RETURNS, kernel->launch, LOOM_SLOWDOWN_NONE);
    LoomSlowdownCall *event = &g_array_index (rank->own.events, LoomSlowdownCall, rank->own.events->len - 1);
    event->since_ns = begin_ns;
    event->kernel = i;
  }
}

/* `waits`: TRUE if `span`, a span of the host, is a call that waits for the device. If `waits` is TRUE, or `span`
 * belongs to a collective or message, adds events for the start and the end of `span`. Otherwise, does nothing. */
static void
add_host_span (LoomSlowdownRank *rank, guint32 span, gboolean waits)
{
  gint64 begin_ns, end_ns;
  gboolean joins = loom_slowdown_joins_find (rank->joins, rank->number, span) != NULL;
  if (!waits && !joins)
    return;
  get_times (rank, span, &begin_ns, &end_ns);
  add_event (rank, begin_ns, joins ? LOOM_SLOWDOWN_BARRIER : LOOM_SLOWDOWN_CALL, joins ? span : LOOM_SLOWDOWN_NONE,
             LOOM_SLOWDOWN_NONE);
  add_event (rank, end_ns, joins ? LOOM_SLOWDOWN_BARRIER_ENDS : LOOM_SLOWDOWN_CALL_RETURNS, span, LOOM_SLOWDOWN_NONE);
  g_array_index (rank->own.events, LoomSlowdownCall, rank->own.events->len - 1).since_ns = begin_ns;
}

static void
add_calls (LoomSlowdownRank *rank, const LoomLaunchWalk *walk)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (rank->trace); i++) {
    const LoomTrack *track = loom_trace_get_track (rank->trace, i);
    if (track->kind != LOOM_TRACK_SPANS || (track->flags & (LOOM_TRACK_DEVICE | LOOM_TRACK_DERIVED)) != 0 ||
        !is_own (rank, track->node, track->rank))
      continue;
    LoomRange local =
      loom_span_walk_get_local (rank->collectives->timeline, rank->number, track, rank->collectives->range);
    for (guint k = 0; k < track->n_rows; k++) {
      const LoomRow *row = loom_trace_get_row (rank->trace, track->first_row + k);
      guint32 end = row->first + loom_trace_row_lower_bound (rank->trace, row, local.end_ns);
      for (guint32 span = row->first + loom_trace_row_first_ending_after (rank->trace, row, local.begin_ns); span < end;
           span++) {
        guint8 work = walk->works[0][walk->spans->name_id[span]];
        if (work == LOOM_WORK_KIND_SYNC || work == LOOM_WORK_KIND_COLLECTIVE)
          add_host_span (rank, span, work == LOOM_WORK_KIND_SYNC);
      }
    }
  }
}

/* Returns the index of the step that contains `time_ns`; LOOM_SLOWDOWN_NONE: there is none. O(log events). */
static guint32
find_step_at (const LoomSlowdownRank *rank, gint64 time_ns)
{
  guint32 low = 0, high = rank->own.events->len;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (g_array_index (rank->own.events, LoomSlowdownCall, middle).time_ns <= time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0)
    return LOOM_SLOWDOWN_NONE;
  const LoomSlowdownCall *last = &g_array_index (rank->own.events, LoomSlowdownCall, low - 1);
  return last->type == LOOM_SLOWDOWN_STEP_ENDS ? LOOM_SLOWDOWN_NONE : last->step;
}

/* Sets, for each kernel, the index of its launch in rank->own.events, and the step in which it was launched. Also
 * sets the steps of the events. */
static void
number_launches (LoomSlowdownRank *rank)
{
  g_autoptr (GHashTable) calls = g_hash_table_new (NULL, NULL), steps = g_hash_table_new (NULL, NULL);
  guint32 step = LOOM_SLOWDOWN_NONE, n_linked = 0;
  for (guint32 i = 0; i < rank->own.events->len; i++) {
    LoomSlowdownCall *event = &g_array_index (rank->own.events, LoomSlowdownCall, i);
    if (event->type == LOOM_SLOWDOWN_STEP_BEGINS)
      step = event->step;
    else if (event->type == LOOM_SLOWDOWN_STEP_ENDS)
      step = LOOM_SLOWDOWN_NONE;
    else
      event->step = step;
    if (event->type == LOOM_SLOWDOWN_CALL && event->span != LOOM_SLOWDOWN_NONE)
      g_hash_table_insert (calls, GUINT_TO_POINTER (event->span), GUINT_TO_POINTER (i + 1));
  }
  for (guint32 i = 0; i < rank->own.kernels->len; i++) {
    LoomSlowdownKernel *kernel = loom_slowdown_calls_get_kernel (&rank->own, i);
    gpointer call =
      kernel->launch != G_MAXUINT32 ? g_hash_table_lookup (calls, GUINT_TO_POINTER (kernel->launch)) : NULL;
    n_linked += kernel->launch != G_MAXUINT32;
    if (call == NULL) {
      kernel->step = find_step_at (rank, kernel->begin_ns);
      continue;
    }
    kernel->call = GPOINTER_TO_UINT (call) - 1;
    kernel->step = g_array_index (rank->own.events, LoomSlowdownCall, kernel->call).step;
    kernel->aside = find_track (rank, kernel->launch) != rank->step_track;
  }
  rank->has_launches = n_linked > 0;
  rank->lacks_launches = n_linked < rank->own.kernels->len / 2;
}

/* Sets LoomSlowdownRank.idle_ns. The time before a kernel belongs to the step of this kernel. */
static void
add_up_idle (LoomSlowdownRank *rank)
{
  gint64 until_ns = G_MAXINT64;
  for (guint32 i = 0; i < rank->own.kernels->len; i++) {
    const LoomSlowdownKernel *kernel = loom_slowdown_calls_get_kernel (&rank->own, i);
    if (kernel->step != LOOM_SLOWDOWN_NONE && kernel->begin_ns > until_ns)
      rank->idle_ns = loom_time_add (rank->idle_ns, loom_time_sub (kernel->begin_ns, until_ns));
    until_ns = i == 0 ? kernel->end_ns : MAX (until_ns, kernel->end_ns);
  }
}

/* --- operations made of kernels and calls ------------------------------------------------------------------------- */

/* Returns a key for a kernel that is equal for comparable kernels. Comparable kernels have the same name, the same
 * position `place` among the kernels of this name in their step, and the same number `n` of kernels of this name in the
 * step. Kernels launched by the thread with the step spans have other keys than kernels launched by other threads, and
 * their positions are counted separately. The reason is that backward kernels are launched by other threads, and the
 * order of forward and backward kernels differs between stages. */
static guint64
get_like_key (const LoomSlowdownRank *rank, const LoomSlowdownKernel *kernel, guint32 place, guint32 n)
{
  const char *name = loom_trace_get_name (rank->trace, kernel->name_id)->text;
  guint64 key = loom_string_pool_hash (name, strlen (name));
  key = loom_string_pool_hash_join (key, (guint64) place << 32 | n);
  return MAX (loom_string_pool_hash_join (key, kernel->aside), 1);
}

static guint64
get_count_key (const LoomSlowdownKernel *kernel)
{
  return (guint64) kernel->step << 33 | (guint64) kernel->aside << 32 | kernel->name_id;
}

static LoomSlowdownOperation
make_kernel_operation (const LoomSlowdownKernel *kernel, const LoomSlowdownJoin *join)
{
  gint64 from_ns = join != NULL ? join->joined_ns : kernel->begin_ns;
  gboolean waits = join != NULL && join->is_collective;
  return (LoomSlowdownOperation) { .duration_ns = MAX (0, kernel->end_ns - from_ns),
                                   .begin_ns = kernel->begin_ns,
                                   .group = join != NULL ? join->group : LOOM_SLOWDOWN_NONE,
                                   .like = join != NULL ? join->like : LOOM_SLOWDOWN_NONE,
                                   .step = kernel->step,
                                   .flags = LOOM_SLOWDOWN_CLOSES | (waits ? LOOM_SLOWDOWN_WAITS : 0) };
}

static void
add_kernel_operations (LoomSlowdownRank *rank)
{
  g_autoptr (GHashTable) counts = g_hash_table_new (loom_int64_hash_packed, NULL),
                         places = g_hash_table_new (loom_int64_hash_packed, NULL);
  rank->like_keys = g_new0 (guint64, (gsize) rank->own.kernels->len + 1);
  for (guint32 i = 0; i < rank->own.kernels->len; i++) {
    guint64 key = get_count_key (loom_slowdown_calls_get_kernel (&rank->own, i));
    /* for a new key, loom_slowdown_numbers_find() returns LOOM_SLOWDOWN_NONE (G_MAXUINT32), so the sum wraps around to
     * 0 */
    loom_slowdown_numbers_set (counts, key, loom_slowdown_numbers_find (counts, key) + 1);
  }
  for (guint32 i = 0; i < rank->own.kernels->len; i++) {
    const LoomSlowdownKernel *kernel = loom_slowdown_calls_get_kernel (&rank->own, i);
    const LoomSlowdownJoin *join = loom_slowdown_joins_find (rank->joins, rank->number, kernel->span);
    const LoomSlowdownOperation operation = make_kernel_operation (kernel, join);
    guint64 key = get_count_key (kernel);
    guint32 place = loom_slowdown_numbers_find (places, key) + 1;
    loom_slowdown_numbers_set (places, key, place);
    if (join == NULL && kernel->step != LOOM_SLOWDOWN_NONE && kernel->work != LOOM_WORK_KIND_COMMUNICATION)
      rank->like_keys[i] = get_like_key (rank, kernel, place, loom_slowdown_numbers_find (counts, key));
    loom_slowdown_replay_add (&rank->replay, &operation);
  }
}

static void
add_event_operations (LoomSlowdownRank *rank)
{
  for (guint32 i = 0; i < rank->own.events->len; i++) {
    const LoomSlowdownCall *event = &g_array_index (rank->own.events, LoomSlowdownCall, i);
    LoomSlowdownOperation operation = { .begin_ns = event->time_ns,
                                        .group = LOOM_SLOWDOWN_NONE,
                                        .like = LOOM_SLOWDOWN_NONE,
                                        .step = event->step,
                                        .flags = event->type == LOOM_SLOWDOWN_STEP_BEGINS ? LOOM_SLOWDOWN_OPENS
                                                 : event->type == LOOM_SLOWDOWN_STEP_ENDS ? LOOM_SLOWDOWN_CLOSES
                                                                                          : 0 };
    const LoomSlowdownJoin *join = event->type == LOOM_SLOWDOWN_BARRIER_ENDS
                                     ? loom_slowdown_joins_find (rank->joins, rank->number, event->span)
                                     : NULL;
    if (join != NULL) {
      operation.group = join->group;
      operation.duration_ns = MAX (0, event->time_ns - join->joined_ns);
    }
    loom_slowdown_replay_add (&rank->replay, &operation);
  }
}

/* --- reading a rank ----------------------------------------------------------------------------------------------- */

static void
init (LoomSlowdownRank *rank)
{
  rank->trace = loom_run_get_trace (loom_timeline_get_run (rank->collectives->timeline), rank->number);
  rank->places = g_array_new (FALSE, FALSE, sizeof (LoomSlowdownPlace));
  loom_slowdown_calls_init (&rank->own);
  loom_slowdown_replay_init (&rank->replay);
}

void
loom_slowdown_rank_read (LoomSlowdownRank *rank)
{
  LoomLaunchWalk walk;
  init (rank);
  loom_launch_walk_init (&walk, rank->trace);
  read_kernels (rank, &walk);
  sort_kernels ((LoomSlowdownKernel *) (gpointer) rank->own.kernels->data, rank->own.kernels->len);
  index_streams (rank);
  add_steps (rank);
  add_launches (rank);
  add_calls (rank, &walk);
  sort_calls ((LoomSlowdownCall *) (gpointer) rank->own.events->data, rank->own.events->len);
  number_launches (rank);
  add_up_idle (rank);
  rank->own.first_event = rank->own.kernels->len;
  add_kernel_operations (rank);
  add_event_operations (rank);
  loom_slowdown_calls_connect (&rank->own, &rank->replay);
  loom_launch_walk_clear (&walk);
}

void
loom_slowdown_rank_clear (LoomSlowdownRank *rank)
{
  loom_slowdown_calls_clear (&rank->own);
  loom_slowdown_replay_clear (&rank->replay);
  g_clear_pointer (&rank->like_keys, g_free);
  g_clear_pointer (&rank->places, g_array_unref);
}
