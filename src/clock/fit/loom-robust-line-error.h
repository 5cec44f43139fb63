/* SPDX-License-Identifier: Apache-2.0
 *
 * The errors of the offset and the drift of a line (loom-robust-line.h), as half-widths of 95 % confidence intervals.
 *
 * The standard error is that of the biweight estimate itself (the sandwich estimator of P. J. Huber, Robust Statistics,
 * 1981), so it becomes smaller with more pairs of times. It is computed from the scores of the pairs; the score of a
 * pair is its residual, multiplied by its weight. Errors of neighbouring pairs may be correlated, because the
 * collectives of one step are delayed in the same way. So scores are added in blocks of 1, 2, 4 … neighbours, and the
 * block length with the largest error is used (H. Flyvbjerg and H. G. Petersen, 1989). Quantiles are those of Student's
 * t distribution; the number of blocks determines its degrees of freedom.
 *
 * An error that all pairs have in common cannot be computed from the pairs. The caller states this error. It is
 * combined with the standard error as the square root of the sum of their squares. A bound from messages is not a
 * random error; it is added without reduction.
 *
 * Any thread.
 */
#pragma once

#include "loom-robust-line.h"

typedef struct {
  /* local time at which the error of the offset is smallest; the errors of offset and drift are independent there */
  gint64 center_ns;
  /* half of the 95 % confidence interval of the offset at `center_ns`, in ns, without `bound_ns`; negative if
   * unknown */
  double offset_ns;
  /* half of the 95 % confidence interval of the drift (ns per ns); negative if it is unknown or no drift was fitted */
  double drift;
  /* bound of the error that messages cause, in ns; the same at all local times, and added to the random error; 0 if the
   * line has no bound */
  double bound_ns;
} LoomRobustLineError;

#define LOOM_ROBUST_LINE_ERROR_UNKNOWN ((LoomRobustLineError) { 0, -1, -1, 0 })

/* Returns the error of a line that was fitted to `pairs`, which are sorted by time. `alike_ns`: an error in ns that all
 * pairs may have in common. The result has no bound. The error is unknown if too few pairs agree with the line: fewer
 * than 3 for a line without drift, fewer than 4 for a line with drift. O(n). */
LoomRobustLineError loom_robust_line_error_new (const LoomClockLine *line, const LoomClockSamples *pairs,
                                                gboolean with_drift, double alike_ns);

/* Returns the sum of two errors. `error`: the error of a line that converts to the time of a second clock. `target`:
 * the error of the second clock. `target_ns`: the center of `error` (center_ns), in the time of the second clock.
 * Bounds are added in full, because messages in one direction may always be slower than messages in the other
 * direction. All other errors are combined as the root of the sum of their squares. */
LoomRobustLineError loom_robust_line_error_add (const LoomRobustLineError *error, const LoomRobustLineError *target,
                                                gint64 target_ns);

/* Returns the error of a line at a local time, in ns: the line may be too early or too late by this time. Returns a
 * negative value if the error is unknown. */
double loom_robust_line_error_at (const LoomRobustLineError *error, gint64 local_ns);
