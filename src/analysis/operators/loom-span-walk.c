/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-span-walk.h"

gboolean
loom_span_walk_next_lane (const LoomTrace *trace, const LoomTrack *track, guint32 *row, LoomSpanLane *lane)
{
  guint32 end = track->first_row + track->n_rows;
  if (*row >= end)
    return FALSE;
  guint16 number = loom_trace_get_row (trace, *row)->lane;
  *lane = (LoomSpanLane) { *row, 1 };
  while (number != LOOM_OVERFLOW_LANE && *row + lane->n_rows < end &&
         loom_trace_get_row (trace, *row + lane->n_rows)->lane == number)
    lane->n_rows++;
  *row += lane->n_rows;
  return TRUE;
}

LoomRange
loom_span_walk_get_local (LoomTimeline *timeline, guint trace, const LoomTrack *track, LoomRange range)
{
  const LoomClockMap *map = loom_timeline_get_map (timeline, trace, track->clock);
  return (LoomRange) { loom_clock_map_to_local (map, range.begin_ns), loom_clock_map_to_local (map, range.end_ns) };
}

void
loom_span_walk_init (LoomSpanWalk *walk)
{
  *walk = (LoomSpanWalk) { 0 };
}

void
loom_span_walk_clear (LoomSpanWalk *walk)
{
  g_free (walk->rows);
  *walk = (LoomSpanWalk) { 0 };
}

void
loom_span_walk_begin (LoomSpanWalk *walk, const LoomTrace *trace, LoomSpanLane lane, LoomRange local)
{
  g_return_if_fail (lane.n_rows > 0);
  if (lane.n_rows > walk->n_room) {
    walk->n_room = lane.n_rows;
    walk->rows = g_renew (LoomSpanWalkRow, walk->rows, walk->n_room);
  }
  walk->start_ns = loom_trace_get_spans (trace)->start_ns;
  walk->n_rows = walk->n_used = lane.n_rows;
  walk->depth = 0;
  walk->first_row = lane.first_row;
  for (guint32 d = 0; d < lane.n_rows; d++) {
    const LoomRow *row = loom_trace_get_row (trace, lane.first_row + d);
    guint32 first = row->first + loom_trace_row_first_ending_after (trace, row, local.begin_ns);
    guint32 end = row->first + loom_trace_row_lower_bound (trace, row, local.end_ns);
    walk->rows[d] = (LoomSpanWalkRow) { first, MAX (first, end) };
  }
}

/* Returns the number of spans of a row that start before `time_ns`. The search begins at the span with the index
 * `near`, and moves away from it in steps of increasing size. */
static guint32
count_before (const LoomSpanWalk *walk, const LoomRow *row, guint32 near, gint64 time_ns)
{
  const gint64 *starts = walk->start_ns + row->first;
  guint64 at = CLAMP (near, row->first, row->first + row->n) - row->first, low, high, step = 1;
  if (at > 0 && starts[at - 1] >= time_ns) {
    for (high = at - 1; high > 0 && starts[high - MIN (step, high)] >= time_ns; step *= 2)
      high -= MIN (step, high);
    low = high - MIN (step, high);
  } else {
    for (low = at; low < row->n && starts[MIN (low + step, row->n) - 1] < time_ns; step *= 2)
      low = MIN (low + step, row->n);
    high = MIN (low + step, row->n);
  }
  while (low < high) {
    guint64 middle = low + (high - low) / 2;
    if (starts[middle] < time_ns)
      low = middle + 1;
    else
      high = middle;
  }
  return (guint32) low;
}

void
loom_span_walk_begin_near (LoomSpanWalk *walk, const LoomTrace *trace, LoomSpanLane lane, LoomRange local)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  if (walk->rows == NULL || walk->start_ns != spans->start_ns || walk->first_row != lane.first_row ||
      walk->n_rows != lane.n_rows) {
    loom_span_walk_begin (walk, trace, lane, local);
    return;
  }
  walk->depth = 0;
  walk->n_used = 0;
  for (gboolean any = TRUE; any && walk->n_used < lane.n_rows; walk->n_used++) {
    const LoomRow *row = loom_trace_get_row (trace, lane.first_row + walk->n_used);
    guint32 first = row->first + count_before (walk, row, walk->rows[walk->n_used].next, local.begin_ns);
    guint32 end = row->first + row->n;
    if (first > row->first && loom_time_add (spans->start_ns[first - 1], spans->dur_ns[first - 1]) > local.begin_ns)
      first--; /* the last span that starts before the range may end in it */
    walk->rows[walk->n_used] = (LoomSpanWalkRow) { first, end };
    /* if this row has no spans in the range, deeper rows have none either */
    any = first < end && spans->start_ns[first] < local.end_ns;
  }
}

guint32
loom_span_walk_find_innermost (const LoomTrace *trace, const LoomTrack *track, gint64 time_ns)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 k = track->n_rows; k-- > 0;) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + k);
    guint32 n = loom_trace_row_lower_bound (trace, row, loom_time_add (time_ns, 1));
    guint32 last = row->first + n - 1;
    if (n > 0 && loom_time_add (spans->start_ns[last], spans->dur_ns[last]) > time_ns)
      return last;
  }
  return G_MAXUINT32;
}
