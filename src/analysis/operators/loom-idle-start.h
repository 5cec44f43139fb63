/* SPDX-License-Identifier: Apache-2.0
 *
 * The time that devices wait for their first kernel or copy. LoomIdleTime, like Holistic Trace Analysis, counts the
 * idle time of a device from its first kernel or copy, so a device whose rank waits seconds for the first batch seems
 * to be busy. Here the wait begins with the step during which the device begins to work, but not before the range or
 * before the first recorded span of the thread that launches the work. Times are timeline ns. Any thread.
 */
#pragma once

#include "loom-idle-time.h"
#include "loom-steps.h"

/* Returns a copy of `idle` in which the idle time of the devices includes their waits for the first work: such a wait is a
 * gap with the cause LOOM_IDLE_CAUSE_HOST. Rows of streams, and the classification by Holistic Trace Analysis
 * (LoomIdleRow.hta), do not change. A wait is not added if the device also works before the range, if the launch of its
 * first work is not in the file, or if this work is not in a step. `range`: the range of `idle`. O(devices + names +
 * spans of tracks that contain waits for data). Freed with loom_idle_time_free(); NULL only when cancelled. */
LoomIdleTime *loom_idle_start_add (LoomTimeline *timeline, const LoomIdleTime *idle, const LoomSteps *steps,
                                   LoomRange range, GCancellable *cancellable);
