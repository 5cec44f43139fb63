/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums the idle time of devices by cause, per step of a run. A comparison of two runs uses this for each run. The
 * causes are defined in loom-idle-time.h.
 */
#pragma once

#include "loom-idle-time.h"
#include "loom-step-breakdown.h"

typedef struct {
  /* [cause] mean idle time with this cause per step and rank, in ns, without waits for data. The cause is that of the
   * last event that the next work waited for (the binding predecessor in loom-idle-time.h). */
  double per_step_ns[LOOM_N_IDLE_CAUSES];
  double gap_ns[LOOM_N_IDLE_CAUSES]; /* [cause] mean length of the idle gaps with this cause; 0: there are none */
} LoomIdleParts;

/* Sums the idle gaps of devices from the start of the first recorded step to the end of the last one. `ranks` (gint):
 * the ranks whose devices count; empty: all ranks. Costs as much as loom_idle_time_new(); any thread. Returns FALSE
 * when cancelled. */
gboolean loom_idle_parts_init (LoomIdleParts *parts, LoomTimeline *timeline, const LoomStepBreakdown *breakdown,
                               const GArray *ranks, GCancellable *cancellable);

/* Returns the cause of idle time that changed most from `first` to `second` in the direction of `sign`, which is 1 or
 * −1. */
LoomIdleCause loom_idle_parts_find_main (const LoomIdleParts *first, const LoomIdleParts *second, double sign);
