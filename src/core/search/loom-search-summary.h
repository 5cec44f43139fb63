/* SPDX-License-Identifier: Apache-2.0
 *
 * The hits of a search by name: their number and duration. Includes hits beyond the listed ones, unless the query has
 * filters on args.
 */
#pragma once

#include "loom-result-table.h"
#include "loom-search.h"

typedef struct {
  LoomResultTable *table; /* a row for each name */
  GArray *longest;        /* LoomSpanId by row; of equally long spans the first in trace order */
  guint64 count;
  gint64 total_ns; /* whole durations, summed over all tracks; 0 for instants */
} LoomSearchSummary;

/* Blocks, any thread: O(spans of the traces with hits), on all processors. NULL when cancelled. */
LoomSearchSummary *loom_search_summary_new (LoomTimeline *timeline, const LoomSearchResult *result,
                                            GCancellable *cancellable);
void loom_search_summary_free (LoomSearchSummary *found);
/* An empty table with the columns. */
LoomResultTable *loom_search_summary_new_table (void);

/* Runs loom_search_summary_new() in a worker (loom_worker_start()). `done` receives the summary and owns it. */
void loom_search_summary_new_async (GCancellable **running, LoomTimeline *timeline, LoomSearchResult *result,
                                    LoomWorkerDone done, gpointer owner);
