/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy the devices were during chosen steps (the outliers, the normal ones): formats/analysis.md §10. Distinct
 * samples of the step's host; as written those of any host, once for each step they lie in. Any thread.
 * Cost O(samples + steps · log).
 */
#pragma once

#include "loom-frame.h"
#include "loom-stats.h"
#include "loom-step-durations.h"

G_BEGIN_DECLS

typedef struct {
  LoomHistogram gpu, cpu; /* 50 bins; .n is the number of samples */
} LoomStepUsage;

/* `steps`: rows of the frame. */
void loom_step_usage_init (LoomStepUsage *usage, const LoomFrame *frame, const guint32 *steps, guint n_steps, LoomSelect select);
/* Both of the steps that stand out and of the others, with the same bins, so that they can be compared. */
void loom_step_usage_init_pair (LoomStepUsage *outliers, LoomStepUsage *normal, const LoomFrame *frame, const LoomStepDurations *durations,
                                LoomSelect select);
void loom_step_usage_clear (LoomStepUsage *usage);

G_END_DECLS
