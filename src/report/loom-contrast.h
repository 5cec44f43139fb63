/* SPDX-License-Identifier: Apache-2.0
 *
 * What ran when something was wrong, held against what ran when nothing was: at CPU bottlenecks against instants of busy
 * GPUs, in outlier steps against normal ones. formats/analysis.md §9. Any thread; cost that of loom_root_cause_init().
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-root-cause.h"
#include "loom-step-durations.h"

G_BEGIN_DECLS

/* Metrics whose mean is so many times as long as otherwise are worth a look. */
#define LOOM_CONTRAST_SUSPECT 2.0

typedef struct {
  const LoomFrame *frame; /* borrowed */
  LoomRootCause during, otherwise;
} LoomContrast;

void loom_contrast_init_bottlenecks (LoomContrast *contrast, const LoomFrame *frame, const LoomBottlenecks *bottlenecks);
void loom_contrast_init_outliers (LoomContrast *contrast, const LoomFrame *frame, const LoomStepDurations *steps);
void loom_contrast_clear (LoomContrast *contrast);

/* Of a metric of `during`; all NAN where there is nothing to go by. */
double loom_contrast_mean (const LoomRootCauseMetric *metric);                                         /* ns; NULL: NAN */
double loom_contrast_mean_otherwise (const LoomContrast *contrast, const LoomRootCauseMetric *metric); /* ns */
double loom_contrast_ratio (const LoomContrast *contrast, const LoomRootCauseMetric *metric);          /* of the means */
double loom_contrast_difference (const LoomContrast *contrast, const LoomRootCauseMetric *metric);     /* of the means, ns */
gboolean loom_contrast_is_suspect (const LoomContrast *contrast, const LoomRootCauseMetric *metric);

G_END_DECLS
