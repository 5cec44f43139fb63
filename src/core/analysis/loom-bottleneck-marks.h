/* SPDX-License-Identifier: Apache-2.0
 *
 * Marks the times of bottlenecks (loom-bottlenecks.h) on the timeline while the user has turned these marks on. If the
 * run has hardware metrics, a worker thread finds the bottlenecks, and finds them again when the thresholds change.
 * Called on the main thread.
 */
#pragma once

#include "loom-analysis-context.h"

typedef struct _LoomBottleneckMarks LoomBottleneckMarks;

/* Makes an object that shows no marks until loom_bottleneck_marks_set_wanted() is called with TRUE. */
LoomBottleneckMarks *loom_bottleneck_marks_new (LoomAnalysisContext *analysis);
void loom_bottleneck_marks_free (LoomBottleneckMarks *self);

void loom_bottleneck_marks_set_wanted (LoomBottleneckMarks *self, gboolean wanted);
/* Finds the bottlenecks if the marks are turned on. Must be called when loading has ended, because a partly loaded
 * run is not searched. */
void loom_bottleneck_marks_update (LoomBottleneckMarks *self);
