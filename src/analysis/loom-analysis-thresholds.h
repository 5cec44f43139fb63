/* SPDX-License-Identifier: Apache-2.0
 *
 * The thresholds of all analyses that users can set. Values are percents, multiples and distances.
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-gpu-balance.h"
#include "loom-step-durations.h"

typedef struct {
  LoomBottleneckLimits bottleneck;
  double outlier_factor;   /* steps longer than this multiple of the median are outliers; > 0 */
  double balance_distance; /* GPUs farther apart are imbalanced; 0 … √ln 2, larger: never */
} LoomAnalysisThresholds;

#define LOOM_THRESHOLDS ((LoomAnalysisThresholds) { { 90, 10 }, LOOM_OUTLIER_FACTOR, LOOM_GPU_BALANCE_LIMIT })
