/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: the names of a scan in the order of name, category and kind of work. Visiting the events of each name
 * (loom-query-name-order.h) sorts them by these columns, so that SQLite need not sort them for GROUP BY.
 */
#pragma once

#include "loom-query-span-scan.h"

/* A run with more names, of all traces together, is not sorted so, because all names are sorted for each scan. */
#define LOOM_QUERY_LABEL_ORDER_NAMES 65536

/* The columns to sort by, beginning with the lowest bits: the number of the column, LOOM_QUERY_SPAN_NAME, …_CATEGORY or …_KIND,
 * and LOOM_QUERY_LABEL_ORDER_DESCENDING. */
#define LOOM_QUERY_LABEL_ORDER_KEYS 3
#define LOOM_QUERY_LABEL_ORDER_KEY_BITS 3
#define LOOM_QUERY_LABEL_ORDER_DESCENDING 4

/* O(traces). */
gboolean loom_query_label_order_is_possible (const LoomQueryRun *run);

/* Returns LoomQueryName: the names that events on the tracks of the stretches of the scan may have, once for each kind of track
 * (loom_query_span_scan_get_track_kind()) if the kind of work is among the columns. NULL comes first. O(names · log names). */
GArray *loom_query_label_order_sort (const LoomQuerySpanScan *scan, guint by);
