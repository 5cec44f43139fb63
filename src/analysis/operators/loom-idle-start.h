/* SPDX-License-Identifier: Apache-2.0
 *
 * The time that devices wait for their first kernel or copy. Like Holistic Trace Analysis, LoomIdleTime counts the idle
 * time of a device from its first kernel or copy on. So it does not show if a rank waits seconds for its first batch.
 * Here, the wait begins at the latest of three times: the start of the step in which the device begins to work, the
 * start of the range, and the start of the first recorded span of the thread that launches the work. Times are timeline
 * ns. Any thread.
 */
#pragma once

#include "loom-idle-time.h"

/* Returns loom_idle_time_get(), but adds to the idle time of each device its wait for the first work, as a gap with the
 * cause LOOM_IDLE_CAUSE_HOST. Rows of streams, and the classification by Holistic Trace Analysis (LoomIdleRow.hta), do
 * not change. A wait is not added if the device also works before the range, if the launch of its first work is not in
 * the file, or if this work is not in a step.
 *
 * Computed once for each LoomCollectives, which owns the result. O(devices + names + rows + steps · log steps + spans
 * of tracks that contain waits for data), plus the cost of loom_idle_time_get(). NULL only when cancelled. */
const LoomIdleTime *loom_idle_start_get (const LoomCollectives *collectives, GCancellable *cancellable);
