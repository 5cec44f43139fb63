/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts the local time of a clock to the time of the timeline: timeline = local + offset + drift × (local −
 * reference). Uses only integers, with 128 bits for intermediate results; results are rounded to the nearest ns.
 */
#pragma once

#include "loom-declared-clock.h"

typedef struct {
  gint64 offset_ns;
  gint64 drift_ppt; /* drift in parts per 10¹² (1 ppb is 1000); its absolute value is less than 10¹⁰, which is 1 % */
  gint64 reference_ns; /* local time at which offset_ns applies */
} LoomClockMap;

/* Returns the timeline ns of a local time. Monotone. If the result does not fit in a gint64, returns the nearest
 * limit of gint64. */
gint64 loom_clock_map_to_timeline (const LoomClockMap *map, gint64 local_ns);
/* Returns the local time of timeline ns. This is the inverse of loom_clock_map_to_timeline(), exact to 1 ns. */
gint64 loom_clock_map_to_local (const LoomClockMap *map, gint64 timeline_ns);
