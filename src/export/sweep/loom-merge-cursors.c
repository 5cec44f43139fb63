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

static const LoomSeries *
get_series (const LoomMergeCursor *cursor, guint32 number)
{
  return loom_trace_get_series (cursor->owner, cursor->counter->first_series + number);
}

/* Returns TRUE if the next sample of series `a` comes before the next sample of series `b`. If both samples have the
 * same time, the sample whose event is first in the file comes first. */
static gboolean
is_sample_before (const LoomMergeCursor *cursor, guint32 a, guint32 b)
{
  const LoomSeries *x = get_series (cursor, a), *y = get_series (cursor, b);
  guint32 i = cursor->positions[a], j = cursor->positions[b];
  if (x->time_ns[i] != y->time_ns[j])
    return x->time_ns[i] < y->time_ns[j];
  return x->ref[i] != y->ref[j] ? x->ref[i] < y->ref[j] : a < b;
}

/* Puts a series into the heap of series. `slot`: a free place in the heap. If series below this place are earlier than
 * `series`, they move up, and `series` gets a place further down. */
static void
sift_series_down (LoomMergeCursor *cursor, guint slot, guint32 series)
{
  guint32 *heap = cursor->series;
  for (guint child; (child = slot * 2 + 1) < cursor->n_series; slot = child) {
    if (child + 1 < cursor->n_series && is_sample_before (cursor, heap[child + 1], heap[child]))
      child++;
    if (!is_sample_before (cursor, heap[child], series))
      break;
    heap[slot] = heap[child];
  }
  heap[slot] = series;
}

/* Moves a series to its next sample in a source that the merge options select. Returns FALSE if there is none. */
static gboolean
skip_unwanted (LoomKwayMerge *sweep, const LoomMergeCursor *cursor, guint32 number)
{
  const LoomSeries *series = get_series (cursor, number);
  guint32 *position = &cursor->positions[number];
  while (*position < series->n && !loom_merge_wants_source (sweep, cursor, series->ref[*position]))
    (*position)++;
  return *position < series->n;
}

/* Makes the heap of those series that have samples. With this heap, each step of the counter's cursor takes O(log n)
 * for n series. */
static void
make_series_heap (LoomKwayMerge *sweep, LoomMergeCursor *cursor)
{
  cursor->series = g_new (guint32, MAX (cursor->counter->n_series, 1));
  for (guint32 i = 0; i < cursor->counter->n_series; i++)
    if (skip_unwanted (sweep, cursor, i))
      cursor->series[cursor->n_series++] = i;
  for (guint i = cursor->n_series / 2; i > 0; i--)
    sift_series_down (cursor, i - 1, cursor->series[i - 1]);
}

/* Loads the earliest next sample among all series of the counter. Returns FALSE if no series has a next sample. */
static gboolean
load_counter (LoomKwayMerge *sweep, LoomMergeCursor *cursor)
{
  if (cursor->series == NULL)
    make_series_heap (sweep, cursor);
  if (cursor->n_series == 0)
    return FALSE;
  const LoomSeries *series = get_series (cursor, cursor->series[0]);
  guint32 position = cursor->positions[cursor->series[0]];
  cursor->ref = series->ref[position];
  cursor->start_ns = cursor->end_ns = loom_merge_to_timeline (cursor->map, series->time_ns[position]);
  return TRUE;
}

/* Returns TRUE if the sample at `position` of the series belongs to the event that the cursor returns next. */
static gboolean
is_of_event (const LoomMergeCursor *cursor, const LoomSeries *series, guint32 position)
{
  return position < series->n && series->ref[position] == cursor->ref &&
         loom_merge_to_timeline (cursor->map, series->time_ns[position]) == cursor->start_ns;
}

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  const LoomMergeSample *x = a, *y = b;
  return (x->series > y->series) - (x->series < y->series);
}

/* Moves the cursor of a counter past the next event and stores the event's samples, sorted by series. */
static void
take_counter (LoomKwayMerge *sweep, LoomMergeCursor *cursor)
{
  g_array_set_size (sweep->samples, 0);
  while (cursor->n_series > 0) {
    guint32 number = cursor->series[0], *position = &cursor->positions[number];
    const LoomSeries *series = get_series (cursor, number);
    if (!is_of_event (cursor, series, *position))
      break;
    /* an event that states the value of a series twice has two samples in this series; the last one is used. Without a
     * reference to an event in the file, every sample is an event of its own */
    do
      (*position)++;
    while (cursor->ref != LOOM_REF_NONE && is_of_event (cursor, series, *position));
    LoomMergeSample sample = { cursor->counter->first_series + number, *position - 1 };
    g_array_append_val (sweep->samples, sample);
    if (!skip_unwanted (sweep, cursor, number))
      number = cursor->series[--cursor->n_series];
    if (cursor->n_series > 0)
      sift_series_down (cursor, 0, number);
    if (cursor->ref == LOOM_REF_NONE)
      break;
  }
  g_array_sort (sweep->samples, compare_samples);
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

/* Returns a local time that is certainly not after the begin of the range: the mapped begin minus 2 ns, because
 * clock maps round to ns. */
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

/* Adds a cursor for each clock that has flow points. The clocks need separate cursors, because the flow points of a
 * trace are in one list, sorted by local time, and each clock maps local times differently. */
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
    /* add_rows() puts the number of the row into the low 32 bits */
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
