/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: the events of a scan in the order of their ids, times or tracks, so that SQLite need not sort them, and
 * reads only the first rows for LIMIT, min() and max(). Rows are sorted already, so their events are merged with a heap.
 */
#pragma once

#include "loom-query-span-scan.h"

typedef struct _LoomQueryKeyOrder LoomQueryKeyOrder;

/* Maximum number of columns to sort by. Each is one of id, start and track. */
#define LOOM_QUERY_KEY_ORDER_COLUMNS 3

typedef struct {
  guint columns[LOOM_QUERY_KEY_ORDER_COLUMNS]; /* LOOM_QUERY_SPAN_ID, …_START or …_TRACK */
  guint n_columns;
  gboolean descending;
} LoomQueryKeyOrderBy;

/* Prepares to visit the events of a scan in the order `by`. loom_query_span_scan_begin() must have been called for the
 * scan. O(stretches). */
LoomQueryKeyOrder *loom_query_key_order_new (LoomQuerySpanScan *scan, const LoomQueryKeyOrderBy *by);
/* Does the same for the events of the names only that conditions on names and categories may allow. Returns NULL if they are
 * in too many parts of rows, and when cancelled. O(parts · log events). */
LoomQueryKeyOrder *loom_query_key_order_new_named (LoomQuerySpanScan *scan, const LoomQueryKeyOrderBy *by,
                                                   GCancellable *cancellable);
void loom_query_key_order_free (LoomQueryKeyOrder *self);

/* Moves the scan to the next event that the conditions allow; FALSE at the end and when cancelled. O(log stretches) for
 * each event that is examined. */
gboolean loom_query_key_order_next (LoomQueryKeyOrder *self, LoomQuerySpanScan *scan, GCancellable *cancellable);
