/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts the stretches of a scan (ranges of events in rows) by the columns by which a query sorts
 * (loom_query_span_scan_sort()). This is possible if all events of a stretch have the same values in these columns.
 */
#include "loom-event-list.h"
#include "loom-query-span-columns.h"
#include "loom-query-span-scan.h"

typedef struct {
  const LoomQuerySpanScan *scan;
  guint by;
} Sorting;

static gint64
get_key (const LoomQuerySpanScan *scan, const LoomQueryStretch *stretch, guint column)
{
  const LoomTrace *trace = loom_run_get_trace (scan->run->run, stretch->trace);
  const LoomTrack *track = loom_trace_get_track (trace, stretch->track);
  switch (column) {
  case LOOM_QUERY_SPAN_SCAN_ID: return loom_query_run_pack_id ((LoomSpanId) { stretch->trace, stretch->at });
  case LOOM_QUERY_SPAN_DEPTH: return loom_trace_get_row (trace, stretch->row)->depth;
  case LOOM_QUERY_SPAN_TRACK: return scan->run->first_track[stretch->trace] + stretch->track;
  case LOOM_QUERY_SPAN_PROCESS: return scan->run->first_process[stretch->trace] + track->process_id;
  default: return MAX (loom_event_list_get_rank (trace, track), -1);
  }
}

static int
compare_keys (gconstpointer a, gconstpointer b, gpointer data)
{
  const Sorting *sorting = data;
  for (guint by = sorting->by; by != 0; by >>= LOOM_QUERY_SPAN_SCAN_KEY_BITS) {
    guint column = by % LOOM_QUERY_SPAN_SCAN_DESCENDING;
    gint64 x = get_key (sorting->scan, a, column), y = get_key (sorting->scan, b, column);
    if (x != y)
      return (x < y) == ((by & LOOM_QUERY_SPAN_SCAN_DESCENDING) == 0) ? -1 : 1;
  }
  return 0;
}

void
loom_query_span_scan_sort (LoomQuerySpanScan *scan, guint by)
{
  Sorting sorting = { scan, by };
  g_array_sort_with_data (scan->stretches, compare_keys, &sorting);
}
