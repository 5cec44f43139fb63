/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks the bottlenecks of the run on the timeline while the marks are wanted. A worker finds them for runs that have hardware
 * metrics, again when the thresholds change. Called on the main thread.
 */
#pragma once

#include "loom-analysis-context.h"

typedef struct _LoomBottleneckMarks LoomBottleneckMarks;

/* New marks are not wanted, so nothing is shown yet. */
LoomBottleneckMarks *loom_bottleneck_marks_new (LoomAnalysisContext *analysis);
void loom_bottleneck_marks_free (LoomBottleneckMarks *self);

void loom_bottleneck_marks_set_wanted (LoomBottleneckMarks *self, gboolean wanted);
/* Call when a load has ended: bottlenecks are not searched in partly loaded runs. */
void loom_bottleneck_marks_update (LoomBottleneckMarks *self);
