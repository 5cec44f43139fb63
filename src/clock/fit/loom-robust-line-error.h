/* SPDX-License-Identifier: Apache-2.0
 *
 * How well the pairs of a line (loom-robust-line.h) determine its offset and its drift: half-widths of 95 % confidence intervals.
 *
 * The standard error is that of the biweight estimate itself (the sandwich of P. J. Huber, Robust Statistics, 1981), so it
 * shrinks with the number of pairs. Neighbouring pairs may err together, for collectives of one step share their
 * asymmetry: scores are summed over blocks of 1, 2, 4 … neighbours, and the block length with the largest error counts
 * (H. Flyvbjerg and H. G. Petersen, 1989). Quantiles are Student's, with the number of blocks for the degrees of freedom.
 * What all pairs are off by alike cannot be seen in them: it is given, and added as the root of the sum of squares. A
 * hard bound, as messages give it, is no random error: it is added as it is.
 *
 * Any thread.
 */
#pragma once

#include "loom-robust-line.h"

typedef struct {
  gint64 center_ns; /* local time at which the offset is known best; errors of offset and drift are independent there */
  double offset_ns; /* ± at 95 %, at the center, without the bound; negative: unknown */
  double drift;     /* ± at 95 %, per unit; negative: unknown, or no drift was fitted */
  double bound_ns;  /* ± on top of these at any time; 0 for none */
} LoomRobustLineError;

#define LOOM_ROBUST_LINE_ERROR_UNKNOWN ((LoomRobustLineError) { 0, -1, -1, 0 })

/* `pairs` in order of time; `alike_ns`: what all of them may be off by alike. Unknown for fewer than 3 pairs that agree with
 * the line (4 with a drift). Without a bound. Cost O(n). */
LoomRobustLineError loom_robust_line_error_new (const LoomClockLine *line, const LoomClockSamples *pairs,
                                                gboolean with_drift, double alike_ns);

/* The error of a line to a clock that is itself known to within `target`; `target_ns` is the center of `error` on that
 * clock. Bounds add up, for messages of one direction may be the slower ones throughout; the rest is added as the root of
 * the sum of squares. */
LoomRobustLineError loom_robust_line_error_add (const LoomRobustLineError *error, const LoomRobustLineError *target,
                                                gint64 target_ns);

/* ± of the line at a local time; negative: unknown. */
double loom_robust_line_error_at (const LoomRobustLineError *error, gint64 local_ns);
