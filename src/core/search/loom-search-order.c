/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-search-order.h"

#include "loom-search-sort.h"

#include <string.h>

/* Returns the index of the first hit, from index `from` on, that is in another trace than `trace`, or whose span is
 * `span` or a later span; `n` if there is no such hit. The hits from `from` to this index form a group. */
static guint
find_end (const LoomSpanId *hits, guint from, guint n, guint trace, guint32 span)
{
  guint low = from, high = n;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (hits[middle].trace == trace && hits[middle].span < span)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Divides the hits into groups (LoomSearchRun) of consecutive hits of the same row. Sets `devices`, an array indexed by
 * hit, to 1 for hits on tracks of devices and to 0 for others. */
static GArray *
list_runs (LoomTimeline *timeline, const LoomSpanId *hits, guint n, guint8 *devices)
{
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (LoomSearchRun));
  for (guint i = 0, end; i < n; i = end) {
    LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), hits[i].trace);
    guint32 track, number;
    loom_trace_locate_span (trace, hits[i].span, &track, &number);
    const LoomRow *row = loom_trace_get_row (trace, number);
    end = find_end (hits, i, n, hits[i].trace, row->first + row->n);
    LoomSearchRun run = { i, end, loom_trace_get_spans (trace)->start_ns,
                          *loom_timeline_get_map (timeline, hits[i].trace,
                                                  loom_trace_get_track (trace, track)->clock) };
    memset (devices + i, loom_trace_track_is_device (loom_trace_get_track (trace, track)), end - i);
    g_array_append_val (runs, run);
  }
  return runs;
}

/* Fills result->visits, the order in which the user visits the hits: hits on devices first, then hits on the host.
 * Leaves result->visits NULL if all hits are on devices, or if all are on the host, because result->by_time then
 * already is this order. */
static void
put_devices_first (LoomSearchResult *result, const guint8 *devices)
{
  guint n = result->by_time->len, n_device = 0;
  for (guint i = 0; i < n; i++)
    n_device += devices[i];
  if (n_device == 0 || n_device == n)
    return;
  /* positions in result->visits of the next hit on the host, and of the next hit on a device */
  guint next[2] = { n_device, 0 };
  result->n_device = n_device;
  result->visits = g_array_set_size (g_array_new (FALSE, FALSE, sizeof (guint32)), n);
  for (guint32 at = 0; at < n; at++) {
    guint8 device = devices[g_array_index (result->by_time, guint32, at)];
    g_array_index (result->visits, guint32, next[device]++) = at;
  }
}

void
loom_search_order_hits (LoomSearchResult *result, LoomTimeline *timeline)
{
  guint n = result->hits->len, step = n / LOOM_SEARCH_MAX_TICKS + 1;
  const LoomSpanId *hits = (const LoomSpanId *) (gpointer) result->hits->data;
  g_autofree guint8 *devices = g_new (guint8, n + 1);
  g_autoptr (GArray) runs = list_runs (timeline, hits, n, devices);
  g_array_set_size (result->by_time, n);
  g_array_set_size (result->ticks_ns, (n + step - 1) / step);
  loom_search_sort (hits, (const LoomSearchRun *) (gpointer) runs->data, runs->len, step,
                    (guint32 *) (gpointer) result->by_time->data, (gint64 *) (gpointer) result->ticks_ns->data);
  put_devices_first (result, devices);
}
