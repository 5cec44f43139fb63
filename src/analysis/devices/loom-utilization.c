/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-utilization.h"

/* Sets `first` and `n` to the samples inside the training loop. The samples are in order of time, so those inside the
 * loop are consecutive. */
static void
find_stretch (const LoomSampleSeries *series, const LoomJobPhases *phases, LoomNumberConvention numbers, guint32 *first,
              guint32 *n)
{
  *first = *n = 0;
  while (*first < series->n && !loom_job_phases_in_loop (phases, numbers, series->time_ns[*first]))
    ++*first;
  while (*first + *n < series->n && loom_job_phases_in_loop (phases, numbers, series->time_ns[*first + *n]))
    ++*n;
}

static void
part_init (LoomUtilizationPart *part, const char *host, const char *name)
{
  *part = (LoomUtilizationPart) { .host = host, .name = name };
  loom_statistics_init_histogram (&part->histogram, LOOM_UTILIZATION_BINS);
  loom_statistics_init_histogram (&part->histogram_in_loop, LOOM_UTILIZATION_BINS);
}

static void
part_clear (LoomUtilizationPart *part)
{
  loom_statistics_clear_histogram (&part->histogram);
  loom_statistics_clear_histogram (&part->histogram_in_loop);
}

static void
part_see (LoomUtilizationPart *part, const LoomSampleSeries *series, guint32 first, guint32 n_in_loop)
{
  part->n_samples += series->n;
  part->n_in_loop += n_in_loop;
  for (guint32 i = 0; i < series->n; i++) {
    part->n_zero += series->value[i] == 0;
    part->n_below_50 += series->value[i] < 50;
  }
  loom_statistics_add_to_histogram (&part->histogram, series->value, series->n);
  loom_statistics_add_to_histogram (&part->histogram_in_loop, series->value + first, n_in_loop);
}

static void
part_count (LoomUtilizationPart *part, const LoomSampleSeries *series, guint32 first, guint32 n_in_loop)
{
  loom_statistics_count_histogram (&part->histogram, series->value, series->n, 1);
  loom_statistics_count_histogram (&part->histogram_in_loop, series->value + first, n_in_loop, 1);
}

static void
share_bins (LoomUtilization *utilization)
{
  loom_statistics_share_bins (&utilization->all.histogram, &utilization->all.histogram_in_loop);
  for (guint i = 0; i < utilization->n_devices; i++)
    loom_statistics_share_bins (&utilization->devices[i].histogram, &utilization->devices[i].histogram_in_loop);
}

void
loom_utilization_init (LoomUtilization *utilization, const LoomDataFrame *frame, const LoomJobPhases *phases,
                       LoomDevice device, LoomSelect select, gboolean shared)
{
  LoomNumberConvention numbers = frame->numbers;
  const LoomSampleSeries *series = frame->series;
  *utilization = (LoomUtilization) { .devices = g_new0 (LoomUtilizationPart, MAX (frame->n_series, 1)) };
  part_init (&utilization->all, NULL, NULL);
  for (int pass = 0; pass < 2; pass++) {
    guint at = 0;
    for (guint i = 0; i < frame->n_series; i++) {
      guint32 first, n_in_loop;
      if (!loom_data_frame_series_is (&series[i], device, select))
        continue;
      LoomUtilizationPart *part = &utilization->devices[at++];
      find_stretch (&series[i], phases, numbers, &first, &n_in_loop);
      if (pass == 0) {
        part_init (part, loom_data_frame_get_host (frame, series[i].host_id), series[i].name);
        part_see (part, &series[i], first, n_in_loop);
        part_see (&utilization->all, &series[i], first, n_in_loop);
      } else {
        part_count (part, &series[i], first, n_in_loop);
        part_count (&utilization->all, &series[i], first, n_in_loop);
      }
    }
    utilization->n_devices = at;
    if (pass == 0 && shared)
      share_bins (utilization);
  }
}

void
loom_utilization_clear (LoomUtilization *utilization)
{
  part_clear (&utilization->all);
  for (guint i = 0; i < utilization->n_devices; i++)
    part_clear (&utilization->devices[i]);
  g_clear_pointer (&utilization->devices, g_free);
}
