/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts a range of the timeline to the profiling range of a profiler plan, so that the next run of the job is
 * profiled in the same range. The plan (loom-profiler-plan.h) states how a training job is to be profiled. The function
 * depends only on its arguments; any thread.
 */
#pragma once

#include "loom-profiler-plan.h"
#include "loom-steps.h"

/* Returns the numbers of the training steps that overlap `range` (timeline ns). If no numbered step overlaps it,
 * returns the range in seconds. `steps`: NULL if the steps of the run are unknown. O(steps). */
LoomProfilerPlanRange loom_next_profile_range (LoomSteps *steps, LoomRange range);
