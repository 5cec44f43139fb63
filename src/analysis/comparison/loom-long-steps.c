/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-long-steps.h"

#include "loom-int64-hash.h"
#include "loom-statistics.h"

typedef struct {
  gint64 step;
  double sum_ns;
  guint n;
} Length;

static gint64
get_key (const LoomRankSteps *rank, guint i, gboolean by_position)
{
  return by_position ? (gint64) i + 1 : rank->steps[i].number;
}

static double
get_length (const LoomStepTime *step)
{
  return (double) (step->end_ns - step->begin_ns);
}

/* Returns a Length for each step that at least one rank has. The Length contains the sum of the step's lengths on all
 * ranks that have the step. Owned by the caller. */
static GArray *
measure_steps (const LoomStepBreakdown *breakdown, gboolean by_position)
{
  GArray *lengths = g_array_new (FALSE, FALSE, sizeof (Length));
  g_autoptr (GHashTable) known = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    for (guint k = 0; k < breakdown->ranks[i].n_steps; k++) {
      Length length = { get_key (&breakdown->ranks[i], k, by_position), 0, 0 };
      gpointer place;
      if (length.step < 0)
        continue;
      if (!g_hash_table_lookup_extended (known, &length.step, NULL, &place)) {
        place = GUINT_TO_POINTER (lengths->len);
        g_hash_table_insert (known, g_memdup2 (&length.step, sizeof length.step), place);
        g_array_append_val (lengths, length);
      }
      Length *found = &g_array_index (lengths, Length, GPOINTER_TO_UINT (place));
      found->sum_ns += get_length (&breakdown->ranks[i].steps[k]);
      found->n++;
    }
  }
  return lengths;
}

/* Returns the index of a step in rank->steps; rank->n_steps if the rank does not have the step. O(1) if the numbers of
 * steps are consecutive, else O(steps). */
static guint
find_step (const LoomRankSteps *rank, gint64 step, gboolean by_position)
{
  gint64 guess = step - get_key (rank, 0, by_position);
  if (guess >= 0 && guess < rank->n_steps && get_key (rank, (guint) guess, by_position) == step)
    return (guint) guess;
  guint i = 0;
  while (i < rank->n_steps && get_key (rank, i, by_position) != step)
    i++;
  return i;
}

gboolean
loom_long_steps_measure (const LoomStepBreakdown *breakdown, gboolean by_position, gint64 step, double *length_ns)
{
  Length length = { step, 0, 0 };
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    const LoomRankSteps *rank = &breakdown->ranks[i];
    guint at = find_step (rank, step, by_position);
    if (at == rank->n_steps)
      continue;
    length.sum_ns += get_length (&rank->steps[at]);
    length.n++;
  }
  *length_ns = length.sum_ns / MAX (length.n, 1);
  return length.n > 0;
}

/* --- cause of a long step ----------------------------------------------------------------------------------------- */

/* The median time of each part of a step (LoomStepBreakdownPart), in ns, over those recorded steps of one rank that are
 * not outliers. All medians are 0 if the rank has no such steps. */
typedef struct {
  double parts_ns[LOOM_STEP_BREAKDOWN_N_PARTS];
} Medians;

static Medians *
get_medians (const LoomStepBreakdown *breakdown)
{
  Medians *medians = g_new0 (Medians, MAX (breakdown->n_ranks, 1));
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    const LoomRankSteps *rank = &breakdown->ranks[i];
    g_autofree double *values = g_new (double, rank->n_steps);
    for (LoomStepBreakdownPart part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++) {
      guint n = 0;
      for (guint k = 0; k < rank->n_steps; k++)
        if (rank->steps[k].is_recorded && !rank->steps[k].is_outlier)
          values[n++] = (double) rank->steps[k].parts_ns[part];
      medians[i].parts_ns[part] = n > 0 ? loom_statistics_median (values, n) : 0;
    }
  }
  return medians;
}

/* Sets step->part to the part of the step that exceeds its median most. Waits for other ranks are only a consequence of
 * delays on those ranks, so they count only if no other part exceeds its median. If no part exceeds its median, sets
 * LOOM_STEP_BREAKDOWN_N_PARTS, which means unknown. */
