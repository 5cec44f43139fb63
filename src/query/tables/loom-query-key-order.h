/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Visits the events of a scan (loom-query-span-scan.h) in the order of their ids, start times or
 * tracks. SQLite then need not sort them, and reads only the first rows for LIMIT, min() and max(). The events of each
 * row of the timeline are already sorted, so a heap only merges the rows.
 */
#pragma once

#include "loom-query-span-scan.h"

typedef struct _LoomQueryKeyOrder LoomQueryKeyOrder;

/* Maximum number of columns to sort by. Each of them is id, start or track. */
#define LOOM_QUERY_KEY_ORDER_COLUMNS 3

typedef struct {
  guint columns[LOOM_QUERY_KEY_ORDER_COLUMNS]; /* LOOM_QUERY_SPAN_ID, …_START or …_TRACK, the main sort column first */
  guint n_columns;
  gboolean descending;
} LoomQueryKeyOrderBy;

/* Prepares to visit the events of a scan in the order `by`. loom_query_span_scan_begin() must have been called for the
 * scan. O(n), where n is the number of stretches (LoomQueryStretch) of the scan. */
LoomQueryKeyOrder *loom_query_key_order_new (LoomQuerySpanScan *scan, const LoomQueryKeyOrderBy *by);
/* Prepares to visit events of a scan in the order `by`, but only events whose names may meet the conditions on name and
 * category. loom_query_span_scan_begin() must have been called for the scan. Returns NULL when cancelled, and if there
 * are too many parts (a part is the events of one name in one LoomQueryStretch). O(parts · log events). */
LoomQueryKeyOrder *loom_query_key_order_new_named (LoomQuerySpanScan *scan, const LoomQueryKeyOrderBy *by,
                                                   GCancellable *cancellable);
void loom_query_key_order_free (LoomQueryKeyOrder *self);

/* Moves the scan to the next event that the conditions allow. Returns FALSE at the end, and when cancelled. Takes O(log
 * n) for each event that is examined, where n is the number of stretches (LoomQueryStretch) of the scan. */
gboolean loom_query_key_order_next (LoomQueryKeyOrder *self, LoomQuerySpanScan *scan, GCancellable *cancellable);
