/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Visits the spans of a scan from the longest to the shortest, and equally long spans in the
 * order of their ids. The summary of a row (loom-row-summary.h) gives the longest span of a part of the row without
 * reading all spans of the part, so finding the first spans takes O(rows · log spans). When a sixteenth of the spans
 * was visited, all remaining spans are put into a heap one by one.
 */
#pragma once

#include "loom-query-span-scan.h"

typedef struct _LoomQueryLongestOrder LoomQueryLongestOrder;

/* Returns TRUE if the duration of every span in timeline ns equals the duration that its trace stores: no clock drifts,
 * and no time is out of range. O(tracks). */
gboolean loom_query_longest_order_is_possible (const LoomQueryRun *run);

/* Prepares to visit the spans of a scan by descending duration. loom_query_span_scan_begin() must have been called for
 * the scan. */
LoomQueryLongestOrder *loom_query_longest_order_new (LoomQuerySpanScan *scan);
void loom_query_longest_order_free (LoomQueryLongestOrder *self);

/* Moves the scan to the next span that the conditions allow. Returns FALSE at the end, when cancelled, and if memory
 * could not be allocated. */
gboolean loom_query_longest_order_next (LoomQueryLongestOrder *self, LoomQuerySpanScan *scan,
                                        GCancellable *cancellable);
/* Returns TRUE if some spans were not visited, because memory could not be allocated. */
gboolean loom_query_longest_order_is_full (const LoomQueryLongestOrder *self);
