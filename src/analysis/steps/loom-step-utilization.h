/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy the devices were during outlier steps or normal steps. A sample counts once if at least one step of its host
 * contains it. With LOOM_NUMBER_CONVENTION_SMDEBUG, a sample counts once for each step, on any host, that contains it.
 * Any thread. O(samples + steps · log steps).
 */
#pragma once

#include "loom-data-frame.h"
#include "loom-statistics.h"
#include "loom-step-durations.h"

typedef struct {
  LoomHistogram gpu, cpu; /* usage in percent, with 50 bins; `n` of the histogram is the number of samples */
} LoomStepUtilization;

/* Computes the utilization of GPUs and CPU cores during steps. `rows_of_steps`: rows of the LoomDataFrame. */
void loom_step_utilization_init (LoomStepUtilization *usage, const LoomDataFrame *frame, const guint32 *rows_of_steps,
                                 guint n_steps, LoomSelect select);
/* Computes the utilization during outlier steps and during normal steps. The two results have the same bins, so that
 * they can be compared. */
void loom_step_utilization_init_pair (LoomStepUtilization *outliers, LoomStepUtilization *normal,
                                      const LoomDataFrame *frame, const LoomStepDurations *durations,
                                      LoomSelect select);
void loom_step_utilization_clear (LoomStepUtilization *usage);
