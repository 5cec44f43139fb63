/* SPDX-License-Identifier: Apache-2.0
 *
 * One cursor per row, counter track and flow list; a binary heap over the cursors; a second heap for the ends of async
 * spans that were begun.
 */
#include "loom-sweep.h"

#include <string.h>

typedef struct {
  LoomSweepKind kind;
  guint trace, track;
  guint64 ordinal;           /* place among all cursors */
  guint16 depth, lane;
  const LoomTrace *owner;
  const LoomClockMap *map;
  guint first_source;        /* flat number of the trace's source 0 */
  guint32 at, end;           /* columns; positions in `points` for flows */
  const LoomTrack *counter;
  guint32 *positions;        /* of each series of a counter */
  guint32 *points;           /* flow points of one clock, in order */
  gint64 start_ns, end_ns;   /* of what is next, timeline */
  LoomRef ref;
} Cursor;

typedef struct {
  LoomSweepItem item;
  guint64 sequence; /* begun later, ended first */
} PendingEnd;

typedef struct {
  guint32 series, position;
} Sample;

struct _LoomSweep {
  LoomTimeline *timeline;
  LoomSweepOptions options;
  LoomClockMap *maps;     /* one per clock of the run */
  GArray *cursors;        /* Cursor */
  guint *heap;            /* cursor numbers */
  guint n_heap;
  GArray *ends;           /* PendingEnd, a heap */
  guint64 sequence;
  GArray *samples;        /* Sample */
};

/* --- the next event of a cursor --------------------------------------------------------------------------------- */

static inline gint64
to_timeline (const LoomClockMap *map, gint64 local_ns)
{
  return G_LIKELY (map->drift_ppt == 0) ? loom_time_add (local_ns, map->offset_ns)
                                        : loom_clock_map_to_timeline (map, local_ns);
}

static inline gboolean
wants_source (const LoomSweep *sweep, const Cursor *cursor, LoomRef ref)
{
  if (G_LIKELY (sweep->options.sources == NULL))
    return TRUE;
  guint source = ref == LOOM_REF_NONE ? 0 : loom_ref_source (ref);
  if (source >= loom_trace_get_n_sources (cursor->owner))
    source = 0;
  return sweep->options.sources[cursor->first_source + source];
}

static gboolean
load_span (LoomSweep *sweep, Cursor *cursor)
{
  const LoomSpans *spans = loom_trace_get_spans (cursor->owner);
  for (; cursor->at < cursor->end; cursor->at++) {
    LoomRef ref = spans->ref[cursor->at];
    if (!wants_source (sweep, cursor, ref))
      continue;
    gint64 start_ns = spans->start_ns[cursor->at];
    gint64 end_ns = cursor->kind == LOOM_SWEEP_INSTANT ? start_ns : loom_time_add (start_ns, spans->dur_ns[cursor->at]);
    cursor->start_ns = to_timeline (cursor->map, start_ns);
    cursor->end_ns = end_ns == start_ns ? cursor->start_ns : to_timeline (cursor->map, end_ns);
    cursor->ref = ref;
    return TRUE;
  }
  return FALSE;
}

static gboolean
load_flow (LoomSweep *sweep, Cursor *cursor)
{
  guint32 n;
  const LoomFlowPoint *points = loom_trace_get_flow_points (cursor->owner, &n);
  for (; cursor->at < cursor->end; cursor->at++) {
    const LoomFlowPoint *point = &points[cursor->points[cursor->at]];
    if (!wants_source (sweep, cursor, point->ref))
      continue;
    cursor->start_ns = cursor->end_ns = to_timeline (cursor->map, point->time_ns);
    cursor->ref = point->ref;
    return TRUE;
  }
  return FALSE;
}

