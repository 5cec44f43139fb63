/* SPDX-License-Identifier: Apache-2.0
 *
 * Windows of time for comparisons in loom-root-cause.h and loom-step-utilization.h: bottlenecks and the rest of the
 * time (with smdebug's numbers: bottlenecks and times of busy GPUs), outlier steps and normal steps. Any thread.
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-interval-set.h"
#include "loom-step-durations.h"

/* GPU usage in percent. The analysis that computes as smdebug does (LOOM_NUMBER_CONVENTION_SMDEBUG) compares
 * bottlenecks with the instants at which a GPU is above it. */
#define LOOM_BUSY_GPU 90.0

/* The caller owns every set that these functions return; the sets are sealed. */
LoomIntervalSet *loom_condition_windows_at_bottlenecks (const LoomDataFrame *frame, const LoomBottlenecks *bottlenecks);
/* Like loom_condition_windows_at_bottlenecks(), but each bottleneck counts for every host: ranks wait for each other, so
 * one node's bottleneck slows the step on all nodes. */
LoomIntervalSet *loom_condition_windows_at_bottlenecks_of_any_host (const LoomBottlenecks *bottlenecks);
LoomIntervalSet *loom_condition_windows_at_busy_gpus (const LoomDataFrame *frame,
                                                      LoomSelect select); /* cost O(GPU samples) */
/* For each host the time from its first GPU sample to its last; outside of this time bottlenecks are unknown.
 * O(GPU series). */
LoomIntervalSet *loom_condition_windows_while_sampled (const LoomDataFrame *frame, LoomSelect select);
/* Times of the GPU samples that belong to no bottleneck and whose neighbour samples belong to none either. A row that
 * runs at such a time and touches a bottleneck extends beyond the bottleneck by more than the distance of two samples.
 * O(GPU samples). */
LoomIntervalSet *loom_condition_windows_clear_of_bottlenecks (const LoomDataFrame *frame,
                                                              const LoomIntervalSet *bottlenecks, LoomSelect select);
/* `steps`: rows of the frame. Except with smdebug's numbers, only the part of a step inside the range counts, as in all
 * totals. */
LoomIntervalSet *loom_condition_windows_in_steps (const LoomDataFrame *frame, const guint32 *steps, guint n_steps);
