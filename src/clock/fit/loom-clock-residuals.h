/* SPDX-License-Identifier: Apache-2.0
 *
 * The differences between one clock and other clocks at each common event, which the fit minimises, for display.
 */
#pragma once

#include "loom-progress.h"
#include "loom-timeline.h"

/* A common event, with the difference of the clock's reading from the median of the other clocks' readings, in ns,
 * on three maps. For events with many clocks, the median of all readings is used. */
typedef struct {
  gint64 at_ns;       /* timeline ns */
  gint64 in_force_ns; /* difference on the maps in force, including the user's changes */
  gint64 declared_ns; /* difference on the declared maps; LOOM_TIME_NONE: a clock declares none */
  gint64 line_ns;     /* difference on the fitted lines, even if they are not used or refused */
  gboolean rejected;  /* TRUE if the point contradicts the fitted line */
} LoomProofPoint;

/* Returns the points (LoomProofPoint) of a clock, given by its index in the run, in order of time; empty if the
 * clock was not fitted or has no common events with other clocks. Meant for a worker thread, because it reads the
 * evidence of the whole run: O(sync events). NULL only if cancelled. Owned by the caller. */
GArray *loom_clock_residuals_new (const LoomTimeline *timeline, guint clock, LoomProgress *progress);