static void
set_main_part (LoomLongStep *step, const double *excess_ns)
{
  LoomStepBreakdownPart found = LOOM_STEP_BREAKDOWN_COMPUTE;
  for (LoomStepBreakdownPart part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
    if (part != LOOM_STEP_BREAKDOWN_RANK_WAIT && excess_ns[part] > excess_ns[found])
      found = part;
  if (excess_ns[found] <= 0)
    found = LOOM_STEP_BREAKDOWN_RANK_WAIT;
  step->part = excess_ns[found] > 0 ? found : LOOM_STEP_BREAKDOWN_N_PARTS;
  step->part_ns = excess_ns[found];
}

/* For each part, sets excess_ns[part] to the time by which this part of the step exceeds its median. If the devices are
 * not recorded in the step, only waits for data are known, because they are recorded on the host; then the excess of
 * the other parts is set to 0. */
static void
get_excess (const LoomStepTime *step, const Medians *medians, double *excess_ns)
{
  for (LoomStepBreakdownPart part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
    excess_ns[part] = step->is_recorded || part == LOOM_STEP_BREAKDOWN_DATA_WAIT
                        ? (double) step->parts_ns[part] - medians->parts_ns[part]
                        : 0;
}

/* Finds the cause of a long step. If there is exactly one rank on which one part of the step explains at least half of
 * the step's excess, sets this rank and this part in `step`. Transfers and waits for other ranks are not considered for
 * this. Otherwise sets only the part with the greatest mean excess over all ranks. */
static void
find_cause (LoomLongStep *step, const LoomStepBreakdown *breakdown, const Medians *medians, gboolean by_position)
{
  double mean_ns[LOOM_STEP_BREAKDOWN_N_PARTS] = { 0 };
  LoomLongStep alone = *step;
  guint n_long = 0;
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    const LoomRankSteps *rank = &breakdown->ranks[i];
    double excess_ns[LOOM_STEP_BREAKDOWN_N_PARTS];
    LoomLongStep own = *step;
    guint at = find_step (rank, step->step, by_position);
    if (at == rank->n_steps)
      continue;
    get_excess (&rank->steps[at], &medians[i], excess_ns);
    for (LoomStepBreakdownPart part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
      mean_ns[part] += excess_ns[part] / breakdown->n_ranks;
    /* a slow transfer is slow on all ranks that take part, so it does not show which rank is the cause */
    excess_ns[LOOM_STEP_BREAKDOWN_TRANSFER] = 0;
    set_main_part (&own, excess_ns);
    if (own.part >= LOOM_STEP_BREAKDOWN_N_PARTS || own.part == LOOM_STEP_BREAKDOWN_RANK_WAIT ||
        own.part_ns < (step->length_ns - step->typical_ns) / 2)
      continue;
    n_long++;
    own.rank = rank->rank;
    own.is_process = rank->is_process;
    own.node = rank->node;
    alone = own;
  }
  if (n_long == 1 && breakdown->n_ranks > 1)
    *step = alone;
  else
    set_main_part (step, mean_ns);
}

static void
find_causes (GArray *steps, const LoomStepBreakdown *breakdown, gboolean by_position)
{
  g_autofree Medians *medians = get_medians (breakdown);
  for (guint i = 0; i < steps->len; i++)
    find_cause (&g_array_index (steps, LoomLongStep, i), breakdown, medians, by_position);
}

/* --- list of all long steps --------------------------------------------------------------------------------------- */

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  const LoomLongStep *x = a, *y = b;
  if (x->length_ns != y->length_ns)
    return x->length_ns > y->length_ns ? -1 : 1;
  return x->step < y->step ? -1 : x->step > y->step;
}

GArray *
loom_long_steps_find (const LoomStepBreakdown *breakdown, gboolean by_position, double least)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (LoomLongStep));
  g_autoptr (GArray) lengths = measure_steps (breakdown, by_position);
  g_autofree double *means_ns = g_new (double, MAX (lengths->len, 1));
  for (guint i = 0; i < lengths->len; i++)
    means_ns[i] = g_array_index (lengths, Length, i).sum_ns / g_array_index (lengths, Length, i).n;
  double typical_ns, limit_ns = loom_statistics_get_robust_limit (means_ns, lengths->len, &typical_ns);
  for (guint i = 0; i < lengths->len; i++) {
    const Length *length = &g_array_index (lengths, Length, i);
    LoomLongStep step = { .step = length->step, .length_ns = length->sum_ns / length->n, .typical_ns = typical_ns };
    step.rank = -1;
    if (step.length_ns <= limit_ns || step.length_ns < (1 + least) * typical_ns)
      continue;
    g_array_append_val (found, step);
  }
  if (found->len > 0)
    find_causes (found, breakdown, by_position);
  g_array_sort (found, compare_lengths);
  return found;
}

double
loom_long_steps_sum_excess (const GArray *steps)
{
  double sum_ns = 0;
  for (guint i = 0; i < steps->len; i++) {
    const LoomLongStep *step = &g_array_index (steps, LoomLongStep, i);
    sum_ns += step->length_ns - step->typical_ns;
  }
  return sum_ns;
}
