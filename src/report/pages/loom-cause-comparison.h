/* SPDX-License-Identifier: Apache-2.0
 *
 * What ran when something was wrong, compared with what ran otherwise: at CPU bottlenecks or not, in outlier steps or in normal
 * ones. A row that runs at a bottleneck of any node, or touches an outlier step of its node, is not counted otherwise; as
 * written it is, and bottlenecks are compared with instants of busy GPUs. formats/analysis.md §9. Any thread; cost that of
 * loom_root_cause_init().
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-root-cause.h"
#include "loom-step-durations.h"

/* Metrics whose mean is at least this many times the mean in the other condition are suspects. */
#define LOOM_CAUSE_COMPARISON_SUSPECT 2.0
/* What ran only then is named first if it takes at least this share of the time of the metric that takes most, worker processes aside. */
#define LOOM_CAUSE_COMPARISON_NAMED 0.001

typedef struct {
  const LoomDataFrame *frame; /* borrowed */
  LoomRootCause during, otherwise;
  LoomRootCause beyond; /* what ran clear of bottlenecks, or in a normal step, even if it touches the other condition */
} LoomCauseComparison;

void loom_cause_comparison_init_bottlenecks (LoomCauseComparison *contrast, const LoomDataFrame *frame,
                                             const LoomBottlenecks *bottlenecks);
void loom_cause_comparison_init_outliers (LoomCauseComparison *contrast, const LoomDataFrame *frame,
                                          const LoomStepDurations *steps);
void loom_cause_comparison_clear (LoomCauseComparison *contrast);

/* Of a metric of `during`; all NAN where there is nothing to go by. The difference of what ran only then is its mean. */
double loom_cause_comparison_mean (const LoomRootCauseMetric *metric); /* ns; NAN if `metric` is NULL */
double loom_cause_comparison_mean_otherwise (const LoomCauseComparison *contrast,
                                             const LoomRootCauseMetric *metric); /* ns */
double loom_cause_comparison_ratio (const LoomCauseComparison *contrast,
                                    const LoomRootCauseMetric *metric); /* ratio of the two means */
double loom_cause_comparison_difference (const LoomCauseComparison *contrast,
                                         const LoomRootCauseMetric *metric); /* difference of the two means, ns */
/* No row of it ran otherwise, and none reaches beyond: a span of the whole run is at bottlenecks, but not only there.
 * Nor is what runs outside of the frame's range for most of its time. */
gboolean loom_cause_comparison_is_only_then (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric);
gboolean loom_cause_comparison_is_named_first (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric);
gboolean loom_cause_comparison_is_suspect (const LoomCauseComparison *contrast, const LoomRootCauseMetric *metric);
