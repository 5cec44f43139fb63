/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the stretches of a scan (loom_query_span_scan_begin()): the ranges of events in rows that may meet the
 * conditions.
 */
#include "loom-query-span-test.h"

#include "loom-event-list.h"
#include "loom-query-span-columns.h"
#include "loom-row-summary.h"
#include "loom-time-bsearch.h"

/* Number of ns by which a range of timeline times is extended when it is converted to local times, because a conversion
 * to local time and back may change a time by 1 ns (loom-clock-map.h). */
#define SLACK_NS 2

/* --- stretches ---------------------------------------------------------------------------------------------------- */

static gint64
to_local (const LoomClockMap *map, gint64 time_ns, gint64 slack_ns)
{
  if (time_ns == G_MININT64 || time_ns == G_MAXINT64)
    return time_ns;
  return loom_time_add (loom_clock_map_to_local (map, time_ns), slack_ns);
}

/* Estimates which span of a row is the first one that starts at `time_ns` (local time) or later, as if the starts were
 * evenly distributed over the track. Returns the index of this span within the row. */
static guint32
guess_start (const LoomTrack *track, const LoomRow *row, gint64 time_ns)
{
  double length_ns = (double) track->end_ns - (double) track->start_ns,
         share = length_ns > 0 ? ((double) time_ns - (double) track->start_ns) / length_ns : 0;
  return row->n > 0 ? (guint32) CLAMP (share * row->n, 0, row->n - 1) : 0;
}

/* Returns the column index of the first span of a row that starts at `time_ns` (local time) or later. The search begins
 * at an estimated index, because a binary search of the whole row would read more memory. */
static guint32
find_start (const LoomTrace *trace, const LoomTrack *track, const LoomRow *row, gint64 time_ns)
{
  const gint64 *starts_ns = loom_trace_get_spans (trace)->start_ns + row->first;
  return row->first + loom_time_bsearch_near (starts_ns, 0, row->n, guess_start (track, row, time_ns), time_ns);
}

/* Removes those spans from the end of `part` that start at `time_ns` (local time) or later. Searches from the start of
 * `part`: time ranges in queries are short, but each step of a binary search in a long row is a cache miss. */
static void
cut_end (const LoomTrace *trace, LoomQueryStretch *part, gint64 time_ns)
{
  if (part->at < part->to)
    part->to = loom_time_bsearch_near (loom_trace_get_spans (trace)->start_ns, part->at, part->to, part->at, time_ns);
}

/* Restricts the events [at, to) of `part` to those that may meet the conditions on the start and on `range`. */
static void
cut_times (const LoomQuerySpanScan *scan, const LoomTrace *trace, LoomQueryStretch *part, const LoomClockMap *map)
{
  const LoomRow *row = loom_trace_get_row (trace, part->row);
  gint64 from_ns = scan->start_ns.least, to_ns = scan->start_ns.most;
  if (from_ns != G_MININT64)
    part->at = MAX (
      part->at, find_start (trace, loom_trace_get_track (trace, part->track), row, to_local (map, from_ns, -SLACK_NS)));
  if (to_ns != G_MAXINT64)
    cut_end (trace, part, to_local (map, to_ns, SLACK_NS));
  if (!scan->touches)
    return;
  from_ns = to_local (map, scan->range.begin_ns, -SLACK_NS);
  part->at = MAX (part->at, row->first + loom_trace_row_first_ending_after (trace, row, from_ns));
  cut_end (trace, part, to_local (map, scan->range.end_ns, SLACK_NS));
}

static void
cut_ids (const LoomQuerySpanScan *scan, LoomQueryStretch *part)
{
  gint64 first = (gint64) part->trace << 32;
  if (scan->id.least > first + part->at)
    part->at = (guint32) MIN (scan->id.least - first, (gint64) part->to);
  if (scan->id.most < first + part->to - 1)
    part->to = scan->id.most < first + part->at ? part->at : (guint32) (scan->id.most - first + 1);
}

