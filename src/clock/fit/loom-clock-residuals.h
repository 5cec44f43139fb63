/* SPDX-License-Identifier: Apache-2.0
 *
 * The differences between one clock and the others, occasion by occasion, for display: the fit minimises them.
 */
#pragma once

#include "loom-progress.h"
#include "loom-timeline.h"

/* The reading of this clock minus the median of the other clocks' readings, in ns; for occasions with many clocks,
 * minus the median of all readings. */
typedef struct {
  gint64 at_ns;       /* timeline ns */
  gint64 in_force_ns; /* difference with the map in force, including the user's changes */
  gint64 declared_ns; /* difference with the declared clock; LOOM_TIME_NONE: nothing is declared */
  gint64 line_ns;     /* difference with the fitted line, whether it is in force, declined or refused */
  gboolean rejected;  /* the point contradicts the fitted line */
} LoomProofPoint;

/* Returns the points of a clock (index in the run) in order of time, LoomProofPoint; empty if it shares no occasion
 * with others or was not fitted. Meant for a worker thread, because it reads the evidence of the whole run:
 * O(meetings). NULL only if cancelled. Owned by the caller. */
GArray *loom_clock_residuals_new (const LoomTimeline *timeline, guint clock, LoomProgress *progress);
