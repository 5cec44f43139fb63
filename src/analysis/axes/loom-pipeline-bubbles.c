/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-pipeline-bubbles.h"

#include <math.h>
#include <string.h>

#include "loom-launch-walk.h"
#include "loom-merge-sort.h"
#include "loom-span-walk.h"
#include "loom-transfer-list.h"
#include "loom-work-kind.h"

/* A time range in which a rank works: a kernel that computes, or the part of a collective after its last rank
 * arrived. */
typedef struct {
  gint64 begin_ns, end_ns; /* on the timeline */
  guint32 step;            /* LoomStep.run_step; LOOM_NO_RUN_STEP: the work belongs to no step */
  guint32 rank;            /* index of the rank in LoomParallelAxes.all */
  guint8 computes;         /* TRUE: computation; FALSE: a transfer */
  /* TRUE: a kernel of the backward pass. It is recognised by its launch: the thread that has the step spans launches
   * only forward kernels, so a kernel that another thread launched counts as backward. */
  guint8 backward;
} Work;

/* A time range in which the host of a rank executed the optimizer. The rank is stored because one trace file may
 * contain the hosts of several ranks. */
typedef struct {
  LoomRange range;
  gint rank; /* −1: unknown */
} Optimizer;

typedef struct {
  const LoomParallelAxes *axes;
  LoomCollectives *collectives;
  LoomSteps *steps; /* the steps to measure */
  gint64 *numbers;  /* [LoomStep.run_step] number of the step */
  GCancellable *cancellable;
  GArray *works;      /* Work, sorted by rank, then step, then start; transfers have the step LOOM_NO_RUN_STEP */
  GArray *stretches;  /* Stretch (the work of one rank in one step), in the order of `works` */
  GArray *messages;   /* Message, sorted by sender, then receiver, then begin */
  GArray *optimizers; /* Optimizer, sorted by rank, then start; refilled for each trace */
  GArray *busy;       /* LoomRange: the times in which one rank is busy in the step being measured, sorted */
  LoomBubbles *result;
} Reading;

/* The work of one rank in one step: elements [first, first + n) of `works`. */
typedef struct {
  guint32 rank, first, n;
  guint32 step; /* LoomStep.run_step; LOOM_NO_RUN_STEP: the elements are transfers, which are not assigned to steps */
} Stretch;

/* A message from one rank of a pipeline to another. */
typedef struct {
  gint from, to;
  gint64 begin_ns;
} Message;

static guint32
get_index (const Reading *reading, const LoomParallelRank *rank)
{
  return (guint32) (rank - (const LoomParallelRank *) (gconstpointer) reading->axes->all->data);
}

/* --- computation of a stage, from its kernels --------------------------------------------------------------------- */

static gboolean
is_optimizer (const char *name)
{
  return g_str_has_prefix (name, "Optimizer.step");
}

static int
compare_ranges (gconstpointer a, gconstpointer b)
{
  const LoomRange *x = a, *y = b;
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static gboolean
is_before (const Optimizer *optimizer, gint rank, gint64 time_ns)
{
  return optimizer->rank != rank ? optimizer->rank < rank : optimizer->range.begin_ns <= time_ns;
}

static int
compare_optimizers (gconstpointer a, gconstpointer b)
{
  const Optimizer *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->range.begin_ns < y->range.begin_ns ? -1 : x->range.begin_ns > y->range.begin_ns;
}

/* Finds the times in which hosts executed the optimizer in the trace with index `number`, and replaces
 * reading->optimizers by them. O(spans of the rows on the host). */
static void
find_optimizers (Reading *reading, guint number)
{
  LoomTimeline *timeline = reading->collectives->timeline;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), number);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  g_autofree guint8 *wanted = g_new0 (guint8, loom_trace_get_n_names (trace) + 1);
  guint n_wanted = 0;
  g_array_set_size (reading->optimizers, 0);
  for (guint i = 0; i < loom_trace_get_n_names (trace); i++)
    n_wanted += wanted[i] = is_optimizer (loom_trace_get_name (trace, i)->text);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace) && n_wanted > 0; i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (track->kind != LOOM_TRACK_SPANS || (track->flags & (LOOM_TRACK_DEVICE | LOOM_TRACK_DERIVED)) != 0)
      continue;
    for (guint k = 0; k < track->n_rows; k++) {
      const LoomRow *row = loom_trace_get_row (trace, track->first_row + k);
      for (guint32 span = row->first; span < row->first + row->n; span++) {
        Optimizer own = { .rank = track->rank };
        if (!wanted[spans->name_id[span]])
          continue;
        loom_timeline_get_span (timeline, (LoomSpanId) { number, span }, &own.range.begin_ns, &own.range.end_ns);
        g_array_append_val (reading->optimizers, own);
      }
    }
  }
  g_array_sort (reading->optimizers, compare_optimizers);
}

