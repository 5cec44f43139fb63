/* SPDX-License-Identifier: Apache-2.0
 *
 * The profiling range of a plan that profiles a range of the timeline again in the next run. Pure; any thread.
 */
#pragma once

#include "loom-profiler-plan.h"
#include "loom-steps.h"

/* The numbers of the training steps that overlap `range` (timeline ns), or its seconds if no numbered step does. `steps`
 * NULL: the run's steps are unknown. Cost O(steps). */
LoomProfilerPlanRange loom_next_profile_range (LoomSteps *steps, LoomRange range);
