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

/* Finds out until when a rank waits in a span that records its part in a collective or a message. Sets `until_ns` to
 * the time, on the timeline, at which the last rank of the collective, or the other side of the message, arrives. If
 * the clocks of the two sides of a message are not aligned, the side with the longer duration waits at its start, see
 * loom-transfer-list.h. If `until_ns` is not after the start of the span, the rank does not wait. Returns FALSE if the
 * span records no part in a collective or message. O(log sync events of the trace); the first call also takes
 * O(collectives · ranks + messages). */
gboolean loom_span_waits_find (const LoomCollectives *collectives, LoomSpanId span, gint64 *until_ns);

/* One send or one receive of a message. loom_span_waits_add_message_parts() appends those of all messages in the range
 * of the collectives to `parts` (LoomMessagePart), with times on the timeline. It costs as much as
 * loom_span_waits_find(), and appends nothing if cancelled. */
typedef struct {
  LoomRange range;
  gint64 wait_ns; /* from the start of the range; 0 ≤ wait_ns ≤ length of the range */
} LoomMessagePart;
void loom_span_waits_add_message_parts (const LoomCollectives *collectives, GArray *parts, GCancellable *cancellable);
