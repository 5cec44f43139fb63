/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares two runs: how long their steps take, which parts of a step (loom-step-breakdown.h) changed, which rank
 * changed most in the parts that do not depend on other ranks, and for which span names the time changed most. "First"
 * and "second" are the runs in the order in which the caller passes them; a change is second minus first, in ns per
 * step unless stated. Immutable when made, freed by its owner, any thread.
 */
#pragma once

#include "loom-idle-parts.h"
#include "loom-long-steps.h"
#include "loom-module-comparison.h"
#include "loom-name-comparison.h"
#include "loom-step-breakdown.h"
#include "loom-typical-step.h"

/* One run is slower than the other if its median step is longer by more than this share. If the medians differ by less,
 * the mean steps are compared instead. */
#define LOOM_RUN_COMPARISON_LEAST 0.01
/* A change of a part of the step is notable if it is at least this share of the change of the whole step. */
#define LOOM_RUN_COMPARISON_NOTABLE 0.1

typedef struct {
  const char *node; /* borrowed from the first run; NULL: unknown */
  gint rank;
  gboolean is_process;           /* TRUE if `rank` is the id of a process of the first run: loom-track-rank.h */
  const LoomRankSteps *steps[2]; /* the rank's steps in the first run and in the second run */
  LoomTypicalStep typical[2];    /* [run] the parts of the rank's typical step, see LoomRunComparison.typical */
  /* change, in ns, of those parts of this rank's typical step that do not depend on other ranks: all parts except rank
   * wait and transfer */
  double own_ns;
  gboolean is_main; /* TRUE if the rank is a main rank, see LoomRunComparison.n_main */
} LoomRankChange;

/* The comparison of two runs. In arrays with two elements, [0] belongs to the first run and [1] to the second run. */
typedef struct {
  LoomSteps *steps[2];
  LoomStepBreakdown *breakdowns[2];
  guint n_steps[2]; /* [run] number of steps of the rank with the most steps */
  /* TRUE if both runs have steps but no step number in common; then steps are matched by position, from 1 */
  gboolean by_position;
  /* first and last of the steps that both runs have: numbers or, if `by_position` is TRUE, positions; 1 and 0: the runs
   * have no step in common */
  gint64 first_step, last_step;
  /* mean over the ranks of the mean length of each rank's steps, including outliers; 0: the run has no steps */
  double mean_step_ns[2];
  /* TRUE if the median steps of the runs are nearly equal, but the mean steps differ. Then the change of the step is
   * the change of the mean step. */
  gboolean by_mean;
  /* TRUE if the median step and the mean step without outliers contradict each other: only one of them differs between
   * the runs. Then neither run counts as slower. */
  gboolean is_mixed;
  /* [run] LoomLongStep, longest first: the steps that are long in this run but not in the other one. The excess of a
   * step in a run is its length in that run minus the median step of that run. A step counts as long in the other run
   * if its excess in the other run is at least half of its excess in this run. If `by_mean` is TRUE, steps that are
   * less long count, too, if each makes at least LOOM_RUN_COMPARISON_NOTABLE of the difference. */
  GArray *long_steps[2];
  /* [run] `typical`: mean times of the parts of a step, over all ranks. If the median steps are compared, the long
   * steps of the run are excluded, because a few long steps do not change the median. Otherwise only outliers are
   * excluded. `n_skipped`: number of excluded long steps. */
  LoomTypicalStep typical[2];
  guint n_skipped[2];
  /* The names of the spans of both runs, including names that occur in only one run. Names of work come first, then
   * names of communication, then names of waits and of spans that enclose work, such as steps. Exception: if transfers
   * are the cause of the change, communication counts as work. In each of these groups, the names whose time
   * (loom_run_comparison_get_name_times()) changed most come first. */
  const LoomNameChange *const *names;
  guint n_names, n_ranks;
  guint n_work_names; /* number of names of work at the beginning of `names` */
  /* The ranks that have steps in both runs (loom_rank_match_find()): first the `n_main` main ranks (see n_main), then
   * the other ranks. Each of these two groups is sorted by the change of the rank's typical step. Two parts of this
   * change do not count: waits for other ranks, and exposed transfer time that changed because computation hides more
   * or less of the transfers. If loom_run_comparison_get_step_change() is positive, the rank with the greatest increase
   * comes first; if it is negative, the rank with the greatest decrease. Before sorting, each change is rounded to a
   * multiple of a tenth of loom_run_comparison_get_step_change(), because smaller differences are noise. Ranks with
   * equal rounded changes are sorted by number. */
  const LoomRankChange *ranks;
  /* Number of main ranks: the few ranks that explain the change of the step, because the other ranks wait for them. A
   * rank is a main rank if its own_ns changed in the same direction as the step, and by more than half of the greatest
   * change of own_ns of any rank in this direction. This search fails if more than half of all ranks would be main
   * ranks, or if the greatest change is less than half of the change of the step. Then main ranks are searched again by
   * another value: the change of the rank's exposed transfer time that comes from longer or shorter transfers, and not
   * from computation that hides more or less of them. There are no main ranks (0) if this second search fails, too, if
   * neither run is slower, or if only single long steps make the difference.
   *
   * `main_ranks_part`: the part of the step that changed most on the main ranks in the direction of the change of the
   * step. Only parts that do not depend on other ranks are considered. LOOM_STEP_BREAKDOWN_TRANSFER if the second
   * search found the main ranks. */
  guint n_main;
  LoomStepBreakdownPart main_ranks_part;
  /* `has_idle`: TRUE if `idle` is set. It is set if the change of LOOM_STEP_BREAKDOWN_IDLE is at least
   * LOOM_RUN_COMPARISON_NOTABLE of the change of the step. `idle`: [run] causes of the idle time on the main ranks or,
   * if there are no main ranks, on all ranks. */
  gboolean has_idle;
  LoomIdleParts idle[2];
  /* The device time of each module. If both runs have steps, a step counts only if its devices are recorded and it is
   * not an outlier. NULL: the runs have no modules, Python functions or operators in common. */
  LoomModuleComparison *modules;
  /* Private: */
  LoomNameComparison *all_names;
  GPtrArray *sorted_names; /* LoomNameChange *: pointers to the elements of all_names->rows */
  GArray *all_ranks;       /* LoomRankChange: owns `ranks` */
  GArray *all_long[2];     /* [run] LoomLongStep, including steps that are long in both runs */
  /* [run] hash table. Key (gint64): number of a step or, if `by_position` is TRUE, its position. Value (gint64): start
   * of the step. */
  GHashTable *begins[2];
} LoomRunComparison;

