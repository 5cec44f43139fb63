/* SPDX-License-Identifier: Apache-2.0
 *
 * The time that ranks spend in collectives and messages, without counting a time twice when a rank takes part in several
 * of them at once, for example on different streams. As in loom-step-breakdown.h, a rank that waits in one of them while
 * another one transfers counts as waiting. Any thread.
 */
#pragma once

#include "loom-collectives.h"

/* Receives an interval of one rank, in timeline ns, cut to the range of the collectives. `is_wait`: the rank waits for
 * the last rank or the other side of the message; FALSE: all have arrived, and data is transferred. */
typedef void (*LoomCollectiveTimesVisit) (LoomRange part, gboolean is_wait, gpointer data);

/* Calls `visit` for all intervals that ranks spend in collectives and messages. Intervals of the same rank do not
 * overlap. The transfer of a collective ends at LoomCollective.arrival_ns + transfer_ns on all ranks. Returns the number
 * of ranks that take part. O(n · log n) for n members of collectives and messages. */
guint loom_collective_times_visit (const LoomCollectives *collectives, LoomCollectiveTimesVisit visit, gpointer data);

typedef struct {
  gint64 waits_ns, transfers_ns; /* sums over all ranks */
} LoomCollectiveTimes;

/* Sums the intervals of loom_collective_times_visit(). */
LoomCollectiveTimes loom_collective_times_sum (const LoomCollectives *collectives);
