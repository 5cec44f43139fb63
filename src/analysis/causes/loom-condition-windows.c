/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-condition-windows.h"

static LoomIntervalSet *
windows_for (const LoomDataFrame *frame)
{
  return loom_interval_set_new (frame->n_hosts, frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG);
}

static LoomIntervalSet *
at_bottlenecks (LoomIntervalSet *windows, const LoomBottlenecks *bottlenecks)
{
  for (guint i = 0; i < bottlenecks->n; i++)
    loom_interval_set_add (windows, bottlenecks->items[i].host_id, bottlenecks->items[i].time_ns,
                           bottlenecks->items[i].time_ns);
  loom_interval_set_seal (windows);
  return windows;
}

LoomIntervalSet *
loom_condition_windows_at_bottlenecks (const LoomDataFrame *frame, const LoomBottlenecks *bottlenecks)
{
  return at_bottlenecks (windows_for (frame), bottlenecks);
}

LoomIntervalSet *
loom_condition_windows_at_bottlenecks_of_any_host (const LoomBottlenecks *bottlenecks)
{
  return at_bottlenecks (loom_interval_set_new (1, TRUE), bottlenecks);
}

LoomIntervalSet *
loom_condition_windows_at_busy_gpus (const LoomDataFrame *frame, LoomSelect select)
{
  LoomIntervalSet *windows = windows_for (frame);
  const LoomSampleSeries *series = frame->series;
  for (guint i = 0; i < frame->n_series; i++)
    for (guint32 k = 0; loom_data_frame_series_is (&series[i], LOOM_DEVICE_GPU, select) && k < series[i].n; k++)
      if (series[i].value[k] > LOOM_BUSY_GPU)
        loom_interval_set_add (windows, series[i].host_id, series[i].time_ns[k], series[i].time_ns[k]);
  loom_interval_set_seal (windows);
  return windows;
}

LoomIntervalSet *
loom_condition_windows_while_sampled (const LoomDataFrame *frame, LoomSelect select)
{
  LoomIntervalSet *windows = windows_for (frame);
  const LoomSampleSeries *series = frame->series;
  g_autofree LoomRange *sampled = g_new (LoomRange, frame->n_hosts + 1);
  for (guint host = 0; host < frame->n_hosts; host++)
    sampled[host] = (LoomRange) { G_MAXINT64, G_MININT64 };
  for (guint i = 0; i < frame->n_series; i++) {
    LoomRange *range = &sampled[series[i].host_id];
    if (!loom_data_frame_series_is (&series[i], LOOM_DEVICE_GPU, select) || series[i].n == 0)
      continue;
    *range = (LoomRange) { MIN (range->begin_ns, series[i].time_ns[0]),
                           MAX (range->end_ns, series[i].time_ns[series[i].n - 1]) };
  }
  for (guint host = 0; host < frame->n_hosts; host++)
    if (sampled[host].begin_ns <= sampled[host].end_ns)
      loom_interval_set_add (windows, host, sampled[host].begin_ns, sampled[host].end_ns);
  loom_interval_set_seal (windows);
  return windows;
}

static void
add_clear (LoomIntervalSet *windows, const LoomSampleSeries *series, const LoomIntervalSet *bottlenecks)
{
  gsize near = 0;
  for (guint32 k = 0; k < series->n; k++) {
    gint64 before_ns = series->time_ns[k > 0 ? k - 1 : 0], after_ns = series->time_ns[k + 1 < series->n ? k + 1 : k];
    if (!loom_interval_set_touch (bottlenecks, series->host_id, before_ns - LOOM_SNAPSHOT_NS,
                                  after_ns + LOOM_SNAPSHOT_NS, &near))
      loom_interval_set_add (windows, series->host_id, series->time_ns[k], series->time_ns[k]);
  }
}

LoomIntervalSet *
loom_condition_windows_clear_of_bottlenecks (const LoomDataFrame *frame, const LoomIntervalSet *bottlenecks,
                                             LoomSelect select)
{
  LoomIntervalSet *windows = windows_for (frame);
  const LoomSampleSeries *series = frame->series;
  for (guint i = 0; i < frame->n_series; i++)
    if (loom_data_frame_series_is (&series[i], LOOM_DEVICE_GPU, select))
      add_clear (windows, &series[i], bottlenecks);
  loom_interval_set_seal (windows);
  return windows;
}

LoomIntervalSet *
loom_condition_windows_in_steps (const LoomDataFrame *frame, const guint32 *steps, guint n_steps)
{
  LoomIntervalSet *windows = windows_for (frame);
  const LoomDataFrameRows *rows = &frame->rows;
  LoomRange range = { G_MININT64, G_MAXINT64 };
  if (frame->numbers == LOOM_NUMBER_CONVENTION_INTENDED)
    range = frame->range;
  for (guint i = 0; i < n_steps; i++)
    loom_interval_set_add (windows, frame->workers[rows->worker[steps[i]]].host_id,
                           MAX (rows->start_ns[steps[i]], range.begin_ns), MIN (rows->end_ns[steps[i]], range.end_ns));
  loom_interval_set_seal (windows);
  return windows;
}
