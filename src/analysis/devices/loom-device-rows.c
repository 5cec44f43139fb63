/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-device-rows.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-statistics.h"
#include "loom-track-rank.h"

#define CANCEL_EVERY 65536

/* State while the rows of one trace are collected. */
typedef struct {
  LoomDeviceRows *lanes;
  gboolean by_device;
  GCancellable *cancellable;
  GHashTable *known; /* set of the groups (LoomDeviceRowGroup) found so far */
  guint number;
  LoomTrace *trace;
  gboolean by_process; /* TRUE if each process of unknown rank in this trace forms a separate group */
  /* [1: on tracks of devices, 0: on other tracks][name id] LoomWorkKind; NULL: no name is device work */
  const guint8 *works[2];
} Gathering;

static void
group_free (gpointer data)
{
  LoomDeviceRowGroup *group = data;
  g_array_unref (group->rows);
  g_array_unref (group->windows);
  g_array_unref (group->sources);
  g_free (group);
}

static const guint8 *
find_works (const LoomTrace *trace, gboolean device)
{
  const guint8 *works = loom_work_kind_of_names (trace, device);
  for (guint i = 0; i < loom_trace_get_n_names (trace); i++)
    if (works[i] < LOOM_N_DEVICE_WORK)
      return works;
  return NULL;
}

/* --- groups: the devices of a rank -------------------------------------------------------------------------------- */

static guint
hash_group (gconstpointer key)
{
  const LoomDeviceRowGroup *group = key;
  guint hash = group->device != NULL ? g_str_hash (group->device) : 0;
  return hash * 31 + (guint) group->rank * 2654435761u + group->trace + group->process * 40503u;
}

static gboolean
is_same_group (gconstpointer a, gconstpointer b)
{
  const LoomDeviceRowGroup *x = a, *y = b;
  return x->rank == y->rank && x->trace == y->trace && x->process == y->process && g_strcmp0 (x->node, y->node) == 0 &&
         g_strcmp0 (x->device, y->device) == 0;
}

/* Returns TRUE if two processes of unknown rank in the trace have the same label. Then the label does not identify a
 * device: a merged file contains the traces of several programs, and each of them can call a different GPU "GPU 0". */
static gboolean
has_equal_labels (const LoomTrace *trace)
{
  g_autoptr (GHashTable) process_of = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (track->rank >= 0 || !loom_trace_track_is_device (track))
      continue;
    gpointer process = GUINT_TO_POINTER (track->process_id + 1),
             first = g_hash_table_lookup (process_of, track->process);
    if (first != NULL && first != process)
      return TRUE;
    g_hash_table_insert (process_of, (gpointer) track->process, process);
  }
  return FALSE;
}

/* Returns the group of a track; adds the group if it does not exist. Tracks of unknown rank are grouped by trace. If
 * the groups are devices, or if processes have equal labels (has_equal_labels()), such tracks are also grouped by
 * process. */
static LoomDeviceRowGroup *
group_of (Gathering *at, const LoomTrack *track)
{
  const LoomDeviceRowGroup wanted = { .node = track->node,
                                      .rank = track->rank,
                                      .is_process = loom_track_rank_is_process (track, track->format),
                                      .device = at->by_device ? track->process : NULL,
                                      .trace = track->rank < 0 ? at->number : G_MAXUINT32,
                                      .process = track->rank < 0 && at->by_process ? track->process_id : G_MAXUINT32 };
  LoomDeviceRowGroup *group = g_hash_table_lookup (at->known, &wanted);
  if (group != NULL)
    return group;
  group = g_memdup2 (&wanted, sizeof wanted);
  group->rows = g_array_new (FALSE, FALSE, sizeof (LoomDeviceRow));
  group->windows = g_array_new (FALSE, FALSE, sizeof (LoomDeviceWindow));
  group->sources = g_array_new (FALSE, FALSE, sizeof (guint));
  g_ptr_array_add (at->lanes->groups, group);
  g_hash_table_add (at->known, group);
  return group;
}

