/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the processes that load data, second by second of each node.
 *
 * A process lives from the begin of its first event to the end of its last one, and counts in every second of that life: a
 * worker is one event of its whole life in some traces, and one event per batch in others. Per rank the workers count
 * (DataLoaderWorker events). Where a rank has none of these, the workers that its calls of GetNext name count; where these
 * name none either, the calling process loads the data itself and counts. Any thread; O(rows + processes · log).
 */
#pragma once

#include "loom-data-frame.h"

G_BEGIN_DECLS

/* Seconds after one another with the same number of processes. */
typedef struct {
  gint64 second; /* timeline, the first one */
  gint64 n_seconds;
  guint n_processes; /* 0 between two lives */
} LoomLoaderStretch;

typedef struct {
  guint32 host_id;         /* of the frame */
  gint64 begin_ns, end_ns; /* of all lives, within the range of the frame */
  double at_a_time;        /* median of the seconds in which a process lives */
  gint64 n_seconds;        /* in which a process lives */
  guint n_workers;         /* worker processes that live at any time */
  GArray *stretches;       /* LoomLoaderStretch, ascending */
} LoomLoaderHost;

/* The hosts on which data is loaded, by id. GPtrArray of LoomLoaderHost, owned. */
GPtrArray *loom_loader_processes_list_hosts (const LoomDataFrame *frame);

/* Of all hosts: their worker processes, and the fewest and the most processes at a time, without fractions. */
typedef struct {
  guint n_workers;
  double fewest, most;
} LoomLoaderTotals;

LoomLoaderTotals loom_loader_processes_sum_hosts (const GPtrArray *hosts);
/* Processes at a time: "4", or "2–4" when nodes differ. Owned. */
char *loom_loader_processes_describe_totals (const LoomLoaderTotals *totals);

G_END_DECLS
