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
  walk->n_rows = lane.n_rows;
  walk->depth = 0;
  for (guint32 d = 0; d < lane.n_rows; d++) {
    const LoomRow *row = loom_trace_get_row (trace, lane.first_row + d);
    guint32 first = row->first + loom_trace_row_first_ending_after (trace, row, local.begin_ns);
    guint32 end = row->first + loom_trace_row_lower_bound (trace, row, local.end_ns);
    walk->rows[d] = (LoomSpanWalkRow) { first, MAX (first, end) };
  }
}
