/* SPDX-License-Identifier: Apache-2.0
 *
 * The cost of the communication on each parallel axis: how long devices wait and transfer in the collectives and
 * messages of the axis, and how much of this time is exposed. Exposed time is not hidden by computation.
 *
 *   wait       from the arrival of a rank at a collective or message to the last arrival
 *   transfer   from the last arrival to the end on this rank
 *   exposed    a device of the rank communicates, and none of its devices computes, as in loom-step-breakdown.h
 *   hidden     a device of the rank communicates, and a device of the rank computes
 *
 * If a rank waits or transfers on several axes at the same time, the time is divided equally among them, so that the
 * times add up to the time in which the rank communicates. Only time inside the range of the collectives counts. If the
 * run has steps in which devices are recorded, only time inside these steps counts, so that the mean per step agrees
 * with loom-step-breakdown.h. Times are summed over ranks, in ns.
 */
#pragma once

#include "loom-parallel-axes.h"
#include "loom-step-breakdown.h"

typedef struct {
  gint64 exposed_wait_ns, exposed_transfer_ns, hidden_ns;
} LoomAxisCostTime;

typedef struct {
  LoomAxisCostTime all[LOOM_N_PARALLEL_AXES]; /* [axis] times of the axis */
  guint n_ranks;                              /* number of ranks with device work */
  guint n_steps; /* number of steps in which devices are recorded, summed over ranks; 0: there are no such steps */
} LoomAxisCost;

/* Computes the costs. `breakdown`: the steps of the same timeline, in the range of `collectives`. O(device spans +
 * collectives · ranks + messages). Any thread. Returns FALSE only when cancelled. */
gboolean loom_axis_cost_init (LoomAxisCost *cost, const LoomCollectives *collectives, const LoomParallelAxes *axes,
                              const LoomStepBreakdown *breakdown, GCancellable *cancellable);
