/* SPDX-License-Identifier: Apache-2.0
 *
 * The time that ranks spend in collectives and messages. If a rank takes part in several of them at once, for example
 * on different streams, the time counts once. If a rank waits in one of them while it transfers data in another one,
 * the time counts as waiting, as in loom-step-breakdown.h. Any thread.
 */
#pragma once

#include "loom-collectives.h"

/* Receives an interval of one rank, in ns of the timeline, clipped to the range of the collectives. `is_wait`: TRUE if
 * the rank waits for the last rank of a collective or for the other side of a message; FALSE if all have arrived, and
 * data is transferred. */
typedef void (*LoomCollectiveTimesVisit) (LoomRange part, gboolean is_wait, gpointer data);

/* Calls `visit` for all intervals that ranks spend in collectives and messages. Intervals of the same rank do not
 * overlap. The transfer of a collective ends at LoomCollective.arrival_ns + transfer_ns on all ranks. Returns the
 * number of ranks that take part. O(n · log n), where n is the number of members of all collectives plus the number of
 * messages. */
guint loom_collective_times_visit (const LoomCollectives *collectives, LoomCollectiveTimesVisit visit, gpointer data);

typedef struct {
  gint64 waits_ns, transfers_ns; /* sums over all ranks */
} LoomCollectiveTimes;

/* Returns the total waits and the total transfers of the intervals of loom_collective_times_visit(). */
LoomCollectiveTimes loom_collective_times_sum (const LoomCollectives *collectives);