static gboolean
is_kind_wanted (const LoomQuerySpanScan *scan, LoomTrackKind kind)
{
  return scan->instants ? kind == LOOM_TRACK_INSTANTS : kind == LOOM_TRACK_SPANS || kind == LOOM_TRACK_ASYNC;
}

/* Returns TRUE if the limits and the conditions <> and IS NOT allow the value of a column. */
static gboolean
is_value_wanted (const LoomQuerySpanScan *scan, guint column, LoomQueryLimits limits, gint64 value)
{
  return loom_query_span_test_is_within (limits, value) && !loom_query_span_test_is_excluded (scan, column, value);
}

static gboolean
is_rank_wanted (const LoomQuerySpanScan *scan, const LoomTrace *trace, const LoomTrack *track)
{
  gboolean is_limited = loom_query_span_test_is_limited (scan->rank);
  if (!is_limited && scan->rank_nulls == LOOM_QUERY_NULLS_ANY && scan->n_exclusions == 0)
    return TRUE;
  gint rank = loom_event_list_get_rank (trace, track);
  if (rank < 0)
    return !is_limited && scan->rank_nulls & LOOM_QUERY_NULLS_ONLY;
  return scan->rank_nulls & LOOM_QUERY_NULLS_NEVER && is_value_wanted (scan, LOOM_QUERY_SPAN_RANK, scan->rank, rank);
}

/* Returns TRUE if the conditions allow events of this track. */
static gboolean
is_track_wanted (const LoomQuerySpanScan *scan, const LoomTrace *trace, guint t, guint number)
{
  const LoomTrack *track = loom_trace_get_track (trace, number);
  return is_kind_wanted (scan, track->kind) &&
         is_value_wanted (scan, LOOM_QUERY_SPAN_TRACK, scan->track, scan->run->first_track[t] + number) &&
         is_value_wanted (scan, LOOM_QUERY_SPAN_PROCESS, scan->process,
                          scan->run->first_process[t] + track->process_id) &&
         is_rank_wanted (scan, trace, track);
}

/* Returns TRUE if the conditions allow spans of this row. */
static gboolean
is_row_wanted (const LoomQuerySpanScan *scan, const LoomTrack *track, const LoomRow *row)
{
  return is_value_wanted (scan, LOOM_QUERY_SPAN_DEPTH, scan->depth, row->depth) &&
         (scan->parent_nulls & LOOM_QUERY_NULLS_ONLY ||
          (scan->parent_nulls != 0 && loom_query_span_test_is_row_nested (track, row)));
}

/* Returns TRUE if all spans of the row are shorter than the conditions require. Compares with half of the required
 * duration, because the drift of a clock changes durations, though by much less than half. */
static gboolean
is_row_too_short (const LoomQuerySpanScan *scan, const LoomTrace *trace, const LoomQueryStretch *part)
{
  LoomSpanSummary summary = { 0 };
  if (scan->duration_ns.least <= 0 || scan->instants || part->to - part->at <= LOOM_QUERY_SPAN_SHORT)
    return FALSE;
  loom_row_summary_add (trace, loom_trace_get_row (trace, part->row), G_MININT64, G_MAXINT64, &summary);
  return summary.n > 0 && summary.longest_ns < scan->duration_ns.least / 2;
}

/* Returns TRUE if the conditions allow only spans without a parent, but each span of the row has one. Returns FALSE for
 * a short range, whose spans are tested one by one. */
static gboolean
has_only_parents (const LoomQuerySpanScan *scan, const LoomTrack *track, const LoomRow *row,
                  const LoomQueryStretch *part)
{
  return scan->parent_nulls == LOOM_QUERY_NULLS_ONLY && part->to - part->at > LOOM_QUERY_SPAN_SHORT &&
         loom_query_span_test_is_row_nested (track, row) &&
         loom_query_run_is_row_inside (scan->run, part->trace, part->row);
}

