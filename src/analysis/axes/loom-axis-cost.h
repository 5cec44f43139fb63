/* SPDX-License-Identifier: Apache-2.0
 *
 * What the communication on each parallel axis costs: how long devices wait and transfer in the collectives and messages
 * of the axis, and how much of that is exposed, because no device of the rank computes meanwhile.
 *
 *   wait       from the arrival of a rank at a collective or message to the last arrival
 *   transfer   from the last arrival to the end on this rank
 *   exposed    a device of the rank communicates and none computes, as in loom-step-breakdown.h
 *   hidden     a device of the rank communicates while one computes
 *
 * If a rank waits or transfers on several axes at the same time, the time is divided equally among them, so that the
 * times add up to the time in which the rank communicates. Only time inside the range of the collectives counts. Times
 * are summed over ranks, in ns.
 */
#pragma once

#include "loom-parallel-axes.h"

typedef struct {
  gint64 exposed_wait_ns, exposed_transfer_ns, hidden_ns;
} LoomAxisCostTime;

typedef struct {
  LoomAxisCostTime all[LOOM_N_PARALLEL_AXES]; /* by axis */
  guint n_ranks;                              /* number of ranks with device work */
} LoomAxisCost;

/* Computes the costs. O(device spans + collectives · ranks + messages). Any thread. FALSE only when cancelled. */
gboolean loom_axis_cost_init (LoomAxisCost *cost, const LoomCollectives *collectives, const LoomParallelAxes *axes,
                              GCancellable *cancellable);
