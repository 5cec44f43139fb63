/* SPDX-License-Identifier: Apache-2.0
 *
 * From where on something counts: what people may set for the analyses, together. Values in percent, times and distances.
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-gpu-balance.h"
#include "loom-step-durations.h"

G_BEGIN_DECLS

typedef struct {
  LoomBottleneckLimits bottleneck;
  double outlier_factor;   /* steps longer than so many medians stand out; > 0 */
  double balance_distance; /* GPUs farther apart work differently; 0 … √ln 2 and beyond: none */
} LoomAnalysisThresholds;

#define LOOM_THRESHOLDS ((LoomAnalysisThresholds) { { 90, 10 }, LOOM_OUTLIER_FACTOR, LOOM_GPU_BALANCE_LIMIT })

G_END_DECLS
