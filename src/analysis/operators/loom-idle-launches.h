/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the room. The calls of the host that launch kernels and copies, and their sums by name (LoomIdleLaunches). A
 * CUDA graph launches many kernels on several streams in one call, which counts once.
 */
#pragma once

#include "loom-idle-time.h"

/* A call, and the works that it launched in the range. */
typedef struct {
  guint32 launch;             /* span of the call */
  gint64 launch_ns, begin_ns; /* start of the call and of its first work, on the clock of the device */
  gint64 device_ns;           /* total time of the works */
  /* TRUE if the call launched works before the range, so that the start and total time of its works are not known here */
  gboolean is_cut;
} LoomIdleCall;

/* Adds the call of one work. Successive works of the same call share an element of `calls` (LoomIdleCall). */
void loom_idle_launches_add (GArray *calls, const LoomIdleCall *call);
/* Appends the LoomIdleLaunches of the calls of a trace to `launches`, most launches first. Sorts and joins `calls`. O(n ·
 * log n). */
void loom_idle_launches_sum (GArray *launches, LoomTimeline *timeline, guint trace, GArray *calls);
