/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the values that the series of a plot have at an instant. Legends, the tags next to a cursor and accessible
 * descriptions show these values. O(log samples) per series. Any thread.
 */
#pragma once

#include "loom-row-list.h"

typedef struct {
  const char *label; /* `label` and `part` are borrowed from the row list */
  const LoomCounterPart *part;
  guint color;  /* colour of the series, as an index into LoomTheme.series */
  double value; /* value of the series at the requested time; NaN: the series has no value at that time */
} LoomCounterValue;

/* Sets `value` to the value that a series has at an instant of the timeline: the value of the last sample at or before
 * this instant. Returns FALSE before the first sample and in gaps. */
gboolean loom_counter_values_at (const LoomTimeline *timeline, const LoomCounterSeries *plotted, gint64 time_ns,
                                 double *value);

/* Appends a value (LoomCounterValue) for each series of the row. Several series that continue one another (the same
 * counter in successive files) get one value. A counter of the plot (LoomCounterPart) that is drawn as mean and band
 * also gets one value: the mean of its series, with the label of the counter. If `time_ns` is LOOM_TIME_NONE, the
 * values are NaN. */
void loom_counter_values_add (const LoomTimeline *timeline, const LoomTimelineRow *row, gint64 time_ns,
                              GArray *readings);

/* Formats the value with its unit, for example "12.4 GiB" or "+3 %". Owned by the caller. */
char *loom_counter_value_format (const LoomCounterValue *reading);
