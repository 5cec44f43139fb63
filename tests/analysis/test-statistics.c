/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests statistics with examples that can be calculated by hand, and compares them with simple implementations.
 */
#include "loom-statistics.h"

#include <math.h>
#include <string.h>

#define assert_near(a, b) g_assert_cmpfloat_with_epsilon (a, b, 1e-6)

/* Tests quantiles of the values 4, 8, 15, 16, 23 and 42. */
static void
test_quantiles (void)
{
  static const struct {
    double q, value;
  } expected[] = {
    { 0.05, 5.0 }, { 0.25, 9.75 }, { 0.5, 15.5 }, { 0.95, 37.25 }, { 0.99, 41.05 }, { 0, 4 }, { 1, 42 }
  };
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    double values[] = { 23, 4, 42, 16, 8, 15 };
    assert_near (loom_statistics_quantile (values, 6, expected[i].q), expected[i].value);
  }
  double one[] = { 7 };
  assert_near (loom_statistics_median (one, 1), 7);
  g_assert_true (isnan (loom_statistics_median (one, 0)));
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return x < y ? -1 : x > y;
}

/* Compares summaries with sorting, for many sizes and with repeated values. */
static void
test_summary (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  for (guint n = 1; n < 300; n += 7) {
    g_autofree double *values = g_new (double, n), *sorted = g_new (double, n);
    double sum = 0;
    for (guint i = 0; i < n; i++)
      sum += sorted[i] = values[i] = g_rand_int_range (random, -20, 20) / 4.0;
    qsort (sorted, n, sizeof *sorted, compare_doubles);
    LoomStatistics summary = loom_statistics_summarise (values, n);
    double at = 0.95 * (n - 1);
    guint below = (guint) at, above = MIN (below + 1, n - 1);
    g_assert_cmpuint (summary.n, ==, n);
    assert_near (summary.mean, sum / n);
    assert_near (summary.min, sorted[0]);
    assert_near (summary.max, sorted[n - 1]);
    assert_near (summary.p50, (sorted[(n - 1) / 2] + sorted[n / 2]) / 2);
    assert_near (summary.p95, sorted[below] + (sorted[above] - sorted[below]) * (at - below));
  }
}

/* The robust limit is the median plus 5 median absolute deviations. For equal values with one
 * outlier it equals the median. For 8, 9, 10, 11 and 99 it is 15: the median is 10, and the median
 * of the deviations is 1. */
static void
test_robust_limit (void)
{
  double equal[] = { 7, 7, 70, 7, 7 }, spread[] = { 99, 9, 10, 11, 8 }, median;
  g_assert_cmpfloat (loom_statistics_get_robust_limit (equal, 5, &median), ==, 7);
  g_assert_cmpfloat (median, ==, 7);
  g_assert_cmpfloat (loom_statistics_get_robust_limit (spread, 5, &median), ==, 15);
  g_assert_cmpfloat (median, ==, 10);
}

static void
assert_histogram (const double *values, gsize n, guint n_bins, const char *expected)
{
  LoomHistogram histogram;
  g_autoptr (GString) text = g_string_new (NULL);
  loom_statistics_init_histogram (&histogram, n_bins);
  loom_statistics_add_to_histogram (&histogram, values, n);
  loom_statistics_count_histogram (&histogram, values, n, 1);
  for (guint i = 0; i < n_bins; i++)
    g_string_append_printf (text, "%s%" G_GUINT64_FORMAT, i > 0 ? " " : "", histogram.counts[i]);
  g_assert_cmpstr (text->str, ==, expected);
  loom_statistics_clear_histogram (&histogram);
}

/* Each bin includes its lower edge but not its upper one; only the last bin includes both. If all values are equal, the
 * range of the histogram has width 1 and the values are in its middle. */
static void
test_histogram (void)
{
  assert_histogram ((const double[]) { 0, 1, 1, 2, 3, 4 }, 6, 4, "1 2 1 2");
  assert_histogram ((const double[]) { 5, 5, 5 }, 3, 2, "0 3");
  assert_histogram ((const double[]) { 5, 5, 5 }, 3, 3, "0 3 0");
  assert_histogram ((const double[]) { 10 }, 1, 1, "1");
  /* Edges are multiples of the bin width: 3 × 0.1 is slightly more than 0.3 in floating point. */
  assert_histogram ((const double[]) { 0, 0.3, 1 }, 3, 10, "1 0 1 0 0 0 0 0 0 1");
}

