/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-device-usage.h"

#include <string.h>

const LoomUsageRange loom_device_usage_ranges[3] = { { 90, 100 }, { 10, 90 }, { 0, 10 } };

static gboolean
takes_series (const LoomSampleSeries *series, gboolean as_written, gboolean with_cpu)
{
  if (as_written)
    return strstr (series->type, "gpu") != NULL || (with_cpu && strstr (series->type, "cpu") != NULL);
  return loom_data_frame_series_is (series, LOOM_DEVICE_GPU, LOOM_SELECT_DIMENSION) ||
         (with_cpu && loom_data_frame_series_is (series, LOOM_DEVICE_CPU, LOOM_SELECT_DIMENSION));
}

static LoomDeviceUsageRow *
find_row (LoomDeviceUsage *usage, const char *type, const char *host)
{
  for (guint i = 0; i < usage->n; i++)
    if (strcmp (usage->rows[i].type, type) == 0 && strcmp (usage->rows[i].host, host) == 0)
      return &usage->rows[i];
  usage->rows[usage->n] = (LoomDeviceUsageRow) { .type = type, .host = host };
  return &usage->rows[usage->n++];
}

static void
count (LoomDeviceUsageRow *row, const LoomSampleSeries *series, const LoomUsageRange *ranges, guint n_ranges,
       gboolean as_written)
{
  for (guint32 i = 0; i < series->n; i++) {
    double value = as_written ? series->value[i] : CLAMP (series->value[i], 0, 100);
    for (guint k = 0; k < n_ranges; k++) {
      if (value < ranges[k].low || value > ranges[k].high)
        continue;
      row->count[k]++;
      row->n_samples++;
      break;
    }
  }
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const LoomDeviceUsageRow *x = a, *y = b;
  int order = strcmp (x->type, y->type);
  return order != 0 ? order : strcmp (x->host, y->host);
}

void
loom_device_usage_init (LoomDeviceUsage *usage, const LoomDataFrame *frame, const LoomUsageRange *ranges,
                        guint n_ranges, gboolean with_cpu)
{
  g_return_if_fail (n_ranges <= LOOM_MAX_USAGE_RANGES);
  gboolean as_written = frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG;
  guint n_kept = 0;
  const LoomSampleSeries *series = frame->series;
  *usage = (LoomDeviceUsage) { .rows = g_new0 (LoomDeviceUsageRow, MAX (frame->n_series, 1)) };
  for (guint i = 0; i < frame->n_series; i++)
    if (takes_series (&series[i], as_written, with_cpu))
      count (find_row (usage, series[i].type, loom_data_frame_get_host (frame, series[i].host_id)), &series[i], ranges,
             n_ranges, as_written);
  for (guint i = 0; i < usage->n; i++)
    if (usage->rows[i].n_samples > 0)
      usage->rows[n_kept++] = usage->rows[i];
  usage->n = n_kept;
  qsort (usage->rows, usage->n, sizeof *usage->rows, compare_rows);
}

void
loom_device_usage_clear (LoomDeviceUsage *usage)
{
  g_clear_pointer (&usage->rows, g_free);
}
