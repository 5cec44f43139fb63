/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes, for display, by how much one clock differs from the other clocks at each common event (an event that
 * several clocks recorded). The fit of the clocks makes these differences small.
 */
#pragma once

#include "loom-progress.h"
#include "loom-timeline.h"

/* By how many ns a clock differs from other clocks at a common event: the clock's reading minus the median of the other
 * clocks' readings. If many clocks recorded the event, the median includes the clock's own reading. The difference is
 * computed three times, with different maps of the clocks. */
typedef struct {
  gint64 at_ns;       /* time of the event, in timeline ns */
  gint64 in_force_ns; /* difference if times are mapped by the maps in use, including the user's changes */
  /* difference if times are mapped by the declared maps; LOOM_TIME_NONE: one of the clocks declares no map */
  gint64 declared_ns;
  gint64 line_ns;    /* difference if times are mapped by the fitted lines, even if these are refused or not used */
  gboolean rejected; /* TRUE if the point contradicts the fitted line */
} LoomProofPoint;

/* Returns the points (LoomProofPoint) of a clock, given by its index in the run, in order of time; empty if the
 * clock was not fitted or has no common events with other clocks. Meant for a worker thread, because it reads the
 * evidence of the whole run: O(sync events). NULL only if cancelled. Owned by the caller. */
GArray *loom_clock_residuals_new (const LoomTimeline *timeline, guint clock, LoomProgress *progress);