static gboolean
is_in_optimizer (const Reading *reading, gint rank, gint64 time_ns)
{
  guint low = 0, high = reading->optimizers->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (is_before (&g_array_index (reading->optimizers, Optimizer, middle), rank, time_ns))
      low = middle + 1;
    else
      high = middle;
  }
  const Optimizer *last = low > 0 ? &g_array_index (reading->optimizers, Optimizer, low - 1) : NULL;
  return last != NULL && last->rank == rank && time_ns < last->range.end_ns;
}

static guint32
find_track (const LoomTrace *trace, guint32 span)
{
  guint32 track, row;
  loom_trace_locate_span (trace, span, &track, &row);
  return track;
}

/* Returns LoomStep.run_step of the step in which a kernel was launched; LOOM_NO_RUN_STEP: it was launched outside of
 * the measured steps. Sets `backward` to TRUE if the launching thread is not the thread with the step spans. */
static guint32
find_step (const Reading *reading, const LoomTrace *trace, guint number, gint rank, guint32 launch, gint64 time_ns,
           guint8 *backward)
{
  const LoomStep *step;
  *backward = FALSE;
  if (!loom_steps_at_rank (reading->steps, NULL, rank, NULL, time_ns, &step) || step == NULL || time_ns >= step->end_ns)
    return LOOM_NO_RUN_STEP;
  *backward = launch != G_MAXUINT32 && step->span.trace == number &&
              find_track (trace, launch) != find_track (trace, step->span.span);
  return step->run_step;
}

static void
add_kernel (Reading *reading, const LoomLaunchWalk *walk, guint number, gint rank, guint32 span, guint32 launch)
{
  LoomTimeline *timeline = reading->collectives->timeline;
  const LoomParallelRank *own = loom_parallel_axes_find (reading->axes, rank);
  gint64 launch_ns, launch_end_ns;
  Work work = { .computes = TRUE };
  if (own == NULL || walk->works[1][walk->spans->name_id[span]] != LOOM_WORK_KIND_COMPUTE)
    return;
  loom_timeline_get_span (timeline, (LoomSpanId) { number, span }, &work.begin_ns, &work.end_ns);
  launch_ns = work.begin_ns;
  if (launch != G_MAXUINT32)
    loom_timeline_get_span (timeline, (LoomSpanId) { number, launch }, &launch_ns, &launch_end_ns);
  work.step = find_step (reading, walk->trace, number, rank, launch, launch_ns, &work.backward);
  work.rank = get_index (reading, own);
  if (work.step != LOOM_NO_RUN_STEP && !is_in_optimizer (reading, rank, launch_ns) &&
      !is_in_optimizer (reading, -1, launch_ns))
    g_array_append_val (reading->works, work);
}

/* Adds the kernels of a trace that were launched in the measured steps. Kernels are read up to the end of the run, even
 * beyond the range, because a device may execute a kernel after the end of the step that launched it. */
static void
read_trace (Reading *reading, guint number)
{
  const LoomRange range = { reading->collectives->range.begin_ns, G_MAXINT64 };
  LoomLaunchWalk walk;
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (reading->collectives->timeline), number);
  guint32 span, launch;
  find_optimizers (reading, number);
  loom_launch_walk_init (&walk, trace);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    loom_launch_walk_begin (&walk);
    loom_launch_walk_add_track (&walk, track,
                                loom_span_walk_get_local (reading->collectives->timeline, number, track, range));
    while (loom_launch_walk_next (&walk, &span, &launch))
      add_kernel (reading, &walk, number, track->rank, span, launch);
  }
  loom_launch_walk_clear (&walk);
}

