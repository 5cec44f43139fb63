/* SPDX-License-Identifier: Apache-2.0
 *
 * A binary heap over the cursors; a second one for the ends of async spans that were begun.
 */
#include "loom-sweep-private.h"

/* --- the heap --------------------------------------------------------------------------------------------------- */

static inline gboolean
is_before (const LoomSweepCursor *a, const LoomSweepCursor *b)
{
  if (a->start_ns != b->start_ns)
    return a->start_ns < b->start_ns;
  if (a->end_ns != b->end_ns)
    return a->end_ns > b->end_ns;
  return a->ordinal < b->ordinal;
}

static inline const LoomSweepCursor *
cursor_at (const LoomSweep *sweep, guint slot)
{
  return &((const LoomSweepCursor *) (gpointer) sweep->cursors->data)[sweep->heap[slot]];
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
    if (loom_sweep_load_cursor (sweep, &g_array_index (sweep->cursors, LoomSweepCursor, i)))
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

/* --- life ------------------------------------------------------------------------------------------------------------ */

static void
clear_cursor (gpointer data)
{
  LoomSweepCursor *cursor = data;
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
  sweep->cursors = g_array_new (FALSE, TRUE, sizeof (LoomSweepCursor));
  g_array_set_clear_func (sweep->cursors, clear_cursor);
  sweep->ends = g_array_new (FALSE, FALSE, sizeof (PendingEnd));
  sweep->samples = g_array_new (FALSE, FALSE, sizeof (LoomSweepSample));
  copy_maps (sweep);
  loom_sweep_make_cursors (sweep, places);
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
fill_item (const LoomSweepCursor *cursor, LoomSweepItem *item)
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
advance (LoomSweep *sweep, LoomSweepCursor *cursor)
{
  loom_sweep_pass_cursor (sweep, cursor);
  if (!loom_sweep_load_cursor (sweep, cursor))
    sweep->heap[0] = sweep->heap[--sweep->n_heap];
  sift_down (sweep, 0);
}

/* Takes what the top of the heap has; FALSE when it is out of range. */
static gboolean
take_top (LoomSweep *sweep, LoomSweepItem *item)
{
  LoomSweepCursor *cursor = &g_array_index (sweep->cursors, LoomSweepCursor, sweep->heap[0]);
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
  const LoomSweepSample *sample = &g_array_index (sweep->samples, LoomSweepSample, i);
  *series = sample->series;
  *position = sample->position;
}

guint64
loom_sweep_count (LoomTimeline *timeline)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  guint64 n = 0;
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    guint32 n_points;
    loom_trace_get_flow_points (trace, &n_points);
    n += n_points;
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
      n += loom_trace_get_track (trace, i)->n_events;
  }
  return n;
}
