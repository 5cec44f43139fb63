/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-cross-correlation.h"

#include <math.h>

/* Lags that differ from the best lag by at most this number of steps are its neighbours; LoomCrossCorrelation.other
 * ignores them. */
#define NEIGHBOURS 2

/* Returns Pearson's correlation coefficient; NaN if one of the series is constant. */
static double
correlate (const double *a, const double *b, guint n)
{
  double sum_a = 0, sum_b = 0, aa = 0, bb = 0, ab = 0;
  for (guint i = 0; i < n; i++) {
    sum_a += a[i];
    sum_b += b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
    ab += a[i] * b[i];
  }
  double var_a = n * aa - sum_a * sum_a, var_b = n * bb - sum_b * sum_b;
  if (var_a <= 1e-9 * n * aa || var_b <= 1e-9 * n * bb)
    return NAN;
  return (n * ab - sum_a * sum_b) / sqrt (var_a * var_b);
}

static double
correlate_at (const double *a, guint n_a, const double *b, guint n_b, gint lag, guint least)
{
  gint first = MAX (0, -lag), end = MIN ((gint) n_a, (gint) n_b - lag);
  return end - first >= (gint) least && end > first ? correlate (a + first, b + first + lag, (guint) (end - first))
                                                    : NAN;
}

static double
top_of_parabola (double before, double at, double after)
{
  double bend = before - 2 * at + after;
  if (isnan (bend) || bend >= 0)
    return 0;
  return CLAMP (0.5 * (before - after) / bend, -0.5, 0.5);
}

gboolean
loom_cross_correlation_find (LoomCrossCorrelation *found, const double *a, guint n_a, const double *b, guint n_b,
                             gint from, gint to, guint least)
{
  guint n = to >= from ? (guint) (to - from) + 1 : 0, best = G_MAXUINT;
  g_autofree double *all = g_new (double, (gsize) n + 1);
  for (guint i = 0; i < n; i++) {
    all[i] = correlate_at (a, n_a, b, n_b, from + (gint) i, least);
    if (!isnan (all[i]) && (best == G_MAXUINT || all[i] > all[best]))
      best = i;
  }
  if (best == G_MAXUINT)
    return FALSE;
  *found = (LoomCrossCorrelation) { .lag = from + (gint) best, .correlation = all[best], .other = -1 };
  for (guint i = 0; i < n; i++)
    if (ABS ((gint) i - (gint) best) > NEIGHBOURS && !isnan (all[i]))
      found->other = MAX (found->other, all[i]);
  if (best > 0 && best + 1 < n)
    found->fraction = top_of_parabola (all[best - 1], all[best], all[best + 1]);
  return TRUE;
}
