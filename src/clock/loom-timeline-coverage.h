/* SPDX-License-Identifier: Apache-2.0
 *
 * The times that the spans of a run cover, which are measured when its timeline is made.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  /* timeline ns from the first start to the last end of the spans on devices, and of all spans; begin_ns > end_ns: there
   * are none */
  LoomRange devices, spans;
  gboolean has_ranks; /* TRUE if a device belongs to a rank */
  gboolean has_lanes; /* TRUE if there are devices of several ranks or, without ranks, of several processes */
} LoomTimelineCoverage;

/* Returns the times that the spans of the run cover; borrowed from the timeline. O(1), any thread. */
const LoomTimelineCoverage *loom_timeline_coverage_get (const LoomTimeline *timeline);
