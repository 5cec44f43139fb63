/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the metrics that ran under a bad condition, that is, at CPU bottlenecks or in outlier steps, with the
 * metrics that ran at other times. A row that runs at a bottleneck of any node, or touches an outlier step of its node,
 * counts only for the bad condition. If numbers are computed as smdebug does, such a row counts for both sides, and
 * bottlenecks are compared only with times of busy GPUs. Any thread; costs as much as loom_root_cause_init().
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-root-cause.h"
#include "loom-step-durations.h"

/* A metric is a suspect if its mean at bottlenecks (or in outlier steps) is at least this many times its mean at other
 * times. */
#define LOOM_CAUSE_COMPARISON_SUSPECT 2.0
/* A metric that ran only at bottlenecks (or only in outlier steps) is among the first to be named if its time is at
 * least this share of the time of the longest metric. For a metric that is not a worker process, the longest one is
 * chosen among the metrics that are not worker processes. */
#define LOOM_CAUSE_COMPARISON_NAMED 0.001

typedef struct {
  const LoomDataFrame *frame; /* data frame of the compared rows; borrowed */
  LoomRootCause during, otherwise;
  /* result for the times `beyond`: it also counts rows that run at other times and, in addition, at a bottleneck (or in
   * an outlier step) */
  LoomRootCause beyond;
} LoomCauseComparison;

void loom_cause_comparison_init_bottlenecks (LoomCauseComparison *contrast, const LoomDataFrame *frame,
                                             const LoomBottlenecks *bottlenecks);
void loom_cause_comparison_init_outliers (LoomCauseComparison *contrast, const LoomDataFrame *frame,
                                          const LoomStepDurations *steps);
void loom_cause_comparison_clear (LoomCauseComparison *contrast);

/* The next four functions return figures of a metric, which must be an element of during.metrics. NAN if a mean that
 * is needed is missing. For a metric that ran only at bottlenecks (or only in outlier steps), the difference is the mean
 * at bottlenecks (or in outlier steps). */
/* Returns the mean duration at bottlenecks (or in outlier steps), in ns; NAN if `metric` is NULL. */
double loom_cause_comparison_mean (const LoomRootCauseMetric *metric);
/* Returns the mean duration at other times, in ns. */
double loom_cause_comparison_mean_otherwise (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric);
/* Returns the mean duration at bottlenecks (or in outlier steps) ÷ the mean duration at other times. */
double loom_cause_comparison_ratio (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric);
/* Returns the mean duration at bottlenecks (or in outlier steps) − the mean duration at other times, in ns. */
double loom_cause_comparison_difference (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric);
/* Returns TRUE if the metric ran only at bottlenecks (or only in outlier steps): neither `otherwise` nor `beyond` has
 * rows of it. For example, a span of the whole run also runs at bottlenecks, but not only there. FALSE also for a
 * metric most of whose time is outside the range of `frame`. */
gboolean loom_cause_comparison_is_only_then (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric);
gboolean loom_cause_comparison_is_named_first (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric);
gboolean loom_cause_comparison_is_suspect (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric);
