/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a typical step of a rank (loom-step-breakdown.h). A few long steps, such as one stalled step, change the
 * mean of a part but not the median step. So long steps are excluded when a change of the median step is explained by
 * changes of the parts.
 */
#pragma once

#include "loom-step-breakdown.h"

typedef struct {
  double parts_ns[LOOM_STEP_BREAKDOWN_N_PARTS]; /* [part] mean time of the part in ns */
  /* mean time of transfers in ns: communication after the last rank arrived, including time in which a device also
   * computes. LOOM_STEP_BREAKDOWN_TRANSFER is only the part without computation. */
  double transfers_ns;
} LoomTypicalStep;

/* Sets `typical` to the means over the recorded steps of a rank, without outliers and without the steps in `skipped`
 * (LoomLongStep; NULL: none). Steps are matched with `skipped` by number or, if `by_position` is TRUE, by position. If
 * no steps remain, the steps in `skipped` count, too. If there are still no steps, outliers count, too. All means are 0
 * if no step is recorded. O(steps · length of `skipped`); any thread. */
void loom_typical_step_init (LoomTypicalStep *typical, const LoomRankSteps *rank, const GArray *skipped,
                             gboolean by_position);

/* Like loom_typical_step_init(), but sets the mean over all ranks with recorded steps; each rank has the same
 * weight. */
void loom_typical_step_init_all (LoomTypicalStep *typical, const LoomStepBreakdown *breakdown, const GArray *skipped,
                                 gboolean by_position);
