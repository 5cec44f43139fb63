/* SPDX-License-Identifier: Apache-2.0
 *
 * Fits a robust line through pairs of times on two clocks: target = local + offset + drift × (local − base).
 *
 * Differences of times are computed in gint64. Only the differences minus their median, and times since `base_ns`, are
 * stored as doubles. The first guess is the median difference. With a drift it is the best of many lines through two
 * distant pairs, by the median of the absolute residuals (least median of squares, P. J. Rousseeuw, 1984): up to half
 * of the pairs may be wrong. Then follow iteratively reweighted least squares with Tukey's biweight, whose tuning
 * constant 4.685 keeps 95 % of the efficiency for normal errors, on the scale 1.4826 × the median absolute residual (P.
 * J. Huber, Robust Statistics, 1981).
 *
 * Any thread. No randomness: the same pairs in the same order give the same line.
 */
#pragma once

#include "loom-clock-map.h"

typedef struct {
  gint64 base_ns; /* local time at which the offset holds */
  gint64 offset_ns;
  double fraction_ns; /* part of the offset below 1 ns, in ns, within ±1; added to offset_ns */
  double drift;       /* ns per ns: 10⁻⁹ is 1 ppb */
} LoomClockLine;

/* Returns the target time of a local time; saturates at the ends of gint64. */
gint64 loom_robust_line_map (const LoomClockLine *line, gint64 local_ns);

/* Returns the local time that is mapped to a target time, exact to within 1 ns. */
gint64 loom_robust_line_unmap (const LoomClockLine *line, gint64 target_ns);

/* Returns the line that maps the time of the clock of `line` to the time of the clock of `reference`. Both lines must
 * have the same target clock. */
LoomClockLine loom_robust_line_relative_to (const LoomClockLine *line, const LoomClockLine *reference);

typedef struct {
  const gint64 *local_ns, *target_ns; /* [pair] the two times of the pair */
  /* [pair] uncertainty of the pair, > 0; the weight of a pair decreases with the square of its uncertainty */
  const gint64 *uncertainty_ns;
  guint n; /* number of pairs */
} LoomClockSamples;

/* A pair is rejected if its distance from the line exceeds this multiple of the residuals' scale or, if that is
 * larger, of the pair's uncertainty. */
#define LOOM_CLOCK_LINE_TUNING 4.685

/* Fits a line to at least one pair. If not `with_drift`, the drift is 0. If `warm`, the fit begins at *line, else at
 * a first guess. `scale_ns` receives the scale of the residuals, which is at least the least uncertainty. O(n). */
void loom_robust_line_fit (LoomClockLine *line, const LoomClockSamples *pairs, gboolean with_drift, gboolean warm,
                           double *scale_ns);

/* Returns target_ns minus the target time to which the line maps local_ns; exact to the ns if the difference is
 * small. */
double loom_robust_line_residual (const LoomClockLine *line, gint64 local_ns, gint64 target_ns);

/* Returns a robust standard deviation of `n` errors, given by their absolute values: 1.4826 × their median, and at
 * least `least`. 0 if n is 0. Reorders `absolute`. */
double loom_robust_line_scale (double *absolute, guint n, double least);

/* Returns the value with index k in the sorted values. n must be ≥ 1. Reorders `values`. */
double loom_robust_line_select (double *values, guint n, guint k);
/* Returns the median; of an even number of values, the mean of the two in the middle. Reorders `values`. */
double loom_robust_line_median (double *values, guint n);
gint64 loom_robust_line_median_time (gint64 *values, guint n);
