/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-conditions.h"

static LoomWindows *
windows_for (const LoomFrame *frame)
{
  return loom_windows_new (loom_frame_get_n_hosts (frame), loom_frame_get_numbers (frame) == LOOM_NUMBERS_SMDEBUG);
}

LoomWindows *
loom_conditions_at_bottlenecks (const LoomFrame *frame, const LoomBottlenecks *bottlenecks)
{
  LoomWindows *windows = windows_for (frame);
  for (guint i = 0; i < bottlenecks->n; i++)
    loom_windows_add (windows, bottlenecks->items[i].host_id, bottlenecks->items[i].time_ns, bottlenecks->items[i].time_ns);
  loom_windows_seal (windows);
  return windows;
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
