/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-gpu-utilization.h"

#include <math.h>

#include "loom-device-rows.h"
#include "loom-parallel.h"

/* Times in one part of a bucket; a bucket consists of LOOM_GPU_UTILIZATION_PARTS equal parts. */
typedef struct {
  double recorded_ns, kernel_ns, work_ns, compute_ns;
} Part;

/* State while the parts of all buckets of one device are filled. Intervals are processed in order of time, so `part`
 * only increases. */
typedef struct {
  const LoomGpuUtilization *busy;
  LoomGpuUtilizationDevice *device;
  guint part;
  Part *parts; /* parts of all buckets */
} Fill;

/* Returns the start time of a part of a bucket. Parts are numbered consecutively across all buckets. */
static gint64
part_time (const LoomGpuUtilization *busy, guint part)
{
  gint64 width = loom_time_sub (busy->range.end_ns, busy->range.begin_ns);
  return busy->range.begin_ns + (gint64) ((__int128) width * part / (busy->n_buckets * LOOM_GPU_UTILIZATION_PARTS));
}

static void
fill_part (Fill *fill, gint64 ns, guint mask)
{
  LoomGpuUtilizationDevice *device = fill->device;
  Part *part = &fill->parts[fill->part];
  gboolean kernels = (mask & LOOM_GPU_KERNELS) != 0, work = mask != LOOM_GPU_RECORDED;
  device->recorded_ns += ns;
  device->kernel_ns += kernels ? ns : 0;
  device->busy_ns += work ? ns : 0;
  part->recorded_ns += (double) ns;
  part->kernel_ns += kernels ? (double) ns : 0;
  part->work_ns += work ? (double) ns : 0;
  part->compute_ns += (mask & 1u << LOOM_WORK_KIND_COMPUTE) != 0 ? (double) ns : 0;
}

static void
fill_stretch (gint64 begin_ns, gint64 end_ns, guint mask, gpointer data)
{
  Fill *fill = data;
  while (begin_ns < end_ns) {
    gint64 border_ns = part_time (fill->busy, fill->part + 1);
    if (border_ns <= begin_ns && fill->part + 1 < fill->busy->n_buckets * LOOM_GPU_UTILIZATION_PARTS) {
      fill->part++;
      continue;
    }
    gint64 until_ns = MIN (end_ns, MAX (border_ns, begin_ns + 1));
    fill_part (fill, until_ns - begin_ns, mask);
    begin_ns = until_ns;
  }
}

static double
percent (double ns, double recorded_ns)
{
  return recorded_ns > 0 ? 100 * ns / recorded_ns : NAN;
}

/* Computes the percentages of each bucket from its parts. */
static void
take_buckets (LoomGpuUtilizationDevice *device, const Part *parts, guint n_buckets)
{
  double *utilization = g_new (double, n_buckets), *highest = g_new (double, n_buckets),
         *busy = g_new (double, n_buckets), *computing = g_new (double, n_buckets);
  for (guint i = 0; i < n_buckets; i++, parts += LOOM_GPU_UTILIZATION_PARTS) {
    Part sum = { 0 };
    double most = NAN;
    for (guint k = 0; k < LOOM_GPU_UTILIZATION_PARTS; k++) {
      sum.recorded_ns += parts[k].recorded_ns;
      sum.kernel_ns += parts[k].kernel_ns;
      sum.work_ns += parts[k].work_ns;
      sum.compute_ns += parts[k].compute_ns;
      /* fmax() ignores NAN, which is the value of a part in which nothing was recorded */
      most = fmax (most, percent (parts[k].kernel_ns, parts[k].recorded_ns));
    }
    utilization[i] = percent (sum.kernel_ns, sum.recorded_ns);
    /* because of rounding, the highest part may have a smaller percentage than the bucket */
    highest[i] = fmax (most, utilization[i]);
    busy[i] = percent (sum.work_ns, sum.recorded_ns);
    computing[i] = percent (sum.compute_ns, sum.recorded_ns);
  }
  device->utilization = utilization;
  device->highest = highest;
  device->busy = busy;
  device->computing = computing;
}

static void
measure_group (guint item, guint worker, gpointer data)
{
  LoomGpuUtilization *busy = data;
  const LoomDeviceRowGroup *group = busy->lanes->groups->pdata[item];
  LoomGpuUtilizationDevice *device = &busy->by_group[item];
  LoomDeviceRowsSeen seen;
  g_autofree Part *parts = g_new0 (Part, (gsize) busy->n_buckets * LOOM_GPU_UTILIZATION_PARTS);
  Fill fill = { busy, device, 0, parts };
  *device = (LoomGpuUtilizationDevice) { .node = group->node,
                                         .rank = group->rank,
                                         .device = group->device,
                                         .sources = (const guint *) (gpointer) group->sources->data,
                                         .n_sources = group->sources->len };
  loom_device_rows_sweep (busy->lanes, group, busy->range, fill_stretch, &fill, &seen, busy->cancellable);
  device->n_spans = seen.n_spans;
  take_buckets (device, parts, busy->n_buckets);
}

static void
device_clear (gpointer data)
{
  LoomGpuUtilizationDevice *device = data;
  g_free ((gpointer) device->utilization);
  g_free ((gpointer) device->highest);
  g_free ((gpointer) device->busy);
  g_free ((gpointer) device->computing);
}

LoomGpuUtilization *
loom_gpu_utilization_new (LoomTimeline *timeline, LoomRange range, guint n_buckets, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_return_val_if_fail (n_buckets > 0 && n_buckets <= LOOM_GPU_UTILIZATION_MAX_BUCKETS, NULL);
  LoomDeviceRows *lanes = loom_device_rows_new (timeline, TRUE, cancellable);
  if (lanes == NULL)
    return NULL;
  g_autoptr (LoomGpuUtilization) busy = g_new0 (LoomGpuUtilization, 1);
  guint n = lanes->groups->len;
  g_autofree LoomGpuUtilizationDevice *all = g_new0 (LoomGpuUtilizationDevice, MAX (n, 1));
  busy->lanes = lanes;
  busy->range = range;
  busy->n_buckets = n_buckets;
  busy->cancellable = cancellable;
  busy->by_group = all;
  busy->all = g_array_new (FALSE, FALSE, sizeof (LoomGpuUtilizationDevice));
  g_array_set_clear_func (busy->all, device_clear);
  loom_parallel_for (n, 0, measure_group, busy, NULL);
  for (guint i = 0; i < n; i++) {
    if (all[i].recorded_ns > 0 || all[i].n_spans > 0)
      g_array_append_val (busy->all, all[i]);
    else
      device_clear (&all[i]);
  }
  busy->devices = (const LoomGpuUtilizationDevice *) (gpointer) busy->all->data;
  busy->n_devices = busy->all->len;
  busy->by_group = NULL;
  busy->cancellable = NULL;
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&busy);
}

void
loom_gpu_utilization_free (LoomGpuUtilization *busy)
{
  if (busy == NULL)
    return;
  loom_device_rows_free (busy->lanes);
  g_array_unref (busy->all);
  g_free (busy);
}

const char *
loom_gpu_utilization_get_missing (const LoomGpuUtilization *busy)
{
  return busy->n_devices > 0 ? NULL : loom_device_rows_why_nothing (busy->lanes);
}
