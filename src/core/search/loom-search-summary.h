/* SPDX-License-Identifier: Apache-2.0
 *
 * What a search found, by name: how many of each and how long they took. All that was found counts, also what is beyond the
 * hits that are listed; where args were asked for only those.
 */
#pragma once

#include "loom-result-table.h"
#include "loom-search.h"

G_BEGIN_DECLS

typedef struct {
  LoomResultTable *table; /* a row for each name */
  GArray *longest;        /* LoomSpanId, by row; of equally long ones the first in trace order */
  guint64 count;
  gint64 total_ns; /* whole durations, summed over all tracks; instants take none */
} LoomSearchSummary;

/* Blocking, any thread: O(spans of the traces where something was found), on all processors. NULL when cancelled. */
LoomSearchSummary *loom_search_summary_new (LoomTimeline *timeline, const LoomSearchResult *result,
                                            GCancellable *cancellable);
void loom_search_summary_free (LoomSearchSummary *found);
/* The columns alone. */
LoomResultTable *loom_search_summary_new_table (void);

/* In a worker (loom_worker_start()); `done` gets the summary, owned. */
void loom_search_summary_new_async (GCancellable **running, LoomTimeline *timeline, LoomSearchResult *result,
                                    LoomWorkerDone done, gpointer owner);

G_END_DECLS
