/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-typical-step.h"

#include "loom-long-steps.h"

static gboolean
is_skipped (const LoomRankSteps *rank, guint i, const GArray *skipped, gboolean by_position)
{
  gint64 key = by_position ? (gint64) i + 1 : rank->steps[i].number;
  for (guint k = 0; skipped != NULL && k < skipped->len; k++)
    if (g_array_index (skipped, LoomLongStep, k).step == key)
      return TRUE;
  return FALSE;
}

/* Adds the parts of the rank's recorded steps to `sums`. Skips the steps in `skipped`. Also skips outliers if
 * `outliers` is FALSE. Returns the number of steps that were added. */
static guint
add_steps (LoomTypicalStep *sums, const LoomRankSteps *rank, const GArray *skipped, gboolean by_position,
           gboolean outliers)
{
  guint n = 0;
  for (guint i = 0; i < rank->n_steps; i++) {
    const LoomStepTime *step = &rank->steps[i];
    if (!step->is_recorded || (step->is_outlier && !outliers) || is_skipped (rank, i, skipped, by_position))
      continue;
    n++;
    sums->transfers_ns += (double) step->transfers_ns;
    for (guint part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
      sums->parts_ns[part] += (double) step->parts_ns[part];
  }
  return n;
}

static void
divide (LoomTypicalStep *sums, guint n)
{
  sums->transfers_ns /= MAX (n, 1);
  for (guint part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
    sums->parts_ns[part] /= MAX (n, 1);
}

void
loom_typical_step_init (LoomTypicalStep *typical, const LoomRankSteps *rank, const GArray *skipped,
                        gboolean by_position)
{
  *typical = (LoomTypicalStep) { 0 };
  guint n = add_steps (typical, rank, skipped, by_position, FALSE);
  if (n == 0)
    n = add_steps (typical, rank, NULL, by_position, FALSE);
  if (n == 0)
    n = add_steps (typical, rank, NULL, by_position, TRUE);
  divide (typical, n);
}

/* For each rank with suitable steps (see add_steps()), adds the means over these steps to `sums`. Returns the number
 * of these ranks. */
static guint
add_ranks (LoomTypicalStep *sums, const LoomStepBreakdown *breakdown, const GArray *skipped, gboolean by_position,
           gboolean outliers)
{
  guint n_ranks = 0;
  for (guint i = 0; i < breakdown->n_ranks; i++) {
    LoomTypicalStep own = { 0 };
    guint n = add_steps (&own, &breakdown->ranks[i], skipped, by_position, outliers);
    divide (&own, n);
    n_ranks += n > 0;
    sums->transfers_ns += own.transfers_ns;
    for (guint part = 0; part < LOOM_STEP_BREAKDOWN_N_PARTS; part++)
      sums->parts_ns[part] += own.parts_ns[part];
  }
  return n_ranks;
}

void
loom_typical_step_init_all (LoomTypicalStep *typical, const LoomStepBreakdown *breakdown, const GArray *skipped,
                            gboolean by_position)
{
  *typical = (LoomTypicalStep) { 0 };
  guint n = add_ranks (typical, breakdown, skipped, by_position, FALSE);
  if (n == 0)
    n = add_ranks (typical, breakdown, NULL, by_position, FALSE);
  if (n == 0)
    n = add_ranks (typical, breakdown, NULL, by_position, TRUE);
  divide (typical, n);
}
