/* SPDX-License-Identifier: Apache-2.0
 *
 * The times that the spans of a run cover. They are computed when the timeline of the run is made.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  /* `devices`: range from the first start to the last end of all spans on devices, in timeline ns. `spans`: the same
   * range for all spans. If there are no such spans, begin_ns > end_ns. */
  LoomRange devices, spans;
  gboolean has_ranks; /* TRUE if at least one device belongs to a rank */
  /* TRUE if the devices belong to several ranks or, if no device has a rank, to several processes */
  gboolean has_lanes;
} LoomTimelineCoverage;

/* Returns the times that the spans of the run cover. Borrowed from the timeline. O(1), any thread. */
const LoomTimelineCoverage *loom_timeline_coverage_get (const LoomTimeline *timeline);
