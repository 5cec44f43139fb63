/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy the devices were during chosen steps (the outliers, the normal ones): formats/analysis.md §10. Distinct
 * samples of the step's host; as written those of any host, once for each step they lie in. Any thread.
 * Cost O(samples + steps · log).
 */
#pragma once

#include "loom-data-frame.h"
#include "loom-statistics.h"
#include "loom-step-durations.h"

G_BEGIN_DECLS

typedef struct {
  LoomHistogram gpu, cpu; /* 50 bins; .n is the number of samples */
} LoomStepUtilization;

/* `steps`: rows of the frame. */
void loom_step_utilization_init (LoomStepUtilization *usage, const LoomDataFrame *frame, const guint32 *steps,
                                 guint n_steps, LoomSelect select);
/* Both of the steps that stand out and of the others, with the same bins, so that they can be compared. */
void loom_step_utilization_init_pair (LoomStepUtilization *outliers, LoomStepUtilization *normal,
                                      const LoomDataFrame *frame, const LoomStepDurations *durations,
                                      LoomSelect select);
void loom_step_utilization_clear (LoomStepUtilization *usage);

G_END_DECLS
