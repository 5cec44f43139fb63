/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the arrows between ranks that show who waited for whom. A member of a collective is the span of one rank.
 * Arrows lead from the member that arrived last to all members that waited for it, at the time of its arrival. Pure
 * functions, any thread.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-flow-lines.h"

/* Appends to `lines` (LoomFlowLine) at most `max` arrows of the collective to which `span` belongs: from the last
 * member that arrived to each member that waited for it. The arrow to `span` comes first. Appends nothing if
 * `collectives` is NULL or belongs to another run. O(members · log size of the trace). */
void loom_collective_flows_of_span (const LoomCollectives *collectives, const LoomTimeline *timeline, LoomSpanId span,
                                    guint max, GArray *lines);

/* Describes what a span does in its collective, for example "waits 1.2 ms for rank 5, then transfers 0.7 ms"; NULL if
 * the span belongs to no collective. Translated. Owned by the caller. */
char *loom_collective_flows_dup_words (const LoomCollectives *collectives, const LoomTimeline *timeline,
                                       LoomSpanId span);
