/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the timeline shows the index of a trace, finds the rank whose events can be read from the trace itself for the visible
 * range at little cost. Main thread.
 */
#pragma once

#include "loom-timeline-state.h"

/* Maximum estimated number of events of an offered range; so many events are read in about a second. */
#define LOOM_RANGE_OFFER_EVENTS 200000u

/* Returns TRUE if the trace was read from an index, and a range of this length has at most LOOM_RANGE_OFFER_EVENTS of its
 * events, if these are assumed to be spread evenly. O(1). */
gboolean loom_range_offer_is_short (const LoomTrace *trace, gint64 range_ns);

/* Finds a rank whose events in the view could not be read from the trace on this machine, but maybe through a command: the
 * first visible rank whose row says so. Returns −1 if there is none.
 * `row`: receives the row of the unfolded group of the rank, or of the track if it is in no group. O(visible rows). */
gint loom_range_offer_find_rank (LoomTimelineState *state, guint *row);
