/* SPDX-License-Identifier: Apache-2.0
 *
 * Windows of time for comparisons in loom-root-cause.h and loom-step-utilization.h: bottlenecks and the rest of the
 * time (with smdebug's numbers: bottlenecks and times of busy GPUs), outlier steps and normal steps. Any thread.
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-interval-set.h"
#include "loom-step-durations.h"

/* A GPU is busy if its usage is above this limit, in percent. If numbers are computed as smdebug does
 * (LOOM_NUMBER_CONVENTION_SMDEBUG), the windows at bottlenecks are compared with the windows at which a GPU is busy. */
#define LOOM_BUSY_GPU 90.0

/* All functions below return sealed sets that are owned by the caller. */
LoomIntervalSet *loom_condition_windows_at_bottlenecks (const LoomDataFrame *frame, const LoomBottlenecks *bottlenecks);
/* Like loom_condition_windows_at_bottlenecks(), but each bottleneck counts for every host: ranks wait for each other, so
 * one node's bottleneck slows the step on all nodes. */
LoomIntervalSet *loom_condition_windows_at_bottlenecks_of_any_host (const LoomBottlenecks *bottlenecks);
LoomIntervalSet *loom_condition_windows_at_busy_gpus (const LoomDataFrame *frame,
                                                      LoomSelect select); /* cost O(GPU samples) */
/* Returns, for each host, the time from its first to its last GPU sample. Outside of this time, it is unknown whether
 * there are bottlenecks. O(GPU series). */
LoomIntervalSet *loom_condition_windows_while_sampled (const LoomDataFrame *frame, LoomSelect select);
/* Returns the times of those GPU samples for which the whole time from the sample before to the sample after is clear
 * of bottlenecks. So a row of the LoomDataFrame that runs at such a time and also touches a bottleneck covers at least
 * the whole time between two samples. O(GPU samples). */
LoomIntervalSet *loom_condition_windows_clear_of_bottlenecks (const LoomDataFrame *frame,
                                                              const LoomIntervalSet *bottlenecks, LoomSelect select);
/* Returns the times of the steps in `steps`, which are rows of the LoomDataFrame. Only the part of a step inside the
 * range of the LoomDataFrame counts; the whole step counts if numbers are computed as smdebug does. */
LoomIntervalSet *loom_condition_windows_in_steps (const LoomDataFrame *frame, const guint32 *steps, guint n_steps);
