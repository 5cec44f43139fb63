/* SPDX-License-Identifier: Apache-2.0
 *
 * Times at which GPUs starve while CPU cores are at their limit. Samples are compared if
 * they belong to the same host and snapshot (at most 20 ms after its first sample); with smdebug's numbers, if their
 * whole µs are equal, on whatever host. Any thread; O(samples), with a radix sort of their times.
 */
#pragma once

#include "loom-job-phases.h"

/* A snapshot's samples are at most this far from its first one: SageMaker's host agent writes a row per metric with its own
 * time. */
#define LOOM_SNAPSHOT_NS (20 * LOOM_NS_PER_MS)

typedef struct {
  double high_cpu; /* percent; a core above it counts as busy: 90 */
  double low_gpu;  /* percent; a GPU at or below it counts as idle: 10 */
} LoomBottleneckLimits;

#define LOOM_BOTTLENECK_LIMITS ((LoomBottleneckLimits) { 90, 10 })

typedef struct {
  gint64 time_ns;     /* time of the first low GPU sample */
  guint32 host_id;    /* with smdebug's numbers: the host of the first series with this time */
  guint n_high_cores; /* number of samples of cores above the limit */
  guint n_low_gpus;   /* number of GPUs at or below the limit */
  gboolean in_loop;   /* TRUE: in the training loop; with smdebug's numbers: after the loop has begun */
} LoomBottleneck;

typedef struct {
  LoomBottleneck *items; /* sorted by time, then host */
  guint n;
  guint64 n_rows; /* number of pairs (GPU, time) at which the GPU is low while a core is above its limit */
  guint64 n_rows_in_loop;
  guint64 n_samples; /* low GPU samples that belong to a bottleneck; 0 with smdebug's numbers */
  /* low GPU samples that belong to a bottleneck in the loop; with smdebug's numbers: n_rows_in_loop */
  guint64 n_samples_in_loop;
} LoomBottlenecks;

void loom_bottlenecks_init (LoomBottlenecks *bottlenecks, const LoomDataFrame *frame, const LoomJobPhases *phases,
                            LoomSelect select, LoomBottleneckLimits limits);
void loom_bottlenecks_clear (LoomBottlenecks *bottlenecks);

/* Returns FALSE if no source has the metrics of cores and GPUs that the analysis needs: only smdebug's formats have
 * them. O(sources). */
gboolean loom_bottlenecks_have_metrics (LoomTimeline *timeline);
/* The times of the bottlenecks: gint64, timeline ns, ascending. Owned by the caller. */
GArray *loom_bottlenecks_find_times (const LoomDataFrame *frame, const LoomJobPhases *phases,
                                     LoomBottleneckLimits limits);
