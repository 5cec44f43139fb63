/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the timeline shows the index of a trace, finds the rank whose events can be read from the trace itself for the visible
 * range at little cost. Main thread.
 */
#pragma once

#include "loom-timeline-state.h"

/* Maximum number of events of an offered range, estimated; they are read in about a second. */
#define LOOM_RANGE_OFFER_EVENTS 200000u

/* Finds a rank whose events in the view can be read from the trace, because only an index of the trace is open: the
 * rank of the first visible track of such an index. The view must be at most half as long as the trace, and may contain
 * at most LOOM_RANGE_OFFER_EVENTS of its events, if these are assumed to be spread evenly. Returns −1 if there is none.
 * `row`: receives the row of the unfolded group of the rank, or of the track if it is in no group. O(visible rows). */
gint loom_range_offer_find_rank (LoomTimelineState *state, guint *row);
