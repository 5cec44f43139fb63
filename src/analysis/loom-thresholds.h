/* SPDX-License-Identifier: Apache-2.0
 *
 * From where on something counts: what people may set for the analyses, together. Values in percent and times.
 */
#pragma once

#include "loom-bottlenecks.h"
#include "loom-step-durations.h"

G_BEGIN_DECLS

typedef struct {
  LoomBottleneckLimits bottleneck;
  double outlier_factor; /* steps longer than so many medians stand out; > 0 */
} LoomThresholds;

#define LOOM_THRESHOLDS ((LoomThresholds) { { 90, 10 }, LOOM_OUTLIER_FACTOR })

G_END_DECLS
