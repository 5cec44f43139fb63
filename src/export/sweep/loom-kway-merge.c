/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements the k-way merge of the events of all tracks. The next event is either the next one of the sorted slice or
 * the one at the top of the heap (see loom-merge-private.h); the merge returns the earlier of the two. A second heap
 * contains the ends of the async spans that have begun.
 */
#include "loom-merge-private.h"

/* --- ends of async spans ------------------------------------------------------------------------------------------ */

/* Returns TRUE if the end `a` comes before the end `b`: the earlier end comes first. At equal times, the end of the
 * span that began later comes first, so that inner spans end before outer ones. */
static gboolean
ends_before (const PendingEnd *a, const PendingEnd *b)
{
  if (a->item.end_ns != b->item.end_ns)
    return a->item.end_ns < b->item.end_ns;
  return a->sequence > b->sequence;
}

static void
push_end (LoomKwayMerge *sweep, const LoomMergeItem *item)
{
  PendingEnd end = { *item, sweep->sequence++ };
  end.item.kind = LOOM_KWAY_MERGE_ASYNC_END;
  g_array_append_val (sweep->ends, end);
  PendingEnd *heap = (PendingEnd *) (gpointer) sweep->ends->data;
  for (guint slot = sweep->ends->len - 1; slot > 0 && ends_before (&heap[slot], &heap[(slot - 1) / 2]);
       slot = (slot - 1) / 2) {
    PendingEnd swap = heap[slot];
    heap[slot] = heap[(slot - 1) / 2];
    heap[(slot - 1) / 2] = swap;
  }
}

static void
pop_end (LoomKwayMerge *sweep, LoomMergeItem *item)
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

/* --- making and freeing the merge --------------------------------------------------------------------------------- */

static void
clear_cursor (gpointer data)
{
  LoomMergeCursor *cursor = data;
  g_free (cursor->positions);
  g_free (cursor->series);
  g_free (cursor->points);
}

static void
copy_maps (LoomKwayMerge *sweep)
{
  LoomRun *run = loom_timeline_get_run (sweep->timeline);
  sweep->maps = g_new0 (LoomClockMap, MAX (loom_run_get_n_clocks (run), 1));
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    guint first = loom_run_get_first_clock (run, t);
    for (guint c = 0; c < loom_trace_get_n_clocks (loom_run_get_trace (run, t)); c++)
      sweep->maps[first + c] =
        sweep->options.maps != NULL ? sweep->options.maps[first + c] : *loom_timeline_get_map (sweep->timeline, t, c);
  }
}

static gint
compare_ordinals (gconstpointer a, gconstpointer b)
{
  guint64 p = ((const LoomMergeCursor *) a)->ordinal, q = ((const LoomMergeCursor *) b)->ordinal;
  return p < q ? -1 : p > q;
}

/* Loads the first event of every cursor (LoomMergeCursor). Adds each cursor to the slice or the heap. */
static void
begin (LoomKwayMerge *sweep)
{
  g_array_sort (sweep->cursors, compare_ordinals);
  for (guint i = 0; i < sweep->cursors->len; i++) {
    LoomMergeCursor *cursor = loom_merge_cursor (sweep, i);
    if (!loom_merge_load_cursor (sweep, cursor))
      continue;
    LoomMergeKey key = { cursor->start_ns, cursor->end_ns, i };
    if (cursor->kind == LOOM_KWAY_MERGE_COUNTER)
      loom_merge_heap_add (sweep, &key);
    else
      loom_merge_slice_add (sweep, &key);
  }
}

LoomKwayMerge *
loom_kway_merge_new (LoomTimeline *timeline, const LoomPidTidMap *places, const LoomMergeOptions *options)
{
  LoomKwayMerge *sweep = g_new0 (LoomKwayMerge, 1);
  sweep->timeline = loom_timeline_ref (timeline);
  sweep->options = *options;
  sweep->cursors = g_array_new (FALSE, TRUE, sizeof (LoomMergeCursor));
  g_array_set_clear_func (sweep->cursors, clear_cursor);
  sweep->ends = g_array_new (FALSE, FALSE, sizeof (PendingEnd));
  sweep->samples = g_array_new (FALSE, FALSE, sizeof (LoomMergeSample));
  copy_maps (sweep);
  loom_merge_make_cursors (sweep, places);
  begin (sweep);
  return sweep;
}