/* --- transfers within a stage ------------------------------------------------------------------------------------- */

/* For a collective between ranks of one stage, adds a Work for each rank: from the arrival of the last rank to the end
 * of the collective on this rank. The step of the Work is LOOM_NO_RUN_STEP; measure_stage() counts the part of the Work
 * that lies in the window of a step. */
static void
add_members (Reading *reading, const LoomCollectives *collectives, const LoomCollective *collective)
{
  const LoomCollectiveMember *members = loom_collectives_get_members (collectives, collective);
  for (guint i = 0; i < collective->n; i++) {
    const LoomParallelRank *own = loom_parallel_axes_find (reading->axes, members[i].rank);
    if (own == NULL || members[i].end_ns <= collective->arrival_ns)
      continue;
    const Work work = { .begin_ns = collective->arrival_ns,
                        .end_ns = members[i].end_ns,
                        .step = LOOM_NO_RUN_STEP,
                        .rank = get_index (reading, own) };
    g_array_append_val (reading->works, work);
  }
}

static gboolean
is_within_stage (LoomParallelAxis axis)
{
  return axis == LOOM_PARALLEL_AXIS_TENSOR || axis == LOOM_PARALLEL_AXIS_CONTEXT || axis == LOOM_PARALLEL_AXIS_EXPERT;
}

/* Adds the transfers in `list`: each message to reading->messages, and each collective within a stage to
 * reading->works. `list` and `axes` were computed from `collectives`. */
static void
read_transfers (Reading *reading, const LoomCollectives *collectives, const LoomParallelAxes *axes,
                const LoomTransferList *list)
{
  for (guint i = 0; i < list->transfers->len; i++) {
    const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, i);
    const gint *ranks = &g_array_index (list->ranks, gint, transfer->first_rank);
    if (!loom_transfer_list_is_message (transfer)) {
      if (is_within_stage ((LoomParallelAxis) axes->axis_of[i]))
        add_members (reading, collectives, &collectives->all[i]);
      continue;
    }
    const Message message = { ranks[0], ranks[1], transfer->range.begin_ns };
    g_array_append_val (reading->messages, message);
  }
}

/* --- time window of each step of a pipeline ----------------------------------------------------------------------- */

#define IS_WORK_BEFORE(a, b)                        \
  ((a)->rank != (b)->rank   ? (a)->rank < (b)->rank \
   : (a)->step != (b)->step ? (a)->step < (b)->step \
                            : (a)->begin_ns < (b)->begin_ns)
LOOM_DEFINE_SORT (sort_works, Work, IS_WORK_BEFORE)

static int
compare_messages (gconstpointer a, gconstpointer b)
{
  const Message *x = a, *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  return x->begin_ns < y->begin_ns ? -1 : x->begin_ns > y->begin_ns;
}

static int
compare_stretches (gconstpointer a, gconstpointer b)
{
  const Stretch *x = a, *y = b;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  return x->step < y->step ? -1 : x->step > y->step;
}

static void
index_works (Reading *reading)
{
  sort_works ((Work *) (gpointer) reading->works->data, reading->works->len);
  g_array_sort (reading->messages, compare_messages);
  for (guint32 i = 0, n; i < reading->works->len; i += n) {
    const Work *first = &g_array_index (reading->works, Work, i);
    for (n = 1; i + n < reading->works->len && first[n].rank == first->rank && first[n].step == first->step;)
      n++;
    const Stretch stretch = { first->rank, i, n, first->step };
    g_array_append_val (reading->stretches, stretch);
  }
}

static const Stretch *
find_stretch (const Reading *reading, gint rank, guint32 step)
{
  guint found;
  const LoomParallelRank *own = loom_parallel_axes_find (reading->axes, rank);
  const Stretch wanted = { .rank = get_index (reading, own), .step = step };
  return g_array_binary_search (reading->stretches, &wanted, compare_stretches, &found)
           ? &g_array_index (reading->stretches, Stretch, found)
           : NULL;
}

/* Sets `window` to the time range of a step in a pipeline: from the start of the first computation on any of the ranks
 * to the end of the last computation. Returns FALSE if a stage has no work in the step, or if the range is empty. */
