/* SPDX-License-Identifier: Apache-2.0
 *
 * The numeric conventions of formats/analysis.md §2, in one place: quantiles by linear interpolation, histograms with
 * the last bin closed. Pure functions on the caller's arrays; any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Of n values: the rest means nothing when n is 0. */
typedef struct {
  guint64 n;
  double mean, min, max, p50, p95, p99;
} LoomStatistics;

/* Position q·(n−1), linear between neighbours. NAN for n = 0. Reorders `values`. Expected O(n). */
double loom_statistics_quantile (double *values, gsize n, double q);
double loom_statistics_median (double *values, gsize n);

/* Reorders `values`. Expected O(n). */
LoomStatistics loom_statistics_summarise (double *values, gsize n);

/* 100 × part ÷ whole; 0 when the whole is 0. */
double loom_statistics_percent (double part, double whole);

/* --- histograms ---------------------------------------------------------------------------------------------------- */

/* Counts in `n_bins` bins of equal width from min to max; min = max is widened by 0.5 each way for the bins only.
 * Half-open bins but for the last, with the edges numpy computes. Embedded in results; clear what was initialised. */
typedef struct {
  guint64 n;       /* values counted */
  double min, max; /* of the values; 0 when there are none */
  guint n_bins;
  guint64 *counts; /* owned */
} LoomHistogram;

/* A histogram is filled in two passes, so that values need not be gathered: what is seen, then what is counted. */
void loom_statistics_init_histogram (LoomHistogram *histogram, guint n_bins);
void loom_statistics_clear_histogram (LoomHistogram *histogram);
void loom_statistics_add_to_histogram (LoomHistogram *histogram, const double *values, gsize n);
/* Gives both the same bins, so that they can be compared: after all was seen, before anything is counted. */
void loom_statistics_share_bins (LoomHistogram *a, LoomHistogram *b);
void loom_statistics_count_histogram (LoomHistogram *histogram, const double *values, gsize n, guint64 weight);
/* The bin in which a value is counted; what lies outside is in the first or the last one. Reads only the range and the
 * number of bins. */
guint loom_statistics_find_in_histogram (const LoomHistogram *histogram, double value);

/* √((KL(p‖m) + KL(q‖m)) / 2), natural logarithm, over counts normalised to sum 1; m is the mean of the two normalised
 * ones, or with `raw_mean` (as written) that of the counts, then normalised. NAN when one is empty. §7 */
double loom_statistics_js_distance (const guint64 *a, const guint64 *b, guint n_bins, gboolean raw_mean);

/* --- order --------------------------------------------------------------------------------------------------------- */

/* Sorts keys, and `values` (may be NULL) with them, stably. O(n) per byte in which keys differ. */
void loom_statistics_sort (guint64 *keys, guint32 *values, gsize n);

/* A signed time as a key that sorts as it does. */
static inline guint64
loom_statistics_time_key (gint64 time_ns)
{
  return (guint64) time_ns ^ G_GUINT64_CONSTANT (0x8000000000000000);
}

/* Sorts times and drops repeated ones; returns how many are left. */
gsize loom_statistics_sort_times (gint64 *times_ns, gsize n);

/* First index in [0, n] whose time is at or after `time_ns`. `near` is where the last search ended: O(log distance). */
gsize loom_statistics_first_at (const gint64 *times_ns, gsize n, gint64 time_ns, gsize near);

G_END_DECLS
