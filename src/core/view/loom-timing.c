/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures the spans of a range or a selection: how many there are, and how often they start (loom-timing.h).
 */
#include "loom-timing.h"

#include "loom-row-parts.h"

static void
add_starts (LoomTiming *timing, guint64 n, gint64 first_ns, gint64 last_ns)
{
  timing->first_ns = timing->n_starts == 0 ? first_ns : MIN (timing->first_ns, first_ns);
  timing->last_ns = timing->n_starts == 0 ? last_ns : MAX (timing->last_ns, last_ns);
  timing->n_starts += n;
}

LoomTiming
loom_timing_of_spans (const LoomTimeline *timeline, const LoomSpanId *spans, guint n)
{
  LoomTiming timing = { 0 };
  gint64 last_end_ns = G_MININT64;
  for (guint i = 0; i < n; i++) {
    gint64 start_ns, end_ns;
    loom_timeline_get_span (timeline, spans[i], &start_ns, &end_ns);
    add_starts (&timing, 1, start_ns, start_ns);
    last_end_ns = MAX (last_end_ns, end_ns);
    timing.longest_ns = MAX (timing.longest_ns, loom_time_sub (end_ns, start_ns));
  }
  timing.count = n;
  timing.duration_ns = n > 0 ? loom_time_sub (last_end_ns, timing.first_ns) : 0;
  return timing;
}

static void
add_row (LoomTiming *timing, const LoomTimeline *timeline, const LoomRowPart *part, const LoomRow *row, LoomRange range)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), part->id.trace);
  const LoomClockMap *map =
    loom_timeline_get_map (timeline, part->id.trace, loom_trace_get_track (trace, part->id.track)->clock);
  const gint64 *start_ns = loom_trace_get_spans (trace)->start_ns;
  gint64 begin_ns = loom_clock_map_to_local (map, MAX (range.begin_ns, part->range.begin_ns));
  guint32 first, end;
  loom_row_part_find_spans (part, timeline, row, range, &first, &end);
  timing->count += end - first;
  first = MAX (first, row->first + loom_trace_row_lower_bound (trace, row, begin_ns));
  if (end > first)
    add_starts (timing, end - first, loom_clock_map_to_timeline (map, start_ns[first]),
                loom_clock_map_to_timeline (map, start_ns[end - 1]));
}

static void
add_part (LoomTiming *timing, LoomTimelineState *state, const LoomRowPart *part, LoomRange range)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (state);
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), part->id.trace);
  const LoomTrack *track = loom_trace_get_track (trace, part->id.track);
  gboolean spans = track->kind == LOOM_TRACK_SPANS || track->kind == LOOM_TRACK_ASYNC;
  if (!spans || (track->flags & LOOM_TRACK_DERIVED) || !loom_timeline_state_shows_track (state, part->id))
    return;
  for (guint i = 0; i < track->n_rows; i++)
    add_row (timing, timeline, part, loom_trace_get_row (trace, track->first_row + i), range);
}

LoomTiming
loom_timing_of_range (LoomTimelineState *state, LoomRange range)
{
  LoomTiming timing = { .duration_ns = loom_time_sub (range.end_ns, range.begin_ns) };
  g_autoptr (GArray) parts = loom_row_parts_list_all (loom_timeline_state_get_row_list (state));
  for (guint i = 0; i < parts->len; i++)
    add_part (&timing, state, &g_array_index (parts, LoomRowPart, i), range);
  return timing;
}

gboolean
loom_timing_between_marks (const LoomMarker *marks, guint n, gint64 at_ns, LoomRange *range)
{
  if (n < 2)
    return FALSE;
  guint second = n - 1;
  for (guint i = 1; i < n; i++)
    if (marks[i - 1].time_ns <= at_ns && at_ns < marks[i].time_ns)
      second = i;
  *range = (LoomRange) { marks[second - 1].time_ns, marks[second].time_ns };
  return TRUE;
}

static gint64
stretch_of (const LoomTiming *timing)
{
  return timing->n_starts > 1 ? loom_time_sub (timing->last_ns, timing->first_ns) : 0;
}

gint64
loom_timing_get_period_ns (const LoomTiming *timing)
{
  gint64 n = (gint64) timing->n_starts - 1, stretch_ns = stretch_of (timing);
  return stretch_ns > 0 ? stretch_ns / n + (stretch_ns % n >= (n + 1) / 2) : 0;
}

double
loom_timing_get_frequency_hz (const LoomTiming *timing)
{
  gint64 stretch_ns = stretch_of (timing);
  return stretch_ns > 0 ? (double) (timing->n_starts - 1) * LOOM_NS_PER_S / (double) stretch_ns : 0;
}
