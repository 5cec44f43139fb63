/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-late-ranks.h"

#include "loom-slowdown-steps.h"

/* If it is unknown why a rank is late, it counts as late only if the waits take at least this share of the time:
 * the waits of all ranks, and the waits for this rank of the members of its largest group (mean over these
 * ranks). Without this limit, some rank would be late in every run. */
#define LEAST_AWAITED 0.05

/* LoomRankLateness.ranges lists only the collectives in which the lateness of the rank is large: at least this share of
 * the rank's largest lateness in any collective. */
#define LEAST_LATENESS 0.5

static void
clear_rank (gpointer rank)
{
  g_clear_pointer (&((LoomRankLateness *) rank)->ranges, g_array_unref);
}

static void
add_rank (GArray *ranks, LoomRankLateness rank, GArray *ranges)
{
  rank.ranges = ranges;
  if (rank.rank >= 0)
    g_array_append_val (ranks, rank);
  else
    g_array_unref (ranges);
}

/* --- ranks that compute longer than others ------------------------------------------------------------------------ */

/* Returns the range of a step on a worker. If the step has no span on this worker, or if LoomSlowdown.source is
 * LOOM_SLOWDOWN_OF_OPERATIONS, returns the range of the step on all workers. */
static LoomRange
get_step (const LoomSlowdown *slowdown, LoomTimeline *timeline, guint worker, guint step)
{
  LoomSpanId span = slowdown->spans[(gsize) worker * slowdown->steps->len + step];
  LoomRange range = g_array_index (slowdown->steps, LoomSlowdownStep, step).range;
  if (slowdown->source == LOOM_SLOWDOWN_OF_KERNELS && !loom_timeline_span_id_is_none (span))
    loom_timeline_get_span (timeline, span, &range.begin_ns, &range.end_ns);
  return range;
}

static GArray *
list_steps (const LoomSlowdown *slowdown, LoomTimeline *timeline, guint worker)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  g_autofree guint8 *slow = loom_slowdown_list_slow_steps (slowdown, worker);
  for (guint i = 0; i < slowdown->steps->len; i++) {
    LoomRange range = get_step (slowdown, timeline, worker, i);
    if (slow[i])
      g_array_append_val (ranges, range);
  }
  return ranges;
}

static void
add_slow_ranks (GArray *ranks, const LoomCollectives *collectives, const LoomSlowdown *slowdown)
{
  for (guint i = 0; i < slowdown->stragglers->len; i++) {
    guint number = g_array_index (slowdown->stragglers, guint, i);
    const LoomSlowdownWorker *worker = &g_array_index (slowdown->workers, LoomSlowdownWorker, number);
    LoomSpanId span = slowdown->spans[(gsize) number * slowdown->steps->len];
    gint64 saved_ns = slowdown->stragglers->len == 1 ? slowdown->saved_ns : worker->saved_ns;
    guint main_step = loom_slowdown_find_main_step (slowdown);
    const LoomRankLateness rank = {
      .kind = LOOM_LATENESS_SLOW,
      .node = worker->node,
      .rank = worker->rank,
      .trace = loom_timeline_span_id_is_none (span) ? G_MAXUINT32 : span.trace,
      .cost_ns = main_step != G_MAXUINT ? loom_slowdown_get_total_saving (slowdown)
                 : saved_ns > 0         ? saved_ns
                                        : 0,
      .step = main_step != G_MAXUINT ? g_array_index (slowdown->steps, LoomSlowdownStep, main_step).number : -1,
    };
    add_rank (ranks, rank, list_steps (slowdown, collectives->timeline, number));
  }
}

/* --- ranks that are late for other reasons ------------------------------------------------------------------------ */

/* Returns the member of a collective whose LoomCollectiveMember.rank_number is `number`; NULL: there is none. */
static const LoomCollectiveMember *
find_member (const LoomCollectiveMember *members, guint n, guint32 number)
{
  for (guint i = n; i-- > 0;)
    if (members[i].rank_number == number)
      return &members[i];
  return NULL;
}

static GArray *
list_collectives (const LoomCollectives *collectives, const LoomStraggler *rank)
{
  GArray *ranges = g_array_new (FALSE, FALSE, sizeof (LoomRange));
  for (guint i = 0; rank->worst != G_MAXUINT && i < collectives->n; i++) {
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, &collectives->all[i]),
                               *own = find_member (members, collectives->all[i].n, rank->rank_number);
    LoomRange range = { members[0].arrival_ns, own != NULL ? own->arrival_ns : members[0].arrival_ns };
    if (range.end_ns > range.begin_ns &&
        (double) loom_time_sub (range.end_ns, range.begin_ns) >= LEAST_LATENESS * (double) rank->latest_ns)
      g_array_append_val (ranges, range);
  }
  return ranges;
}

