/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks up arrows by their spans in the sorted lists of the traces, and follows chains of flows.
 */
#include "loom-flow-lines.h"

#include "loom-run-details.h"
#include "loom-time-bsearch.h"

static gint64
from_at (gconstpointer arrows, guint32 at)
{
  return ((const LoomArrow *) arrows)[at].from;
}

typedef struct {
  const LoomArrow *arrows;
  const guint32 *by_target;
} Targets;

static gint64
to_at (gconstpointer of, guint32 at)
{
  const Targets *targets = of;
  return targets->arrows[targets->by_target[at]].to;
}

/* Returns the index of the first arrow that leaves `span` or a later span. */
static guint32
first_from (const LoomArrow *arrows, guint32 n, guint32 span)
{
  return loom_time_bsearch_by (from_at, arrows, 0, n, span);
}

static guint32
first_to (const LoomArrow *arrows, const guint32 *by_target, guint32 n, guint32 span)
{
  const Targets targets = { arrows, by_target };
  return loom_time_bsearch_by (to_at, &targets, 0, n, span);
}

static LoomTrace *
trace_of (const LoomTimeline *timeline, LoomSpanId span)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  return loom_run_details_has_trace (run, span.trace) ? loom_run_get_trace (run, span.trace) : NULL;
}

static int
compare_starts (gconstpointer a, gconstpointer b, gpointer data)
{
  gint64 x, y, end;
  loom_timeline_get_span (data, *(const LoomSpanId *) a, &x, &end);
  loom_timeline_get_span (data, *(const LoomSpanId *) b, &y, &end);
  return x < y ? -1 : x > y;
}

void
loom_flow_lines_next (const LoomTimeline *timeline, LoomSpanId span, gboolean forward, GArray *spans)
{
  LoomTrace *trace = trace_of (timeline, span);
  if (trace == NULL)
    return;
  guint32 n;
  const LoomArrow *arrows = loom_trace_get_arrows (trace, &n);
  const guint32 *by_target = loom_trace_get_arrows_by_target (trace);
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  guint32 at = forward ? first_from (arrows, n, span.span) : first_to (arrows, by_target, n, span.span);
  for (; at < n; at++) {
    const LoomArrow *arrow = forward ? &arrows[at] : &arrows[by_target[at]];
    if ((forward ? arrow->from : arrow->to) != span.span)
      break;
    LoomSpanId next = { span.trace, forward ? arrow->to : arrow->from };
    g_array_append_val (found, next);
  }
  g_array_sort_with_data (found, compare_starts, (gpointer) timeline);
  g_array_append_vals (spans, found->data, found->len);
}

/* Follows flows from span to span, beginning at `start`: in the direction of the arrows if `forward`, else against it.
 * Appends the arrows between these spans to `lines`, nearest first, until there are `max` lines. All visited spans are
 * in one trace, so `seen`, the set of visited spans, contains only their indices. */
static void
follow (const LoomTimeline *timeline, LoomSpanId start, gboolean forward, guint max, GArray *lines)
{
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_array_append_val (queue, start);
  g_hash_table_add (seen, GUINT_TO_POINTER (start.span));
  for (guint i = 0; i < queue->len && lines->len < max; i++) {
    LoomSpanId span = g_array_index (queue, LoomSpanId, i);
    guint before = queue->len;
    loom_flow_lines_next (timeline, span, forward, queue);
    guint kept = before;
    for (guint k = before; k < queue->len; k++) {
      LoomSpanId next = g_array_index (queue, LoomSpanId, k);
      LoomFlowLine line = { forward ? span : next, forward ? next : span, FALSE, 0 };
      if (lines->len < max)
        g_array_append_val (lines, line);
      if (g_hash_table_add (seen, GUINT_TO_POINTER (next.span)))
        g_array_index (queue, LoomSpanId, kept++) = next;
    }
    g_array_set_size (queue, kept);
  }
}

void
loom_flow_lines_of_span (const LoomTimeline *timeline, LoomSpanId span, guint max, GArray *lines)
{
  g_return_if_fail (timeline != NULL && lines != NULL);
  if (loom_timeline_span_id_is_none (span))
    return;
  guint limit = lines->len + max;
  follow (timeline, span, FALSE, lines->len + max / 2, lines);
  follow (timeline, span, TRUE, limit, lines);
}