static gboolean
find_window (const Reading *reading, const gint *ranks, guint n, guint32 step, LoomRange *window)
{
  *window = (LoomRange) { G_MAXINT64, G_MININT64 };
  for (guint i = 0; i < n; i++) {
    const Stretch *stretch = find_stretch (reading, ranks[i], step);
    if (stretch == NULL)
      return FALSE;
    for (guint32 k = 0; k < stretch->n; k++) {
      const Work *work = &g_array_index (reading->works, Work, stretch->first + k);
      window->begin_ns = MIN (window->begin_ns, work->begin_ns);
      window->end_ns = MAX (window->end_ns, work->end_ns);
    }
  }
  return window->begin_ns < window->end_ns;
}

/* Returns the number of messages from rank `from` to rank `to` that begin in the window. O(log messages). */
static guint
count_messages (const Reading *reading, gint from, gint to, LoomRange window)
{
  guint ends[2];
  for (guint i = 0; i < 2; i++) {
    const Message wanted = { from, to, i == 0 ? window.begin_ns : window.end_ns };
    guint low = 0, high = reading->messages->len;
    while (low < high) {
      guint middle = low + (high - low) / 2;
      if (compare_messages (&g_array_index (reading->messages, Message, middle), &wanted) < 0)
        low = middle + 1;
      else
        high = middle;
    }
    ends[i] = low;
  }
  return ends[1] - ends[0];
}

/* --- bubbles of all stages and steps ------------------------------------------------------------------------------ */

static void
add_busy (Reading *reading, const Stretch *stretch, LoomRange window)
{
  if (stretch == NULL)
    return;
  for (guint32 i = 0; i < stretch->n; i++) {
    const Work *work = &g_array_index (reading->works, Work, stretch->first + i);
    const LoomRange own = { MAX (work->begin_ns, window.begin_ns), MIN (work->end_ns, window.end_ns) };
    if (own.begin_ns < own.end_ns)
      g_array_append_val (reading->busy, own);
  }
}

/* Returns how many ns of the window are not covered by any range in Reading.busy. Reading.busy must be sorted. */
static gint64
get_rest (const Reading *reading, LoomRange window)
{
  gint64 rest_ns = 0, end_ns = window.begin_ns;
  for (guint i = 0; i < reading->busy->len && end_ns < window.end_ns; i++) {
    const LoomRange *own = &g_array_index (reading->busy, LoomRange, i);
    rest_ns += MAX (0, MIN (own->begin_ns, window.end_ns) - end_ns);
    end_ns = MAX (end_ns, own->end_ns);
  }
  return rest_ns + MAX (0, window.end_ns - end_ns);
}

static LoomBubbleStage
measure_stage (Reading *reading, gint rank, guint32 step, LoomRange window)
{
  const Stretch *stretch = find_stretch (reading, rank, step);
  LoomRange warm_up = window, cool_down = window;
  gint64 first_ns = window.end_ns, last_ns = window.begin_ns;
  g_array_set_size (reading->busy, 0);
  add_busy (reading, stretch, window);
  add_busy (reading, find_stretch (reading, rank, LOOM_NO_RUN_STEP), window);
  g_array_sort (reading->busy, compare_ranges);
  for (guint32 i = 0; i < stretch->n; i++) {
    const Work *work = &g_array_index (reading->works, Work, stretch->first + i);
    if (work->backward)
      first_ns = MIN (first_ns, work->begin_ns);
    else
      last_ns = MAX (last_ns, work->end_ns);
  }
  warm_up.end_ns = first_ns;
  cool_down.begin_ns = MAX (last_ns, first_ns);
  return (LoomBubbleStage) { get_rest (reading, window), get_rest (reading, warm_up), get_rest (reading, cool_down) };
}

