/* SPDX-License-Identifier: Apache-2.0
 *
 * From where on something counts: what people may set for the analyses, together. Values in percent, times and distances.
 */
#pragma once

#include "loom-balance.h"
#include "loom-bottlenecks.h"
#include "loom-step-durations.h"

G_BEGIN_DECLS

typedef struct {
  LoomBottleneckLimits bottleneck;
  double outlier_factor; /* steps longer than so many medians stand out; > 0 */
  double balance_distance; /* GPUs farther apart work differently; 0 … √ln 2 and beyond: none */
} LoomThresholds;

#define LOOM_THRESHOLDS ((LoomThresholds) { { 90, 10 }, LOOM_OUTLIER_FACTOR, LOOM_BALANCE_LIMIT })

G_END_DECLS