/* Adds to the group the sources of a row's spans: all sources from the source of the first span to that of the last
 * span. The spans of a row are sorted by source, because the sources of a trace follow each other in time. */
static void
add_sources (Gathering *at, LoomDeviceRowGroup *group, const LoomDeviceRow *row)
{
  const LoomRef *ref = loom_trace_get_spans (at->trace)->ref;
  guint first = loom_run_get_first_source (loom_timeline_get_run (at->lanes->timeline), at->number);
  guint from = loom_source_ref_source (ref[row->first]), to = loom_source_ref_source (ref[row->end - 1]);
  for (guint i = MIN (from, to); i <= MAX (from, to) && i < loom_trace_get_n_sources (at->trace); i++)
    loom_statistics_insert_number (group->sources, first + i);
}

static void
widen_window (Gathering *at, LoomDeviceRowGroup *group, const LoomDeviceRow *row)
{
  LoomTimeline *timeline = at->lanes->timeline;
  LoomRange range;
  gint64 other;
  loom_timeline_get_span (timeline, (LoomSpanId) { at->number, row->first }, &range.begin_ns, &other);
  loom_timeline_get_span (timeline, (LoomSpanId) { at->number, row->end - 1 }, &other, &range.end_ns);
  LoomDeviceWindow *last =
    group->windows->len > 0 ? &g_array_index (group->windows, LoomDeviceWindow, group->windows->len - 1) : NULL;
  if (last != NULL && last->trace == at->number) {
    last->range.begin_ns = MIN (last->range.begin_ns, range.begin_ns);
    last->range.end_ns = MAX (last->range.end_ns, range.end_ns);
    return;
  }
  LoomDeviceWindow window = { at->number, range };
  g_array_append_val (group->windows, window);
}

/* --- rows with device work ---------------------------------------------------------------------------------------- */

/* Shortens a row's range of spans so that it begins and ends with device work. Returns FALSE if the row has no device
 * work, or when cancelled. */
static gboolean
trim (Gathering *at, LoomDeviceRow *row)
{
  const LoomSpans *spans = loom_trace_get_spans (at->trace);
  for (; row->first < row->end && !loom_device_rows_is_work (row, spans, row->first); row->first++)
    if (row->first % CANCEL_EVERY == 0 && g_cancellable_is_cancelled (at->cancellable))
      return FALSE;
  while (row->end > row->first && !loom_device_rows_is_work (row, spans, row->end - 1))
    row->end--;
  return row->first < row->end;
}

static void
gather_track (Gathering *at, const LoomTrack *track)
{
  const guint8 *works = at->works[loom_trace_track_is_device (track)];
  if (track->kind != LOOM_TRACK_SPANS || (track->flags & (LOOM_TRACK_DERIVED | LOOM_TRACK_NO_EXTENT)) != 0 ||
      works == NULL)
    return;
  for (guint k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (at->trace, track->first_row + k);
    LoomDeviceRow found = { at->number, row->first, row->first + row->n, works,
                            loom_timeline_get_map (at->lanes->timeline, at->number, track->clock) };
    if (!trim (at, &found))
      continue;
    LoomDeviceRowGroup *group = group_of (at, track);
    widen_window (at, group, &found);
    add_sources (at, group, &found);
    g_array_append_val (group->rows, found);
  }
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  const LoomDeviceRowGroup *x = *(LoomDeviceRowGroup *const *) a, *y = *(LoomDeviceRowGroup *const *) b;
  int nodes = g_strcmp0 (x->node, y->node);
  if (nodes != 0)
    return nodes;
  if (x->rank != y->rank)
    return x->rank < y->rank ? -1 : 1;
  guint32 first = g_array_index (x->windows, LoomDeviceWindow, 0).trace,
          second = g_array_index (y->windows, LoomDeviceWindow, 0).trace;
  if (first != second)
    return first < second ? -1 : 1;
  int devices = g_strcmp0 (x->device, y->device);
  if (devices != 0)
    return devices;
  return x->process < y->process ? -1 : x->process > y->process;
}

