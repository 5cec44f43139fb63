/* SPDX-License-Identifier: Apache-2.0
 *
 * The idle time of devices per step of a run, divided by cause (LoomIdleCause in loom-idle-time.h). A comparison of two
 * runs computes a LoomIdleParts for each run.
 */
#pragma once

#include "loom-idle-time.h"
#include "loom-step-breakdown.h"

typedef struct {
  /* [cause] idle time with this cause in ns, without waits for data, as the mean over all steps of all ranks. The cause
   * of an idle gap is the event for which the work after the gap waited last (the binding predecessor in
   * loom-idle-time.h). */
  double per_step_ns[LOOM_N_IDLE_CAUSES];
  double gap_ns[LOOM_N_IDLE_CAUSES]; /* [cause] mean length in ns of the idle gaps with this cause; 0: there are none */
} LoomIdleParts;

/* Sums the idle gaps of devices from the start of the first recorded step to the end of the last one. `ranks` (gint):
 * the ranks whose devices count; empty: all ranks. Costs as much as loom_idle_time_new(); any thread. Returns FALSE
 * when cancelled. */
gboolean loom_idle_parts_init (LoomIdleParts *parts, LoomTimeline *timeline, const LoomStepBreakdown *breakdown,
                               const GArray *ranks, GCancellable *cancellable);

/* Returns the cause whose idle time per step increased most (`sign` 1) or decreased most (`sign` −1) from `first` to
 * `second`. */
LoomIdleCause loom_idle_parts_find_main (const LoomIdleParts *first, const LoomIdleParts *second, double sign);
