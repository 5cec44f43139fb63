/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the shortest delays λ and γ of a rank; loom-idle-time.h defines λ and γ. Any thread.
 */
#pragma once

#include <glib.h>

typedef struct {
  gint64 launch_ns, gap_ns; /* launch_ns: λ, the shortest launch delay; gap_ns: γ, the shortest gap of a stream */
} LoomIdleShortest;

/* Sets `shortest_ns` to `time_ns` if `time_ns` is shorter. Ignores a negative `time_ns`, which only shows that the
 * clocks of host and device differ. */
static inline void
loom_idle_shortest_take (gint64 *shortest_ns, gint64 time_ns)
{
  if (time_ns >= 0)
    *shortest_ns = MIN (*shortest_ns, time_ns);
}
