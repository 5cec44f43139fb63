/* SPDX-License-Identifier: Apache-2.0
 *
 * Time windows for the comparisons in loom-root-cause.h and loom-step-utilization.h: the times of bottlenecks and the
 * rest of the time, or the times of outlier steps and of normal steps. If numbers are computed as the library smdebug
 * does (LOOM_NUMBER_CONVENTION_SMDEBUG), times of busy GPUs replace the rest of the time. Any thread.
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-interval-set.h"
#include "loom-step-durations.h"

/* A GPU is busy if its usage is above this limit, in percent. If numbers are computed as smdebug does
 * (LOOM_NUMBER_CONVENTION_SMDEBUG), the windows at bottlenecks are compared with the windows at which a GPU is busy. */
#define LOOM_BUSY_GPU 90.0

/* All functions below return a set of time intervals that is owned by the caller and ready for
 * loom_interval_set_touch() (loom_interval_set_seal() was called). */
LoomIntervalSet *loom_condition_windows_at_bottlenecks (const LoomDataFrame *frame, const LoomBottlenecks *bottlenecks);
/* Like loom_condition_windows_at_bottlenecks(), but each bottleneck counts for every host: ranks wait for each other, so
 * one node's bottleneck slows the step on all nodes. */
LoomIntervalSet *loom_condition_windows_at_bottlenecks_of_any_host (const LoomBottlenecks *bottlenecks);
LoomIntervalSet *loom_condition_windows_at_busy_gpus (const LoomDataFrame *frame,
                                                      LoomSelect select); /* cost O(GPU samples) */
/* Returns, for each host, the time from its first to its last GPU sample. Outside this time it is unknown whether there
 * are bottlenecks. O(GPU series). */
LoomIntervalSet *loom_condition_windows_while_sampled (const LoomDataFrame *frame, LoomSelect select);
/* Returns the times of the GPU samples without a bottleneck nearby: no bottleneck touches the time from the previous
 * sample to the next one. So a row of the LoomDataFrame that touches both such a sample and a bottleneck lasts at least
 * as long as the distance of two samples. O(GPU samples). */
LoomIntervalSet *loom_condition_windows_clear_of_bottlenecks (const LoomDataFrame *frame,
                                                              const LoomIntervalSet *bottlenecks, LoomSelect select);
/* Returns the times of the steps in `steps`, which are rows of the LoomDataFrame. Only the part of a step inside the
 * range of the LoomDataFrame counts; the whole step counts if numbers are computed as smdebug does. */
LoomIntervalSet *loom_condition_windows_in_steps (const LoomDataFrame *frame, const guint32 *steps, guint n_steps);
