/* SPDX-License-Identifier: Apache-2.0
 *
 * For each series, finds the sample whose value holds at a given time. Also joins series that continue one another.
 */
#include "loom-counter-values.h"

#include <math.h>

#include "loom-draw-samples.h"

gboolean
loom_counter_values_at (const LoomTimeline *timeline, const LoomCounterSeries *plotted, gint64 time_ns, double *value)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), plotted->trace);
  const LoomSeries *series = loom_trace_get_series (trace, plotted->series);
  guint clock = loom_trace_get_track (trace, plotted->track)->clock;
  gint64 local_ns = loom_clock_map_to_local (loom_timeline_get_map (timeline, plotted->trace, clock), time_ns);
  guint32 n = loom_draw_samples_until (series, local_ns);
  if (n == 0 || loom_time_sub (local_ns, series->time_ns[n - 1]) > series->hold_ns)
    return FALSE;
  *value = loom_counter_quantity_read (series, plotted->quantity, n - 1);
  return !isnan (*value);
}

static gboolean
is_repeated (const LoomTimelineRow *row, guint i)
{
  return i > 0 && row->series[i].color == row->series[i - 1].color && row->series[i].part == row->series[i - 1].part;
}

/* Returns the value at an instant of the series with index `first` in the row. If this series has no value at that
 * instant, returns the value of a later series that continues the first one. A series that continues another one is the
 * same counter in another file; both have the same colour and belong to the same LoomCounterPart. Returns NaN if none
 * of these series has a value. */
static double
value_of_label (const LoomTimeline *timeline, const LoomTimelineRow *row, guint first, gint64 time_ns)
{
  double value;
  for (guint i = first; i < row->n_series && (i == first || is_repeated (row, i)) && time_ns != LOOM_TIME_NONE; i++)
    if (loom_counter_values_at (timeline, &row->series[i], time_ns, &value))
      return value;
  return NAN;
}

static double
mean_of (const LoomTimeline *timeline, const LoomTimelineRow *row, const LoomCounterPart *part, gint64 time_ns)
{
  double sum = 0;
  guint n = 0;
  for (guint i = part->first; i < part->first + part->n; i++) {
    double value = is_repeated (row, i) ? NAN : value_of_label (timeline, row, i, time_ns);
    sum += isnan (value) ? 0 : value;
    n += !isnan (value);
  }
  return n > 0 ? sum / n : NAN;
}

void
loom_counter_values_add (const LoomTimeline *timeline, const LoomTimelineRow *row, gint64 time_ns, GArray *readings)
{
  g_return_if_fail (timeline != NULL && row != NULL && readings != NULL);
  for (guint i = 0; i < row->n_series; i++) {
    const LoomCounterPart *part = &row->parts[row->series[i].part];
    gboolean mean = part->kind == LOOM_PLOT_MEAN;
    if (mean ? i != part->first : is_repeated (row, i))
      continue;
    LoomCounterValue reading = { mean ? part->label : row->series[i].label, part, row->series[i].color, NAN };
    reading.value = mean ? mean_of (timeline, row, part, time_ns) : value_of_label (timeline, row, i, time_ns);
    g_array_append_val (readings, reading);
  }
}

char *
loom_counter_value_format (const LoomCounterValue *reading)
{
  return loom_counter_mode_format (reading->part->mode.quantity, reading->value, reading->part->unit);
}
