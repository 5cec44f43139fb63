/* SPDX-License-Identifier: Apache-2.0
 *
 * Statistics that follow the conventions of numpy and scipy: quantiles are interpolated linearly, and the upper edge of
 * a histogram belongs to its last bin. The functions use only the caller's arrays. Any thread.
 */
#pragma once

#include <glib.h>

/* Statistics of n values. If n is 0, the other members have no defined values. */
typedef struct {
  guint64 n;
  double mean, min, max, p50, p95, p99;
} LoomStatistics;

/* Returns the quantile `q`: the value at the position q · (n − 1) of the sorted values. Between two values,
 * interpolates linearly. NAN if n is 0. Reorders `values`. Expected O(n). */
double loom_statistics_quantile (double *values, gsize n, double q);
double loom_statistics_median (double *values, gsize n);

/* Returns the limit above which a value counts as an outlier: the median plus 5 times the median absolute deviation. A
 * few outliers hardly change this limit. If all values are equal, the limit is the median. Sets `median` to the median.
 * NAN if n is 0. Overwrites `values`. Expected O(n). */
double loom_statistics_get_robust_limit (double *values, gsize n, double *median);

/* Computes all members of LoomStatistics. Reorders `values`. Expected O(n). */
LoomStatistics loom_statistics_summarise (double *values, gsize n);

/* Returns 100 · part ÷ whole; 0 if the whole is 0. */
double loom_statistics_percent (double part, double whole);
/* Returns TRUE if `least` and `greatest`, the least and the greatest of several values, differ by at most a tenth of
 * `greatest`. Texts then do not mention the device or rank with the greatest value, because the difference is too
 * small. */
gboolean loom_statistics_are_alike (double least, double greatest);

/* --- histograms --------------------------------------------------------------------------------------------------- */

/* A histogram with `n_bins` bins of equal width from min to max. If min = max, the bins extend from min − 0.5 to max +
 * 0.5. A bin includes its lower edge, but not its upper edge; the last bin includes both edges. The edges are computed
 * as in numpy. Usually a member of a result. Must be cleared after use. */
typedef struct {
  guint64 n;       /* number of values that were added */
  double min, max; /* least and greatest added value; both 0 if no value was added */
  guint n_bins;
  guint64 *counts; /* owned */
} LoomHistogram;

/* loom_statistics_init_histogram() initialises an empty histogram. A histogram does not store values, so it is filled
 * in two passes over them: in the first pass, loom_statistics_add_to_histogram() finds the extremes; in the second
 * pass, loom_statistics_count_histogram() counts the values. */
void loom_statistics_init_histogram (LoomHistogram *histogram, guint n_bins);
void loom_statistics_clear_histogram (LoomHistogram *histogram);
void loom_statistics_add_to_histogram (LoomHistogram *histogram, const double *values, gsize n);
/* Gives two histograms the same bins, so that they can be compared. Must be called after the first pass (all values
 * were added) and before the second pass (values are counted). */
void loom_statistics_share_bins (LoomHistogram *a, LoomHistogram *b);
void loom_statistics_count_histogram (LoomHistogram *histogram, const double *values, gsize n, guint64 weight);
/* Returns the index of the bin in which a value is counted. A value below min is counted in the first bin, a value
 * above max in the last one. Reads only min, max and n_bins. */
guint loom_statistics_find_in_histogram (const LoomHistogram *histogram, double value);

/* Returns the Jensen–Shannon distance √((KL(p‖m) + KL(q‖m)) / 2), with natural logarithms. p is the counts `a` divided
 * by their sum, q is the counts `b` divided by their sum, and m is the mean of p and q. Exception: if `raw_mean` is
 * TRUE, m is the sum of the counts `a` and `b` of each bin, divided by the sum of all counts, as in smdebug. Returns
 * NAN if `a` or `b` has no counts. */
double loom_statistics_js_distance (const guint64 *a, const guint64 *b, guint n_bins, gboolean raw_mean);

/* --- sorting ------------------------------------------------------------------------------------------------------ */

/* Sorts `keys`, and reorders `values` in the same way; `values` may be NULL. Stable. O(n) for each group of 11 bits in
 * which keys differ. */
void loom_statistics_sort (guint64 *keys, guint32 *values, gsize n);

/* Returns an unsigned key. Keys have the same order as the signed times from which they are made. */
static inline guint64
loom_statistics_time_key (gint64 time_ns)
{
  return (guint64) time_ns ^ G_GUINT64_CONSTANT (0x8000000000000000);
}

/* Compares two gint64. For g_array_sort() and qsort(). */
int loom_statistics_compare_times (gconstpointer a, gconstpointer b);

/* Inserts a number into an ascending array of guint, unless the array already contains it. O(n). */
void loom_statistics_insert_number (GArray *numbers, guint number);

/* Sorts times and removes duplicates. Returns the number of times that remain. */
gsize loom_statistics_sort_times (gint64 *times_ns, gsize n);

/* Returns the index of the first time that is not before `time_ns`; `n` if all times are before it. The search begins
 * at the index `near`, for which callers pass the result of the previous search. O(log of the distance between `near`
 * and the result). */
gsize loom_statistics_first_at (const gint64 *times_ns, gsize n, gint64 time_ns, gsize near);
