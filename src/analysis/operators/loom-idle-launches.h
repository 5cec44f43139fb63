/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/operators. Collects the calls of the host that launch kernels and copies, and adds them up by
 * name (LoomIdleLaunches). A call counts once even if it launches many kernels on several streams, as a launch of a
 * CUDA graph does.
 */
#pragma once

#include "loom-idle-time.h"

/* A call of the host, and the kernels and copies that it launched and that run in the range. If the call itself, or its
 * delay until the start of the first kernel or copy, is in the range, those that run after the range count as well. */
typedef struct {
  guint32 launch; /* span of the call */
  /* start of the call and of the first kernel or copy that it launched, on the clock of the device */
  gint64 launch_ns, begin_ns;
  gint64 device_ns; /* total time of the kernels and copies, including their parts outside the range */
  gint64 inside_ns; /* the part of device_ns inside the range */
  LoomRange range;  /* the range, on the clock of the device */
  /* TRUE if the call also launched kernels or copies before the range, so that the start of the first one, and their
   * total time, are unknown */
  gboolean is_cut;
} LoomIdleCall;

/* Adds a kernel or copy, with the call that launched it, to `calls` (LoomIdleCall). Successive kernels and copies of
 * one call share an element. */
void loom_idle_launches_add (GArray *calls, const LoomIdleCall *call);
/* Appends the LoomIdleLaunches of the calls of a trace to `launches`, then sorts `launches`, most launches first. Also
 * sorts `calls`, and joins those of its elements that belong to the same call. O(n · log n). */
void loom_idle_launches_sum (GArray *launches, LoomTimeline *timeline, guint trace, GArray *calls);
