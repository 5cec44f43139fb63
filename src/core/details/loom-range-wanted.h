/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/core/details: lists the ranks in view whose events are to be read to replace the summary of their
 * index, and for each of them the range to read. Main thread only.
 */
#pragma once

#include "loom-timeline-state.h"

/* A visible rank whose events are to be shown. */
typedef struct {
  guint trace;
  LoomRange range; /* timeline range to read, in ns; longer than the view if the view contains few events */
} LoomRangeWanted;

/* Returns an array of LoomRangeWanted: the visible ranks whose events are to be read, in order from the top of the
 * view, at most LOOM_RANGE_DETAILS_MOST_RANKS. Owned by the caller. O(rows in view). */
GArray *loom_range_wanted_list (LoomTimelineState *state, LoomTimeline *timeline);
/* Returns the element of the array for the trace with this index; NULL: the array has no element for it. Borrowed from
 * the array. */
const LoomRangeWanted *loom_range_wanted_find (const GArray *wanted, guint trace);
