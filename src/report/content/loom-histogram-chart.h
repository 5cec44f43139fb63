/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes charts that show how often values of each size occur (histograms), for pages and for results of queries. The
 * functions may be called on any thread.
 */
#pragma once

#include "loom-chart.h"
#include "loom-statistics.h"

/* Makes a chart from a histogram; NULL if nothing was counted. Owned by the caller. */
LoomChart *loom_histogram_chart_new (const char *title, const char *x_name, const char *x_unit, const char *what,
                                     const LoomHistogram *histogram);

/* Makes a chart of finite values in ascending order, at least one, with as many bins as suit the number of values. A
 * few values far above the rest are shown in a separate element after the bins (LoomChartHistogram.has_rest). Sets
 * `histogram` to the bins of the other values; the caller clears it. Owned by the caller. O(n). */
LoomChart *loom_histogram_chart_new_sorted (const char *title, const char *x_name, const char *x_unit, const char *what,
                                            const double *values, guint n, LoomHistogram *histogram);
