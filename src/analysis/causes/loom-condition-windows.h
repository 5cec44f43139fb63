/* SPDX-License-Identifier: Apache-2.0
 *
 * Time windows that are compared to find causes in loom-root-cause.h and loom-step-utilization.h. What the framework
 * did at bottlenecks (loom-bottlenecks.h) is compared with what it did at all other times, and what it did in
 * outlier steps with what it did in normal steps. If numbers are computed as the library smdebug does
 * (LOOM_NUMBER_CONVENTION_SMDEBUG), bottlenecks are compared with the times of busy GPUs instead of all other times.
 * Any thread.
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-interval-set.h"
#include "loom-step-durations.h"

/* A GPU whose usage in percent is above this limit counts as busy. Used only if numbers are computed as smdebug does
 * (LOOM_NUMBER_CONVENTION_SMDEBUG): what the framework did at bottlenecks is then compared with what it did while a
 * GPU was busy. */
#define LOOM_BUSY_GPU 90.0

/* All functions below return a set of time intervals that is owned by the caller and ready for
 * loom_interval_set_touch() (loom_interval_set_seal() was called). */
LoomIntervalSet *loom_condition_windows_at_bottlenecks (const LoomDataFrame *frame, const LoomBottlenecks *bottlenecks);
/* Like loom_condition_windows_at_bottlenecks(), but each bottleneck counts for every host: ranks wait for each
 * other, so one node's bottleneck slows the step on all nodes. */
LoomIntervalSet *loom_condition_windows_at_bottlenecks_of_any_host (const LoomBottlenecks *bottlenecks);
LoomIntervalSet *loom_condition_windows_at_busy_gpus (const LoomDataFrame *frame,
                                                      /* returns the times of samples of a GPU's usage above
                                                       * LOOM_BUSY_GPU; O(GPU samples) */
                                                      LoomSelect select);
/* Returns, for each host, the time from its first to its last GPU sample. Outside this time it is unknown whether there
 * are bottlenecks. O(GPU series). */
LoomIntervalSet *loom_condition_windows_while_sampled (const LoomDataFrame *frame, LoomSelect select);
/* Returns the times of those GPU samples that have no bottleneck between the previous and the next sample. So such a
 * time is at least one sampling interval away from every bottleneck, and only rows of the LoomDataFrame that last at
 * least as long as this interval can touch both such a time and a bottleneck. O(GPU samples). */
LoomIntervalSet *loom_condition_windows_clear_of_bottlenecks (const LoomDataFrame *frame,
                                                              const LoomIntervalSet *bottlenecks, LoomSelect select);
/* Returns the times of the steps in `steps`, which are rows of the LoomDataFrame. Only the part of a step inside the
 * range of the LoomDataFrame counts; the whole step counts if numbers are computed as smdebug does. */
LoomIntervalSet *loom_condition_windows_in_steps (const LoomDataFrame *frame, const guint32 *steps, guint n_steps);
