/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds bottlenecks: times at which GPUs are idle while CPU cores are at their limit. Samples of GPUs and cores are
 * compared if they belong to the same host and the same snapshot (LOOM_SNAPSHOT_NS). If numbers are computed as smdebug
 * does (LOOM_NUMBER_CONVENTION_SMDEBUG), samples are compared if their times in whole µs are equal, even if they belong
 * to different hosts. Any thread; O(samples), with a radix sort of their times.
 */
#pragma once

#include "loom-job-phases.h"

/* A snapshot contains the samples that are at most this much later than its first sample. They count as taken at the
 * same time. Their recorded times differ, because SageMaker's host agent writes each metric with a separate time. */
#define LOOM_SNAPSHOT_NS (20 * LOOM_NS_PER_MS)

typedef struct {
  double high_cpu; /* a core whose usage in percent is above this limit counts as busy */
  double low_gpu;  /* a GPU whose usage in percent is at or below this limit counts as idle */
} LoomBottleneckLimits;

#define LOOM_BOTTLENECK_LIMITS ((LoomBottleneckLimits) { 90, 10 })

typedef struct {
  gint64 time_ns; /* time of the snapshot's first sample of a GPU whose usage is at or below low_gpu */
  /* host of the bottleneck. If numbers are computed as smdebug does, samples of all hosts are compared; then this is
   * the host of the first series that has a sample at this time. */
  guint32 host_id;
  guint n_high_cores; /* number of samples of cores whose usage is above high_cpu */
  guint n_low_gpus;   /* number of GPUs whose usage is at or below low_gpu */
  /* TRUE if the bottleneck is in the training loop. If numbers are computed as smdebug does, also TRUE if the
   * bottleneck is after the loop. */
  gboolean in_loop;
} LoomBottleneck;

typedef struct {
  LoomBottleneck *items; /* sorted by time, then host */
  guint n;
  guint64 n_rows; /* number of pairs (GPU, time) for which the GPU is idle at the time while a core is busy */
  guint64 n_rows_in_loop;
  /* number of samples of idle GPUs that belong to a bottleneck; 0 if numbers are computed as smdebug does */
  guint64 n_samples;
  /* number of samples of idle GPUs that belong to a bottleneck in the training loop; equal to n_rows_in_loop if numbers
   * are computed as smdebug does */
  guint64 n_samples_in_loop;
} LoomBottlenecks;

void loom_bottlenecks_init (LoomBottlenecks *bottlenecks, const LoomDataFrame *frame, const LoomJobPhases *phases,
                            LoomSelect select, LoomBottleneckLimits limits);
void loom_bottlenecks_clear (LoomBottlenecks *bottlenecks);

/* Returns TRUE if a source has the metrics of cores and GPUs that the analysis needs. Only smdebug's formats have them.
 * O(sources). */
gboolean loom_bottlenecks_have_metrics (LoomTimeline *timeline);
/* Returns the times of the bottlenecks: gint64, ns on the timeline, ascending. Owned by the caller. */
GArray *loom_bottlenecks_find_times (const LoomDataFrame *frame, const LoomJobPhases *phases,
                                     LoomBottleneckLimits limits);
