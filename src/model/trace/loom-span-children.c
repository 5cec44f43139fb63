/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-span-children.h"

#define MOST 200000

static const LoomRow *
row_below (const LoomTrace *trace, const LoomTrack *track, const LoomRow *above)
{
  for (guint i = 0; i < track->n_rows; i++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + i);
    if (row->depth == above->depth + 1 && row->lane == above->lane)
      return row;
  }
  return NULL;
}

gboolean
loom_span_children_get (const LoomTrace *trace, guint32 span, guint32 *from, guint32 *to)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 track, row;
  loom_trace_locate_span (trace, span, &track, &row);
  const LoomRow *own = loom_trace_get_row (trace, row);
  gboolean nests = loom_trace_get_track (trace, track)->kind == LOOM_TRACK_SPANS && own->lane != LOOM_OVERFLOW_LANE;
  const LoomRow *below = nests ? row_below (trace, loom_trace_get_track (trace, track), own) : NULL;
  if (below == NULL)
    return FALSE;
  *from = below->first + loom_trace_row_lower_bound (trace, below, spans->start_ns[span]);
  *to = below->first +
        loom_trace_row_lower_bound (trace, below, loom_time_add (spans->start_ns[span], spans->dur_ns[span]));
  return *to > *from;
}

gint64
loom_span_children_self_ns (const LoomTrace *trace, guint32 span)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  gint64 self_ns = spans->dur_ns[span];
  guint32 from, to;
  if (!loom_span_children_get (trace, span, &from, &to))
    return self_ns;
  if (to - from > MOST)
    return -1;
  for (guint32 i = from; i < to; i++)
    self_ns -= spans->dur_ns[i];
  return MAX (self_ns, 0);
}
