/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds example charts of every kind for pictures. Their values differ enough to be distinguished in a picture. The
 * caller owns the charts.
 */
#pragma once

#include "loom-chart.h"

#define SAMPLE_CHARTS_N 14

/* Returns one of SAMPLE_CHARTS_N different charts. */
LoomChart *sample_charts_new (guint i);

LoomChart *sample_charts_new_pie (void);
LoomChart *sample_charts_new_histogram (void);
LoomChart *sample_charts_new_columns (guint n_ranks, guint n);
LoomChart *sample_charts_new_bars (gboolean stacked);
LoomChart *sample_charts_new_lines (guint n);
LoomChart *sample_charts_new_heat (void);
LoomChart *sample_charts_new_matrix (void);
/* Returns a chart of `n` stacked columns, from x = 100 on; column 4 is twice as high as the others. */
LoomChart *sample_charts_new_stacks (guint n);
/* Returns a map of 2 rows and 4 columns with one framed cell and one cell without value. */
LoomChart *sample_charts_new_map (void);
LoomChart *sample_charts_new_waits (void);
/* Returns a chart of the residuals of a clock: noise around 0, and a few rejected points, two of which are far away. */
LoomChart *sample_charts_new_dots (void);
/* a roofline: dots with areas and labels */
LoomChart *sample_charts_new_areas (void);
