/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Sorts the names of a scan by name, category and kind of work. A query with GROUP BY on these
 * columns then visits the events of one name after the other (loom-query-name-order.h) in the required order, so that
 * SQLite need not sort the events.
 */
#pragma once

#include "loom-query-span-scan.h"

/* Maximum number of names of all traces together for which this order is used, because each scan sorts all names. */
#define LOOM_QUERY_LABEL_ORDER_NAMES 65536

/* The columns to sort by are passed as one number with LOOM_QUERY_LABEL_ORDER_KEY_BITS bits for each column, the first
 * column in the lowest bits: LOOM_QUERY_SPAN_NAME, …_CATEGORY or …_KIND, to which LOOM_QUERY_LABEL_ORDER_DESCENDING may
 * be added. */
#define LOOM_QUERY_LABEL_ORDER_KEYS 3
#define LOOM_QUERY_LABEL_ORDER_KEY_BITS 3
#define LOOM_QUERY_LABEL_ORDER_DESCENDING 4

/* Returns TRUE if the run has at most LOOM_QUERY_LABEL_ORDER_NAMES names. O(traces). */
gboolean loom_query_label_order_is_possible (const LoomQueryRun *run);

/* Returns an array of LoomQueryName: the names that events of the scan may have, sorted by the columns in `by`. If the
 * kind of work is one of these columns, the array contains a name once for each kind of track
 * (loom_query_span_scan_get_track_kind()). In an ascending order, NULL comes first. O(names · log names). */
GArray *loom_query_label_order_sort (const LoomQuerySpanScan *scan, guint by);
