/* SPDX-License-Identifier: Apache-2.0
 *
 * A line through pairs of times on two clocks, most of which agree: target = local + offset + drift × (local − base).
 *
 * Differences are taken in gint64; a double holds only what is left of them once the median difference is gone, and times
 * since `base_ns`. First guess: the median difference, or with a drift the best of many lines through two far pairs by the
 * median of its absolute residuals (least median of squares, P. J. Rousseeuw, 1984), which half of the pairs may contradict.
 * From there iteratively reweighted least squares with Tukey's biweight, whose tuning constant 4.685 keeps 95 % of the
 * efficiency for normal errors, on the scale 1.4826 × the median absolute residual (P. J. Huber, Robust Statistics, 1981).
 *
 * Any thread. No randomness: the same pairs in the same order give the same line.
 */
#pragma once

#include "loom-clock-map.h"

typedef struct {
  gint64 base_ns; /* local */
  gint64 offset_ns;
  double fraction_ns; /* of the offset, within ±1 */
  double drift;       /* per unit: 10⁻⁹ is 1 ppb */
} LoomClockLine;

/* Target time; saturates. */
gint64 loom_robust_line_map (const LoomClockLine *line, gint64 local_ns);

/* The local time of a target time, to within 1 ns. */
gint64 loom_robust_line_unmap (const LoomClockLine *line, gint64 target_ns);

/* The line that leads where `reference` has `target_ns`'s image: first `line`, then back through `reference`. */
LoomClockLine loom_robust_line_relative_to (const LoomClockLine *line, const LoomClockLine *reference);

typedef struct {
  const gint64 *local_ns, *target_ns; /* n each */
  const gint64 *uncertainty_ns;       /* n; > 0; weights go by its square */
  guint n;
} LoomClockSamples;

/* How far a pair is from the line before it is thrown out: 4.685 × the larger of scale and its own uncertainty. */
#define LOOM_CLOCK_LINE_TUNING 4.685

/* Fits. `with_drift` FALSE keeps the drift of *line at 0. With `warm` the line is where to begin, else it is found.
 * `*scale_ns` is that of the residuals, never below the least uncertainty. Cost O(n). n ≥ 1. */
void loom_robust_line_fit (LoomClockLine *line, const LoomClockSamples *pairs, gboolean with_drift, gboolean warm,
                           double *scale_ns);

/* target − line (local), of any size; exact to the ns where it is small. */
double loom_robust_line_residual (const LoomClockLine *line, gint64 local_ns, gint64 target_ns);

/* A robust standard deviation of errors from their absolute values: 1.4826 × the median, and at least `least`. 0 if n is
 * 0. Reorders. */
double loom_robust_line_scale (double *absolute, guint n, double least);

/* The k-th smallest, reorders. n ≥ 1. */
double loom_robust_line_select (double *values, guint n, guint k);
double loom_robust_line_median (double *values,
                                guint n); /* mean of the two in the middle of an even number; reorders */
gint64 loom_robust_line_median_time (gint64 *values, guint n);
