/* SPDX-License-Identifier: Apache-2.0
 *
 * The errors of offset and drift of a line (loom-robust-line.h): half-widths of 95 % confidence intervals.
 *
 * The standard error is that of the biweight estimate itself (the sandwich of P. J. Huber, Robust Statistics, 1981), so it
 * shrinks with the number of pairs. Errors of neighbouring pairs may be correlated, because collectives of one step have the
 * same asymmetry: scores are summed over blocks of 1, 2, 4 … neighbours, and the block length with the largest error is used
 * (H. Flyvbjerg and H. G. Petersen, 1989). Quantiles are Student's, with degrees of freedom by the number of blocks. An error
 * common to all pairs is not visible in them: the caller states it, and it is added as the root of the sum of squares. A
 * hard bound, as from messages, is not a random error: it is added without reduction.
 *
 * Any thread.
 */
#pragma once

#include "loom-robust-line.h"

typedef struct {
  gint64 center_ns; /* local time at which the offset is known best; errors of offset and drift are independent there */
  double offset_ns; /* half of the 95 % confidence interval at `center_ns`, without `bound_ns`; negative: unknown */
  double drift;     /* ± at 95 %, per unit; negative: unknown, or no drift was fitted */
  double bound_ns;  /* ± on top of these at any time; 0 for none */
} LoomRobustLineError;

#define LOOM_ROBUST_LINE_ERROR_UNKNOWN ((LoomRobustLineError) { 0, -1, -1, 0 })

/* `pairs` are in order of time; `alike_ns` is the possible common error of all of them. The result has no bound; it is unknown
 * if fewer than 3 pairs agree with the line (4 with a drift). Cost O(n). */
LoomRobustLineError loom_robust_line_error_new (const LoomClockLine *line, const LoomClockSamples *pairs,
                                                gboolean with_drift, double alike_ns);

/* The error of a line to a clock that has itself the error `target`; `target_ns` is the center of `error` on that clock.
 * Bounds add up, because messages in one direction may always be the slower ones; other errors are added as the root of the
 * sum of squares. */
LoomRobustLineError loom_robust_line_error_add (const LoomRobustLineError *error, const LoomRobustLineError *target,
                                                gint64 target_ns);

/* Returns the half-width of the line's error at a local time; negative: unknown. */
double loom_robust_line_error_at (const LoomRobustLineError *error, gint64 local_ns);
