/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-step-utilization.h"

#include "loom-condition-windows.h"

#define N_BINS 50

/* The steps during which samples are counted. They are stored so that the number of steps that contain an instant can
 * be found fast. */
typedef struct {
  LoomIntervalSet *windows; /* the steps as intervals; NULL if numbers are computed as smdebug does */
  /* only if numbers are computed as smdebug does: starts and ends of all steps, each sorted ascending */
  gint64 *begins, *ends;
  guint n;
} Steps;

static void
sort_all (gint64 *times_ns, guint n)
{
  guint64 *keys = (guint64 *) times_ns;
  for (guint i = 0; i < n; i++)
    keys[i] = loom_statistics_time_key (times_ns[i]);
  loom_statistics_sort (keys, NULL, n);
  for (guint i = 0; i < n; i++)
    keys[i] = loom_statistics_time_key ((gint64) keys[i]);
}

static void
steps_init (Steps *steps, const LoomDataFrame *frame, const guint32 *rows_of_steps, guint n)
{
  const LoomDataFrameRows *rows = &frame->rows;
  *steps = (Steps) { .n = n };
  if (frame->numbers == LOOM_NUMBER_CONVENTION_INTENDED) {
    steps->windows = loom_condition_windows_in_steps (frame, rows_of_steps, n);
    return;
  }
  steps->begins = g_new (gint64, MAX (n, 1));
  steps->ends = g_new (gint64, MAX (n, 1));
  for (guint i = 0; i < n; i++) {
    steps->begins[i] = rows->start_ns[rows_of_steps[i]];
    steps->ends[i] = rows->end_ns[rows_of_steps[i]];
  }
  sort_all (steps->begins, n);
  sort_all (steps->ends, n);
}

static void
steps_clear (Steps *steps)
{
  g_clear_pointer (&steps->windows, loom_interval_set_free);
  g_free (steps->begins);
  g_free (steps->ends);
}

/* Returns how many times a sample counts. If numbers are computed as smdebug does, this is the number of steps that
 * contain the time of the sample; otherwise it is 1 if at least one step contains this time, and 0 if not. `near`:
 * positions where the search of the previous call ended; zero before the first call. */
static guint64
weight_of (const Steps *steps, guint32 host_id, gint64 time_ns, gsize near[2])
{
  if (steps->windows != NULL)
    return loom_interval_set_touch (steps->windows, host_id, time_ns, time_ns, &near[0]);
  near[0] = loom_statistics_first_at (steps->begins, steps->n, time_ns + 1, near[0]);
  near[1] = loom_statistics_first_at (steps->ends, steps->n, time_ns, near[1]);
  return near[0] - near[1];
}

static void
pass_series (LoomHistogram *histogram, const Steps *steps, const LoomSampleSeries *series, gboolean count)
{
  gsize near[2] = { 0, 0 };
  for (guint32 i = 0; i < series->n; i++) {
    guint64 weight = weight_of (steps, series->host_id, series->time_ns[i], near);
    if (weight == 0)
      continue;
    if (count) {
      loom_statistics_count_histogram (histogram, &series->value[i], 1, weight);
    } else {
      loom_statistics_add_to_histogram (histogram, &series->value[i], 1);
      histogram->n += weight - 1;
    }
  }
}

static void
pass_frame (LoomStepUtilization *usage, const LoomDataFrame *frame, const Steps *steps, LoomSelect select,
            gboolean count)
{
  const LoomSampleSeries *series = frame->series;
  for (guint i = 0; i < frame->n_series; i++) {
    if (loom_data_frame_series_is (&series[i], LOOM_DEVICE_GPU, select))
      pass_series (&usage->gpu, steps, &series[i], count);
    if (loom_data_frame_series_is (&series[i], LOOM_DEVICE_CPU, select))
      pass_series (&usage->cpu, steps, &series[i], count);
  }
}

static void
usage_init (LoomStepUtilization *usage)
{
  loom_statistics_init_histogram (&usage->gpu, N_BINS);
  loom_statistics_init_histogram (&usage->cpu, N_BINS);
}

void
loom_step_utilization_init (LoomStepUtilization *usage, const LoomDataFrame *frame, const guint32 *rows_of_steps,
                            guint n_steps, LoomSelect select)
{
  Steps steps;
  usage_init (usage);
  steps_init (&steps, frame, rows_of_steps, n_steps);
  for (int count = 0; count < 2; count++)
    pass_frame (usage, frame, &steps, select, count);
  steps_clear (&steps);
}

void
loom_step_utilization_init_pair (LoomStepUtilization *outliers, LoomStepUtilization *normal, const LoomDataFrame *frame,
                                 const LoomStepDurations *durations, LoomSelect select)
{
  Steps slow, others;
  usage_init (outliers);
  usage_init (normal);
  steps_init (&slow, frame, durations->outliers, durations->n_outliers);
  steps_init (&others, frame, durations->normal, durations->n_normal);
  for (int count = 0; count < 2; count++) {
    pass_frame (outliers, frame, &slow, select, count);
    pass_frame (normal, frame, &others, select, count);
    if (count == 0) {
      loom_statistics_share_bins (&outliers->gpu, &normal->gpu);
      loom_statistics_share_bins (&outliers->cpu, &normal->cpu);
    }
  }
  steps_clear (&slow);
  steps_clear (&others);
}

void
loom_step_utilization_clear (LoomStepUtilization *usage)
{
  loom_statistics_clear_histogram (&usage->gpu);
  loom_statistics_clear_histogram (&usage->cpu);
}
