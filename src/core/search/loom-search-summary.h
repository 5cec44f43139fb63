/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums up the hits of a search by name: number and duration. Includes the hits beyond LOOM_SEARCH_MAX_HITS, which the
 * search counts but does not list. Exception: if the query has filters on args, only listed hits are included.
 */
#pragma once

#include "loom-result-table.h"
#include "loom-search.h"

typedef struct {
  LoomResultTable *table; /* table with one row for each name */
  /* LoomSpanId elements, indexed by row of the table: the longest span with the name of the row; of several equally
   * long spans, the first in the order of traces */
  GArray *longest;
  guint64 count;
  /* sum of the durations of all hits, including hits that are nested in other hits; the duration of an instant is 0 */
  gint64 total_ns;
} LoomSearchSummary;

/* Sums up the hits by name. Blocks; may be called on any thread. Uses all processors; takes O(spans of the traces with
 * hits). Returns NULL when cancelled. */
LoomSearchSummary *loom_search_summary_new (LoomTimeline *timeline, const LoomSearchResult *result,
                                            GCancellable *cancellable);
void loom_search_summary_free (LoomSearchSummary *found);
/* Returns the row of the table that counts a span; G_MAXUINT if no row counts the span. `timeline`: as for
 * loom_search_summary_new(). O(rows). */
guint loom_search_summary_find (const LoomSearchSummary *found, LoomTimeline *timeline, LoomSpanId span);
/* Returns a table with the columns of the summary and without rows. */
LoomResultTable *loom_search_summary_new_table (void);

/* Runs loom_search_summary_new() in a worker (loom_worker_start()). `done` receives the summary and owns it. */
void loom_search_summary_new_async (GCancellable **running, LoomTimeline *timeline, LoomSearchResult *result,
                                    LoomWorkerDone done, gpointer owner);
