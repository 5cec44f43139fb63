/* SPDX-License-Identifier: Apache-2.0
 *
 * The values of a plot's series at one time: for legends, for the values next to a cursor, for descriptions.
 * O(log samples) each. Any thread.
 */
#pragma once

#include "loom-row-list.h"

typedef struct {
  const char *label; /* borrowed from the row list, as is `part` */
  const LoomCounterPart *part;
  guint color;  /* index into LoomTheme.series */
  double value; /* NaN: no value */
} LoomCounterValue;

/* Sets `value` to the value of a series at an instant of the timeline: that of the last sample at or before it.
 * Returns FALSE before the first sample and in gaps. */
gboolean loom_counter_values_at (const LoomTimeline *timeline, const LoomCounterSeries *plotted, gint64 time_ns,
                                 double *value);

/* Appends the value of each series of the row; series that continue one another have one value. Of series that are
 * plotted as mean and band, appends only their mean, with the label of the part. With LOOM_TIME_NONE the values are
 * NaN. */
void loom_counter_values_add (const LoomTimeline *timeline, const LoomTimelineRow *row, gint64 time_ns,
                              GArray *readings);

/* Formats the value with its unit, for example "12.4 GiB" or "+3 %". Owned by the caller. */
char *loom_counter_value_format (const LoomCounterValue *reading);
