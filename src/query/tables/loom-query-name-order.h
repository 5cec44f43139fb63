/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: the events of a scan in the order of their names, so that SQLite need not sort them for GROUP BY
 * name. Sorts once, by counting, in two passes over the events that the conditions allow. Memory: 4 bytes per event and
 * 4 bytes per name; events of one name keep the order of the scan.
 */
#pragma once

#include "loom-query-span-scan.h"

typedef struct _LoomQueryNameOrder LoomQueryNameOrder;

/* A scan can be sorted by name only if the run has at most this many spans and instants, and its traces have at most
 * this many names together. */
#define LOOM_QUERY_NAME_ORDER_EVENTS (1u << 28)
#define LOOM_QUERY_NAME_ORDER_NAMES (4u << 20)

/* O(traces). */
gboolean loom_query_name_order_is_possible (const LoomQueryRun *run);

/* Prepares to visit the events of a scan sorted by name, from the last name to the first if `descending`; to do so, visits
 * all events of the scan. loom_query_span_scan_begin() must have been called for the scan. Returns NULL when cancelled. O(events + names · log
 * names). */
LoomQueryNameOrder *loom_query_name_order_new (LoomQuerySpanScan *scan, gboolean descending, GCancellable *cancellable);
void loom_query_name_order_free (LoomQueryNameOrder *self);

/* Moves the scan to the next event; FALSE at the end. */
gboolean loom_query_name_order_next (LoomQueryNameOrder *self, LoomQuerySpanScan *scan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomQueryNameOrder, loom_query_name_order_free)
