/* SPDX-License-Identifier: Apache-2.0
 *
 * When something was wrong, and when it was not, as windows for loom-root-cause.h and loom-step-utilization.h: bottlenecks
 * against the rest of the time (as written: instants of busy GPUs), outlier steps against normal ones. formats/analysis.md §9. Any thread.
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-interval-set.h"
#include "loom-step-durations.h"

G_BEGIN_DECLS

/* As written bottlenecks are compared with instants of GPUs busier than this. */
#define LOOM_BUSY_GPU 90.0

/* All owned by the caller, sealed. */
LoomIntervalSet *loom_condition_windows_at_bottlenecks (const LoomDataFrame *frame, const LoomBottlenecks *bottlenecks);
/* The same for every host: ranks wait for each other, so that a step is slow on all nodes while one is at a bottleneck. */
LoomIntervalSet *loom_condition_windows_at_bottlenecks_of_any_host (const LoomBottlenecks *bottlenecks);
LoomIntervalSet *loom_condition_windows_at_busy_gpus (const LoomDataFrame *frame,
                                                      LoomSelect select); /* O(GPU samples) */
/* From each host's first GPU sample to its last: outside of it bottlenecks are not known. O(GPU series). */
LoomIntervalSet *loom_condition_windows_while_sampled (const LoomDataFrame *frame, LoomSelect select);
/* Instants of GPU samples at which neither they nor the sample before or after belong to a bottleneck. What runs at one of them
 * reaches beyond a bottleneck by more than the distance of samples. O(GPU samples). */
LoomIntervalSet *loom_condition_windows_clear_of_bottlenecks (const LoomDataFrame *frame,
                                                              const LoomIntervalSet *bottlenecks, LoomSelect select);
/* `steps`: rows of the frame. Intended numbers count the part of a step that lies in the range, as all totals do. */
LoomIntervalSet *loom_condition_windows_in_steps (const LoomDataFrame *frame, const guint32 *steps, guint n_steps);

G_END_DECLS
