/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the durations of metrics (kinds of spans, such as one operator) under a bad condition with their durations
 * at other times. The bad condition is a CPU bottleneck or an outlier step.
 *
 * If a row (span) runs at a bottleneck of any node, or touches an outlier step of its node, it counts for the bad
 * condition, and not for other times. If numbers are computed as smdebug does (LOOM_NUMBER_CONVENTION_SMDEBUG), such a
 * row counts for both, and bottlenecks are compared only with times at which GPUs are busy. The functions may be called
 * on any thread; they take as long as loom_root_cause_init().
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-root-cause.h"
#include "loom-step-durations.h"

/* A metric is a suspect if the mean duration of its spans at bottlenecks (or in outlier steps) is at least this many
 * times their mean duration at other times. */
#define LOOM_CAUSE_COMPARISON_SUSPECT 2.0
/* A metric (a name of spans, or a worker process) whose spans ran only at bottlenecks, or only in outlier steps, is
 * named first if its time is at least this share of the time of the longest metric. Names of spans are compared only
 * with the longest name, not with worker processes. */
#define LOOM_CAUSE_COMPARISON_NAMED 0.001

typedef struct {
  const LoomDataFrame *frame; /* data frame of the compared rows; borrowed */
  LoomRootCause during, otherwise;
  /* like `otherwise`, but also contains rows that run partly at a bottleneck (or in an outlier step) and partly at
   * other times */
  LoomRootCause beyond;
} LoomCauseComparison;

void loom_cause_comparison_init_bottlenecks (LoomCauseComparison *contrast, const LoomDataFrame *frame,
                                             const LoomBottlenecks *bottlenecks);
void loom_cause_comparison_init_outliers (LoomCauseComparison *contrast, const LoomDataFrame *frame,
                                          const LoomStepDurations *steps);
void loom_cause_comparison_clear (LoomCauseComparison *contrast);

/* The next four functions return a mean duration of a metric, or compare its mean durations at bottlenecks (or in
 * outlier steps) and at other times. The metric must be an element of during.metrics. If a mean is unknown, they return
 * NAN. Exception: if the metric has no spans at other times, the difference is the mean at bottlenecks (or in outlier
 * steps). */
/* Returns the mean duration at bottlenecks (or in outlier steps), in ns; NAN if `metric` is NULL. */
double loom_cause_comparison_mean (const LoomRootCauseMetric *metric);
/* Returns the mean duration of the metric at other times, in ns. */
double loom_cause_comparison_mean_otherwise (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric);
/* Returns the ratio of the mean durations: at bottlenecks (or in outlier steps) ÷ at other times. */
double loom_cause_comparison_ratio (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric);
/* Returns the difference of the mean durations: at bottlenecks (or in outlier steps) − at other times, in ns. */
double loom_cause_comparison_difference (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric);
/* Returns TRUE if the metric ran only at bottlenecks (or only in outlier steps): neither `otherwise` nor `beyond`
 * contains rows of it. A span of the whole run, for example, runs at bottlenecks, but also at other times. Returns
 * FALSE if most of the metric's time is outside the range of `frame`. */
gboolean loom_cause_comparison_is_only_then (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric);
gboolean loom_cause_comparison_is_named_first (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric);
gboolean loom_cause_comparison_is_suspect (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric);
