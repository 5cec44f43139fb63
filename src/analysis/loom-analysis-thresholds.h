/* SPDX-License-Identifier: Apache-2.0
 *
 * The limits of all analyses that users can set, such as the limit from which a step is an outlier. Values are
 * percents, multiples or distances.
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-device-peaks.h"
#include "loom-gpu-balance.h"
#include "loom-step-durations.h"

typedef struct {
  LoomBottleneckLimits bottleneck;
  double outlier_factor; /* steps that are longer than this multiple of the median step are outliers; must be > 0 */
  /* two GPUs are imbalanced if the Jensen–Shannon distance of their usage is larger than this limit. Distances are at
   * most √ln 2, so a larger limit is never exceeded. */
  double balance_distance;
  /* peaks of the devices that the user sets; they replace the known peaks of the model (loom-device-peaks.h) */
  LoomPeakSettings peaks;
} LoomAnalysisThresholds;

#define LOOM_THRESHOLDS ((LoomAnalysisThresholds) { { 90, 10 }, LOOM_OUTLIER_FACTOR, LOOM_GPU_BALANCE_LIMIT, { 0, 0 } })
