/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/operators. Collects the calls of the host that launch kernels and copies, and adds up their
 * times for each name (LoomIdleLaunches). A call counts once even if it launches many kernels on several streams, as a
 * launch of a CUDA graph does.
 */
#pragma once

#include "loom-idle-time.h"

/* A call of the host, and the kernels and copies that it launched. A kernel or copy counts if it runs in the range. If
 * it runs after the range, it counts if the call is in the range, or if the delay from the call to its first kernel or
 * copy is in the range. */
typedef struct {
  guint32 launch; /* span of the call */
  /* launch_ns: start of the call; begin_ns: start of the first kernel or copy that it launched; both on the clock of
   * the device */
  gint64 launch_ns, begin_ns;
  gint64 device_ns; /* total time of the kernels and copies, including their parts outside the range */
  gint64 inside_ns; /* the part of device_ns inside the range */
  LoomRange range;  /* the range, on the clock of the device */
  /* TRUE if the call also launched kernels or copies that run before the range. Then the start of the first one, and
   * their total time, are unknown. */
  gboolean is_cut;
} LoomIdleCall;

/* Adds a kernel or copy to `calls` (LoomIdleCall). `call`: the call that launched it, with the times of this kernel or
 * copy alone. If the last element of `calls` is for the same call, joins `call` with this element; otherwise appends
 * `call`. */
void loom_idle_launches_add (GArray *calls, const LoomIdleCall *call);
/* Adds up the calls of a trace, and appends the results (LoomIdleLaunches) to `launches`; then sorts `launches`, most
 * launches first. Also sorts `calls`, and joins its elements that belong to the same call. O(n · log n). */
void loom_idle_launches_sum (GArray *launches, LoomTimeline *timeline, guint trace, GArray *calls);
