/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists the names of a scan and sorts them by the text that the query sorts by (loom-query-label-order.h).
 */
#include "loom-query-label-order.h"

#include "loom-query-span-columns.h"

typedef struct {
  const LoomQuerySpanScan *scan;
  guint by;
} Sorting;

gboolean
loom_query_label_order_is_possible (const LoomQueryRun *run)
{
  guint64 n_names = 0;
  for (guint i = 0; i < run->n_traces; i++)
    n_names += loom_trace_get_n_names (loom_run_get_trace (run->run, i));
  return n_names <= LOOM_QUERY_LABEL_ORDER_NAMES;
}

/* Returns the text that a column (name, category or kind of work) has for events with this name; NULL: the column is
 * SQL's NULL. */
static const char *
get_text (const LoomQuerySpanScan *scan, const LoomQueryName *name, guint column)
{
  const char *category = loom_trace_get_name (loom_run_get_trace (scan->run->run, name->trace), name->id)->category;
  switch (column) {
  case LOOM_QUERY_SPAN_NAME: return name->text;
  case LOOM_QUERY_SPAN_CATEGORY: return category != NULL && category[0] != '\0' ? category : NULL;
  default:
    return loom_work_kind_to_string (loom_query_span_scan_get_kind_on (scan, name->trace, name->tracks, name->id));
  }
}

static int
compare_names (gconstpointer a, gconstpointer b, gpointer data)
{
  const Sorting *sorting = data;
  const LoomQueryName *first = a, *second = b;
  for (guint by = sorting->by; by != 0; by >>= LOOM_QUERY_LABEL_ORDER_KEY_BITS) {
    guint column = by % LOOM_QUERY_LABEL_ORDER_DESCENDING;
    int order = g_strcmp0 (get_text (sorting->scan, first, column), get_text (sorting->scan, second, column));
    if (order != 0)
      return (by & LOOM_QUERY_LABEL_ORDER_DESCENDING) != 0 ? -order : order;
  }
  if (first->trace != second->trace)
    return first->trace < second->trace ? -1 : 1;
  return first->id != second->id ? (first->id < second->id ? -1 : 1) : first->tracks - second->tracks;
}

static gboolean
has_kind (guint by)
{
  for (; by != 0; by >>= LOOM_QUERY_LABEL_ORDER_KEY_BITS)
    if (by % LOOM_QUERY_LABEL_ORDER_DESCENDING == LOOM_QUERY_SPAN_KIND)
      return TRUE;
  return FALSE;
}

/* Adds the names of trace `t` to `names`. Kinds of tracks are passed as bits in `kinds`. Adds each name once for each
 * of these kinds or, if `together` is TRUE, only once for all of them. */
static void
add_names (const LoomQuerySpanScan *scan, GArray *names, guint32 t, guint kinds, gboolean together)
{
  const LoomTrace *trace = loom_run_get_trace (scan->run->run, t);
  for (guint32 i = 0; i < loom_trace_get_n_names (trace); i++)
    for (guint8 kind = 0; kinds >> kind != 0; kind++) {
      LoomQueryName name = { loom_trace_get_name (trace, i)->text, t, i, together ? LOOM_QUERY_ALL_TRACKS : kind };
      if (kinds >> kind & 1)
        g_array_append_val (names, name);
      if (together)
        break;
    }
}

GArray *
loom_query_label_order_sort (const LoomQuerySpanScan *scan, guint by)
{
  GArray *names = g_array_new (FALSE, FALSE, sizeof (LoomQueryName));
  Sorting sorting = { scan, by };
  gboolean together = !has_kind (by);
  g_autofree guint *kinds = g_new0 (guint, scan->run->n_traces);
  for (guint i = 0; i < scan->stretches->len; i++) {
    const LoomQueryStretch *stretch = &g_array_index (scan->stretches, LoomQueryStretch, i);
    kinds[stretch->trace] |= together ? 1 : 1u << loom_query_span_scan_get_track_kind (scan, stretch);
  }
  for (guint t = 0; t < scan->run->n_traces; t++)
    add_names (scan, names, t, kinds[t], together);
  g_array_sort_with_data (names, compare_names, &sorting);
  return names;
}
