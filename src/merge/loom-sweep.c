/* SPDX-License-Identifier: Apache-2.0
 *
 * A binary heap over the cursors; a second one for the ends of async spans that were begun.
 */
#include "loom-sweep-private.h"

/* --- the heap --------------------------------------------------------------------------------------------------- */

static inline const LoomSweepCursor *
cursor_of (const LoomSweep *sweep, const LoomSweepKey *key)
{
  return &((const LoomSweepCursor *) (gpointer) sweep->cursors->data)[key->cursor];
}

static inline gboolean
is_before (const LoomSweep *sweep, const LoomSweepKey *a, const LoomSweepKey *b)
{
  if (G_LIKELY (a->start_ns != b->start_ns))
    return a->start_ns < b->start_ns;
  if (a->end_ns != b->end_ns)
    return a->end_ns > b->end_ns;
  return cursor_of (sweep, a)->ordinal < cursor_of (sweep, b)->ordinal;
}

/* Moves what is before `key` up until there is a place for it. */
static void
sift_down (LoomSweep *sweep, guint slot, LoomSweepKey key)
{
  LoomSweepKey *heap = sweep->heap;
  for (;;) {
    guint child = slot * 2 + 1;
    if (child >= sweep->n_heap)
      break;
    if (child + 1 < sweep->n_heap)
      child += (guint) is_before (sweep, &heap[child + 1], &heap[child]);
    if (!is_before (sweep, &heap[child], &key))
      break;
    heap[slot] = heap[child];
    slot = child;
  }
  heap[slot] = key;
}

static inline LoomSweepKey
make_key (const LoomSweepCursor *cursor, guint number)
{
  return (LoomSweepKey) { cursor->start_ns, cursor->end_ns, number };
}

static void
build_heap (LoomSweep *sweep)
{
  sweep->heap = g_new (LoomSweepKey, MAX (sweep->cursors->len, 1));
  for (guint i = 0; i < sweep->cursors->len; i++) {
    LoomSweepCursor *cursor = &g_array_index (sweep->cursors, LoomSweepCursor, i);
    if (loom_sweep_load_cursor (sweep, cursor))
      sweep->heap[sweep->n_heap++] = make_key (cursor, i);
  }
  for (guint i = sweep->n_heap / 2; i-- > 0;)
    sift_down (sweep, i, sweep->heap[i]);
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
  item->kind = cursor->kind;
  item->trace = cursor->trace;
  item->track = cursor->track;
  item->index = cursor->at;
  item->depth = cursor->depth;
  item->lane = cursor->lane;
  item->ref = cursor->ref;
  item->start_ns = cursor->start_ns;
  item->end_ns = cursor->end_ns;
  if (cursor->kind != LOOM_SWEEP_FLOW)
    return;
  guint32 n;
  item->index = cursor->points != NULL ? cursor->points[cursor->at] : cursor->at;
  item->track = loom_trace_get_flow_points (cursor->owner, &n)[item->index].track;
}

static void
advance (LoomSweep *sweep, LoomSweepCursor *cursor)
{
  guint number = sweep->heap[0].cursor;
  loom_sweep_pass_cursor (sweep, cursor);
  if (loom_sweep_load_cursor (sweep, cursor))
    sift_down (sweep, 0, make_key (cursor, number));
  else if (--sweep->n_heap > 0)
    sift_down (sweep, 0, sweep->heap[sweep->n_heap]);
}

/* Takes what the top of the heap has; FALSE when it is out of range. */
static gboolean
take_top (LoomSweep *sweep, LoomSweepItem *item)
{
  LoomSweepCursor *cursor = &g_array_index (sweep->cursors, LoomSweepCursor, sweep->heap[0].cursor);
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
  return sweep->n_heap == 0 || g_array_index (sweep->ends, PendingEnd, 0).item.end_ns <= sweep->heap[0].start_ns;
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

const LoomSweepSample *
loom_sweep_get_samples (const LoomSweep *sweep, guint *n)
{
  *n = sweep->samples->len;
  return (const LoomSweepSample *) (gpointer) sweep->samples->data;
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
