/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-merge-private.h"

#include "loom-time-bsearch.h"

/* --- the next event of a cursor --------------------------------------------------------------------------------- */

static gboolean
load_flow (LoomKwayMerge *sweep, LoomMergeCursor *cursor)
{
  guint32 n;
  const LoomFlowPoint *points = loom_trace_get_flow_points (cursor->owner, &n);
  for (; cursor->at < cursor->end; cursor->at++) {
    const LoomFlowPoint *point = &points[cursor->points != NULL ? cursor->points[cursor->at] : cursor->at];
    if (!loom_merge_wants_source (sweep, cursor, point->ref))
      continue;
    cursor->start_ns = cursor->end_ns = loom_merge_to_timeline (cursor->map, point->time_ns);
    cursor->ref = point->ref;
    cursor->name_id = point->name_id;
    return TRUE;
  }
  return FALSE;
}

/* Loads the earliest next sample among all series of the counter; at equal times, the sample whose event is first in
 * the file. */
static gboolean
load_counter (LoomKwayMerge *sweep, LoomMergeCursor *cursor)
{
  gboolean found = FALSE;
  gint64 best_ns = 0;
  for (guint i = 0; i < cursor->counter->n_series; i++) {
    const LoomSeries *series = loom_trace_get_series (cursor->owner, cursor->counter->first_series + i);
    guint32 *position = &cursor->positions[i];
    while (*position < series->n && !loom_merge_wants_source (sweep, cursor, series->ref[*position]))
      (*position)++;
    if (*position == series->n)
      continue;
    gint64 time_ns = series->time_ns[*position];
    LoomRef ref = series->ref[*position];
    if (found && (time_ns > best_ns || (time_ns == best_ns && ref >= cursor->ref)))
      continue;
    found = TRUE;
    best_ns = time_ns;
    cursor->ref = ref;
  }
  if (found)
    cursor->start_ns = cursor->end_ns = loom_merge_to_timeline (cursor->map, best_ns);
  return found;
}

/* Moves the cursor of a counter past the next event and stores the event's samples. */
static void
take_counter (LoomKwayMerge *sweep, LoomMergeCursor *cursor)
{
  g_array_set_size (sweep->samples, 0);
  for (guint i = 0; i < cursor->counter->n_series; i++) {
    const LoomSeries *series = loom_trace_get_series (cursor->owner, cursor->counter->first_series + i);
    guint32 *position = &cursor->positions[i], first = *position;
    /* an event that states the value of a series twice has two samples in this series; the last one is used */
    while (*position < series->n && series->ref[*position] == cursor->ref &&
           loom_merge_to_timeline (cursor->map, series->time_ns[*position]) == cursor->start_ns &&
           (*position == first || cursor->ref != LOOM_REF_NONE))
      (*position)++;
    if (*position == first)
      continue;
    LoomMergeSample sample = { cursor->counter->first_series + i, *position - 1 };
    g_array_append_val (sweep->samples, sample);
    /* without a reference to an event in the file, every sample is an event of its own */
    if (cursor->ref == LOOM_REF_NONE)
      return;
  }
}

gboolean
loom_merge_load_cursor (LoomKwayMerge *sweep, LoomMergeCursor *cursor)
{
  switch (cursor->kind) {
  case LOOM_KWAY_MERGE_COUNTER: return load_counter (sweep, cursor);
  case LOOM_KWAY_MERGE_FLOW: return load_flow (sweep, cursor);
  default: return loom_merge_load_span (sweep, cursor);
  }
}

void
loom_merge_pass_cursor (LoomKwayMerge *sweep, LoomMergeCursor *cursor)
{
  if (cursor->kind == LOOM_KWAY_MERGE_COUNTER)
    take_counter (sweep, cursor);
  else
    cursor->at++;
}

void
loom_merge_fill_item (const LoomMergeCursor *cursor, LoomMergeItem *item)
{
  loom_merge_fill_span (cursor, item);
  if (cursor->kind != LOOM_KWAY_MERGE_FLOW)
    return;
  guint32 n;
  item->index = cursor->points != NULL ? cursor->points[cursor->at] : cursor->at;
  item->track = loom_trace_get_flow_points (cursor->owner, &n)[item->index].track;
}

/* --- making the cursors ------------------------------------------------------------------------------------------ */

static gboolean
wants_kind (const LoomKwayMerge *sweep, LoomMergeItemKind kind)
{
  return sweep->options.kinds == 0 || (sweep->options.kinds & 1u << kind) != 0;
}

/* Returns a local time that is certainly before the range: 2 ns earlier than the mapped begin, because clock maps round
 * to ns. */
static gint64
local_begin (const LoomKwayMerge *sweep, const LoomMergeCursor *cursor)
{
  return loom_time_sub (loom_clock_map_to_local (cursor->map, sweep->options.range.begin_ns), 2);
}

