/* SPDX-License-Identifier: Apache-2.0
 *
 * The values of a plot's series at one time: for legends, for the values next to a cursor, for descriptions.
 * O(log samples) each. Any thread.
 */
#pragma once

#include "loom-row-list.h"

typedef struct {
  const char *label; /* borrowed from the row list, as is the part */
  const LoomCounterPart *part;
  guint color;  /* index into LoomTheme.series */
  double value; /* NaN: no value */
} LoomCounterValue;

/* The value of a series at an instant of the timeline, from the last sample at or before it; FALSE before the first
 * sample and in gaps. */
gboolean loom_counter_values_at (const LoomTimeline *timeline, const LoomCounterSeries *plotted, gint64 time_ns,
                                 double *value);

/* Appends the value of each series that the counter row labels, and the mean of each group of series that is plotted
 * as mean and band, with the group's label. With LOOM_TIME_NONE, appends the labels without values. */
void loom_counter_values_add (const LoomTimeline *timeline, const LoomTimelineRow *row, gint64 time_ns,
                              GArray *readings);

/* The value as text: "12.4 GiB", "+3 %". Owned by the caller. */
char *loom_counter_value_format (const LoomCounterValue *reading);
