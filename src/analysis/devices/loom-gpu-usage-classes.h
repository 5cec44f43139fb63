/* SPDX-License-Identifier: Apache-2.0
 *
 * Assigns each GPU sample to one of six classes of usage, by its value and by the phase of the job. Without a training
 * loop, no sample is in initialization or finalization. The counts of the classes add up to the number of GPU samples.
 *
 * If numbers are computed as smdebug does (LOOM_NUMBER_CONVENTION_SMDEBUG), samples at exactly 90 %, and samples at an
 * end of the training loop, are in no class; if there is no training loop, no sample at all is in a class. Pure, any
 * thread, O(GPU samples).
 */
#pragma once

#include "loom-bottlenecks.h"

typedef enum {
  LOOM_GPU_USAGE_INITIALIZATION,
  LOOM_GPU_USAGE_FINALIZATION,
  LOOM_GPU_USAGE_HIGH,
  LOOM_GPU_USAGE_SUBOPTIMAL,
  LOOM_GPU_USAGE_CPU_BOTTLENECK,
  LOOM_GPU_USAGE_LOW,
  LOOM_N_GPU_USAGES,
} LoomGpuUsage;

/* Returns the name of a class in reports, for example "high_gpu_usage". Static. */
const char *loom_gpu_usage_classes_to_string (LoomGpuUsage usage);

typedef struct {
  guint64 count[LOOM_N_GPU_USAGES];
  guint64 n_samples;
  /* median time between two samples of a GPU, in ns; count × interval_ns is the time of a class; 0: unknown */
  gint64 interval_ns;
} LoomGpuUsageClasses;

LoomGpuUsageClasses loom_gpu_usage_classes_compute (const LoomDataFrame *frame, const LoomJobPhases *phases,
                                                    const LoomBottlenecks *bottlenecks, LoomSelect select);
