/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows the launch queue of each device over time, as a lane of the timeline: the number of kernels and copies that are
 * launched and have not begun. The lane shows the result of the named query "launch-queue". It is saved in sessions
 * like any other lane. Main thread only.
 *
 * Properties: "shown", whether the lane exists; setting it adds or removes the lane. "possible" (read-only), whether
 * "shown" can be set. This is TRUE if the lane exists. It is also TRUE if three conditions are met: the run launches
 * work on devices, the query is installed, and the number of lanes is below its maximum.
 */
#pragma once

#include "loom-query-lanes.h"

#define LOOM_TYPE_LAUNCH_QUEUE_DISPLAY (loom_launch_queue_display_get_type ())
G_DECLARE_FINAL_TYPE (LoomLaunchQueueDisplay, loom_launch_queue_display, LOOM, LAUNCH_QUEUE_DISPLAY, GObject)

/* Makes an object that shows the launch queues as one of `lanes`, to which it takes a reference. Reads the file of the
 * query. */
LoomLaunchQueueDisplay *loom_launch_queue_display_new (LoomQueryLanes *lanes);

/* Sets the timeline that the lanes show; NULL: the lanes show none. O(rows of devices · log arrows). */
void loom_launch_queue_display_set_timeline (LoomLaunchQueueDisplay *self, LoomTimeline *timeline);

/* Adds or removes the lane. Does nothing if loom_launch_queue_display_is_possible() returns FALSE. */
void loom_launch_queue_display_set_shown (LoomLaunchQueueDisplay *self, gboolean shown);
gboolean loom_launch_queue_display_get_shown (LoomLaunchQueueDisplay *self);
gboolean loom_launch_queue_display_is_possible (LoomLaunchQueueDisplay *self);
