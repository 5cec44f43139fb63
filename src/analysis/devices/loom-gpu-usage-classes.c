/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-gpu-usage-classes.h"

#include "loom-statistics.h"

#define HIGH 90.0
#define LOW 10.0

const char *
loom_gpu_usage_classes_to_string (LoomGpuUsage usage)
{
  static const char *const words[] = { "initialization",       "finalization",   "high_gpu_usage",
                                       "suboptimal_gpu_usage", "cpu_bottleneck", "low_gpu_usage" };
  return words[usage < LOOM_N_GPU_USAGES ? usage : LOOM_GPU_USAGE_LOW];
}

/* Returns the class of a sample; LOOM_N_GPU_USAGES: the sample does not count. Low samples at bottlenecks are
 * classified as LOW; the caller then moves them to the class of bottlenecks. `as_written`: TRUE if numbers are computed
 * as smdebug does. */
static LoomGpuUsage
class_of (const LoomJobPhases *phases, gboolean as_written, gint64 time_ns, double value)
{
  if (time_ns < phases->loop_begin_ns)
    return LOOM_GPU_USAGE_INITIALIZATION;
  if (time_ns > phases->loop_end_ns)
    return LOOM_GPU_USAGE_FINALIZATION;
  if (as_written && (time_ns == phases->loop_begin_ns || time_ns == phases->loop_end_ns || value == HIGH))
    return LOOM_N_GPU_USAGES;
  return value > HIGH ? LOOM_GPU_USAGE_HIGH : value > LOW ? LOOM_GPU_USAGE_SUBOPTIMAL : LOOM_GPU_USAGE_LOW;
}

static gint64
find_interval (const LoomDataFrame *frame, LoomSelect select)
{
  const LoomSampleSeries *series = frame->series;
  g_autoptr (GArray) distances = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < frame->n_series; i++)
    for (guint32 k = 1; loom_data_frame_series_is (&series[i], LOOM_DEVICE_GPU, select) && k < series[i].n; k++) {
      double distance = (double) (series[i].time_ns[k] - series[i].time_ns[k - 1]);
      g_array_append_val (distances, distance);
    }
  return distances->len > 0 ? (gint64) loom_statistics_median ((double *) distances->data, distances->len) : 0;
}

LoomGpuUsageClasses
loom_gpu_usage_classes_compute (const LoomDataFrame *frame, const LoomJobPhases *phases,
                                const LoomBottlenecks *bottlenecks, LoomSelect select)
{
  gboolean as_written = frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG;
  LoomGpuUsageClasses classes = { 0 };
  const LoomJobPhases always = { .loop_begin_ns = G_MININT64, .loop_end_ns = G_MAXINT64 };
  guint64 counts[LOOM_N_GPU_USAGES + 1] = { 0 };
  const LoomSampleSeries *series = frame->series;
  for (guint i = 0; i < frame->n_series; i++) {
    if (!loom_data_frame_series_is (&series[i], LOOM_DEVICE_GPU, select))
      continue;
    classes.n_samples += series[i].n;
    for (guint32 k = 0; (phases->has_loop || !as_written) && k < series[i].n; k++)
      counts[class_of (phases->has_loop ? phases : &always, as_written, series[i].time_ns[k], series[i].value[k])]++;
  }
  /* If numbers are computed as smdebug does, n_samples_in_loop also counts samples at bottlenecks after the loop, so it
   * may exceed the number of low samples inside the loop. MIN() prevents a negative difference. */
  guint64 bound = phases->has_loop ? bottlenecks->n_samples_in_loop : bottlenecks->n_samples;
  counts[LOOM_GPU_USAGE_CPU_BOTTLENECK] = bound;
  counts[LOOM_GPU_USAGE_LOW] -= MIN (bound, counts[LOOM_GPU_USAGE_LOW]);
  for (guint i = 0; i < LOOM_N_GPU_USAGES; i++)
    classes.count[i] = counts[i];
  classes.interval_ns = find_interval (frame, select);
  return classes;
}