/* Adds to the stretches of the scan (LoomQueryStretch) those events of `part` that may meet the conditions. */
static void
add_stretch (LoomQuerySpanScan *scan, const LoomTrace *trace, LoomQueryStretch part)
{
  const LoomTrack *track = loom_trace_get_track (trace, part.track);
  if (!is_track_wanted (scan, trace, part.trace, part.track) || loom_query_span_test_is_empty (scan->start_ns) ||
      part.at >= part.to || !is_row_wanted (scan, track, loom_trace_get_row (trace, part.row)))
    return;
  if (loom_query_span_test_is_limited (scan->id))
    cut_ids (scan, &part);
  if (loom_query_span_test_is_limited (scan->start_ns) || scan->touches)
    cut_times (scan, trace, &part, loom_timeline_get_map (scan->run->timeline, part.trace, track->clock));
  if (part.at < part.to && !is_row_too_short (scan, trace, &part) &&
      !has_only_parents (scan, track, loom_trace_get_row (trace, part.row), &part))
    g_array_append_val (scan->stretches, part);
}

static void
add_track (LoomQuerySpanScan *scan, const LoomTrace *trace, guint t, guint number)
{
  const LoomTrack *track = loom_trace_get_track (trace, number);
  if (!is_track_wanted (scan, trace, t, number))
    return;
  /* Skip the track if the conditions allow none of the names of the trace on tracks of this kind. With a time range
   * this is not tested, because few spans remain then, and testing only the names of these spans is faster. */
  if (scan->n_texts > 0 && !scan->touches && !loom_query_span_test_is_limited (scan->start_ns) &&
      !loom_query_span_test_has_allowed_name (scan, t, track))
    return;
  for (guint32 i = 0; i < track->n_rows; i++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + i);
    add_stretch (scan, trace, (LoomQueryStretch) { t, number, track->first_row + i, row->first, row->first + row->n });
  }
}

/* --- relatives ---------------------------------------------------------------------------------------------------- */

/* Returns the stretch of length 1 that contains only the span `id`. Tries the row of the last lookup first, because a
 * join often looks up one span after another in the same row. */
static LoomQueryStretch
locate (LoomQuerySpanScan *scan, const LoomTrace *trace, LoomSpanId id)
{
  LoomQueryStretch *last = &scan->located;
  const LoomRow *row = last->to > 0 && last->trace == id.trace ? loom_trace_get_row (trace, last->row) : NULL;
  if (row == NULL || id.span < row->first || id.span >= row->first + row->n)
    loom_trace_locate_span (trace, id.span, &last->track, &last->row);
  *last = (LoomQueryStretch) { id.trace, last->track, last->row, id.span, id.span + 1 };
  return *last;
}

/* Returns the spans of a deeper row that start within the first span of `of`, from its start to its end, both included.
 * A span of length zero that starts exactly at this start or end may instead be inside a neighbour of the first span of
 * `of`; the caller removes such spans. The search begins where the previous search ended, because a join often looks up
 * the children of one span after another. */
static LoomQueryStretch
find_below (LoomQuerySpanScan *scan, const LoomTrace *trace, const LoomQueryStretch *of, guint32 row_number)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  const LoomRow *row = loom_trace_get_row (trace, row_number);
  gint64 start_ns = spans->start_ns[of->at], end_ns = loom_time_add (start_ns, spans->dur_ns[of->at]);
  const gint64 *starts_ns = spans->start_ns + row->first;
  guint32 from = loom_time_bsearch_near (starts_ns, 0, row->n, MIN (scan->below, row->n), start_ns);
  scan->below = loom_time_bsearch_near (starts_ns, from, row->n, from, loom_time_add (end_ns, 1));
  return (LoomQueryStretch) { of->trace, of->track, row_number, row->first + from, row->first + scan->below };
}

/* Returns TRUE if the row `row_number` may contain spans that are inside spans of the row `above` of the same track. */
static gboolean
is_row_below (const LoomTrace *trace, const LoomTrack *track, const LoomRow *above, guint32 row_number)
{
  const LoomRow *row = row_number < track->first_row + track->n_rows ? loom_trace_get_row (trace, row_number) : NULL;
  return row != NULL && track->kind == LOOM_TRACK_SPANS && row->lane == above->lane && row->depth > above->depth &&
         above->lane != LOOM_OVERFLOW_LANE;
}

