/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups the samples of one host into snapshots. Samples that were taken together do not have exactly equal times, so a
 * snapshot contains the samples up to LOOM_SNAPSHOT_NS after its first one. Any thread; O(samples of the host) to
 * build.
 */
#pragma once

#include "loom-bottlenecks.h"

typedef struct {
  gint64 *starts; /* times on the timeline, ascending */
  gsize n;
} LoomMetricSnapshots;

/* Groups the samples of a host's series into snapshots. Only series whose dimension is `a` or `b` count. If `b` is "",
 * only `a` counts; if `a` is NULL, all series count. */
void loom_metric_snapshots_init (LoomMetricSnapshots *snapshots, const LoomDataFrame *frame, guint32 host_id,
                                 const char *a, const char *b);
void loom_metric_snapshots_clear (LoomMetricSnapshots *snapshots);

/* Returns the index of the snapshot to which the host's samples at a time belong. `near`: state of the search,
 * initially 0; each call updates it. */
gsize loom_metric_snapshots_find (const LoomMetricSnapshots *snapshots, gint64 time_ns, gsize *near);
