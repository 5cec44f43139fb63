/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Visits the events of a scan (loom-query-span-scan.h) in the order of their names, so that
 * SQLite need not sort them for GROUP BY name; or visits only the events of the names that the conditions allow. Events
 * of one name come in the order of their ids.
 *
 * Uses the lists of the events of each name (LoomQueryNameEvents). A run makes the lists for a trace when a query first
 * needs them, and keeps them. They take 4 bytes per event and per name. SQLite allocates them, so that they count
 * towards the memory limit of the query for which they are made. If a scan has only few events, these are sorted
 * without the lists.
 */
#pragma once

#include "loom-query-span-scan.h"

typedef struct _LoomQueryNameOrder LoomQueryNameOrder;

/* The order by name is used only if the run has at most this many spans and instants, so that the lists of events take
 * at most half of the memory that a query may use (LOOM_QUERY_MEMORY_BYTES), and at most this many names in all traces
 * together. */
#define LOOM_QUERY_NAME_ORDER_EVENTS (1u << 27)
#define LOOM_QUERY_NAME_ORDER_NAMES (4u << 20)

typedef enum {
  LOOM_QUERY_NAME_ORDER_DESCENDING = 1 << 0,
  /* sort events whose names have the same text by id, even if their categories differ */
  LOOM_QUERY_NAME_ORDER_THEN_ID = 1 << 1,
  LOOM_QUERY_NAME_ORDER_ONCE = 1 << 2, /* visit only one event for each different text of a name */
} LoomQueryNameOrderFlags;

/* Returns TRUE if the run is within the limits LOOM_QUERY_NAME_ORDER_…. O(traces). */
gboolean loom_query_name_order_is_possible (const LoomQueryRun *run);

/* Returns TRUE if visiting the events of a scan by name is faster than visiting all of them, because the conditions on
 * the name or the category allow few events. Makes the lists of events of the run. O(names). */
gboolean loom_query_name_order_is_faster (const LoomQuerySpanScan *scan, GCancellable *cancellable);

/* Prepares to visit the events of a scan sorted by name. `flags`: LoomQueryNameOrderFlags. The scan must have begun
 * (loom_query_span_scan_begin()). O(stretches + names), and O(names · log names) once for a run. */
LoomQueryNameOrder *loom_query_name_order_new (LoomQuerySpanScan *scan, guint flags);
/* Prepares to visit the events of the names in the order of `names` (LoomQueryName), of which it takes ownership.
 * `flags`: only LOOM_QUERY_NAME_ORDER_ONCE, which then means one event of each name in each trace. O(stretches). */
LoomQueryNameOrder *loom_query_name_order_new_of (LoomQuerySpanScan *scan, GArray *names, guint flags);
void loom_query_name_order_free (LoomQueryNameOrder *self);

/* Moves the scan to the next event that the conditions allow. Returns FALSE at the end, when cancelled, and if memory
 * for a list of events could not be allocated (loom_query_name_order_is_full()). */
gboolean loom_query_name_order_next (LoomQueryNameOrder *self, LoomQuerySpanScan *scan, GCancellable *cancellable);

/* Appends the column indices of the next events to `list`: at most `most` events, all of one stretch and with the same
 * name. Moves the scan to the first of them. Returns their number; 0 at the end, when cancelled, and if memory for a
 * list of events could not be allocated. */
guint loom_query_name_order_list (LoomQueryNameOrder *self, LoomQuerySpanScan *scan, guint32 *list, guint most,
                                  GCancellable *cancellable);

gboolean loom_query_name_order_is_full (const LoomQueryNameOrder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomQueryNameOrder, loom_query_name_order_free)
