/* SPDX-License-Identifier: Apache-2.0
 *
 * Selects the times to be compared as sets of intervals, and computes the means of each metric in them.
 */
#include "loom-cause-comparison.h"

#include <math.h>

#include "loom-condition-windows.h"

/* Sets of time intervals that select the rows (spans) for the comparison; init() frees them. The bad condition is a
 * bottleneck or an outlier step. `during`: selects the rows under the bad condition. `otherwise` and `except`: select
 * the rows at other times, namely those that touch a time in `otherwise`, but no time in `except`; if numbers are
 * computed as smdebug does, `except` is ignored. `beyond`: times without the bad condition; selects all rows that touch
 * such a time, even if they also touch a time of the bad condition. */
typedef struct {
  LoomIntervalSet *during, *otherwise, *except, *beyond;
} Conditions;

static gboolean
uses_smdebug_numbers (const LoomDataFrame *frame)
{
  return frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG;
}

static void
init (LoomCauseComparison *contrast, const LoomDataFrame *frame, Conditions when, LoomRowChoice choice)
{
  contrast->frame = frame;
  loom_root_cause_init (&contrast->during, frame, when.during, choice);
  loom_root_cause_init_without (&contrast->otherwise, frame, when.otherwise,
                                uses_smdebug_numbers (frame) ? NULL : when.except, choice);
  /* Only metrics of `during` are looked up in `beyond`. If there are none, the empty set of `during` saves a pass over
   * all rows. */
  loom_root_cause_init (&contrast->beyond, frame, contrast->during.n_rows > 0 ? when.beyond : when.during, choice);
  loom_interval_set_free (when.during);
  loom_interval_set_free (when.otherwise);
  loom_interval_set_free (when.except);
  loom_interval_set_free (when.beyond);
}

void
loom_cause_comparison_init_bottlenecks (LoomCauseComparison *contrast, const LoomDataFrame *frame,
                                        const LoomBottlenecks *bottlenecks)
{
  Conditions when = { .during = loom_condition_windows_at_bottlenecks (frame, bottlenecks) };
  when.otherwise = uses_smdebug_numbers (frame) ? loom_condition_windows_at_busy_gpus (frame, LOOM_SELECT_DIMENSION)
                                                : loom_condition_windows_while_sampled (frame, LOOM_SELECT_DIMENSION);
  when.except = loom_condition_windows_at_bottlenecks_of_any_host (bottlenecks);
  when.beyond = loom_condition_windows_clear_of_bottlenecks (frame, when.during, LOOM_SELECT_DIMENSION);
  init (contrast, frame, when, LOOM_ROWS_ALL);
}

void
loom_cause_comparison_init_outliers (LoomCauseComparison *contrast, const LoomDataFrame *frame,
                                     const LoomStepDurations *steps)
{
  const Conditions when = { .during = loom_condition_windows_in_steps (frame, steps->outliers, steps->n_outliers),
                            .otherwise = loom_condition_windows_in_steps (frame, steps->normal, steps->n_normal),
                            .except = loom_condition_windows_in_steps (frame, steps->outliers, steps->n_outliers),
                            .beyond = loom_condition_windows_in_steps (frame, steps->normal, steps->n_normal) };
  init (contrast, frame, when, LOOM_ROWS_NO_STEPS);
}

void
loom_cause_comparison_clear (LoomCauseComparison *contrast)
{
  loom_root_cause_clear (&contrast->during);
  loom_root_cause_clear (&contrast->otherwise);
  loom_root_cause_clear (&contrast->beyond);
}

double
loom_cause_comparison_mean (const LoomRootCauseMetric *metric)
{
  return metric != NULL && metric->count > 0 ? (double) metric->total_ns / (double) metric->count : NAN;
}

double
loom_cause_comparison_mean_otherwise (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric)
{
  return loom_cause_comparison_mean (loom_root_cause_find (&contrast->otherwise, metric->metric));
}

double
loom_cause_comparison_ratio (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric)
{
  double other = loom_cause_comparison_mean_otherwise (contrast, metric);
  return other > 0 ? loom_cause_comparison_mean (metric) / other : NAN;
}

double
loom_cause_comparison_difference (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric)
{
  double other =
    loom_cause_comparison_is_only_then (contrast, metric) ? 0 : loom_cause_comparison_mean_otherwise (contrast, metric);
  return loom_cause_comparison_mean (metric) - other;
}

gboolean
loom_cause_comparison_is_only_then (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric)
{
  if (uses_smdebug_numbers (contrast->frame))
    /* If numbers are computed as smdebug does, bottlenecks are compared only with times at which GPUs are busy
     * (`otherwise`). If the metric did not run then, it may still have run at other times without a bottleneck. */
    return FALSE;
  if (metric->in_range_ns < metric->total_ns / 2)
    /* It is unknown when the metric ran: most of its time is outside the range of the data frame, where bottlenecks
     * were not searched. */
    return FALSE;
  return loom_root_cause_find (&contrast->otherwise, metric->metric) == NULL &&
         loom_root_cause_find (&contrast->beyond, metric->metric) == NULL;
}

gboolean
loom_cause_comparison_is_named_first (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric)
{
  const LoomRootCause *during = &contrast->during;
  guint most = 0;
  while (most + 1 < during->n_metrics && during->metrics[most].is_worker && !metric->is_worker)
    most++;
  double most_ns = (double) during->metrics[most].in_range_ns;
  return (double) metric->in_range_ns >= LOOM_CAUSE_COMPARISON_NAMED * most_ns &&
         loom_cause_comparison_is_only_then (contrast, metric);
}

gboolean
loom_cause_comparison_is_suspect (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric)
{
  return loom_cause_comparison_ratio (contrast, metric) >= LOOM_CAUSE_COMPARISON_SUSPECT;
}
