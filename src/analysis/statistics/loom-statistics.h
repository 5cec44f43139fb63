/* SPDX-License-Identifier: Apache-2.0
 *
 * The numeric conventions of numpy and scipy: quantiles by linear interpolation, histograms with the last bin
 * closed. Pure functions on the caller's arrays; any thread.
 */
#pragma once

#include <glib.h>

/* Statistics of n values. If n is 0, the other members are undefined. */
typedef struct {
  guint64 n;
  double mean, min, max, p50, p95, p99;
} LoomStatistics;

/* Returns the value at position q · (n − 1) of the sorted values, interpolated linearly. NAN if n is 0. Reorders
 * `values`. Expected O(n). */
double loom_statistics_quantile (double *values, gsize n, double q);
double loom_statistics_median (double *values, gsize n);

/* Returns the limit above which a value is an outlier: the median plus 5 median absolute deviations. A few outliers do
 * not change this limit; if all values are equal, the limit is the median. Sets `median` to the median. NAN if n is 0.
 * Overwrites `values`. Expected O(n). */
double loom_statistics_get_robust_limit (double *values, gsize n, double *median);

/* Computes all statistics. Reorders `values`. Expected O(n). */
LoomStatistics loom_statistics_summarise (double *values, gsize n);

/* Returns 100 × part ÷ whole; 0 if the whole is 0. */
double loom_statistics_percent (double part, double whole);
/* Returns TRUE if the difference between the least and the greatest of several values is at most a tenth of the
 * greatest. The difference is then too small to name the device or rank with the greatest value in a text. */
gboolean loom_statistics_are_alike (double least, double greatest);

/* --- histograms --------------------------------------------------------------------------------------------------- */

/* A histogram with `n_bins` bins of equal width from min to max; if min = max, the bins extend 0.5 to each side. Bins
 * include their lower edge but not their upper edge, except for the last bin, which includes both; the edges are those
 * that numpy computes. Usually a member of a result. Must be cleared after use. */
typedef struct {
  guint64 n;       /* number of counted values */
  double min, max; /* extremes of the added values; 0 without values */
  guint n_bins;
  guint64 *counts; /* owned */
} LoomHistogram;

/* A histogram is filled in two passes over the values, so that they need not be stored:
 * loom_statistics_add_to_histogram() finds the extremes, then loom_statistics_count_histogram() counts the values. */
void loom_statistics_init_histogram (LoomHistogram *histogram, guint n_bins);
void loom_statistics_clear_histogram (LoomHistogram *histogram);
void loom_statistics_add_to_histogram (LoomHistogram *histogram, const double *values, gsize n);
/* Gives both histograms the same bins, for comparison. Must be called after all values were added and before any value
 * is counted. */
void loom_statistics_share_bins (LoomHistogram *a, LoomHistogram *b);
void loom_statistics_count_histogram (LoomHistogram *histogram, const double *values, gsize n, guint64 weight);
/* Returns the bin in which a value is counted; a value outside of min to max is counted in the first or last bin. Reads
 * only min, max and n_bins. */
guint loom_statistics_find_in_histogram (const LoomHistogram *histogram, double value);

/* Returns the Jensen–Shannon distance √((KL(p‖m) + KL(q‖m)) / 2), with natural logarithms. p and q are the counts `a`
 * and `b`, normalised to a sum of 1, and m is the mean of p and q. With `raw_mean`, as smdebug computes it, m is the
 * normalised mean of the counts. NAN if `a` or `b` is empty. */
double loom_statistics_js_distance (const guint64 *a, const guint64 *b, guint n_bins, gboolean raw_mean);

/* --- sorting ------------------------------------------------------------------------------------------------------ */

/* Sorts `keys`, and reorders `values` (may be NULL) in the same way. Stable. O(n) for each byte in which keys
 * differ. */
void loom_statistics_sort (guint64 *keys, guint32 *values, gsize n);

/* Returns an unsigned key that sorts like the signed time. */
static inline guint64
loom_statistics_time_key (gint64 time_ns)
{
  return (guint64) time_ns ^ G_GUINT64_CONSTANT (0x8000000000000000);
}

/* Compares gint64, for g_array_sort() and qsort(). */
int loom_statistics_compare_times (gconstpointer a, gconstpointer b);

/* Inserts a number into an ascending array of guint unless the array contains it. O(n). */
void loom_statistics_insert_number (GArray *numbers, guint number);

/* Sorts times and removes duplicates. Returns the number of remaining times. */
gsize loom_statistics_sort_times (gint64 *times_ns, gsize n);

/* Returns the index of the first time at or after `time_ns`; `n` if there is none. `near`: result of the previous
 * search. O(log of the distance from `near`). */
gsize loom_statistics_first_at (const gint64 *times_ns, gsize n, gint64 time_ns, gsize near);
