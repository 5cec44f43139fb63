/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists the waits for other ranks in collectives and messages together with the spans that wait, so that the waits of
 * each device can be counted (loom-rank-breakdown.h). Any thread.
 */
#pragma once

#include "loom-collectives.h"

/* Returns the waits as an array of LoomSpanWait, in no particular order. Waits are defined as in loom-rank-waits.h,
 * but those in collectives of all kinds are included. Owned by the caller. O(collectives · ranks + messages). NULL
 * only when cancelled. */
GArray *loom_span_waits_new (LoomCollectives *collectives, GCancellable *cancellable);

/* Finds out until when the rank waits in a span that records its part in a collective or a message: sets `until_ns` to
 * the time on the timeline at which the last rank, or the other side of the message, arrives. If the clocks of the
 * sides of a message are not aligned, the longer side waits at its start, see loom-transfer-list.h. `until_ns` may be
 * before or at the start of the span: then the rank does not wait. Returns FALSE if the span is neither. O(log sync
 * events of the trace); the first call also takes O(collectives · ranks + messages). */
gboolean loom_span_waits_find (const LoomCollectives *collectives, LoomSpanId span, gint64 *until_ns);

/* Appends to `parts` the sends and receives of all messages in the range of the collectives, on the timeline, as
 * LoomMessagePart. Cost as loom_span_waits_find(); appends nothing if cancelled. */
typedef struct {
  LoomRange range;
  gint64 wait_ns; /* from the start of the range; 0 ≤ wait_ns ≤ length of the range */
} LoomMessagePart;
void loom_span_waits_add_message_parts (const LoomCollectives *collectives, GArray *parts, GCancellable *cancellable);
