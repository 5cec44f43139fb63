/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: the events of a scan in the order of their names, so that SQLite need not sort them for GROUP BY
 * name, or only the events of the names that the conditions allow. Uses lists of the events of each name, which are made
 * for a trace when they are first needed and kept with the run: 4 bytes per event and per name, in memory of SQLite, so that
 * they count towards the limit of the query that needs them first. Few events are sorted without these lists. Events of one name come in the order of their ids.
 */
#pragma once

#include "loom-query-span-scan.h"

typedef struct _LoomQueryNameOrder LoomQueryNameOrder;

/* A scan can be sorted by name only if the run has at most this many spans and instants, whose lists take half of the memory
 * that a query may use (LOOM_QUERY_MEMORY_BYTES), and its traces have at most this many names together. */
#define LOOM_QUERY_NAME_ORDER_EVENTS (1u << 27)
#define LOOM_QUERY_NAME_ORDER_NAMES (4u << 20)

typedef enum {
  LOOM_QUERY_NAME_ORDER_DESCENDING = 1 << 0,
  /* Events whose names have the same text come in the order of their ids, also if their categories differ. */
  LOOM_QUERY_NAME_ORDER_THEN_ID = 1 << 1,
  LOOM_QUERY_NAME_ORDER_ONCE = 1 << 2, /* only one event of each text */
} LoomQueryNameOrderFlags;

/* O(traces). */
gboolean loom_query_name_order_is_possible (const LoomQueryRun *run);

/* Returns TRUE if visiting the events of a scan by name is faster than visiting all, because conditions on the name or
 * the category allow few of them. Makes the lists of events of the run. O(names). */
gboolean loom_query_name_order_is_faster (const LoomQuerySpanScan *scan, GCancellable *cancellable);

/* Prepares to visit the events of a scan sorted by name. loom_query_span_scan_begin() must have been called for the scan.
 * `flags`: LoomQueryNameOrderFlags. O(stretches + names), and O(names · log names) once for a run. */
LoomQueryNameOrder *loom_query_name_order_new (LoomQuerySpanScan *scan, guint flags);
/* Prepares to visit the events of the names in their order. `names`: LoomQueryName; taken. `flags`: only
 * LOOM_QUERY_NAME_ORDER_ONCE, which then means one event of each name in each trace. O(stretches). */
LoomQueryNameOrder *loom_query_name_order_new_of (LoomQuerySpanScan *scan, GArray *names, guint flags);
void loom_query_name_order_free (LoomQueryNameOrder *self);

/* Moves the scan to the next event that the conditions allow. Returns FALSE at the end, when cancelled, and if there is no
 * memory for a list (loom_query_name_order_is_full()). */
gboolean loom_query_name_order_next (LoomQueryNameOrder *self, LoomQuerySpanScan *scan, GCancellable *cancellable);

/* Adds column indices of the next events to `list`, at most `most`, all of one stretch and
 * with the same name, and moves the scan to the first of
 * them. Returns their number; 0 at the end, when cancelled, and if there is no memory for a list. */
guint loom_query_name_order_list (LoomQueryNameOrder *self, LoomQuerySpanScan *scan, guint32 *list, guint most,
                                  GCancellable *cancellable);

gboolean loom_query_name_order_is_full (const LoomQueryNameOrder *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomQueryNameOrder, loom_query_name_order_free)
