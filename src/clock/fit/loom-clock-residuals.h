/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes, for display, how much one clock differs from the other clocks at each common event (event that several
 * clocks recorded). The fit of the clocks makes these differences small. Any thread.
 */
#pragma once

#include "loom-progress.h"
#include "loom-timeline.h"

/* The difference between a clock and the other clocks at a common event (event that several clocks recorded): the
 * reading of the clock minus the median of the readings of the other clocks. If many clocks recorded the event, the
 * median includes the clock itself. There are three differences, computed with different maps of the clocks. */
typedef struct {
  gint64 at_ns;       /* time of the event, in timeline ns */
  gint64 in_force_ns; /* difference in ns, computed with the maps in use, which include the user's changes */
  /* difference in ns, computed with the declared maps; LOOM_TIME_NONE if one of the clocks declares no map */
  gint64 declared_ns;
  /* difference in ns, computed with the fitted lines, even if these lines were refused or are not used */
  gint64 line_ns;
  gboolean rejected; /* TRUE if the fit rejects the point, because it contradicts the fitted line */
} LoomProofPoint;

/* Returns the points (LoomProofPoint) of a clock, in order of time. The array is empty if the clock was not fitted, or
 * has no events in common with other clocks. `clock`: index of the clock in the run. Call it on a worker thread,
 * because it reads the evidence of the whole run: O(sync events). Returns NULL only when cancelled. Owned by the
 * caller. */
GArray *loom_clock_residuals_new (const LoomTimeline *timeline, guint clock, LoomProgress *progress);
