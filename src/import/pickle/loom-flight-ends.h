/* SPDX-License-Identifier: Apache-2.0
 *
 * The times at which the dumps of a load were written, and the time at which their incomplete calls are shown to end.
 * Times are ns since 1970. One thread at a time.
 */
#pragma once

#include "loom-time.h"

typedef struct _LoomFlightEnds LoomFlightEnds;

LoomFlightEnds *loom_flight_ends_new (void);
void loom_flight_ends_free (LoomFlightEnds *self);

/* Adds the time of a dump; ignored outside LOOM_TIME_PLAUSIBLE_MIN and LOOM_TIME_PLAUSIBLE_MAX. `rank`: −1: unknown. */
void loom_flight_ends_add (LoomFlightEnds *self, gint rank, gint64 end_ns);

/* Returns the latest time; LOOM_TIME_NONE: there is none. O(1). */
gint64 loom_flight_ends_get_latest (const LoomFlightEnds *self);

/* Returns the time at which the incomplete calls of a dump are shown to end. `own_ns`: the time of the dump. This is the
 * latest time of the dumps of the same hang, which are written at most `timeout_ns` later. If the rank has a newer dump,
 * the job was started again or wrote a dump repeatedly; then the time of the dump itself is used. LOOM_TIME_NONE: no
 * time is known. O(log n); after additions O(n log n). */
gint64 loom_flight_ends_find (LoomFlightEnds *self, gint rank, gint64 own_ns, gint64 timeout_ns);