/* The earliest sample of all series; at equal times that of the event that stands first in its file. */
static gboolean
load_counter (LoomSweep *sweep, Cursor *cursor)
{
  gboolean found = FALSE;
  gint64 best_ns = 0;
  for (guint i = 0; i < cursor->counter->n_series; i++) {
    const LoomSeries *series = loom_trace_get_series (cursor->owner, cursor->counter->first_series + i);
    guint32 *position = &cursor->positions[i];
    while (*position < series->n && !wants_source (sweep, cursor, series->ref[*position]))
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
    cursor->start_ns = cursor->end_ns = to_timeline (cursor->map, best_ns);
  return found;
}

/* Moves behind the event that is next and notes which samples it was made of. */
static void
take_counter (LoomSweep *sweep, Cursor *cursor)
{
  g_array_set_size (sweep->samples, 0);
  for (guint i = 0; i < cursor->counter->n_series; i++) {
    const LoomSeries *series = loom_trace_get_series (cursor->owner, cursor->counter->first_series + i);
    guint32 *position = &cursor->positions[i];
    if (*position == series->n || series->ref[*position] != cursor->ref ||
        to_timeline (cursor->map, series->time_ns[*position]) != cursor->start_ns)
      continue;
    Sample sample = { cursor->counter->first_series + i, (*position)++ };
    g_array_append_val (sweep->samples, sample);
    if (cursor->ref == LOOM_REF_NONE) /* without a text every sample is an event of its own */
      return;
  }
}

static gboolean
load_cursor (LoomSweep *sweep, Cursor *cursor)
{
  switch (cursor->kind) {
  case LOOM_SWEEP_COUNTER: return load_counter (sweep, cursor);
  case LOOM_SWEEP_FLOW: return load_flow (sweep, cursor);
  default: return load_span (sweep, cursor);
  }
}

/* --- the heap --------------------------------------------------------------------------------------------------- */

static inline gboolean
is_before (const Cursor *a, const Cursor *b)
{
  if (a->start_ns != b->start_ns)
    return a->start_ns < b->start_ns;
  if (a->end_ns != b->end_ns)
    return a->end_ns > b->end_ns;
  return a->ordinal < b->ordinal;
}

static inline const Cursor *
cursor_at (const LoomSweep *sweep, guint slot)
{
  return &((const Cursor *) (gpointer) sweep->cursors->data)[sweep->heap[slot]];
}

static void
sift_down (LoomSweep *sweep, guint slot)
{
  for (;;) {
    guint child = slot * 2 + 1;
    if (child >= sweep->n_heap)
      return;
    if (child + 1 < sweep->n_heap && is_before (cursor_at (sweep, child + 1), cursor_at (sweep, child)))
      child++;
    if (!is_before (cursor_at (sweep, child), cursor_at (sweep, slot)))
      return;
    guint swap = sweep->heap[slot];
    sweep->heap[slot] = sweep->heap[child];
    sweep->heap[child] = swap;
    slot = child;
  }
}

static void
build_heap (LoomSweep *sweep)
{
  sweep->heap = g_new (guint, MAX (sweep->cursors->len, 1));
  for (guint i = 0; i < sweep->cursors->len; i++)
    if (load_cursor (sweep, &g_array_index (sweep->cursors, Cursor, i)))
      sweep->heap[sweep->n_heap++] = i;
  for (guint i = sweep->n_heap / 2; i-- > 0;)
    sift_down (sweep, i);
}

/* An end is due before another when it is earlier, or belongs to what began later: inner before outer. */
static gboolean
ends_before (const PendingEnd *a, const PendingEnd *b)
{
  if (a->item.end_ns != b->item.end_ns)
    return a->item.end_ns < b->item.end_ns;
  return a->sequence > b->sequence;
}

static void
push_end (LoomSweep *sweep, const LoomSweepItem *item)
{
  PendingEnd end = { *item, sweep->sequence++ };
  end.item.kind = LOOM_SWEEP_ASYNC_END;
  g_array_append_val (sweep->ends, end);
  PendingEnd *heap = (PendingEnd *) (gpointer) sweep->ends->data;
  for (guint slot = sweep->ends->len - 1; slot > 0 && ends_before (&heap[slot], &heap[(slot - 1) / 2]); slot = (slot - 1) / 2) {
    PendingEnd swap = heap[slot];
    heap[slot] = heap[(slot - 1) / 2];
    heap[(slot - 1) / 2] = swap;
  }
}

static void
pop_end (LoomSweep *sweep, LoomSweepItem *item)
{
  PendingEnd *heap = (PendingEnd *) (gpointer) sweep->ends->data;
  *item = heap[0].item;
  guint n = sweep->ends->len - 1;
  heap[0] = heap[n];
  g_array_set_size (sweep->ends, n);
  for (guint slot = 0;;) {
    guint child = slot * 2 + 1;
    if (child >= n)
      return;
    if (child + 1 < n && ends_before (&heap[child + 1], &heap[child]))
      child++;
    if (!ends_before (&heap[child], &heap[slot]))
      return;
    PendingEnd swap = heap[slot];
    heap[slot] = heap[child];
    heap[child] = swap;
    slot = child;
  }
}

/* --- making the cursors ------------------------------------------------------------------------------------------ */

static gboolean
wants_kind (const LoomSweep *sweep, LoomSweepKind kind)
{
  return sweep->options.kinds == 0 || (sweep->options.kinds & 1u << kind) != 0;
}

/* First position of a sorted column at or after the time. */
static guint32
lower_bound (const gint64 *time_ns, guint32 n, gint64 wanted_ns)
{
  guint32 low = 0;
  while (n > 0) {
    guint32 half = n / 2;
    if (time_ns[low + half] < wanted_ns) {
      low += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return low;
}

/* A local time that is surely before everything in range; maps round, so one ns is left. */
static gint64
local_begin (const LoomSweep *sweep, const Cursor *cursor)
{
  return loom_time_sub (loom_clock_map_to_local (cursor->map, sweep->options.range.begin_ns), 2);
}

static void
add_rows (LoomSweep *sweep, Cursor *cursor, const LoomTrack *track)
{
  static const LoomSweepKind kinds[] = { [LOOM_TRACK_SPANS] = LOOM_SWEEP_SPAN, [LOOM_TRACK_INSTANTS] = LOOM_SWEEP_INSTANT,
                                         [LOOM_TRACK_ASYNC] = LOOM_SWEEP_ASYNC };
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
      cursor->at += cursor->kind == LOOM_SWEEP_INSTANT
                      ? loom_row_lower_bound (cursor->owner, row, local_begin (sweep, cursor))
                      : loom_row_first_ending_after (cursor->owner, row, local_begin (sweep, cursor));
    g_array_append_val (sweep->cursors, *cursor);
    cursor->ordinal++;
  }
}

static void
add_counter (LoomSweep *sweep, Cursor *cursor, const LoomTrack *track)
{
  cursor->kind = LOOM_SWEEP_COUNTER;
  if (!wants_kind (sweep, LOOM_SWEEP_COUNTER))
    return;
  cursor->counter = track;
  cursor->positions = g_new0 (guint32, MAX (track->n_series, 1));
  for (guint i = 0; sweep->options.has_range && i < track->n_series; i++) {
    const LoomSeries *series = loom_trace_get_series (cursor->owner, track->first_series + i);
    cursor->positions[i] = lower_bound (series->time_ns, series->n, local_begin (sweep, cursor));
  }
  g_array_append_val (sweep->cursors, *cursor);
}

static guint
clock_of_ref (const LoomTrace *trace, LoomRef ref)
{
  guint source = loom_ref_source (ref);
  return source < loom_trace_get_n_sources (trace) ? loom_trace_get_source (trace, source)->clock : 0;
}

/* Flow points stand in one list per trace, sorted by local time: one cursor for each clock that has some. */
static void
add_flows (LoomSweep *sweep, guint number, const LoomTrace *trace, guint first_source, guint first_clock)
{
  guint32 n;
  const LoomFlowPoint *points = loom_trace_get_flow_points (trace, &n);
  if (n == 0 || !wants_kind (sweep, LOOM_SWEEP_FLOW))
    return;
  for (guint clock = 0; clock < loom_trace_get_n_clocks (trace); clock++) {
    Cursor cursor = { .kind = LOOM_SWEEP_FLOW, .trace = number, .track = G_MAXUINT, .ordinal = G_MAXUINT64 - G_MAXUINT + number,
                      .owner = trace, .map = &sweep->maps[first_clock + clock], .first_source = first_source };
    cursor.points = g_new (guint32, n);
    for (guint32 i = 0; i < n; i++)
      if (clock_of_ref (trace, points[i].ref) == clock)
        cursor.points[cursor.end++] = i;
    g_array_append_val (sweep->cursors, cursor);
  }
}

static void
add_trace (LoomSweep *sweep, const LoomPlaces *places, guint number)
{
  LoomRun *run = loom_timeline_get_run (sweep->timeline);
  const LoomTrace *trace = loom_run_get_trace (run, number);
  guint first_source = loom_run_get_first_source (run, number), first_clock = loom_run_get_first_clock (run, number);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    Cursor cursor = { .trace = number, .track = i, .owner = trace, .first_source = first_source,
                      .map = &sweep->maps[first_clock + track->clock] };
    cursor.ordinal = (guint64) loom_places_ordinal_of (places, number, i) << 32; /* rows count below */
    if (track->kind == LOOM_TRACK_COUNTER)
      add_counter (sweep, &cursor, track);
    else
      add_rows (sweep, &cursor, track);
  }
  add_flows (sweep, number, trace, first_source, first_clock);
}

static void
clear_cursor (gpointer data)
{
  Cursor *cursor = data;
  g_free (cursor->positions);
  g_free (cursor->points);
}

static void
copy_maps (LoomSweep *sweep)
{
  LoomRun *run = loom_timeline_get_run (sweep->timeline);
  sweep->maps = g_new0 (LoomClockMap, MAX (loom_run_get_n_clocks (run), 1));
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    guint first = loom_run_get_first_clock (run, t);
    for (guint c = 0; c < loom_trace_get_n_clocks (loom_run_get_trace (run, t)); c++)
      sweep->maps[first + c] = sweep->options.maps != NULL ? sweep->options.maps[first + c]
                                                           : *loom_timeline_get_map (sweep->timeline, t, c);
  }
}

