/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-gpu-busy.h"

#include <math.h>

#include "loom-gpu-sweep.h"
#include "loom-parallel.h"

struct _LoomGpuBusy {
  LoomGpuLanes *lanes; /* owns the lists of sources */
  LoomRange range;
  guint n_buckets;
  GCancellable *cancellable;
  LoomGpuBusyDevice *all; /* by group, while it is made */
  GArray *devices;        /* LoomGpuBusyDevice */
};

/* Stretches come in order, so the bucket only moves forward. */
typedef struct {
  const LoomGpuBusy *busy;
  LoomGpuBusyDevice *device;
  guint bucket;
  double *recorded, *kernels, *work; /* ns by bucket */
} Fill;

gint64
loom_gpu_busy_get_time (const LoomGpuBusy *busy, guint i)
{
  gint64 width = loom_time_sub (busy->range.end_ns, busy->range.begin_ns);
  return busy->range.begin_ns + (gint64) ((__int128) width * i / busy->n_buckets);
}

static void
fill_bucket (Fill *fill, gint64 ns, guint mask)
{
  LoomGpuBusyDevice *device = fill->device;
  gboolean kernels = (mask & LOOM_GPU_KERNELS) != 0, work = mask != LOOM_GPU_RECORDED;
  device->recorded_ns += ns;
  device->kernel_ns += kernels ? ns : 0;
  device->busy_ns += work ? ns : 0;
  fill->recorded[fill->bucket] += (double) ns;
  fill->kernels[fill->bucket] += kernels ? (double) ns : 0;
  fill->work[fill->bucket] += work ? (double) ns : 0;
}

static void
fill_stretch (gint64 begin_ns, gint64 end_ns, guint mask, gpointer data)
{
  Fill *fill = data;
  while (begin_ns < end_ns) {
    gint64 border_ns = loom_gpu_busy_get_time (fill->busy, fill->bucket + 1);
    if (border_ns <= begin_ns && fill->bucket + 1 < fill->busy->n_buckets) {
      fill->bucket++;
      continue;
    }
    gint64 until_ns = MIN (end_ns, MAX (border_ns, begin_ns + 1));
    fill_bucket (fill, until_ns - begin_ns, mask);
    begin_ns = until_ns;
  }
}

static double *
percent (double *part, const double *whole, guint n)
{
  for (guint i = 0; i < n; i++)
    part[i] = whole[i] > 0 ? 100 * part[i] / whole[i] : NAN;
  return part;
}

static void
measure_group (guint item, guint worker, gpointer data)
{
  LoomGpuBusy *busy = data;
  const LoomGpuGroup *group = loom_gpu_lanes_get (busy->lanes, item);
  LoomGpuBusyDevice *device = &busy->all[item];
  LoomGpuSeen seen;
  g_autofree double *recorded = g_new0 (double, busy->n_buckets);
  Fill fill = { busy, device, 0, recorded, g_new0 (double, busy->n_buckets), g_new0 (double, busy->n_buckets) };
  *device = (LoomGpuBusyDevice) { .node = group->node,
                                  .rank = group->rank,
                                  .device = group->device,
                                  .sources = (const guint *) (gpointer) group->sources->data,
                                  .n_sources = group->sources->len };
  loom_gpu_sweep (busy->lanes, group, busy->range, fill_stretch, &fill, &seen, busy->cancellable);
  for (guint i = 0; i < LOOM_N_DEVICE_WORK; i++)
    device->n_spans += seen.n_spans[i];
  device->utilization = percent (fill.kernels, recorded, busy->n_buckets);
  device->busy = percent (fill.work, recorded, busy->n_buckets);
}

static void
device_clear (gpointer data)
{
  LoomGpuBusyDevice *device = data;
  g_free ((gpointer) device->utilization);
  g_free ((gpointer) device->busy);
}

LoomGpuBusy *
loom_gpu_busy_new (LoomTimeline *timeline, LoomRange range, guint n_buckets, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_return_val_if_fail (n_buckets > 0 && n_buckets <= LOOM_GPU_BUSY_MAX_BUCKETS, NULL);
  LoomGpuLanes *lanes = loom_gpu_lanes_new (timeline, TRUE, cancellable);
  if (lanes == NULL)
    return NULL;
  g_autoptr (LoomGpuBusy) busy = g_new0 (LoomGpuBusy, 1);
  guint n = loom_gpu_lanes_get_n (lanes);
  g_autofree LoomGpuBusyDevice *all = g_new0 (LoomGpuBusyDevice, MAX (n, 1));
  busy->lanes = lanes;
  busy->range = range;
  busy->n_buckets = n_buckets;
  busy->cancellable = cancellable;
  busy->all = all;
  busy->devices = g_array_new (FALSE, FALSE, sizeof (LoomGpuBusyDevice));
  g_array_set_clear_func (busy->devices, device_clear);
  loom_parallel_for (n, 0, measure_group, busy, NULL);
  for (guint i = 0; i < n; i++) {
    if (all[i].n_spans > 0)
      g_array_append_val (busy->devices, all[i]);
    else
      device_clear (&all[i]);
  }
  busy->all = NULL;
  busy->cancellable = NULL;
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&busy);
}

void
loom_gpu_busy_free (LoomGpuBusy *busy)
{
  if (busy == NULL)
    return;
  loom_gpu_lanes_free (busy->lanes);
  g_array_unref (busy->devices);
  g_free (busy);
}

guint
loom_gpu_busy_get_n_buckets (const LoomGpuBusy *busy)
{
  return busy->n_buckets;
}

const LoomGpuBusyDevice *
loom_gpu_busy_get (const LoomGpuBusy *busy, guint *n)
{
  *n = busy->devices->len;
  return (const LoomGpuBusyDevice *) (gpointer) busy->devices->data;
}

const char *
loom_gpu_busy_get_missing (const LoomGpuBusy *busy)
{
  return busy->devices->len > 0 ? NULL : loom_gpu_lanes_why_nothing (busy->lanes);
}
