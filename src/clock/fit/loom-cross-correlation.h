/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/clock: finds by how many steps one series of values is later than another, with a cross-correlation.
 * In both series, the time between two values is the same. Any thread.
 */
#pragma once

#include <glib.h>

typedef struct {
  gint lag;           /* the lag with the highest correlation, in steps: a[i] corresponds to b[i + lag] */
  double correlation; /* Pearson's correlation coefficient of the parts of both series that overlap at this lag */
  /* the highest correlation at a lag that differs from the best lag by more than 2 steps; −1 if there is no such lag */
  double other;
  /* Fraction of a step to add to `lag`, −0.5 … 0.5, for a more exact lag. This is the position of the maximum of the
   * parabola through the correlations at the best lag and at its two neighbours. */
  double fraction;
} LoomCrossCorrelation;

/* Finds the best lag between `from` and `to`. At each lag, at least `least` values of both series must overlap.
 * Returns FALSE if the correlation cannot be computed at any lag. O(lags · overlap). */
gboolean loom_cross_correlation_find (LoomCrossCorrelation *found, const double *a, guint n_a, const double *b,
                                      guint n_b, gint from, gint to, guint least);
