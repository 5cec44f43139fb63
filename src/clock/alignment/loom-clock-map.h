/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts a clock's local time to timeline time: timeline = local + offset + drift × (local − reference).
 * Integer arithmetic throughout (128 bits inside); rounding is to the nearest ns.
 */
#pragma once

#include "loom-declared-clock.h"

typedef struct {
  gint64 offset_ns;
  gint64 drift_ppt;    /* drift in parts per 10¹² (1 ppb is 1000); |drift_ppt| < 10¹⁰, which is 1 % */
  gint64 reference_ns; /* local time for which offset_ns is stated */
} LoomClockMap;

/* Returns the timeline ns of a local time. Monotone; saturates at the ends of gint64. */
gint64 loom_clock_map_to_timeline (const LoomClockMap *map, gint64 local_ns);
/* Returns the local time of timeline ns: the inverse of loom_clock_map_to_timeline(), exact to within 1 ns. */
gint64 loom_clock_map_to_local (const LoomClockMap *map, gint64 timeline_ns);
