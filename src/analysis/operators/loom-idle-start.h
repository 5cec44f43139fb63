/* SPDX-License-Identifier: Apache-2.0
 *
 * The time that devices are idle before their first and after their last kernel or copy. Like Holistic Trace Analysis,
 * LoomIdleTime counts the idle time of a device only from its first to its last kernel or copy. So it shows neither that
 * a rank waits seconds for its first batch, nor that a device has no work while other devices work. Here, the recorded
 * time of a device is that of its recording: the devices of one rank in one trace. A recording ends with the last work
 * of one of these devices. It begins with the earliest wait of one of them for its first work, or with this work if
 * there is no wait. A wait begins at the latest of three times: the start of the step in which the device begins to
 * work, the start of the range, and the start of the first recorded span of the thread that launches the work. Times
 * are timeline ns. Any thread.
 */
#pragma once

#include "loom-idle-time.h"

/* Returns loom_idle_time_get(), but adds to the recorded time and to the idle time of each device the time from the
 * start of its recording to its first work, as a gap, and the time from its last work to the end of its recording. The
 * cause of both is LOOM_IDLE_CAUSE_HOST, or LOOM_IDLE_CAUSE_UNKNOWN if the launch of the first work is not in the file.
 * The time after the last work has no gap, because no work ends it. Rows of streams, and the classification by Holistic
 * Trace Analysis (LoomIdleRow.hta), do not change. A device does not wait for its first work if it also works before
 * the range, if the launch of its first work is not in the file, or if this work is not in a step.
 *
 * Computed once for each LoomCollectives, which owns the result. O(devices + names + rows + steps · log steps + spans
 * of tracks that contain waits for data), plus the cost of loom_idle_time_get(). NULL only when cancelled. */
const LoomIdleTime *loom_idle_start_get (const LoomCollectives *collectives, GCancellable *cancellable);

/* Returns the part of the added idle time before the first work of a device, in ns; ≥ 0. The rest is after its last
 * work. `idle`, `counted`: rows of the device in the results of loom_idle_time_get() and loom_idle_start_get(). */
gint64 loom_idle_start_get_before (const LoomIdleRow *idle, const LoomIdleRow *counted);
