/* SPDX-License-Identifier: Apache-2.0
 *
 * What the series of a plot say at one instant: for legends, for the values beside a cursor, for words. O(log samples)
 * each. Any thread.
 */
#pragma once

#include "loom-outline.h"

G_BEGIN_DECLS

typedef struct {
  const char *label; /* borrowed from the outline, as the part */
  const LoomPlotPart *part;
  guint color;  /* index into LoomTheme.series */
  double value; /* NaN: none there */
} LoomPlotReading;

/* Of a series, at an instant of the timeline: from the last sample at or before it; FALSE before the first and in gaps. */
gboolean loom_plot_value_at (const LoomTimeline *timeline, const LoomPlotSeries *series, gint64 time_ns, double *value);

/* Appends one for each label of a counter's row, and one for the mean of a cloud, whose label is that of the part.
 * LOOM_TIME_NONE: without values. */
void loom_plot_readings_add (const LoomTimeline *timeline, const LoomOutlineRow *row, gint64 time_ns, GArray *readings);

/* "12.4 GiB", "+3 %". Owned. */
char *loom_plot_reading_format (const LoomPlotReading *reading);

G_END_DECLS
