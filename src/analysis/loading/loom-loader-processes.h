/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the processes that load data, for each second and each node.
 *
 * A process counts in every second from the start of its first event to the end of its last event, because some traces
 * have one event for the whole life of a worker process, others one event per batch. For each rank, its worker
 * processes (DataLoaderWorker events) count. If a rank has no such events, the processes that its GetNext calls name as
 * workers count instead. If the calls name no worker, the calling process loads the data itself, and counts. Calls in
 * an index file do not count, because an index file does not store the workers that calls name. Any thread; O(rows + p
 * · log p), where p is the number of processes.
 */
#pragma once

#include "loom-data-frame.h"

/* Consecutive seconds in which equally many processes load data. */
typedef struct {
  gint64 second; /* the first second of the interval, in seconds on the timeline */
  gint64 n_seconds;
  guint n_processes; /* number of processes that load data; may be 0 */
} LoomLoaderStretch;

typedef struct {
  guint32 host_id; /* index of the host in the hosts of the LoomDataFrame */
  /* on this host: start of the first process that loads data, and end of the last one; clipped to the range of the
   * LoomDataFrame */
  gint64 begin_ns, end_ns;
  /* median number of processes that load data at the same time, over the seconds with at least one such process */
  double at_a_time;
  gint64 n_seconds;  /* number of seconds with at least one process that loads data */
  guint n_workers;   /* number of different worker processes */
  GArray *stretches; /* LoomLoaderStretch, in order of time */
} LoomLoaderHost;

/* Returns the hosts that load data, sorted by id: GPtrArray of LoomLoaderHost, owned by the caller. */
GPtrArray *loom_loader_processes_list_hosts (const LoomDataFrame *frame);

/* Totals over all hosts. `n_workers`: number of worker processes; `fewest` and `most`: smallest and largest at_a_time
 * of a host, rounded to integers. */
typedef struct {
  guint n_workers;
  double fewest, most;
} LoomLoaderTotals;

LoomLoaderTotals loom_loader_processes_sum_hosts (const GPtrArray *hosts);
/* Returns the number of processes that run at the same time: "4", or "2–4" if hosts differ. Owned by the caller. */
char *loom_loader_processes_describe_totals (const LoomLoaderTotals *totals);
