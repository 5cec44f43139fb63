/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the timeline shows the index of a trace, finds the rank whose events can be read from the trace itself for the visible
 * range at little cost. Main thread.
 */
#pragma once

#include "loom-timeline-state.h"

/* Maximum number of events of an offered range, estimated; they are read in about a second. */
#define LOOM_RANGE_OFFER_EVENTS 200000u

/* Returns the rank of the first visible track of spans of an index, if the view is at most half as long as the trace and has at most
 * LOOM_RANGE_OFFER_EVENTS of its events, assuming that they are spread evenly; −1: there is none. `row`: receives the row of the
 * rank's unfolded group, or of the track if it is in no group. O(visible rows). */
gint loom_range_offer_find_rank (LoomTimelineState *state, guint *row);
