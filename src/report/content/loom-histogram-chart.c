/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the number of bins, and separates a few very large values from the others.
 */
#include "loom-histogram-chart.h"

#include <math.h>

/* Minimum and maximum number of bins. Few values get few bins; otherwise many bins would be empty. */
#define MIN_BINS 10
#define MAX_BINS 50
/* Some very large values share a separate bar if two conditions are met: they are at most the share MAX_REST_SHARE of
 * all values, and the smallest of them is at least MIN_REST_FACTOR times as far from the start of the scale as the
 * largest of the other values. Without the separate bar, most of the scale would be empty. */
#define MIN_REST_FACTOR 2.0
#define MAX_REST_SHARE 0.25

LoomChart *
loom_histogram_chart_new (const char *title, const char *x_name, const char *x_unit, const char *what,
                          const LoomHistogram *histogram)
{
  /* if all values are equal, the range of the chart is widened by 0.5 on both sides */
  gboolean flat = histogram->min >= histogram->max;
  if (histogram->n == 0)
    return NULL;
  LoomChart *chart = loom_chart_new_histogram (title, x_name, x_unit, what, histogram->min - (flat ? 0.5 : 0),
                                               histogram->max + (flat ? 0.5 : 0));
  for (guint i = 0; i < histogram->n_bins; i++)
    loom_chart_add_bin (chart, (double) histogram->counts[i]);
  return chart;
}

/* Returns how many of the values, which are in ascending order, are shown in normal bins. All larger values share a
 * separate bar. Returns n if there is no separate bar. */
static guint
count_usual (const double *values, guint n)
{
  guint least = n - (guint) (n * MAX_REST_SHARE);
  /* start of the scale: 0, because durations are shown on a scale from 0; the least value if it is negative */
  double origin = n > 0 ? MIN (values[0], 0) : 0;
  for (guint i = n; i > MAX (least, 1); i--)
    if (values[i - 1] > origin && values[i - 1] - origin >= MIN_REST_FACTOR * (values[i - 2] - origin))
      return i - 1;
  return n;
}

LoomChart *
loom_histogram_chart_new_sorted (const char *title, const char *x_name, const char *x_unit, const char *what,
                                 const double *values, guint n, LoomHistogram *histogram)
{
  guint n_usual = count_usual (values, n);
  loom_statistics_init_histogram (histogram, (guint) CLAMP (2 * sqrt (n_usual), MIN_BINS, MAX_BINS));
  loom_statistics_add_to_histogram (histogram, values, n_usual);
  loom_statistics_count_histogram (histogram, values, n_usual, 1);
  LoomChart *chart = loom_histogram_chart_new (title, x_name, x_unit, what, histogram);
  if (n_usual < n)
    loom_chart_add_rest (chart, n - n_usual, values[n_usual], values[n - 1]);
  return chart;
}
