/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-counted-steps.h"

#include "loom-time-bsearch.h"

static void
choose_steps (LoomCountedSteps *steps, const LoomRankSteps *rank, guint32 first)
{
  guint n_normal = 0;
  for (guint i = 0; i < rank->n_steps; i++)
    n_normal += rank->steps[i].is_recorded && !rank->steps[i].is_outlier;
  for (guint i = 0; i < rank->n_steps; i++) {
    const LoomStepTime *step = &rank->steps[i];
    steps->is_used[first + i] = step->is_recorded && (n_normal == 0 || !step->is_outlier);
    steps->n_used += steps->is_used[first + i];
  }
}

void
loom_counted_steps_init (LoomCountedSteps *steps, const LoomStepBreakdown *breakdown, LoomRange range)
{
  *steps = (LoomCountedSteps) { .range = range };
  if (breakdown == NULL || breakdown->n_ranks == 0)
    return;
  steps->breakdown = breakdown;
  steps->first = g_new (guint32, breakdown->n_ranks);
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    steps->first[i] = steps->n;
    steps->n += breakdown->ranks[i].n_steps;
  }
  steps->is_used = g_new0 (gboolean, steps->n);
  for (guint i = 0; i < breakdown->n_ranks; i++)
    choose_steps (steps, &breakdown->ranks[i], steps->first[i]);
}

void
loom_counted_steps_clear (LoomCountedSteps *steps)
{
  g_free (steps->first);
  g_free (steps->is_used);
}

guint32
loom_counted_steps_find_rank (const LoomCountedSteps *steps, guint trace, const LoomTrack *track)
{
  for (guint i = 0; steps->breakdown != NULL && i < steps->breakdown->n_ranks; i++) {
    const LoomRankSteps *rank = &steps->breakdown->ranks[i];
    gboolean same_node = track->node == NULL || rank->node == NULL || strcmp (track->node, rank->node) == 0;
    if (same_node && track->rank == rank->rank && (track->rank >= 0 || trace == rank->steps[0].span.trace))
      return i;
  }
  return LOOM_COUNTED_STEPS_NONE;
}

static gint64
get_begin (gconstpointer steps, guint32 at)
{
  return ((const LoomStepTime *) steps)[at].begin_ns;
}

guint32
loom_counted_steps_find (const LoomCountedSteps *steps, guint32 rank, gint64 time_ns)
{
  if (time_ns < steps->range.begin_ns || time_ns >= steps->range.end_ns)
    return LOOM_COUNTED_STEPS_NONE;
  if (steps->breakdown == NULL)
    return 0;
  if (rank == LOOM_COUNTED_STEPS_NONE)
    return LOOM_COUNTED_STEPS_NONE;
  const LoomRankSteps *own = &steps->breakdown->ranks[rank];
  guint32 after = loom_time_bsearch_by (get_begin, own->steps, 0, own->n_steps, loom_time_add (time_ns, 1));
  if (after == 0 || own->steps[after - 1].end_ns <= time_ns)
    return LOOM_COUNTED_STEPS_NONE;
  guint32 number = steps->first[rank] + after - 1;
  return steps->is_used[number] ? number : LOOM_COUNTED_STEPS_NONE;
}
