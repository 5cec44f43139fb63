/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores, for the flight recorder dumps of one load, when each dump was written. From these times computes when
 * collective calls that never completed are shown to end. Times are ns since 1970. Must be used by one thread at a
 * time.
 */
#pragma once

#include "loom-time.h"

typedef struct _LoomFlightEnds LoomFlightEnds;

LoomFlightEnds *loom_flight_ends_new (void);
void loom_flight_ends_free (LoomFlightEnds *self);

/* Adds the time of a dump. Ignores a time that is not between LOOM_TIME_PLAUSIBLE_MIN and LOOM_TIME_PLAUSIBLE_MAX.
 * `rank` −1: unknown. */
void loom_flight_ends_add (LoomFlightEnds *self, gint rank, gint64 end_ns);

/* Returns the latest time of all dumps; LOOM_TIME_NONE: no time was added. O(1). */
gint64 loom_flight_ends_get_latest (const LoomFlightEnds *self);

/* Returns the time at which the incomplete calls of a dump are shown to end. `own_ns`: time of the dump. If the same
 * rank has a newer dump (the job was restarted, or the rank writes dumps repeatedly), returns `own_ns`. Otherwise
 * returns the latest time of a dump that is at most own_ns + timeout_ns, because the ranks of a job write the dumps of
 * one hang at most `timeout_ns` apart. LOOM_TIME_NONE: no time is known. O(log n); O(n log n) in the first call after
 * times were added. */
gint64 loom_flight_ends_find (LoomFlightEnds *self, gint rank, gint64 own_ns, gint64 timeout_ns);
