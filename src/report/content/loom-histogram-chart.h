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

/* Makes a chart of values. There must be at least one value; all values must be finite, and in ascending order. The
 * number of bins depends on the number of values. A few values that are much larger than the others get a separate
 * element after the bins (LoomChartHistogram.has_rest). Sets `histogram` to the bins of the other values; the caller
 * clears it. The chart is owned by the caller. O(n). */
LoomChart *loom_histogram_chart_new_sorted (const char *title, const char *x_name, const char *x_unit, const char *what,
                                            const double *values, guint n, LoomHistogram *histogram);