static gboolean
is_inside (const LoomTrace *trace, guint32 span, guint32 of)
{
  while (span != G_MAXUINT32 && span != of)
    span = loom_trace_get_parent (trace, span);
  return span == of;
}

/* Returns TRUE if `span` is a child of the first span of `of`. `span` must start within the first span of `of`, and be
 * in the row one level below it. Gives the same result as loom_trace_get_parent(), but without a search. */
static gboolean
is_child (const LoomTrace *trace, const LoomQueryStretch *of, guint32 span)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  const LoomRow *above = loom_trace_get_row (trace, of->row);
  if (of->at + 1 < above->first + above->n && spans->start_ns[of->at + 1] <= spans->start_ns[span])
    return FALSE;
  return loom_time_add (spans->start_ns[of->at], spans->dur_ns[of->at]) >=
         loom_time_add (spans->start_ns[span], spans->dur_ns[span]);
}

/* Removes spans from both ends of `part` until the first and the last span are children of the first span of `of`. */
static void
trim_children (const LoomTrace *trace, LoomQueryStretch *part, const LoomQueryStretch *of)
{
  while (part->at < part->to && !is_child (trace, of, part->at))
    part->at++;
  while (part->at < part->to && !is_child (trace, of, part->to - 1))
    part->to--;
}

/* Removes spans from both ends of `part` until the first and the last of the remaining spans are inside the span
 * `of`. */
static void
trim (const LoomTrace *trace, LoomQueryStretch *part, guint32 of)
{
  while (part->at < part->to && !is_inside (trace, part->at, of))
    part->at++;
  while (part->at < part->to && !is_inside (trace, part->to - 1, of))
    part->to--;
}

/* Adds the spans that are nested in the span `id` to the list of stretches (LoomQueryStretch) of the scan. Searches at
 * most `n_rows` rows below the row of this span. */
static void
add_below (LoomQuerySpanScan *scan, LoomSpanId id, guint n_rows)
{
  const LoomTrace *trace = loom_run_get_trace (scan->run->run, id.trace);
  LoomQueryStretch of = locate (scan, trace, id);
  const LoomTrack *track = loom_trace_get_track (trace, of.track);
  const LoomRow *above = loom_trace_get_row (trace, of.row);
  for (guint i = 1; i <= n_rows && is_row_below (trace, track, above, of.row + i); i++) {
    LoomQueryStretch part = find_below (scan, trace, &of, of.row + i);
    if (part.at >= part.to)
      return;
    if (i == 1)
      trim_children (trace, &part, &of);
    else
      trim (trace, &part, id.span);
    add_stretch (scan, trace, part);
  }
}

void
loom_query_span_scan_begin_at (LoomQuerySpanScan *scan, LoomSpanId id)
{
  const LoomTrace *trace = loom_run_get_trace (scan->run->run, id.trace);
  add_stretch (scan, trace, locate (scan, trace, id));
}

void
loom_query_span_scan_begin_below (LoomQuerySpanScan *scan, LoomSpanId id)
{
  add_below (scan, id, G_MAXUINT16);
}

void
loom_query_span_scan_begin_around (LoomQuerySpanScan *scan, LoomSpanId id)
{
  const LoomTrace *trace = loom_run_get_trace (scan->run->run, id.trace);
  guint32 parent = loom_trace_span_is_instant (trace, id.span) ? G_MAXUINT32 : loom_trace_get_parent (trace, id.span);
  for (; parent != G_MAXUINT32; parent = loom_trace_get_parent (trace, parent))
    add_stretch (scan, trace, locate (scan, trace, (LoomSpanId) { id.trace, parent }));
}

static void
add_tracks (LoomQuerySpanScan *scan)
{
  for (guint t = 0; t < scan->run->n_traces; t++) {
    const LoomTrace *trace = loom_run_get_trace (scan->run->run, t);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
      add_track (scan, trace, t, i);
  }
}

