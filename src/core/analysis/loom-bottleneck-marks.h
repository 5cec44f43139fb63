/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the marks of bottlenecks on the timeline as the run and its thresholds are: a worker finds the instants, of runs
 * that have metrics of the hardware, while the marks are wanted. Main thread.
 */
#pragma once

#include "loom-analysis-context.h"

typedef struct _LoomBottleneckMarks LoomBottleneckMarks;

/* Not wanted when new. */
LoomBottleneckMarks *loom_bottleneck_marks_new (LoomAnalysisContext *analysis);
void loom_bottleneck_marks_free (LoomBottleneckMarks *self);

void loom_bottleneck_marks_set_wanted (LoomBottleneckMarks *self, gboolean wanted);
/* Another timeline is there for good: while files arrive nobody looks for bottlenecks. */
void loom_bottleneck_marks_update (LoomBottleneckMarks *self);
