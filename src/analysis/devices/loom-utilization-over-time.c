/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-utilization-over-time.h"

#include <math.h>

#include "loom-sample-hold.h"

#define MIN_BUCKETS 8
#define MAX_CORES 32 /* maximum number of rows for CPU cores; if there are more cores, one row shows their mean */

/* Sums over the samples in each bucket, for the LoomUtilizationRow that is being computed. */
typedef struct {
  double sum[LOOM_USAGE_MAX_BUCKETS], highest[LOOM_USAGE_MAX_BUCKETS];
  guint count[LOOM_USAGE_MAX_BUCKETS];
} Buckets;

static guint
bucket_at (const LoomUtilizationOverTime *usage, gint64 time_ns)
{
  double at = (double) loom_time_sub (time_ns, usage->range.begin_ns) /
              (double) loom_time_sub (usage->range.end_ns, usage->range.begin_ns) * usage->n_buckets;
  return MIN ((guint) MAX (at, 0), usage->n_buckets - 1);
}

static void
add_sample (Buckets *buckets, guint bucket, double value)
{
  buckets->highest[bucket] = buckets->count[bucket] > 0 ? MAX (buckets->highest[bucket], value) : value;
  buckets->sum[bucket] += value;
  buckets->count[bucket]++;
}

/* Adds each sample to its own bucket and to all later buckets up to the next sample. If the next sample is too far away
 * (loom-sample-hold.h), adds the sample only to its own bucket. */
static void
add_samples (const LoomUtilizationOverTime *usage, Buckets *buckets, const LoomSampleSeries *series)
{
  gint64 longest_ns = loom_sample_hold_get_longest (loom_sample_hold_find_interval (series->time_ns, series->n));
  for (guint32 i = 0; i < series->n; i++) {
    if (series->time_ns[i] < usage->range.begin_ns || series->time_ns[i] > usage->range.end_ns)
      continue;
    guint first = bucket_at (usage, series->time_ns[i]), last = first;
    if (i + 1 < series->n && loom_time_sub (series->time_ns[i + 1], series->time_ns[i]) <= longest_ns)
      last = MAX (first, bucket_at (usage, MIN (series->time_ns[i + 1], usage->range.end_ns)));
    for (guint k = first; k <= last && (k == first || k < last); k++)
      add_sample (buckets, k, series->value[i]);
  }
}

/* Adds a LoomUtilizationRow with the values of the buckets, and clears the buckets. */
static void
take_row (LoomUtilizationOverTime *usage, Buckets *buckets, LoomDevice device, const LoomSampleSeries *series)
{
  LoomUtilizationRow *row = g_new (LoomUtilizationRow, 1);
  row->device = device;
  row->series = series;
  for (guint i = 0; i < usage->n_buckets; i++) {
    row->mean[i] = buckets->count[i] > 0 ? buckets->sum[i] / buckets->count[i] : NAN;
    row->highest[i] = buckets->count[i] > 0 ? buckets->highest[i] : NAN;
    usage->has_bursts |= row->highest[i] > row->mean[i];
  }
  g_ptr_array_add (usage->rows, row);
  *buckets = (Buckets) { 0 };
}

static guint
count_series (const LoomSampleSeries *series, guint n, LoomDevice device)
{
  guint found = 0;
  for (guint i = 0; i < n; i++)
    found += loom_data_frame_series_is (&series[i], device, LOOM_SELECT_DIMENSION) && series[i].n > 0;
  return found;
}

static void
add_device (LoomUtilizationOverTime *usage, const LoomDataFrame *frame, LoomDevice device)
{
  const LoomSampleSeries *series = frame->series;
  gboolean pooled = device == LOOM_DEVICE_CPU && count_series (series, frame->n_series, device) > MAX_CORES;
  g_autofree Buckets *buckets = g_new0 (Buckets, 1);
  for (guint i = 0; i < frame->n_series; i++) {
    if (!loom_data_frame_series_is (&series[i], device, LOOM_SELECT_DIMENSION) || series[i].n == 0)
      continue;
    add_samples (usage, buckets, &series[i]);
    if (!pooled)
      take_row (usage, buckets, device, &series[i]);
  }
  if (pooled)
    take_row (usage, buckets, device, NULL);
}

/* Returns the number of buckets. It is at most the greatest number of samples of a series, because usage between two
 * samples is unknown. */
static guint
count_buckets (const LoomDataFrame *frame)
{
  guint most = MIN_BUCKETS;
  for (guint i = 0; i < frame->n_series; i++)
    most = MAX (most, frame->series[i].n);
  return MIN (most, LOOM_USAGE_MAX_BUCKETS);
}

LoomUtilizationOverTime *
loom_utilization_over_time_new (const LoomDataFrame *frame, LoomRange range)
{
  LoomUtilizationOverTime *usage = g_new0 (LoomUtilizationOverTime, 1);
  gint64 first, last;
  usage->range = range;
  usage->n_buckets = count_buckets (frame);
  usage->rows = g_ptr_array_new_with_free_func (g_free);
  if (loom_data_frame_get_sample_extent (frame, &first, &last)) {
    usage->range.begin_ns = MAX (range.begin_ns, first);
    usage->range.end_ns = MIN (range.end_ns, loom_time_add (last, 1));
  } else
    usage->range.end_ns = usage->range.begin_ns;
  if (usage->range.end_ns <= usage->range.begin_ns)
    return usage;
  add_device (usage, frame, LOOM_DEVICE_GPU);
  add_device (usage, frame, LOOM_DEVICE_CPU);
  return usage;
}

void
loom_utilization_over_time_free (LoomUtilizationOverTime *usage)
{
  if (usage == NULL)
    return;
  g_ptr_array_unref (usage->rows);
  g_free (usage);
}
