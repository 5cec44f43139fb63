/* SPDX-License-Identifier: Apache-2.0
 *
 * The profiling range of a plan that profiles a range of the timeline again in the next run. Pure; any thread.
 */
#pragma once

#include "loom-profiler-plan.h"
#include "loom-steps.h"

/* Returns the numbers of the training steps that overlap `range` (timeline ns). If no numbered step overlaps it,
 * returns the range in seconds. `steps`: NULL if the steps of the run are unknown. O(steps). */
LoomProfilerPlanRange loom_next_profile_range (LoomSteps *steps, LoomRange range);