static void
add_bubble (Reading *reading, guint group, const gint *ranks, guint n, guint32 step)
{
  LoomBubble bubble = { .group = group, .step = reading->numbers[step], .first_stage = reading->result->stages->len };
  gint64 total_ns = 0;
  if (!find_window (reading, ranks, n, step, &bubble.window))
    return;
  for (guint i = 0; i < n; i++) {
    const LoomBubbleStage stage = measure_stage (reading, ranks[i], step, bubble.window);
    g_array_append_val (reading->result->stages, stage);
    total_ns += stage.bubble_ns;
  }
  bubble.n_messages = count_messages (reading, ranks[0], ranks[1], bubble.window);
  bubble.fraction = (double) total_ns / (double) n / (double) (bubble.window.end_ns - bubble.window.begin_ns);
  bubble.ideal = bubble.n_messages > 0 ? (double) (n - 1) / (bubble.n_messages + n - 1) : NAN;
  reading->result->total_ns += total_ns;
  g_array_append_val (reading->result->all, bubble);
}

/* Measures the bubbles of a pipeline in each step in which the pipeline's first stage has work. */
static void
measure_pipeline (Reading *reading, guint number)
{
  const LoomParallelGroup *group = &g_array_index (reading->axes->groups, LoomParallelGroup, number);
  const gint *ranks = &g_array_index (reading->axes->ranks, gint, group->first_rank);
  const LoomParallelRank *own = loom_parallel_axes_find (reading->axes, ranks[0]);
  guint32 rank = get_index (reading, own);
  for (guint i = 0; i < reading->stretches->len; i++) {
    const Stretch *stretch = &g_array_index (reading->stretches, Stretch, i);
    if (stretch->rank == rank && stretch->step != LOOM_NO_RUN_STEP)
      add_bubble (reading, number, ranks, group->n_ranks, stretch->step);
  }
}

static void
sum_up (LoomBubbles *bubbles)
{
  double fraction = 0, ideal = 0;
  guint n_ideal = 0;
  for (guint i = 0; i < bubbles->all->len; i++) {
    fraction += g_array_index (bubbles->all, LoomBubble, i).fraction;
    double own = g_array_index (bubbles->all, LoomBubble, i).ideal;
    ideal += isfinite (own) ? own : 0;
    n_ideal += isfinite (own);
  }
  bubbles->fraction = bubbles->all->len > 0 ? fraction / bubbles->all->len : NAN;
  bubbles->ideal = n_ideal > 0 ? ideal / n_ideal : NAN;
}

/* Returns an array: [LoomStep.run_step] number of the step. Owned by the caller. */
static gint64 *
list_numbers (LoomSteps *selected)
{
  const LoomSteps *steps = loom_steps_get_whole (selected);
  gint64 *numbers = g_new0 (gint64, steps->n + 1);
  for (guint i = 0; i < steps->n; i++)
    if (steps->all[i].run_step != LOOM_NO_RUN_STEP)
      numbers[steps->all[i].run_step] = steps->all[i].number;
  return numbers;
}

/* Returns the collectives in the smallest time range that contains both the range of reading->collectives and all
 * kernels in `works`. Kernels may run outside of the range of reading->collectives, because ranks take a step at
 * different times, and devices execute kernels later than they are launched. Owned by the caller; NULL only when
 * cancelled. */
static LoomCollectives *
find_collectives (const Reading *reading)
{
  const LoomRange range = reading->collectives->range;
  LoomRange hull = range;
  for (guint i = 0; i < reading->works->len; i++) {
    const Work *work = &g_array_index (reading->works, Work, i);
    hull.begin_ns = MIN (hull.begin_ns, work->begin_ns);
    hull.end_ns = MAX (hull.end_ns, work->end_ns);
  }
  return hull.begin_ns == range.begin_ns && hull.end_ns == range.end_ns
           ? loom_collectives_ref (reading->collectives)
           : loom_collectives_new (reading->collectives->timeline, &hull, reading->cancellable);
}

static gboolean
read_all (Reading *reading)
{
  guint n = loom_run_get_n_traces (loom_timeline_get_run (reading->collectives->timeline));
  for (guint i = 0; i < n && !g_cancellable_is_cancelled (reading->cancellable); i++)
    read_trace (reading, i);
  g_autoptr (LoomCollectives) collectives = find_collectives (reading);
  const LoomParallelAxes *axes =
    collectives != NULL ? loom_parallel_axes_get (collectives, reading->cancellable) : NULL;
  if (axes == NULL)
    return FALSE;
  const LoomTransferList *list = loom_transfer_list_get (collectives, reading->cancellable);
  if (list != NULL)
    read_transfers (reading, collectives, axes, list);
  return list != NULL && !g_cancellable_is_cancelled (reading->cancellable);
}

