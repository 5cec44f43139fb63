/* SPDX-License-Identifier: Apache-2.0
 *
 * Fits a robust line through pairs of times on two clocks: target = local + offset + drift × (local − base).
 *
 * Differences of times are computed in gint64. Only small numbers are stored as doubles: the differences minus their
 * median, and the times since `base_ns`.
 *
 * Without a drift, the first guess is the median difference. With a drift, it is the best of many lines through two
 * distant pairs, which is the line with the smallest median of the absolute residuals (least median of squares, P. J.
 * Rousseeuw, 1984). So up to half of the pairs may be wrong. The guess is then improved by iteratively reweighted least
 * squares (P. J. Huber, Robust Statistics, 1981). The weights are Tukey's biweight with the tuning constant 4.685,
 * which keeps 95 % of the efficiency for normal errors. The scale of the residuals is 1.4826 × the median absolute
 * residual.
 *
 * The functions may be called on any thread. They do not use real randomness: the same pairs in the same order give the
 * same line.
 */
#pragma once

#include "loom-clock-map.h"

typedef struct {
  gint64 base_ns; /* local time for which the offset is stated */
  gint64 offset_ns;
  double fraction_ns; /* The part of the offset below 1 ns, in ns, between −1 and 1. It is added to offset_ns. */
  double drift;       /* drift in ns per ns; 10⁻⁹ is 1 part per billion */
} LoomClockLine;

/* Converts a local time to a target time. A result outside of gint64 is replaced by the nearest gint64. */
gint64 loom_robust_line_map (const LoomClockLine *line, gint64 local_ns);

/* Returns the local time that the line converts to `target_ns`, exact to within 1 ns. */
gint64 loom_robust_line_unmap (const LoomClockLine *line, gint64 target_ns);

/* `line` and `reference` convert the times of two clocks to the time of the same target clock. Returns the line that
 * converts the time of the clock of `line` directly to the time of the clock of `reference`. */
LoomClockLine loom_robust_line_relative_to (const LoomClockLine *line, const LoomClockLine *reference);

typedef struct {
  /* for each pair of times, the time of the local clock, and the time of the target clock */
  const gint64 *local_ns, *target_ns;
  /* For each pair: its uncertainty, > 0. The weight of a pair decreases with the square of its uncertainty. */
  const gint64 *uncertainty_ns;
  guint n; /* number of pairs */
} LoomClockSamples;

/* A pair of times is rejected if its distance from the line is more than LOOM_CLOCK_LINE_TUNING × the larger of two
 * values: the scale of the residuals, and the uncertainty of the pair. */
#define LOOM_CLOCK_LINE_TUNING 4.685

/* Fits a line to at least one pair of times. Without `with_drift`, the drift is 0. If `warm` is TRUE, the fit starts
 * with *line; if FALSE, it computes a first guess. `scale_ns` is set to the scale of the residuals, which is at least
 * the smallest uncertainty. O(n). */
void loom_robust_line_fit (LoomClockLine *line, const LoomClockSamples *pairs, gboolean with_drift, gboolean warm,
                           double *scale_ns);

/* Returns target_ns minus the target time to which the line converts local_ns. The result is exact to the ns if the
 * difference is small. */
double loom_robust_line_residual (const LoomClockLine *line, gint64 local_ns, gint64 target_ns);

/* Returns a robust standard deviation of `n` errors, whose absolute values are given: 1.4826 × their median, but at
 * least `least`. Returns 0 if n is 0. Reorders `absolute`. */
double loom_robust_line_scale (double *absolute, guint n, double least);

/* Returns the value that would have the index k if the values were sorted. n must be ≥ 1. Reorders `values`. */
double loom_robust_line_select (double *values, guint n, guint k);
/* Returns the median. For an even number of values, this is the mean of the two middle values. Reorders `values`. */
double loom_robust_line_median (double *values, guint n);
gint64 loom_robust_line_median_time (gint64 *values, guint n);