static void
add_rows (LoomKwayMerge *sweep, LoomMergeCursor *cursor, const LoomTrack *track)
{
  static const LoomMergeItemKind kinds[] = { [LOOM_TRACK_SPANS] = LOOM_KWAY_MERGE_SPAN,
                                             [LOOM_TRACK_INSTANTS] = LOOM_KWAY_MERGE_INSTANT,
                                             [LOOM_TRACK_ASYNC] = LOOM_KWAY_MERGE_ASYNC };
  cursor->kind = kinds[track->kind];
  if (!wants_kind (sweep, cursor->kind))
    return;
  for (guint32 r = 0; r < track->n_rows; r++) {
    const LoomRow *row = loom_trace_get_row (cursor->owner, track->first_row + r);
    cursor->depth = row->depth;
    cursor->lane = row->lane;
    cursor->at = row->first;
    cursor->end = row->first + row->n;
    if (sweep->options.has_range)
      cursor->at += cursor->kind == LOOM_KWAY_MERGE_INSTANT
                      ? loom_trace_row_lower_bound (cursor->owner, row, local_begin (sweep, cursor))
                      : loom_trace_row_first_ending_after (cursor->owner, row, local_begin (sweep, cursor));
    g_array_append_val (sweep->cursors, *cursor);
    cursor->ordinal++;
  }
}

static void
add_counter (LoomKwayMerge *sweep, LoomMergeCursor *cursor, const LoomTrack *track)
{
  cursor->kind = LOOM_KWAY_MERGE_COUNTER;
  if (!wants_kind (sweep, LOOM_KWAY_MERGE_COUNTER))
    return;
  cursor->counter = track;
  cursor->positions = g_new0 (guint32, MAX (track->n_series, 1));
  for (guint i = 0; sweep->options.has_range && i < track->n_series; i++) {
    const LoomSeries *series = loom_trace_get_series (cursor->owner, track->first_series + i);
    cursor->positions[i] = loom_time_bsearch_time (series->time_ns, 0, series->n, local_begin (sweep, cursor));
  }
  g_array_append_val (sweep->cursors, *cursor);
}

static guint
clock_of_ref (const LoomTrace *trace, LoomRef ref)
{
  guint source = loom_source_ref_source (ref);
  return source < loom_trace_get_n_sources (trace) ? loom_trace_get_source (trace, source)->clock : 0;
}

/* Returns an array with one element per clock: the indices of the clock's flow points; NULL: the clock has no flow
 * points. */
static GArray **
split_by_clock (const LoomTrace *trace, const LoomFlowPoint *points, guint32 n)
{
  GArray **by_clock = g_new0 (GArray *, loom_trace_get_n_clocks (trace));
  for (guint32 i = 0; i < n; i++) {
    GArray **own = &by_clock[clock_of_ref (trace, points[i].ref)];
    if (*own == NULL)
      *own = g_array_new (FALSE, FALSE, sizeof (guint32));
    g_array_append_val (*own, i);
  }
  return by_clock;
}

/* Adds a cursor for each clock that has flow points. The flow points of a trace are in one list, sorted by local
 * time. */
static void
add_flows (LoomKwayMerge *sweep, guint number, const LoomTrace *trace, guint first_source, guint first_clock)
{
  guint32 n;
  guint n_clocks = loom_trace_get_n_clocks (trace);
  const LoomFlowPoint *points = loom_trace_get_flow_points (trace, &n);
  if (n == 0 || !wants_kind (sweep, LOOM_KWAY_MERGE_FLOW))
    return;
  g_autofree GArray **by_clock = n_clocks > 1 ? split_by_clock (trace, points, n) : NULL;
  for (guint clock = 0; clock < n_clocks; clock++) {
    LoomMergeCursor cursor = { .kind = LOOM_KWAY_MERGE_FLOW,
                               .trace = number,
                               .track = G_MAXUINT,
                               .ordinal = G_MAXUINT64 - G_MAXUINT + number,
                               .owner = trace,
                               .map = &sweep->maps[first_clock + clock],
                               .first_source = first_source };
    cursor.end = n;
    if (by_clock != NULL && by_clock[clock] == NULL)
      continue;
    if (by_clock != NULL) {
      cursor.end = by_clock[clock]->len;
      cursor.points = (guint32 *) (gpointer) g_array_free (by_clock[clock], FALSE);
    }
    g_array_append_val (sweep->cursors, cursor);
  }
}

static void
add_trace (LoomKwayMerge *sweep, const LoomPidTidMap *places, guint number)
{
  LoomRun *run = loom_timeline_get_run (sweep->timeline);
  const LoomTrace *trace = loom_run_get_trace (run, number);
  guint first_source = loom_run_get_first_source (run, number), first_clock = loom_run_get_first_clock (run, number);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    LoomMergeCursor cursor = { .trace = number,
                               .track = i,
                               .owner = trace,
                               .spans = loom_trace_get_spans (trace),
                               .first_source = first_source,
                               .map = &sweep->maps[first_clock + track->clock] };
    /* add_rows() sets the low 32 bits to the number of the row */
    cursor.ordinal = (guint64) loom_pid_tid_map_ordinal_of (places, number, i) << 32;
    if (track->kind == LOOM_TRACK_COUNTER)
      add_counter (sweep, &cursor, track);
    else
      add_rows (sweep, &cursor, track);
  }
  add_flows (sweep, number, trace, first_source, first_clock);
}

void
loom_merge_make_cursors (LoomKwayMerge *sweep, const LoomPidTidMap *places)
{
  for (guint t = 0; t < loom_run_get_n_traces (loom_timeline_get_run (sweep->timeline)); t++)
    add_trace (sweep, places, t);
}
