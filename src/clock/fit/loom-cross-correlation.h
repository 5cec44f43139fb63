/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/clock: finds by how many steps one series of values is later than another, by cross-correlation. Both
 * series have the same step of time. Any thread.
 */
#pragma once

#include <glib.h>

typedef struct {
  gint lag;           /* the best lag, in steps: a[i] corresponds to b[i + lag] */
  double correlation; /* Pearson's r of the parts of both series that overlap at this lag */
  /* the highest correlation at a lag that differs from the best lag by more than 2 steps; −1: there is no such lag */
  double other;
  /* Fraction of a step to add to `lag`, −0.5 … 0.5. The sum is the maximum of the parabola through the correlations at
   * the best lag and at the lags before and after it. */
  double fraction;
} LoomCrossCorrelation;

/* Finds the best of all lags from `from` to `to` at which at least `least` steps overlap. Returns FALSE if the
 * correlation cannot be computed at any lag. O(lags · overlap). */
gboolean loom_cross_correlation_find (LoomCrossCorrelation *found, const double *a, guint n_a, const double *b,
                                      guint n_b, gint from, gint to, guint least);
