/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-idle-parts.h"

static gboolean
is_chosen (const GArray *ranks, gint rank)
{
  gboolean chosen = ranks->len == 0;
  for (guint i = 0; !chosen && i < ranks->len; i++)
    chosen = g_array_index (ranks, gint, i) == rank;
  return chosen;
}

/* Returns the number of recorded steps of the chosen ranks. Sets `range` to the time from the first start to the last
 * end of these steps. */
static guint
gather_range (const LoomStepBreakdown *breakdown, const GArray *ranks, LoomRange *range)
{
  guint n_steps = 0;
  *range = (LoomRange) { G_MAXINT64, G_MININT64 };
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    const LoomRankSteps *rank = &breakdown->ranks[i];
    if (!is_chosen (ranks, rank->rank))
      continue;
    n_steps += rank->n_recorded;
    for (guint k = 0; k < rank->n_steps; k++) {
      if (!rank->steps[k].is_recorded)
        continue;
      range->begin_ns = MIN (range->begin_ns, rank->steps[k].begin_ns);
      range->end_ns = MAX (range->end_ns, rank->steps[k].end_ns);
    }
  }
  return n_steps;
}

static gint64
get_cause_ns (const LoomIdleRow *row, LoomIdleCause cause)
{
  gint64 all_ns = row->binding[cause].total_ns;
  return cause == LOOM_IDLE_CAUSE_HOST ? loom_time_sub (all_ns, row->data_ns) : all_ns;
}

gboolean
loom_idle_parts_init (LoomIdleParts *parts, LoomTimeline *timeline, const LoomStepBreakdown *breakdown,
                      const GArray *ranks, GCancellable *cancellable)
{
  LoomRange range;
  guint64 n_gaps[LOOM_N_IDLE_CAUSES] = { 0 };
  guint n_steps = gather_range (breakdown, ranks, &range);
  *parts = (LoomIdleParts) { 0 };
  if (n_steps == 0)
    return TRUE;
  g_autoptr (LoomIdleTime) idle = loom_idle_time_new (timeline, range, cancellable);
  for (guint i = 0; idle != NULL && i < idle->devices->len; i++) {
    const LoomIdleRow *row = &g_array_index (idle->devices, LoomIdleRow, i);
    for (guint cause = 0; is_chosen (ranks, row->rank) && cause < LOOM_N_IDLE_CAUSES; cause++) {
      parts->per_step_ns[cause] += (double) get_cause_ns (row, cause) / n_steps;
      n_gaps[cause] += row->binding[cause].n;
    }
  }
  for (guint cause = 0; cause < LOOM_N_IDLE_CAUSES; cause++)
    parts->gap_ns[cause] = n_gaps[cause] > 0 ? parts->per_step_ns[cause] * n_steps / (double) n_gaps[cause] : 0;
  return idle != NULL;
}

LoomIdleCause
loom_idle_parts_find_main (const LoomIdleParts *first, const LoomIdleParts *second, double sign)
{
  LoomIdleCause found = 0;
  for (LoomIdleCause cause = 1; cause < LOOM_N_IDLE_CAUSES; cause++)
    if (sign * (second->per_step_ns[cause] - first->per_step_ns[cause]) >
        sign * (second->per_step_ns[found] - first->per_step_ns[found]))
      found = cause;
  return found;
}
