/* SPDX-License-Identifier: Apache-2.0
 *
 * What a search found, by name: how many of each and how long they took. All that was found counts, also what is beyond the
 * hits that are listed; where args were asked for only those.
 */
#pragma once

#include "loom-search.h"
#include "loom-table.h"

G_BEGIN_DECLS

typedef struct {
  LoomTable *table; /* a row for each name */
  GArray *longest;  /* LoomSpanId, by row; of equally long ones the first in trace order */
  guint64 count;
  gint64 total_ns;  /* whole durations, summed over all tracks; instants take none */
} LoomFoundNames;

/* Blocking, any thread: O(spans of the traces where something was found), on all processors. NULL when cancelled. */
LoomFoundNames *loom_found_names_new (LoomTimeline *timeline, const LoomSearchResult *result, GCancellable *cancellable);
void loom_found_names_free (LoomFoundNames *found);
/* The columns alone. */
LoomTable *loom_found_names_new_table (void);

void loom_found_names_new_async (LoomTimeline *timeline, LoomSearchResult *result, GCancellable *cancellable, GAsyncReadyCallback ready,
                                 gpointer user_data);
LoomFoundNames *loom_found_names_new_finish (GAsyncResult *result);

G_END_DECLS
