/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds time windows whose contents are compared to find causes (loom-root-cause.h, loom-step-utilization.h). The work
 * of the framework at bottlenecks (loom-bottlenecks.h) is compared with its work at all other times; its work in
 * outlier steps is compared with its work in normal steps. If numbers are computed as the library smdebug does
 * (LOOM_NUMBER_CONVENTION_SMDEBUG), bottlenecks are compared with the times of busy GPUs instead of all other times.
 * Any thread.
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-interval-set.h"
#include "loom-step-durations.h"

/* A GPU counts as busy if its usage in percent is above this limit. Used only if numbers are computed as smdebug does
 * (LOOM_NUMBER_CONVENTION_SMDEBUG): then the work of the framework at bottlenecks is compared with its work while a GPU
 * was busy. */
#define LOOM_BUSY_GPU 90.0

/* All functions below return a set of time intervals that is owned by the caller. loom_interval_set_seal() was already
 * called for it, so it can be passed to loom_interval_set_touch(). */
LoomIntervalSet *loom_condition_windows_at_bottlenecks (const LoomDataFrame *frame, const LoomBottlenecks *bottlenecks);
/* Like loom_condition_windows_at_bottlenecks(), but each bottleneck counts for every host. Ranks wait for each other,
 * so a bottleneck on one node slows the step on all nodes. */
LoomIntervalSet *loom_condition_windows_at_bottlenecks_of_any_host (const LoomBottlenecks *bottlenecks);
LoomIntervalSet *loom_condition_windows_at_busy_gpus (const LoomDataFrame *frame,
                                                      /* returns the times of the samples in which a GPU's usage is
                                                       * above LOOM_BUSY_GPU; O(GPU samples) */
                                                      LoomSelect select);
/* Returns, for each host, the time from its first to its last GPU sample. Outside this time it is unknown whether there
 * are bottlenecks. O(GPU series). */
LoomIntervalSet *loom_condition_windows_while_sampled (const LoomDataFrame *frame, LoomSelect select);
/* Returns the times of those GPU samples that are far from bottlenecks: no bottleneck lies between the sample before
 * and the sample after. So each returned time is at least one sampling interval away from every bottleneck. Only a row
 * of the LoomDataFrame that lasts at least one sampling interval can touch both a returned time and a bottleneck. O(GPU
 * samples). */
LoomIntervalSet *loom_condition_windows_clear_of_bottlenecks (const LoomDataFrame *frame,
                                                              const LoomIntervalSet *bottlenecks, LoomSelect select);
/* Returns the times of the given steps. `steps`: indices of `n_steps` rows of the LoomDataFrame. Only the part of a
 * step inside the range of the LoomDataFrame counts; the whole step counts if numbers are computed as smdebug does. */
LoomIntervalSet *loom_condition_windows_in_steps (const LoomDataFrame *frame, const guint32 *steps, guint n_steps);
