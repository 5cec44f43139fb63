/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/core/details: lists the ranks in view whose events are to be read, and the range to read for each of
 * these ranks. The events are shown in place of the summaries from the index files. Main thread only.
 */
#pragma once

#include "loom-timeline-state.h"

/* A rank in view whose events are to be read. */
typedef struct {
  guint trace;
  LoomRange range; /* the range to read, in timeline ns; longer than the view if the view contains few events */
} LoomRangeWanted;

/* Returns an array of LoomRangeWanted, one for each rank in view whose events are to be read. The ranks are in order
 * from the top of the view, at most LOOM_RANGE_DETAILS_MOST_RANKS. Owned by the caller. O(rows in view). */
GArray *loom_range_wanted_list (LoomTimelineState *state, LoomTimeline *timeline);
/* Returns the element of the array for the trace with this index, or NULL if there is none. Borrowed from the array. */
const LoomRangeWanted *loom_range_wanted_find (const GArray *wanted, guint trace);
