/* SPDX-License-Identifier: Apache-2.0
 *
 * Instants at which GPUs starve while cores are at their limit: formats/analysis.md §5. Samples meet when they are of
 * one host and one snapshot (20 ms from its first sample); as written when their whole µs are equal, whatever the host.
 * Any thread; O(samples), with a radix sort of their times.
 */
#pragma once

#include "loom-job-phases.h"

G_BEGIN_DECLS

/* A snapshot's samples are at most this far from its first one: system-metrics.md §2. */
#define LOOM_SNAPSHOT_NS (20 * LOOM_NS_PER_MS)

typedef struct {
  double high_cpu; /* busier than this: 90 */
  double low_gpu;  /* this busy or less: 10 */
} LoomBottleneckLimits;

#define LOOM_BOTTLENECK_LIMITS ((LoomBottleneckLimits) { 90, 10 })

typedef struct {
  gint64 time_ns;     /* of its first low GPU sample */
  guint32 host_id;    /* as written: of the first series that has it */
  guint n_high_cores; /* samples of cores above the limit */
  guint n_low_gpus;   /* GPUs at or below it */
  gboolean in_loop;   /* as written: after its begin */
} LoomBottleneck;

typedef struct {
  LoomBottleneck *items; /* by time, then host */
  guint n;
  guint64 n_rows; /* pairs of GPU and instant */
  guint64 n_rows_in_loop;
  guint64 n_samples;         /* low samples of GPUs that belong to one; 0 as written */
  guint64 n_samples_in_loop; /* low samples of GPUs that belong to one, in the loop; as written n_rows_in_loop */
} LoomBottlenecks;

void loom_bottlenecks_init (LoomBottlenecks *bottlenecks, const LoomDataFrame *frame, const LoomJobPhases *phases,
                            LoomSelect select, LoomBottleneckLimits limits);
void loom_bottlenecks_clear (LoomBottlenecks *bottlenecks);

/* FALSE when no source has the metrics of cores and GPUs that bottlenecks are found from: only formats of smdebug have them. O(sources). */
gboolean loom_bottlenecks_have_metrics (LoomTimeline *timeline);
/* The instants alone: gint64, timeline ns, ascending. Owned. */
GArray *loom_bottlenecks_find_times (const LoomDataFrame *frame, const LoomJobPhases *phases,
                                     LoomBottleneckLimits limits);

G_END_DECLS