/* The part of a run that is compared. */
typedef struct {
  LoomRange range;    /* on the timeline of this run */
  gboolean has_steps; /* TRUE if only the steps in `steps` count; `range` is their time */
  LoomStepNumbers steps;
} LoomRunComparisonRange;

/* Compares two runs. `ranges`: [run] the part of each run that counts; NULL: both runs count as a whole. If a part has
 * no step numbers (has_steps is FALSE), only the steps that lie completely inside its range count. Costs as much as
 * loom_step_breakdown_new(), loom_range_statistics_new(), loom_module_comparison_new() and, if has_idle is TRUE,
 * loom_idle_time_new() of both runs. NULL only when cancelled. */
LoomRunComparison *loom_run_comparison_new (LoomTimeline *first, LoomTimeline *second,
                                            const LoomRunComparisonRange *ranges, GCancellable *cancellable);
void loom_run_comparison_free (LoomRunComparison *comparison);

/* Returns TRUE if both runs have training steps. If not, the comparison contains only names. */
gboolean loom_run_comparison_has_steps (const LoomRunComparison *comparison);
/* Returns the index (0 or 1) of the run whose steps are longer by the median or, if `by_mean` is TRUE, by the mean.
 * Returns −1 if the runs don't differ by more than LOOM_RUN_COMPARISON_LEAST, if `is_mixed` is TRUE, or if the runs
 * have no steps. */
int loom_run_comparison_get_slower (const LoomRunComparison *comparison);
/* Returns TRUE if the slower run is slower because of some long steps, each with a cause of its own, and not because
 * all steps are slower: the median steps are nearly equal, and the long steps make at least half of the difference. */
gboolean loom_run_comparison_is_by_long_steps (const LoomRunComparison *comparison);
/* Sets `begin_ns` to the start of a step in run `which` (0 or 1). `step`: number of the step or, if `by_position` is
 * TRUE, its position. Returns FALSE if the run doesn't have the step. O(1). */
gboolean loom_run_comparison_get_step (const LoomRunComparison *comparison, guint which, gint64 step, gint64 *begin_ns);
/* Returns the change of the median step or, if `by_mean` is TRUE, of the mean step, in ns. */
double loom_run_comparison_get_step_change (const LoomRunComparison *comparison);
/* Returns the change of one part of the mean step from the first run to the second, in ns. The changes of all parts add
 * up to the change of the mean step. Two kinds of steps are excluded from this mean: outliers and, if the median steps
 * of the runs are compared, the long steps of each run. */
double loom_run_comparison_get_part_change (const LoomRunComparison *comparison, LoomStepBreakdownPart part);
/* Like loom_run_comparison_get_part_change(), but returns the mean over the main ranks. If there are no main ranks,
 * returns the mean over all ranks. */
double loom_run_comparison_get_main_part_change (const LoomRunComparison *comparison, LoomStepBreakdownPart part);
/* Returns a part of the change of the exposed transfer time (LOOM_STEP_BREAKDOWN_TRANSFER): the part that does not come
 * from longer or shorter transfers. Positive: computation hides less of the transfers; negative: it hides more. In ns
 * per step, as the mean over the main ranks or, if there are no main ranks, over all ranks. */
double loom_run_comparison_get_exposed_change (const LoomRunComparison *comparison);
/* Like loom_run_comparison_get_exposed_change(), but always as the mean over all ranks. */
double loom_run_comparison_get_all_exposed_change (const LoomRunComparison *comparison);
/* Returns the part of a step that changed most in the direction in which the step changed. */
LoomStepBreakdownPart loom_run_comparison_find_main_part (const LoomRunComparison *comparison);

/* Returns TRUE if both runs have the same number of ranks with steps. O(1). */
gboolean loom_run_comparison_has_equal_ranks (const LoomRunComparison *comparison);
/* Sets `time_ns` to the time that each run spends on a name: per step, as the mean over all ranks of the run. If one of
 * the runs has no steps, the total time of the name is used instead. */
void loom_run_comparison_get_name_times (const LoomRunComparison *comparison, const LoomNameChange *change,
                                         double time_ns[2]);

/* Returns by how many ns the part LoomRunComparison.main_ranks_part of a step became longer (negative: shorter), as the
 * mean over the main ranks (see LoomRunComparison.n_main); 0 if there are no main ranks. */
double loom_run_comparison_get_main_change (const LoomRunComparison *comparison);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRunComparison, loom_run_comparison_free)
