/* SPDX-License-Identifier: Apache-2.0
 *
 * How busy each device was over time, computed from the spans of its kernels and copies: for runs without system
 * metrics. It stands beside GPUUtilization, not for it: whoever shows it says that it is computed, and from which
 * sources.
 *
 * Utilization is what drivers report under that name (NVML: percent of time over the past sample period during which
 * one or more kernels was executing): |computation ∪ communication| of a bucket ÷ the part of it that was recorded.
 * Busy counts copies as well. A device is recorded from its first to its last work in a file; buckets outside have no
 * value. The mean of a bucket may hide a burst, so the busiest of its parts is given beside it. Immutable when made, freed by
 * its owner; any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-timeline.h"

G_BEGIN_DECLS

#define LOOM_GPU_UTILIZATION_MAX_BUCKETS 1000000
#define LOOM_GPU_UTILIZATION_PARTS 8 /* of a bucket, of equal length */

typedef struct {
  const char *node;     /* borrowed from the run; NULL unknown */
  gint rank;            /* −1 unknown */
  const char *device;   /* "GPU 0"; borrowed */
  const guint *sources; /* flat numbers in the run, ascending */
  guint n_sources;
  guint64 n_spans;
  gint64 recorded_ns, kernel_ns, busy_ns; /* of the range: unions */
  const double *utilization;              /* percent by bucket, NAN where nothing was recorded */
  const double *highest; /* the same of the part of the bucket where it is highest, never below utilization */
  const double *busy;
} LoomGpuUtilizationDevice;

typedef struct _LoomGpuUtilization LoomGpuUtilization;

/* Bucket i is [begin + i·width/n, begin + (i+1)·width/n), rounded down to ns; 1 … LOOM_GPU_UTILIZATION_MAX_BUCKETS of them.
 * Cost O(device spans in range · log rows + devices · buckets), devices in parallel. NULL only when cancelled. */
LoomGpuUtilization *loom_gpu_utilization_new (LoomTimeline *timeline, LoomRange range, guint n_buckets,
                                              GCancellable *cancellable);
void loom_gpu_utilization_free (LoomGpuUtilization *busy);

guint loom_gpu_utilization_get_n_buckets (const LoomGpuUtilization *busy);
/* Where bucket i begins; i = n_buckets: where the last ends. Timeline. */
gint64 loom_gpu_utilization_get_time (const LoomGpuUtilization *busy, guint i);

/* By node, rank, file, device. Devices without work in the range are not there. */
const LoomGpuUtilizationDevice *loom_gpu_utilization_get (const LoomGpuUtilization *busy, guint *n);

/* NULL when there are devices; else why not, a sentence. Static. */
const char *loom_gpu_utilization_get_missing (const LoomGpuUtilization *busy);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomGpuUtilization, loom_gpu_utilization_free)

G_END_DECLS