LoomSweep *
loom_sweep_new (LoomTimeline *timeline, const LoomPlaces *places, const LoomSweepOptions *options)
{
  LoomSweep *sweep = g_new0 (LoomSweep, 1);
  sweep->timeline = loom_timeline_ref (timeline);
  sweep->options = *options;
  sweep->cursors = g_array_new (FALSE, TRUE, sizeof (Cursor));
  g_array_set_clear_func (sweep->cursors, clear_cursor);
  sweep->ends = g_array_new (FALSE, FALSE, sizeof (PendingEnd));
  sweep->samples = g_array_new (FALSE, FALSE, sizeof (Sample));
  copy_maps (sweep);
  for (guint t = 0; t < loom_run_get_n_traces (loom_timeline_get_run (timeline)); t++)
    add_trace (sweep, places, t);
  build_heap (sweep);
  return sweep;
}

void
loom_sweep_free (LoomSweep *sweep)
{
  if (sweep == NULL)
    return;
  loom_timeline_unref (sweep->timeline);
  g_array_unref (sweep->cursors);
  g_array_unref (sweep->ends);
  g_array_unref (sweep->samples);
  g_free (sweep->heap);
  g_free (sweep->maps);
  g_free (sweep);
}

/* --- going on ---------------------------------------------------------------------------------------------------- */