/* If two start times in the list of an IN condition are at most this far apart, one time range is searched for both of
 * them. The distance is needed because each range is extended by SLACK_NS, and ranges must not overlap. */
#define NEAR_NS 1000

/* Divides the listed start times of a condition start IN (…) into ranges: times that are at most NEAR_NS apart form one
 * range. For each range, sets scan->start_ns to the range and calls `visit` (may be NULL). Returns the number of
 * ranges. */
static guint64
visit_ranges (LoomQuerySpanScan *scan, void (*visit) (LoomQuerySpanScan *scan))
{
  const LoomQueryLimits all = scan->start_ns;
  const gint64 *starts_ns = scan->starts_ns->all;
  guint64 n = 0;
  for (gsize i = 0, next; i < scan->starts_ns->n; i = next, n++) {
    gint64 last_ns = starts_ns[i];
    scan->start_ns = (LoomQueryLimits) { MAX (all.least, last_ns), all.most };
    for (next = i + 1; next < scan->starts_ns->n; next++) {
      gint64 start_ns = starts_ns[next];
      if (loom_time_sub (start_ns, last_ns) > NEAR_NS)
        break;
      last_ns = start_ns;
    }
    scan->start_ns.most = MIN (all.most, last_ns);
    if (visit != NULL && !loom_query_span_test_is_empty (scan->start_ns))
      visit (scan);
  }
  scan->start_ns = all;
  return n;
}

static int
compare_scan_order (gconstpointer a, gconstpointer b)
{
  const LoomQueryStretch *first = a, *second = b;
  if (first->trace != second->trace)
    return first->trace < second->trace ? -1 : 1;
  if (first->track != second->track)
    return first->track < second->track ? -1 : 1;
  if (first->row != second->row)
    return first->row < second->row ? -1 : 1;
  return (first->at > second->at) - (first->at < second->at);
}

/* For a condition start IN (…): divides the listed times into ranges of close times (visit_ranges()), and finds the
 * events that start in each range by binary search in the rows. Sorts the stretches (LoomQueryStretch) that contain
 * these events by track, because a scan visits events track by track. Returns FALSE if reading all events would take
 * less time. */
static gboolean
find_ranges (LoomQuerySpanScan *scan)
{
  guint64 n_rows = 0;
  for (guint t = 0; t < scan->run->n_traces; t++) {
    const LoomTrace *trace = loom_run_get_trace (scan->run->run, t);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
      n_rows += loom_trace_get_track (trace, i)->n_rows;
  }
  if (visit_ranges (scan, NULL) * n_rows > (scan->run->n_spans + scan->run->n_instants) / 4)
    return FALSE;
  visit_ranges (scan, add_tracks);
  g_array_sort (scan->stretches, compare_scan_order);
  return TRUE;
}

void
loom_query_span_scan_begin (LoomQuerySpanScan *scan)
{
  LoomSpanId id;
  if (loom_query_span_test_is_empty (scan->id) || loom_query_span_test_is_empty (scan->track) ||
      loom_query_span_test_is_empty (scan->process) || loom_query_span_test_is_empty (scan->rank) ||
      loom_query_span_test_is_empty (scan->depth) || loom_query_span_test_is_empty (scan->start_ns) ||
      loom_query_span_test_is_empty (scan->duration_ns))
    return;
  if (scan->has_parent && scan->parent.least == scan->parent.most) {
    if (loom_query_run_unpack_id (scan->run, scan->parent.least, &id))
      add_below (scan, id, 1);
    return;
  }
  if (scan->has_parent && scan->parent.least > scan->parent.most)
    return;
  if (scan->id.least == scan->id.most) {
    if (loom_query_run_unpack_id (scan->run, scan->id.least, &id))
      loom_query_span_scan_begin_at (scan, id);
    return;
  }
  if (scan->starts_ns != NULL && find_ranges (scan))
    return;
  add_tracks (scan);
}