void
loom_kway_merge_free (LoomKwayMerge *sweep)
{
  if (sweep == NULL)
    return;
  loom_timeline_unref (sweep->timeline);
  g_array_unref (sweep->cursors);
  g_array_unref (sweep->ends);
  g_array_unref (sweep->samples);
  loom_merge_slice_clear (&sweep->slice);
  g_free (sweep->heap);
  g_free (sweep->maps);
  g_free (sweep);
}

/* --- the next item of the merge ----------------------------------------------------------------------------------- */

static gboolean
has_entries (const LoomKwayMerge *sweep)
{
  return sweep->slice.at < sweep->slice.n;
}

/* Returns TRUE if the earliest event is in the slice (events of a period, sorted), FALSE if in the heap. The slice and
 * the heap must not both be empty. */
static inline gboolean
slice_is_first (const LoomKwayMerge *sweep)
{
  if (!has_entries (sweep) || sweep->n_heap == 0)
    return sweep->n_heap == 0;
  LoomMergeKey key = loom_merge_slice_key (&sweep->slice);
  return loom_merge_key_is_before (&key, &sweep->heap[0]);
}

/* Takes the event that is the earliest of all events in the slice and the heap, and sets `item` to it. Returns FALSE if
 * this event is outside the range. */
static gboolean
take_first (LoomKwayMerge *sweep, LoomMergeItem *item)
{
  const LoomMergeOptions *options = &sweep->options;
  if (slice_is_first (sweep)) {
    *item = loom_merge_slice_first (&sweep->slice)->item;
    sweep->slice.at++;
  } else if (options->has_range && sweep->heap[0].start_ns > options->range.end_ns) {
    sweep->n_heap = 0; /* all other events in the heap start even later, so that none of them is in the range */
    return FALSE;
  } else {
    loom_merge_heap_pop (sweep, item);
  }
  return !options->has_range || item->end_ns >= options->range.begin_ns;
}

/* Compares the earliest end among the async spans that have begun with the next start. Returns TRUE if the end comes
 * first. At equal times, the end comes first only if the start is that of an async span, because a step or an instant
 * at this time belongs to the span that ends. */
static gboolean
end_is_due (const LoomKwayMerge *sweep)
{
  if (sweep->ends->len == 0)
    return FALSE;
  gint64 end_ns = g_array_index (sweep->ends, PendingEnd, 0).item.end_ns;
  if (!has_entries (sweep) && sweep->n_heap == 0)
    return TRUE;
  LoomMergeKey next = slice_is_first (sweep) ? loom_merge_slice_key (&sweep->slice) : sweep->heap[0];
  if (next.start_ns != end_ns)
    return next.start_ns > end_ns;
  return loom_merge_cursor (sweep, next.cursor)->kind == LOOM_KWAY_MERGE_ASYNC;
}

gboolean
loom_kway_merge_next (LoomKwayMerge *sweep, LoomMergeItem *item)
{
  for (;;) {
    gboolean more = has_entries (sweep) || loom_merge_slice_fill (sweep) || sweep->n_heap > 0;
    if (end_is_due (sweep)) {
      pop_end (sweep, item);
      return TRUE;
    }
    if (!more)
      return FALSE;
    if (!take_first (sweep, item))
      continue;
    if (item->kind == LOOM_KWAY_MERGE_ASYNC && sweep->options.async_ends)
      push_end (sweep, item);
    return TRUE;
  }
}

const LoomMergeSample *
loom_kway_merge_get_samples (const LoomKwayMerge *sweep, guint *n)
{
  *n = sweep->samples->len;
  return (const LoomMergeSample *) (gpointer) sweep->samples->data;
}

guint64
loom_kway_merge_count (LoomTimeline *timeline)
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