static void
fill_item (const Cursor *cursor, LoomSweepItem *item)
{
  *item = (LoomSweepItem) { .kind = cursor->kind, .trace = cursor->trace, .track = cursor->track, .index = cursor->at,
                            .depth = cursor->depth, .lane = cursor->lane, .ref = cursor->ref,
                            .start_ns = cursor->start_ns, .end_ns = cursor->end_ns };
  if (cursor->kind != LOOM_SWEEP_FLOW)
    return;
  guint32 n;
  item->index = cursor->points[cursor->at];
  item->track = loom_trace_get_flow_points (cursor->owner, &n)[item->index].track;
}

static void
advance (LoomSweep *sweep, Cursor *cursor)
{
  if (cursor->kind == LOOM_SWEEP_COUNTER)
    take_counter (sweep, cursor);
  else
    cursor->at++;
  if (!load_cursor (sweep, cursor))
    sweep->heap[0] = sweep->heap[--sweep->n_heap];
  sift_down (sweep, 0);
}

/* Takes what the top of the heap has; FALSE when it is out of range. */
static gboolean
take_top (LoomSweep *sweep, LoomSweepItem *item)
{
  Cursor *cursor = &g_array_index (sweep->cursors, Cursor, sweep->heap[0]);
  fill_item (cursor, item);
  if (sweep->options.has_range && cursor->start_ns > sweep->options.range.end_ns) {
    sweep->n_heap = 0; /* everything else starts even later */
    return FALSE;
  }
  advance (sweep, cursor);
  return !sweep->options.has_range || item->end_ns >= sweep->options.range.begin_ns;
}

/* Whether the first pending end is due before what starts next. A span of no length ends right where it began, before
 * anything else starts. */
static gboolean
end_is_due (const LoomSweep *sweep)
{
  if (sweep->ends->len == 0)
    return FALSE;
  return sweep->n_heap == 0 || g_array_index (sweep->ends, PendingEnd, 0).item.end_ns <= cursor_at (sweep, 0)->start_ns;
}

gboolean
loom_sweep_next (LoomSweep *sweep, LoomSweepItem *item)
{
  for (;;) {
    if (end_is_due (sweep)) {
      pop_end (sweep, item);
      return TRUE;
    }
    if (sweep->n_heap == 0)
      return FALSE;
    if (!take_top (sweep, item))
      continue;
    if (item->kind == LOOM_SWEEP_ASYNC && sweep->options.async_ends)
      push_end (sweep, item);
    return TRUE;
  }
}

guint
loom_sweep_get_n_samples (const LoomSweep *sweep)
{
  return sweep->samples->len;
}

void
loom_sweep_get_sample (const LoomSweep *sweep, guint i, guint32 *series, guint32 *position)
{
  g_return_if_fail (i < sweep->samples->len);
  const Sample *sample = &g_array_index (sweep->samples, Sample, i);
  *series = sample->series;
  *position = sample->position;
}
