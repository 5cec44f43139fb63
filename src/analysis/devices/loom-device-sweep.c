/* SPDX-License-Identifier: Apache-2.0
 *
 * A heap of rows yields the spans in order of their begins. For each kind of work only the latest end so far is kept:
 * the kind runs without a gap until then, as no later span begins before the current one.
 */
#include "loom-device-sweep.h"

#define CANCEL_EVERY 65536
#define N_BITS (LOOM_N_DEVICE_WORK + 1)

/* A row, or the window of a trace, at its current span, cut to the range. */
typedef struct {
  gint64 begin_ns, end_ns;
  const LoomDeviceRow *row; /* NULL: the window of a trace */
  const LoomSpans *spans;
  guint32 at, end;
  guint bit;
} Cursor;

typedef struct {
  LoomRange range;
  GArray *heap; /* Cursor, earliest begin on top */
  gint64 at_ns;
  gint64 end_ns[N_BITS];
  LoomDeviceSweepFunc func;
  gpointer user_data;
} Sweep;

/* --- rows ------------------------------------------------------------------------------------------------------- */

/* Moves to the next work at or after `at`; returns FALSE if the range has none. */
static gboolean
settle (Cursor *cursor, LoomRange range)
{
  for (; cursor->at < cursor->end; cursor->at++) {
    if (!loom_device_rows_is_work (cursor->row, cursor->spans, cursor->at))
      continue;
    gint64 start = cursor->spans->start_ns[cursor->at];
    cursor->begin_ns = MAX (loom_clock_map_to_timeline (cursor->row->map, start), range.begin_ns);
    if (cursor->begin_ns >= range.end_ns)
      return FALSE;
    gint64 end = loom_time_add (start, cursor->spans->dur_ns[cursor->at]);
    cursor->end_ns = MIN (loom_clock_map_to_timeline (cursor->row->map, end), range.end_ns);
    cursor->bit = cursor->row->works[cursor->spans->name_id[cursor->at]];
    if (cursor->end_ns >= cursor->begin_ns)
      return TRUE;
  }
  return FALSE;
}

static void
sift_down (GArray *heap, guint at)
{
  Cursor *cursors = (Cursor *) (gpointer) heap->data;
  Cursor moved = cursors[at];
  for (guint child = 2 * at + 1; child < heap->len; child = 2 * at + 1) {
    if (child + 1 < heap->len && cursors[child + 1].begin_ns < cursors[child].begin_ns)
      child++;
    if (moved.begin_ns <= cursors[child].begin_ns)
      break;
    cursors[at] = cursors[child];
    at = child;
  }
  cursors[at] = moved;
}

static void
add_row (Sweep *sweep, LoomTrace *trace, const LoomDeviceRow *row)
{
  LoomRow whole = { .first = row->first, .n = row->end - row->first };
  guint32 first =
    loom_trace_row_first_ending_after (trace, &whole, loom_clock_map_to_local (row->map, sweep->range.begin_ns));
  Cursor cursor = { .row = row, .spans = loom_trace_get_spans (trace), .at = row->first + first, .end = row->end };
  if (settle (&cursor, sweep->range))
    g_array_append_val (sweep->heap, cursor);
}

static void
fill_heap (Sweep *sweep, const LoomDeviceRows *lanes, const LoomDeviceRowGroup *group)
{
  LoomRun *run = loom_timeline_get_run (loom_device_rows_get_timeline (lanes));
  for (guint i = 0; i < group->rows->len; i++) {
    const LoomDeviceRow *row = &g_array_index (group->rows, LoomDeviceRow, i);
    add_row (sweep, loom_run_get_trace (run, row->trace), row);
  }
  for (guint i = 0; i < group->windows->len; i++) {
    LoomRange window = g_array_index (group->windows, LoomDeviceWindow, i).range;
    Cursor cursor = { .begin_ns = MAX (window.begin_ns, sweep->range.begin_ns),
                      .end_ns = MIN (window.end_ns, sweep->range.end_ns),
                      .bit = LOOM_N_DEVICE_WORK };
    if (cursor.begin_ns < cursor.end_ns)
      g_array_append_val (sweep->heap, cursor);
  }
  for (guint i = sweep->heap->len / 2; i-- > 0;)
    sift_down (sweep->heap, i);
}

/* --- the pass --------------------------------------------------------------------------------------------------- */

/* Reports what ran from the sweep's position to `to_ns`. */
static void
go_to (Sweep *sweep, gint64 to_ns)
{
  while (sweep->at_ns < to_ns) {
    gint64 next_ns = to_ns;
    guint mask = 0;
    for (guint bit = 0; bit < N_BITS; bit++) {
      if (sweep->end_ns[bit] <= sweep->at_ns)
        continue;
      mask |= 1u << bit;
      next_ns = MIN (next_ns, sweep->end_ns[bit]);
    }
    if (mask != 0)
      sweep->func (sweep->at_ns, next_ns, mask, sweep->user_data);
    sweep->at_ns = mask != 0 ? next_ns : to_ns;
  }
}

static void
note (LoomDeviceSweepSeen *seen, const Cursor *top)
{
  seen->n_spans[top->bit]++;
  seen->sum_ns[top->bit] = loom_time_add (seen->sum_ns[top->bit], loom_time_sub (top->end_ns, top->begin_ns));
  seen->first_ns = seen->first_ns == LOOM_TIME_NONE ? top->begin_ns : MIN (seen->first_ns, top->begin_ns);
  seen->last_ns = MAX (seen->last_ns, top->end_ns);
}

static void
step_top (Sweep *sweep)
{
  Cursor *top = &g_array_index (sweep->heap, Cursor, 0);
  top->at++;
  if (top->row == NULL || !settle (top, sweep->range)) {
    *top = g_array_index (sweep->heap, Cursor, sweep->heap->len - 1);
    g_array_set_size (sweep->heap, sweep->heap->len - 1);
  }
  if (sweep->heap->len > 0)
    sift_down (sweep->heap, 0);
}

gboolean
loom_device_sweep (const LoomDeviceRows *lanes, const LoomDeviceRowGroup *group, LoomRange range,
                   LoomDeviceSweepFunc func, gpointer user_data, LoomDeviceSweepSeen *seen, GCancellable *cancellable)
{
  g_autoptr (GArray) heap = g_array_new (FALSE, FALSE, sizeof (Cursor));
  Sweep sweep = { .range = range, .heap = heap, .at_ns = G_MININT64, .func = func, .user_data = user_data };
  *seen = (LoomDeviceSweepSeen) { .first_ns = LOOM_TIME_NONE, .last_ns = LOOM_TIME_NONE };
  for (guint bit = 0; bit < N_BITS; bit++)
    sweep.end_ns[bit] = G_MININT64;
  fill_heap (&sweep, lanes, group);
  for (guint64 n = 1; heap->len > 0; n++) {
    const Cursor *top = &g_array_index (heap, Cursor, 0);
    go_to (&sweep, top->begin_ns);
    sweep.end_ns[top->bit] = MAX (sweep.end_ns[top->bit], top->end_ns);
    if (top->row != NULL)
      note (seen, top);
    step_top (&sweep);
    if (n % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
  }
  gint64 last_ns = G_MININT64;
  for (guint bit = 0; bit < N_BITS; bit++)
    last_ns = MAX (last_ns, sweep.end_ns[bit]);
  go_to (&sweep, last_ns);
  return !g_cancellable_is_cancelled (cancellable);
}
