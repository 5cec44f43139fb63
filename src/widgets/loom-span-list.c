/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-span-list.h"

static LoomSpanId
follow (const LoomTimeline *from, const LoomTimeline *to, LoomSpanId span)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (from), span.trace);
  LoomRun *run = loom_timeline_get_run (to);
  guint n = loom_run_get_n_traces (run);
  for (guint k = 0; k < n; k++) {
    guint i = (span.trace + k) % n; /* most keep their number */
    if (loom_run_get_trace (run, i) == trace)
      return (LoomSpanId) { i, span.span };
  }
  return LOOM_SPAN_ID_NONE;
}

void
loom_span_list_follow (GArray *spans, const LoomTimeline *from, const LoomTimeline *to)
{
  guint kept = 0;
  for (guint i = 0; to != NULL && i < spans->len; i++) {
    LoomSpanId span = follow (from, to, g_array_index (spans, LoomSpanId, i));
    if (!loom_span_id_is_none (span))
      g_array_index (spans, LoomSpanId, kept++) = span;
  }
  g_array_set_size (spans, kept);
}

gboolean
loom_span_list_remove (GArray *spans, LoomSpanId span)
{
  for (guint i = 0; i < spans->len; i++)
    if (loom_span_id_equal (g_array_index (spans, LoomSpanId, i), span)) {
      g_array_remove_index (spans, i);
      return TRUE;
    }
  return FALSE;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const LoomSpanId *x = a, *y = b;
  return x->trace != y->trace ? (x->trace > y->trace ? 1 : -1) : (x->span > y->span) - (x->span < y->span);
}

void
loom_span_list_copy_sorted (GArray *sorted, const GArray *spans)
{
  g_array_set_size (sorted, 0);
  if (spans->len > 0)
    g_array_append_vals (sorted, spans->data, spans->len);
  g_array_sort (sorted, compare);
}

LoomRange
loom_span_list_get_range (const GArray *spans, const LoomTimeline *timeline)
{
  LoomRange range = { G_MAXINT64, G_MININT64 };
  for (guint i = 0; i < spans->len; i++) {
    gint64 start_ns, end_ns;
    loom_timeline_get_span (timeline, g_array_index (spans, LoomSpanId, i), &start_ns, &end_ns);
    range.begin_ns = MIN (range.begin_ns, start_ns);
    range.end_ns = MAX (range.end_ns, end_ns);
  }
  return range;
}
