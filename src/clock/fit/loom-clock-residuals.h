/* SPDX-License-Identifier: Apache-2.0
 *
 * How well one clock agrees with the others, occasion by occasion: the differences that a fit made small, to be looked at.
 */
#pragma once

#include "loom-progress.h"
#include "loom-timeline.h"

G_BEGIN_DECLS

/* Differences are this clock's reading less the median of the others', in ns; where more than a handful took part, the
 * median of all. */
typedef struct {
  gint64 at_ns;       /* on the timeline */
  gint64 in_force_ns; /* as the timeline has it, with what a person changed */
  gint64 declared_ns; /* as the formats declare it; LOOM_TIME_NONE where they do not */
  gint64 line_ns;     /* of the line the evidence gives, in force, declined or refused */
  gboolean rejected;  /* contradicts that line */
} LoomProofPoint;

/* The points of a clock (its flat number) in order of time; empty where nothing is shared with others, or no fit looked at
 * it. Any thread; a worker, for it reads the evidence of the whole run: O(meetings). NULL only when cancelled. The
 * caller owns it. */
GArray *loom_clock_residuals_new (const LoomTimeline *timeline, guint clock, LoomProgress *progress);

G_END_DECLS
