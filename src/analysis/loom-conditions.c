/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-conditions.h"

static LoomWindows *
windows_for (const LoomFrame *frame)
{
  return loom_windows_new (loom_frame_get_n_hosts (frame), loom_frame_get_numbers (frame) == LOOM_NUMBERS_SMDEBUG);
}

static LoomWindows *
at_bottlenecks (LoomWindows *windows, const LoomBottlenecks *bottlenecks)
{
  for (guint i = 0; i < bottlenecks->n; i++)
    loom_windows_add (windows, bottlenecks->items[i].host_id, bottlenecks->items[i].time_ns, bottlenecks->items[i].time_ns);
  loom_windows_seal (windows);
  return windows;
}

LoomWindows *
loom_conditions_at_bottlenecks (const LoomFrame *frame, const LoomBottlenecks *bottlenecks)
{
  return at_bottlenecks (windows_for (frame), bottlenecks);
}

LoomWindows *
loom_conditions_at_bottlenecks_of_any_host (const LoomBottlenecks *bottlenecks)
{
  return at_bottlenecks (loom_windows_new (1, TRUE), bottlenecks);
}

LoomWindows *
loom_conditions_at_busy_gpus (const LoomFrame *frame, LoomSelect select)
{
  LoomWindows *windows = windows_for (frame);
  guint n;
  const LoomSampleSeries *series = loom_frame_get_series (frame, &n);
  for (guint i = 0; i < n; i++)
    for (guint32 k = 0; loom_series_is (&series[i], LOOM_DEVICE_GPU, select) && k < series[i].n; k++)
      if (series[i].value[k] > LOOM_BUSY_GPU)
        loom_windows_add (windows, series[i].host_id, series[i].time_ns[k], series[i].time_ns[k]);
  loom_windows_seal (windows);
  return windows;
}

LoomWindows *
loom_conditions_while_sampled (const LoomFrame *frame, LoomSelect select)
{
  LoomWindows *windows = windows_for (frame);
  guint n;
  const LoomSampleSeries *series = loom_frame_get_series (frame, &n);
  g_autofree LoomRange *sampled = g_new (LoomRange, loom_frame_get_n_hosts (frame) + 1);
  for (guint host = 0; host < loom_frame_get_n_hosts (frame); host++)
    sampled[host] = (LoomRange) { G_MAXINT64, G_MININT64 };
  for (guint i = 0; i < n; i++) {
    LoomRange *range = &sampled[series[i].host_id];
    if (!loom_series_is (&series[i], LOOM_DEVICE_GPU, select) || series[i].n == 0)
      continue;
    *range = (LoomRange) { MIN (range->begin_ns, series[i].time_ns[0]),
                           MAX (range->end_ns, series[i].time_ns[series[i].n - 1]) };
  }
  for (guint host = 0; host < loom_frame_get_n_hosts (frame); host++)
    if (sampled[host].begin_ns <= sampled[host].end_ns)
      loom_windows_add (windows, host, sampled[host].begin_ns, sampled[host].end_ns);
  loom_windows_seal (windows);
  return windows;
}

static void
add_clear (LoomWindows *windows, const LoomSampleSeries *series, const LoomWindows *bottlenecks)
{
  gsize near = 0;
  for (guint32 k = 0; k < series->n; k++) {
    gint64 before_ns = series->time_ns[k > 0 ? k - 1 : 0], after_ns = series->time_ns[k + 1 < series->n ? k + 1 : k];
    if (!loom_windows_touch (bottlenecks, series->host_id, before_ns - LOOM_SNAPSHOT_NS, after_ns + LOOM_SNAPSHOT_NS,
                             &near))
      loom_windows_add (windows, series->host_id, series->time_ns[k], series->time_ns[k]);
  }
}

LoomWindows *
loom_conditions_clear_of_bottlenecks (const LoomFrame *frame, const LoomWindows *bottlenecks, LoomSelect select)
{
  LoomWindows *windows = windows_for (frame);
  guint n;
  const LoomSampleSeries *series = loom_frame_get_series (frame, &n);
  for (guint i = 0; i < n; i++)
    if (loom_series_is (&series[i], LOOM_DEVICE_GPU, select))
      add_clear (windows, &series[i], bottlenecks);
  loom_windows_seal (windows);
  return windows;
}

LoomWindows *
loom_conditions_in_steps (const LoomFrame *frame, const guint32 *steps, guint n_steps)
{
  LoomWindows *windows = windows_for (frame);
  const LoomFrameRows *rows = loom_frame_get_rows (frame);
  guint n;
  const LoomWorker *workers = loom_frame_get_workers (frame, &n);
  LoomRange range = { G_MININT64, G_MAXINT64 };
  if (loom_frame_get_numbers (frame) == LOOM_NUMBERS_INTENDED)
    range = loom_frame_get_range (frame);
  for (guint i = 0; i < n_steps; i++)
    loom_windows_add (windows, workers[rows->worker[steps[i]]].host_id, MAX (rows->start_ns[steps[i]], range.begin_ns),
                      MIN (rows->end_ns[steps[i]], range.end_ns));
  loom_windows_seal (windows);
  return windows;
}