static void
add_late_rank (GArray *ranks, const LoomCollectives *collectives, const LoomStraggler *late, LoomLatenessKind kind)
{
  const LoomRankLateness rank = { .kind = kind,
                                  .node = late->node,
                                  .rank = late->rank,
                                  .trace = late->trace,
                                  .step = -1,
                                  .cost_ns = kind == LOOM_LATENESS_HOST ? late->latest_ns : late->others_ns };
  add_rank (ranks, rank, list_collectives (collectives, late));
}

/* Returns the time of the run that the stragglers were computed for: the time in which at least one step runs, or, if
 * the steps do not explain the waits, the time in which anything is recorded. Pauses between the steps, in which no
 * profiler was active, do not count. */
static gint64
get_time (const LoomSlowdown *slowdown, const LoomCollectives *collectives)
{
  const LoomRange within = collectives->range;
  LoomRange extent;
  gint64 time_ns = 0, until_ns = within.begin_ns;
  guint n_steps = loom_slowdown_fits (slowdown) ? slowdown->steps->len : 0;
  for (guint i = 0; i < n_steps; i++) {
    LoomRange step = g_array_index (slowdown->steps, LoomSlowdownStep, i).range;
    step.end_ns = MIN (step.end_ns, within.end_ns);
    time_ns = loom_time_add (time_ns, loom_slowdown_steps_take_new_time (step, &until_ns));
  }
  if (time_ns > 0 || !loom_timeline_get_extent (collectives->timeline, &extent))
    return time_ns;
  return loom_time_sub (MIN (extent.end_ns, within.end_ns), MAX (extent.begin_ns, within.begin_ns));
}

/* Returns the rank for which the other ranks wait longest; NULL: the waits take less than LEAST_AWAITED of the time. In
 * a job with groups, only the members of the rank's groups wait for it directly; the others wait for these members. */
static const LoomStraggler *
find_awaited (const LoomSlowdown *slowdown, const LoomStragglers *stragglers)
{
  if (stragglers->n_ranks < 2)
    return NULL;
  const LoomStraggler *first = &stragglers->ranks[0];
  double least_ns = LEAST_AWAITED * (double) get_time (slowdown, stragglers->collectives);
  gboolean is_awaited = first->others_ns > 0 && (double) first->others_ns >= least_ns * first->n_others &&
                        (double) stragglers->wait_ns >= least_ns * (stragglers->n_ranks - 1);
  return is_awaited ? first : NULL;
}

/* Like find_awaited(), but also returns NULL if the waits for another rank are at least half as long. */
static const LoomStraggler *
find_awaited_alone (const LoomSlowdown *slowdown, const LoomStragglers *stragglers)
{
  const LoomStraggler *first = find_awaited (slowdown, stragglers);
  return first != NULL && stragglers->ranks[1].others_ns < first->others_ns / 2 ? first : NULL;
}

const LoomStraggler *
loom_late_ranks_find_unequal (const LoomSlowdown *slowdown, const LoomStragglers *stragglers,
                              const LoomSlowdownCause **cause)
{
  const LoomStraggler *first = slowdown->stragglers->len == 0 ? find_awaited (slowdown, stragglers) : NULL;
  const LoomSlowdownWorker *worker =
    first != NULL && first->rank >= 0 ? loom_slowdown_find_worker (slowdown, first->node, first->rank) : NULL;
  *cause = worker != NULL && loom_slowdown_fits (slowdown) ? loom_slowdown_find_cause (slowdown, worker) : NULL;
  return *cause != NULL ? first : NULL;
}

GArray *
loom_late_ranks_find (const LoomCollectives *collectives, const LoomStragglers *stragglers, GCancellable *cancellable)
{
  g_return_val_if_fail (collectives != NULL && stragglers != NULL, NULL);
  const LoomSlowdown *slowdown = loom_slowdown_get (collectives, cancellable);
  if (slowdown == NULL)
    return NULL;
  GArray *ranks = g_array_new (FALSE, FALSE, sizeof (LoomRankLateness));
  g_array_set_clear_func (ranks, clear_rank);
  gboolean fits = loom_slowdown_fits (slowdown);
  g_autoptr (LoomHostDelay) delay = fits ? loom_slowdown_find_uncovered (slowdown, stragglers) : NULL;
  const LoomSlowdownCause *cause;
  const LoomStraggler *awaited = !fits           ? find_awaited_alone (slowdown, stragglers)
                                 : delay == NULL ? loom_late_ranks_find_unequal (slowdown, stragglers, &cause)
                                                 : NULL;
  if (fits)
    add_slow_ranks (ranks, collectives, slowdown);
  for (guint i = 0; delay != NULL && i < delay->n; i++)
    add_late_rank (ranks, collectives, delay->ranks[i], LOOM_LATENESS_HOST);
  if (awaited != NULL)
    add_late_rank (ranks, collectives, awaited, LOOM_LATENESS_AWAITED);
  return ranks;
}
