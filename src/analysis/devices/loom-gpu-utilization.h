/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy each device was over time, computed from the spans of its kernels and copies, for runs without system
 * metrics. This is not the metric GPUUtilization of system metrics: a view must state that it is computed, and from
 * which sources.
 *
 * Utilization has the meaning that NVIDIA's NVML gives it ("percent of time over the past sample period during which
 * one or more kernels was executing"): time in which kernels compute or communicate in a bucket (one of equal parts of
 * the range) ÷ recorded time in the bucket. `busy` also counts copies. A device counts as recorded from its first to
 * its last work in a file; buckets outside this time have no value. Because the mean of a bucket may hide a burst, the
 * highest value of parts of the bucket is computed, too. Immutable when made, freed by its owner; any thread.
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
  /* [bucket] percentage of the recorded time in which a kernel runs; NAN: nothing was recorded */
  const double *utilization;
  /* [bucket] maximum, over the LOOM_GPU_UTILIZATION_PARTS equal parts of the bucket, of the percentage that
   * `utilization` gives for the whole bucket; never below `utilization` */
  const double *highest;
  const double *busy;
  const double *computing; /* [bucket] percentage of the recorded time in which a kernel that computes runs, or NAN */
} LoomGpuUtilizationDevice;

typedef struct {
  LoomRange range;
  guint n_buckets, n_devices;
  /* Sorted by node, rank, file, device. Devices without work in the range are omitted. */
  const LoomGpuUtilizationDevice *devices;
  /* Private: */
  LoomDeviceRows *lanes; /* kept because it owns the lists of sources that `devices` borrow */
  GCancellable *cancellable;
  LoomGpuUtilizationDevice *by_group; /* [index in lanes->groups] devices during construction; then NULL */
  GArray *all;                        /* LoomGpuUtilizationDevice: owns `devices` */
} LoomGpuUtilization;

/* Computes the utilization of each device in buckets of equal length. `n_buckets`: 1 to
 * LOOM_GPU_UTILIZATION_MAX_BUCKETS. Of n buckets of a range of the length `width`, bucket i is [begin + i · width /
 * n, begin + (i + 1) · width / n), rounded down to ns. O(device spans in range · log rows + devices · buckets),
 * devices in parallel. NULL only when cancelled. */
LoomGpuUtilization *loom_gpu_utilization_new (LoomTimeline *timeline, LoomRange range, guint n_buckets,
                                              GCancellable *cancellable);
void loom_gpu_utilization_free (LoomGpuUtilization *busy);

/* Returns NULL if there are devices with work in the range, else a translated sentence with the reason why there are
 * none. Static. */
const char *loom_gpu_utilization_get_missing (const LoomGpuUtilization *busy);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomGpuUtilization, loom_gpu_utilization_free)
