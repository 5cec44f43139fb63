/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy each device was over time, computed from the spans of its kernels and copies, for runs without system
 * metrics. This is not the system metric GPUUtilization: a view must state that the values are computed, and from which
 * sources.
 *
 * Utilization has the meaning that NVIDIA's NVML gives it ("percent of time over the past sample period during which
 * one or more kernels was executing"): time of a bucket in which kernels compute or communicate ÷ recorded time of the
 * bucket. A bucket is one of several equal parts of the range. `busy` also counts copies. A device counts as recorded
 * from its first to its last work in a file; buckets outside this time have no value. The mean of a bucket may hide a
 * burst. Therefore each bucket is divided into parts, and the highest value of a part is computed, too. Immutable when
 * made, freed by its owner; any thread.
 */
#pragma once

#include "loom-device-rows.h"

#define LOOM_GPU_UTILIZATION_MAX_BUCKETS 1000000
#define LOOM_GPU_UTILIZATION_PARTS 8 /* number of parts of equal length in a bucket */

typedef struct {
  const char *node;     /* borrowed from the run; NULL: unknown */
  gint rank;            /* −1: unknown */
  const char *device;   /* name of the device, such as "GPU 0"; borrowed */
  const guint *sources; /* indices of sources in the run, ascending */
  guint n_sources;
  guint64 n_spans;
  gint64 recorded_ns, kernel_ns, busy_ns; /* times inside the range; overlapping spans count once */
  /* [bucket] percentage of the recorded time in which at least one kernel runs; NAN: nothing was recorded */
  const double *utilization;
  /* [bucket] the greatest utilization, in percent, of one of the LOOM_GPU_UTILIZATION_PARTS equal parts of the bucket;
   * never below `utilization` */
  const double *highest;
  const double *busy;
  /* [bucket] percentage of the recorded time during which at least one computing kernel runs; NAN: nothing was
   * recorded */
  const double *computing;
} LoomGpuUtilizationDevice;

typedef struct {
  LoomRange range;
  guint n_buckets, n_devices;
  /* Sorted by node, rank, file, device. Devices without work in the range are omitted. */
  const LoomGpuUtilizationDevice *devices;
  /* Private: */
  LoomDeviceRows *lanes; /* owns the lists of sources that `devices` borrow */
  GCancellable *cancellable;
  LoomGpuUtilizationDevice *by_group; /* [index in lanes->groups] devices while they are computed; NULL afterwards */
  GArray *all;                        /* LoomGpuUtilizationDevice: owns `devices` */
} LoomGpuUtilization;

/* Computes the utilization of each device in buckets of equal length. `n_buckets`: 1 to
 * LOOM_GPU_UTILIZATION_MAX_BUCKETS. Let n be the number of buckets and width the length of the range; then bucket i is
 * [begin + i · width / n, begin + (i + 1) · width / n), rounded down to ns. O(device spans in range · log rows +
 * devices · buckets); devices are computed in parallel. NULL only when cancelled. */
LoomGpuUtilization *loom_gpu_utilization_new (LoomTimeline *timeline, LoomRange range, guint n_buckets,
                                              GCancellable *cancellable);
void loom_gpu_utilization_free (LoomGpuUtilization *busy);

/* Returns NULL if there are devices with work in the range, else a translated sentence with the reason why there are
 * none. Static. */
const char *loom_gpu_utilization_get_missing (const LoomGpuUtilization *busy);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomGpuUtilization, loom_gpu_utilization_free)
