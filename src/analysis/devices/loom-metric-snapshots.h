/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups the samples of one host into snapshots. Samples that were taken together have slightly different times, so a
 * snapshot contains the samples up to LOOM_SNAPSHOT_NS after its first one. Any thread; O(samples of the host) to
 * build.
 */
#pragma once

#include "loom-bottlenecks.h"

typedef struct {
  gint64 *starts; /* start times of the snapshots on the timeline, ascending */
  gsize n;
} LoomMetricSnapshots;

/* Groups the samples of a host's series into snapshots. Only series whose dimension is `a` or `b` count. If `b` is "",
 * only series with the dimension `a` count; if `a` is NULL, all series count. */
void loom_metric_snapshots_init (LoomMetricSnapshots *snapshots, const LoomDataFrame *frame, guint32 host_id,
                                 const char *a, const char *b);
void loom_metric_snapshots_clear (LoomMetricSnapshots *snapshots);

/* Returns the index of the snapshot that contains samples of the host at `time_ns`. `near`: index at which the search
 * begins, initially 0; each call updates it. */
gsize loom_metric_snapshots_find (const LoomMetricSnapshots *snapshots, gint64 time_ns, gsize *near);
