/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrows between ranks: from who came last to a collective to all who waited for it, at the moment it came. Pure, any thread.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-flow-lines.h"

G_BEGIN_DECLS

/* Those of the collective that `span` takes part in, at most `max`, its own first, appended to `lines` (LoomFlowLine). NULL
 * collectives, or those of another run: none. O(members · log of what a trace has). */
void loom_collective_flows_of_span (const LoomCollectives *collectives, const LoomTimeline *timeline, LoomSpanId span,
                                    guint max, GArray *lines);

/* "waits 1.2 ms for rank 5, then transfers 0.7 ms" of the member a span is; NULL when it is none. Translated. Owned. */
char *loom_collective_flows_dup_words (const LoomCollectives *collectives, const LoomTimeline *timeline,
                                       LoomSpanId span);

G_END_DECLS
