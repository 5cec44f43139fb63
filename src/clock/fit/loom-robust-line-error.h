/* SPDX-License-Identifier: Apache-2.0
 *
 * The errors of the offset and the drift of a line (loom-robust-line.h), as half-widths of 95 % confidence intervals.
 *
 * The standard error is that of the biweight estimate itself (the sandwich estimator of P. J. Huber, Robust
 * Statistics, 1981), so it shrinks with the number of pairs. It is computed from the scores of the pairs; a score is
 * the residual of a pair times its weight. Errors of neighbouring pairs may be correlated, because the collectives of
 * one step are delayed in the same way. So scores are summed over blocks of 1, 2, 4 … neighbours, and the block length
 * that gives the largest error is used (H. Flyvbjerg and H. G. Petersen, 1989). Quantiles are those of Student's
 * distribution, whose degrees of freedom follow from the number of blocks.
 *
 * An error that all pairs have in common cannot be computed from the pairs: the caller states it, and the errors are
 * added as the root of the sum of squares. A bound from messages is not a random error, and is added without
 * reduction.
 *
 * Any thread.
 */
#pragma once

#include "loom-robust-line.h"

typedef struct {
  gint64 center_ns; /* local time at which the offset is known best; errors of offset and drift are independent there */
  double offset_ns; /* half of the 95 % confidence interval of the offset at `center_ns`, without `bound_ns`; negative:
                     * unknown */
  /* half of the 95 % confidence interval of the drift (ns per ns); negative: unknown, or no drift was fitted */
  double drift;
  double bound_ns; /* error in both directions that is added at all times, in ns; 0: nothing is added */
} LoomRobustLineError;

#define LOOM_ROBUST_LINE_ERROR_UNKNOWN ((LoomRobustLineError) { 0, -1, -1, 0 })

/* Returns the error of a line that was fitted to `pairs`, which are in order of time. `alike_ns`: error that all
 * pairs may have in common. The result has no bound. It is unknown if fewer than 3 pairs agree with the line (4 with
 * a drift). O(n). */
LoomRobustLineError loom_robust_line_error_new (const LoomClockLine *line, const LoomClockSamples *pairs,
                                                gboolean with_drift, double alike_ns);

/* Returns the sum of two errors: `error` is the error of a line, and `target` is the error of the clock into whose time
 * the line converts. `target_ns`: center of `error` in the time of this clock. Bounds are added in full, because
 * messages in one direction may always be the slower ones; other errors are combined as the root of the sum of their
 * squares. */
LoomRobustLineError loom_robust_line_error_add (const LoomRobustLineError *error, const LoomRobustLineError *target,
                                                gint64 target_ns);

/* Returns the error of the line at a local time, in ns in both directions; negative: unknown. */
double loom_robust_line_error_at (const LoomRobustLineError *error, gint64 local_ns);