/* The distance of two histograms with bins of 2 %. */
static void
test_distance (void)
{
  guint64 a[50] = { 0 }, b[50] = { 0 };
  a[49] = 4; /* samples of 100 % */
  a[48] = 4; /* samples of 97 % */
  b[48] = 2;
  b[1] = 6;
  assert_near (loom_statistics_js_distance (a, b, 50, FALSE), 0.674132);
  assert_near (loom_statistics_js_distance (b, a, 50, FALSE), 0.674132);
  /* distance as smdebug computes it, without samples of 100 % */
  assert_near (loom_statistics_js_distance (a, b, 49, TRUE), 0.641856);
  assert_near (loom_statistics_js_distance (a, a, 50, FALSE), 0);
  guint64 first[2] = { 3, 0 }, second[2] = { 0, 9 }, none[2] = { 0, 0 };
  assert_near (loom_statistics_js_distance (first, second, 2, FALSE), 0.832555);
  g_assert_true (isnan (loom_statistics_js_distance (first, none, 2, FALSE)));
}

static void
test_percent (void)
{
  assert_near (loom_statistics_percent (1, 4), 25);
  assert_near (loom_statistics_percent (0, 0), 0);
  g_assert_true (loom_statistics_are_alike (98.5, 98.5));
  g_assert_true (loom_statistics_are_alike (0.91, 1));
  g_assert_true (loom_statistics_are_alike (0, 0));
  g_assert_false (loom_statistics_are_alike (0.89, 1));
}

static void
test_sort (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (9);
  for (guint n = 0; n < 2000; n += 333) {
    g_autofree guint64 *keys = g_new (guint64, n + 1);
    g_autofree guint32 *values = g_new (guint32, n + 1);
    for (guint i = 0; i < n; i++) {
      keys[i] = loom_statistics_time_key ((gint64) g_rand_int_range (random, -50, 50) *
                                          (G_GINT64_CONSTANT (1) << g_rand_int_range (random, 0, 56)));
      values[i] = i;
    }
    g_autofree guint64 *before = g_memdup2 (keys, (n + 1) * sizeof *keys);
    loom_statistics_sort (keys, values, n);
    for (guint i = 0; i < n; i++) {
      g_assert_cmpuint (before[values[i]], ==, keys[i]);
      if (i > 0)
        g_assert_true (keys[i - 1] < keys[i] || (keys[i - 1] == keys[i] && values[i - 1] < values[i]));
    }
  }
  gint64 times[] = { 5, -3, 5, 0, G_MAXINT64, -3, G_MININT64 };
  g_assert_cmpuint (loom_statistics_sort_times (times, 7), ==, 5);
  g_assert_cmpmem (times, 5 * sizeof (gint64), ((gint64[]) { G_MININT64, -3, 0, 5, G_MAXINT64 }), 5 * sizeof (gint64));
}

/* loom_statistics_first_at() returns the same index wherever its search starts (`near`). */
static void
test_first_at (void)
{
  const gint64 times[] = { 1, 3, 3, 7, 9, 20, 21, 22, 40 };
  for (gint64 at = 0; at < 42; at++) {
    gsize expected = 0;
    while (expected < 9 && times[expected] < at)
      expected++;
    for (gsize near = 0; near <= 9; near++)
      g_assert_cmpuint (loom_statistics_first_at (times, 9, at, near), ==, expected);
  }
  g_assert_cmpuint (loom_statistics_first_at (times, 0, 5, 0), ==, 0);
}

/* The lookup of a value finds the bin that counts it, also at the edges of bins. */
static void
test_bins (void)
{
  double values[101];
  LoomHistogram histogram;
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = i;
  loom_statistics_init_histogram (&histogram, 50);
  loom_statistics_add_to_histogram (&histogram, values, G_N_ELEMENTS (values));
  loom_statistics_count_histogram (&histogram, values, G_N_ELEMENTS (values), 1);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    g_assert_cmpuint (loom_statistics_find_in_histogram (&histogram, values[i]), ==,
                      MIN (i / 2, 49)); /* 58 is in bin 29, although 58 ÷ 100 · 50 is less than 29 in floating point */
  for (guint i = 0; i < 49; i++)
    g_assert_cmpuint (histogram.counts[i], ==, 2);
  g_assert_cmpuint (loom_statistics_find_in_histogram (&histogram, -5), ==, 0);
  g_assert_cmpuint (loom_statistics_find_in_histogram (&histogram, 130), ==, 49);
  loom_statistics_clear_histogram (&histogram);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stats/quantiles", test_quantiles);
  g_test_add_func ("/stats/summary", test_summary);
  g_test_add_func ("/stats/robust-limit", test_robust_limit);
  g_test_add_func ("/stats/histogram", test_histogram);
  g_test_add_func ("/stats/bins", test_bins);
  g_test_add_func ("/stats/distance", test_distance);
  g_test_add_func ("/stats/percent", test_percent);
  g_test_add_func ("/stats/sort", test_sort);
  g_test_add_func ("/stats/first-at", test_first_at);
  return g_test_run ();
}
