/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists the waits for other ranks in collectives and messages, each with the span that waits, so that
 * loom-rank-breakdown.h can assign each wait to a device. Any thread.
 */
#pragma once

#include "loom-collectives.h"

/* Returns the waits as an array of LoomSpanWait, in no particular order. Waits are defined as in loom-rank-waits.h, but
 * waits in collectives of all kinds are included. Owned by the caller. O(collectives · ranks + messages). NULL only
 * when cancelled. */
GArray *loom_span_waits_new (LoomCollectives *collectives, GCancellable *cancellable);

/* Finds until when a rank waits in `span`, which records its part in a collective or a message. Sets `until_ns` to the
 * time, on the timeline, at which the last rank of the collective, or the other side of the message, arrives. If this
 * time is not after the start of the span, the rank does not wait. If the clocks of the two sides of a message are not
 * aligned, the side with the longer duration waits at its start, see loom-transfer-list.h. Returns FALSE if the span
 * belongs to no collective or message. O(log sync events of the trace); the first call also takes O(collectives · ranks
 * + messages). */
gboolean loom_span_waits_find (const LoomCollectives *collectives, LoomSpanId span, gint64 *until_ns);
