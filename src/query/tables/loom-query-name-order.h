/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Visits the events of a scan (loom-query-span-scan.h) in the order of their names, so that
 * SQLite need not sort them for GROUP BY name. If conditions allow only some names, visits only the events of these
 * names. The events of one name are visited in the order of their ids.
 *
 * The events are found with a list of the events of each name (LoomQueryNameEvents). The lists of a trace are made when
 * a query first needs them, and kept in the run. They take 4 bytes per event and per name. SQLite allocates them, so
 * that they count towards the memory limit of the query for which they are made. A scan of only a few events does not
 * use the lists; its events are sorted.
 */
#pragma once

#include "loom-query-span-scan.h"

typedef struct _LoomQueryNameOrder LoomQueryNameOrder;

/* Limits up to which the order by name is used. …_EVENTS limits the number of spans and instants in the run, so that
 * the lists of events take at most half of the memory that a query may use (LOOM_QUERY_MEMORY_BYTES). …_NAMES limits
 * the number of names, added up over all traces. */
#define LOOM_QUERY_NAME_ORDER_EVENTS (1u << 27)
#define LOOM_QUERY_NAME_ORDER_NAMES (4u << 20)

typedef enum {
  LOOM_QUERY_NAME_ORDER_DESCENDING = 1 << 0,
  /* sort by id those events whose names have the same text, even if their categories differ */
  LOOM_QUERY_NAME_ORDER_THEN_ID = 1 << 1,
  LOOM_QUERY_NAME_ORDER_ONCE = 1 << 2, /* visit only one event for each different text of a name */
} LoomQueryNameOrderFlags;

/* Returns TRUE if the run is within the limits LOOM_QUERY_NAME_ORDER_…. O(traces). */
gboolean loom_query_name_order_is_possible (const LoomQueryRun *run);

/* Returns TRUE if visiting the events of a scan by name is faster than visiting all of them, because the conditions on
 * the name or the category allow few events. Makes the lists of events of the run. O(names). */
gboolean loom_query_name_order_is_faster (const LoomQuerySpanScan *scan, GCancellable *cancellable);

/* Prepares to visit the events of a scan sorted by name. `flags`: LoomQueryNameOrderFlags. The scan must have begun
 * (loom_query_span_scan_begin()). O(n + names), where n is the number of stretches (LoomQueryStretch), and O(names ·
 * log names) once for a run. */
LoomQueryNameOrder *loom_query_name_order_new (LoomQuerySpanScan *scan, guint flags);
/* Prepares to visit the events of the names in `names` (LoomQueryName), in the order of this array. Takes ownership of
 * the array. The only flag allowed in `flags` is LOOM_QUERY_NAME_ORDER_ONCE: it then means that one event of each name
 * in each trace is visited. O(n), where n is the number of stretches (LoomQueryStretch) of the scan. */
LoomQueryNameOrder *loom_query_name_order_new_of (LoomQuerySpanScan *scan, GArray *names, guint flags);
void loom_query_name_order_free (LoomQueryNameOrder *self);

/* Moves the scan to the next event that the conditions of the scan allow. Returns FALSE at the end, when cancelled,
 * and if memory for a list of events could not be allocated (loom_query_name_order_is_full()). */
gboolean loom_query_name_order_next (LoomQueryNameOrder *self, LoomQuerySpanScan *scan, GCancellable *cancellable);

/* Appends the column indices of the next events to `list`: at most `most` events, which are all in one LoomQueryStretch
 * and have the same name. Moves the scan to the first of them. Returns their number; 0 at the end, when cancelled, and
 * if memory for a list of events could not be allocated. */
guint loom_query_name_order_list (LoomQueryNameOrder *self, LoomQuerySpanScan *scan, guint32 *list, guint most,
                                  GCancellable *cancellable);

gboolean loom_query_name_order_is_full (const LoomQueryNameOrder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomQueryNameOrder, loom_query_name_order_free)
