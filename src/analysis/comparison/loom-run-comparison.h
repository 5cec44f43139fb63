/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares two runs: how long their steps take, which parts of a step (loom-step-breakdown.h) changed, which rank
 * changed most by itself, and which names. "First" and "second" are the runs as given; a change is second minus first,
 * in ns per step unless stated. Immutable when made, freed by its owner, any thread.
 */
#pragma once

#include "loom-idle-parts.h"
#include "loom-long-steps.h"
#include "loom-name-comparison.h"
#include "loom-step-breakdown.h"

/* The runs differ if the median step of one is longer by more than this share, or else if the mean step is. */
#define LOOM_RUN_COMPARISON_LEAST 0.01
/* Changes of parts below this share of the change of the step do not matter. */
#define LOOM_RUN_COMPARISON_NOTABLE 0.1

typedef struct {
  const char *node; /* borrowed from the first run; NULL: unknown */
  gint rank;
  const LoomRankSteps *steps[2]; /* the steps of the rank in each run */
  double own_ns;                 /* change of what the rank does itself: all parts but rank wait and transfer */
  gboolean is_main;              /* one of the first `n_main` ranks, see LoomRunComparison */
} LoomRankChange;

/* Index 0: first run, 1: second run. */
typedef struct {
  LoomSteps *steps[2];
  LoomStepBreakdown *breakdowns[2];
  guint n_steps[2]; /* the greatest number of steps of a rank: the steps that the run took */
  /* The mean number of steps in which the devices of a rank are recorded, over the ranks with any; 0: none. */
  double n_device_steps[2];
  /* Both runs have steps but no number in common: step n of a run is its n-th, counted from 1. */
  gboolean by_position;
  gint64 first_step, last_step; /* the first and last step that both runs have; 1 and 0 if none */
  double mean_step_ns[2];       /* mean over all steps of all ranks, outliers too; 0 without steps */
  /* The median steps are alike, and the mean steps are not: changes of a step are changes of the mean. */
  gboolean by_mean;
  /* The median steps differ, and the mean steps without outliers don't, or the other way: neither run is the slower one. */
  gboolean is_mixed;
  /* LoomLongStep, longest first: the long steps of each run that take less than half as much longer in the other run. */
  GArray *long_steps[2];
  /* The names of both runs. Names of work come first, then waits and spans that enclose work, such as steps; each group
   * is sorted by the change of loom_run_comparison_get_name_times(), greatest first. Names that only one run has are
   * included. */
  const LoomNameChange *const *names;
  guint n_names, n_ranks;
  /* Ranks with steps in both runs. They are matched by node and number; if the node names differ, by number. The first
   * `n_main` are those that explain the change, the others are sorted by the change of all parts but rank wait in the direction
   * in which the median step changed; changes that differ by less than a tenth of it count as equal and are sorted by
   * rank. */
  const LoomRankChange *ranks;
  /* Number of main ranks, which explain the change of the median step because the others wait for them: ranks whose
   * own_ns changed by more than half of the greatest such change, if that is at least half of the change of the step;
   * otherwise ranks whose transfers did. 0: these are more than half of all ranks, or the runs don't differ.
   * `main_ranks_part` is the part of their time that changed most in the same direction. */
  guint n_main;
  LoomStepBreakdownPart main_ranks_part;
  /* What the idle devices of the main ranks, or of all ranks, waited for; if `has_idle`: the change of the part
   * LOOM_STEP_BREAKDOWN_IDLE is at least LOOM_RUN_COMPARISON_NOTABLE of the change of the step. */
  gboolean has_idle;
  LoomIdleParts idle[2];
  /* Private: */
  LoomNameComparison *all_names;
  GPtrArray *sorted_names; /* LoomNameChange *, pointers into `all_names` */
  GArray *all_ranks;       /* LoomRankChange */
  GHashTable *begins[2];   /* gint64: step → gint64: its start */
} LoomRunComparison;

/* Costs loom_step_breakdown_new(), loom_range_statistics_new() and, if it matters, loom_idle_time_new() of both runs.
 * NULL only when cancelled. */
LoomRunComparison *loom_run_comparison_new (LoomTimeline *first, LoomTimeline *second, GCancellable *cancellable);
void loom_run_comparison_free (LoomRunComparison *comparison);

/* TRUE if both runs have training steps; without them there are only names to compare. */
gboolean loom_run_comparison_has_steps (const LoomRunComparison *comparison);
/* The number of the run whose steps are longer, by the median or, with `by_mean`, by the mean, 0 or 1; −1: the runs don't
 * differ by more than LOOM_RUN_COMPARISON_LEAST, `is_mixed`, or they have no steps. */
int loom_run_comparison_get_slower (const LoomRunComparison *comparison);
/* TRUE if the slower run is slower by some long steps, with causes of their own, and not in each step. */
gboolean loom_run_comparison_is_by_long_steps (const LoomRunComparison *comparison);
/* Gets the start of a step of a run, by its number or position; FALSE: the run doesn't have it. O(1). */
gboolean loom_run_comparison_get_step (const LoomRunComparison *comparison, guint which, gint64 step, gint64 *begin_ns);
/* Change of the median step or, with `by_mean`, of the mean step. */
double loom_run_comparison_get_step_change (const LoomRunComparison *comparison);
/* Change of the mean of one part. The changes of all parts add up to the change of the mean step without outliers. */
double loom_run_comparison_get_part_change (const LoomRunComparison *comparison, LoomStepBreakdownPart part);
/* The same, of the main ranks if there are any. */
double loom_run_comparison_get_main_part_change (const LoomRunComparison *comparison, LoomStepBreakdownPart part);
/* The part that changed most in the direction in which the step changed. */
LoomStepBreakdownPart loom_run_comparison_find_main_part (const LoomRunComparison *comparison);

/* Time of a name in each run: the sum over all ranks, divided by the number of steps that the run took; the sum itself
 * where a run has no steps. */
void loom_run_comparison_get_name_times (const LoomRunComparison *comparison, const LoomNameChange *change,
                                         double time_ns[2]);

/* Returns how much longer (shorter: negative) the part `main_ranks_part` of the main ranks is per step, mean over these
 * ranks, ns; 0 if there are none. */
double loom_run_comparison_get_main_change (const LoomRunComparison *comparison);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRunComparison, loom_run_comparison_free)