LoomDeviceRows *
loom_device_rows_new (LoomTimeline *timeline, gboolean by_device, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  g_autoptr (LoomDeviceRows) lanes = g_new0 (LoomDeviceRows, 1);
  lanes->timeline = loom_timeline_ref (timeline);
  lanes->groups = g_ptr_array_new_with_free_func (group_free);
  g_autoptr (GHashTable) known = g_hash_table_new (hash_group, is_same_group);
  LoomRun *run = loom_timeline_get_run (timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    Gathering at = { lanes,
                     by_device,
                     cancellable,
                     known,
                     i,
                     trace,
                     by_device || has_equal_labels (trace),
                     { find_works (trace, FALSE), find_works (trace, TRUE) } };
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++)
      gather_track (&at, loom_trace_get_track (trace, k));
    if (g_cancellable_is_cancelled (cancellable))
      return NULL;
  }
  g_ptr_array_sort (lanes->groups, compare_groups);
  return g_steal_pointer (&lanes);
}

void
loom_device_rows_free (LoomDeviceRows *lanes)
{
  if (lanes == NULL)
    return;
  g_ptr_array_unref (lanes->groups);
  loom_timeline_unref (lanes->timeline);
  g_free (lanes);
}

const char *
loom_device_rows_why_nothing (const LoomDeviceRows *lanes)
{
  return lanes->groups->len > 0 ? _ ("There are no device kernels or device copies in this range")
                                : _ ("These files contain no device kernels or device copies");
}

/* --- the sweep: a pass over all rows in order of time ------------------------------------------------------------- */

/* The sweep takes the spans of all rows from a heap, in order of their starts. For each kind of work it stores the
 * latest end of the spans of this kind that were taken so far. The span with this end has already begun, so work of
 * this kind runs without a gap from the current time to this end. */

#define N_BITS (LOOM_N_DEVICE_WORK + 1)

/* The current span of a row, or the recorded time of a trace (LoomDeviceWindow), clipped to the range of the sweep. */
typedef struct {
  gint64 begin_ns, end_ns;
  const LoomDeviceRow *row; /* NULL: the recorded time of a trace */
  const LoomSpans *spans;
  guint32 at, end;
  guint bit;
} Cursor;

typedef struct {
  LoomRange range;
  GArray *heap; /* Cursor; the one with the earliest start is the first element */
  gint64 at_ns;
  gint64 end_ns[N_BITS];
  LoomDeviceRowsFunc func;
  gpointer user_data;
} Sweep;

/* Moves the cursor forward to the next device work that touches the range. If the current span is such work, the cursor
 * does not move. Returns FALSE if the row has no more such work. */
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
add_cursor (Sweep *sweep, LoomTrace *trace, const LoomDeviceRow *row)
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
  LoomRun *run = loom_timeline_get_run (lanes->timeline);
  for (guint i = 0; i < group->rows->len; i++) {
    const LoomDeviceRow *row = &g_array_index (group->rows, LoomDeviceRow, i);
    add_cursor (sweep, loom_run_get_trace (run, row->trace), row);
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

/* --- running the sweep ------------------------------------------------------------------------------------------ */

/* Moves the sweep forward to `to_ns`: calls `func` for the intervals from sweep->at_ns to `to_ns`, with the kinds of
 * work that run in them. */
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
note (LoomDeviceRowsSeen *seen, const Cursor *top)
{
  seen->n_spans++;
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
loom_device_rows_sweep (const LoomDeviceRows *lanes, const LoomDeviceRowGroup *group, LoomRange range,
                        LoomDeviceRowsFunc func, gpointer user_data, LoomDeviceRowsSeen *seen,
                        GCancellable *cancellable)
{
  g_autoptr (GArray) heap = g_array_new (FALSE, FALSE, sizeof (Cursor));
  Sweep sweep = { .range = range, .heap = heap, .at_ns = G_MININT64, .func = func, .user_data = user_data };
  *seen = (LoomDeviceRowsSeen) { .first_ns = LOOM_TIME_NONE, .last_ns = LOOM_TIME_NONE };
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