/* Returns TRUE if the run has a pipeline and no part of the run is read from an index file. Index files contain no
 * kernel launches, without which the kernels of the optimizer cannot be recognised. */
static gboolean
can_measure (LoomCollectives *collectives, const LoomParallelAxes *axes)
{
  return axes->sizes[LOOM_PARALLEL_AXIS_PIPELINE].n_groups > 0 &&
         !loom_run_has_index (loom_timeline_get_run (collectives->timeline));
}

/* Returns TRUE if a group is a pipeline and the files of all its stages are open. Without one of the stages, the
 * window and the schedule of the pipeline are unknown. */
static gboolean
is_whole_pipeline (const LoomParallelGroup *group)
{
  return group->axis == LOOM_PARALLEL_AXIS_PIPELINE && group->n_missing == 0;
}

LoomBubbles *
loom_pipeline_bubbles_new (LoomCollectives *collectives, const LoomParallelAxes *axes, LoomSteps *steps,
                           GCancellable *cancellable)
{
  g_return_val_if_fail (collectives != NULL && axes != NULL && steps != NULL, NULL);
  g_autoptr (LoomBubbles) bubbles = g_new0 (LoomBubbles, 1);
  bubbles->all = g_array_new (FALSE, FALSE, sizeof (LoomBubble));
  bubbles->stages = g_array_new (FALSE, FALSE, sizeof (LoomBubbleStage));
  Reading reading = { .axes = axes,
                      .collectives = collectives,
                      .steps = steps,
                      .numbers = list_numbers (steps),
                      .cancellable = cancellable,
                      .works = g_array_new (FALSE, FALSE, sizeof (Work)),
                      .stretches = g_array_new (FALSE, FALSE, sizeof (Stretch)),
                      .messages = g_array_new (FALSE, FALSE, sizeof (Message)),
                      .optimizers = g_array_new (FALSE, FALSE, sizeof (Optimizer)),
                      .busy = g_array_new (FALSE, FALSE, sizeof (LoomRange)),
                      .result = bubbles };
  gboolean done = !can_measure (collectives, axes) || read_all (&reading);
  if (done)
    index_works (&reading);
  for (guint i = 0; done && i < axes->groups->len; i++)
    if (is_whole_pipeline (&g_array_index (axes->groups, LoomParallelGroup, i)))
      measure_pipeline (&reading, i);
  sum_up (bubbles);
  g_free (reading.numbers);
  g_array_unref (reading.works);
  g_array_unref (reading.stretches);
  g_array_unref (reading.messages);
  g_array_unref (reading.optimizers);
  g_array_unref (reading.busy);
  return done ? g_steal_pointer (&bubbles) : NULL;
}

void
loom_pipeline_bubbles_free (LoomBubbles *bubbles)
{
  if (bubbles == NULL)
    return;
  g_array_unref (bubbles->all);
  g_array_unref (bubbles->stages);
  g_free (bubbles);
}

static gpointer
make_bubbles (const LoomCollectives *collectives, GCancellable *cancellable)
{
  const LoomParallelAxes *axes = loom_parallel_axes_get (collectives, cancellable);
  g_autoptr (LoomSteps) all = axes != NULL ? loom_steps_new (collectives->timeline, cancellable) : NULL;
  if (all == NULL)
    return NULL;
  g_autoptr (LoomSteps) steps =
    loom_steps_select (all, collectives->range, collectives->has_numbered_steps ? &collectives->step_numbers : NULL);
  return loom_pipeline_bubbles_new ((LoomCollectives *) collectives, axes, steps, cancellable);
}

static void
free_bubbles (gpointer bubbles)
{
  loom_pipeline_bubbles_free (bubbles);
}

const LoomBubbles *
loom_pipeline_bubbles_get (const LoomCollectives *collectives, GCancellable *cancellable)
{
  return loom_collectives_share (collectives, LOOM_COLLECTIVES_BUBBLES, make_bubbles, free_bubbles, cancellable);
}
