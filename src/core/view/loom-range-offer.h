/* SPDX-License-Identifier: Apache-2.0
 *
 * Used for a trace that was read from an index, which is a small file with sums of the trace's events. Determines
 * whether the events of the visible range can be read from the trace itself in a short time. Finds the first visible
 * rank whose events could not be read. Must be called on the main thread.
 */
#pragma once

#include "loom-timeline-state.h"

/* The program offers to read the events of a range from a trace only if the range contains at most this many events.
 * The number of events is an estimate; reading so many takes about a second. */
#define LOOM_RANGE_OFFER_EVENTS 200000u

/* Returns TRUE if the trace was read from an index, and a range of this length contains at most LOOM_RANGE_OFFER_EVENTS
 * events of the trace. Their number is estimated as if events were distributed evenly over the trace. O(1). */
gboolean loom_range_offer_is_short (const LoomTrace *trace, gint64 range_ns);

/* Finds the first visible rank whose row says that its events could not be read, so that a button can offer to read
 * them elsewhere (win.read-elsewhere). Returns −1 if there is no such rank. `row`: receives the row of the rank's
 * unfolded group or, if the track of the rank is in no group, the row of the track. O(visible rows). */
gint loom_range_offer_find_rank (LoomTimelineState *state, guint *row);
