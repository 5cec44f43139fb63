/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-path-items.h"

#include <string.h>

#include "loom-launch-walk.h"
#include "loom-main-thread.h"
#include "loom-merge-sort.h"
#include "loom-parallel.h"
#include "loom-path-part.h"
#include "loom-span-walk.h"
#include "loom-work-kind.h"

typedef struct {
  LoomPathItems *items;
  LoomPathPart *parts; /* one element for each trace */
  const LoomCollectives *collectives;
  GCancellable *cancellable;
} Collection;

#define IS_LESS(a, b) (*(a) < *(b))
LOOM_DEFINE_SORT (sort_spans, guint32, IS_LESS)

/* --- kernels and copies ------------------------------------------------------------------------------------------- */

static void
add_work (LoomPathPart *part, const LoomClockMap *map, guint32 span, guint32 launch)
{
  const LoomSpans *spans = loom_trace_get_spans (part->trace);
  gint64 begin_ns = loom_clock_map_to_timeline (map, spans->start_ns[span]),
         end_ns = loom_clock_map_to_timeline (map, loom_time_add (spans->start_ns[span], spans->dur_ns[span]));
  end_ns = MAX (begin_ns, end_ns);
  LoomPathWork work = { begin_ns,       end_ns,         end_ns,
                        part->number,   span,           launch,
                        LOOM_PATH_NONE, LOOM_PATH_NONE, part->works_of_name[spans->name_id[span]] };
  g_array_append_val (part->works, work);
}

/* Sets LoomPathWork.previous of the kernel or copy with the index `number`. `last` is the kernel or copy of the stream
 * that ends last among those that begin earlier or at the same time. The kernels of a stream run one after the other.
 * But they may overlap by a few ns, because their times are rounded, and by more if a kernel may begin before the
 * previous one ends (programmatic dependent launch). Returns the index of the kernel or copy that now ends last. */
static guint32
follow_stream (LoomPathPart *part, guint32 last, guint32 number)
{
  LoomPathWork *work = &g_array_index (part->works, LoomPathWork, number);
  if (last == LOOM_PATH_NONE)
    return number;
  LoomPathWork *before = &g_array_index (part->works, LoomPathWork, last);
  gboolean ends_later = work->end_ns > before->end_ns;
  if (work->begin_ns == before->begin_ns || (work->begin_ns < before->end_ns && !ends_later)) {
    work->previous = before->previous;
    return ends_later ? number : last;
  }
  work->previous = last;
  before->left_ns = MIN (before->left_ns, work->begin_ns);
  return number;
}

static void
add_works_of_track (LoomPathPart *part, LoomLaunchWalk *walk, guint32 number)
{
  const LoomTrack *track = loom_trace_get_track (part->trace, number);
  const LoomClockMap *map = loom_timeline_get_map (part->timeline, part->number, track->clock);
  guint32 span, launch, first = part->works->len, last = LOOM_PATH_NONE;
  loom_launch_walk_begin (walk);
  loom_launch_walk_add_track (walk, track, loom_span_walk_get_local (part->timeline, part->number, track, part->range));
  while (loom_launch_walk_next (walk, &span, &launch)) {
    add_work (part, map, span, launch);
    last = follow_stream (part, last, part->works->len - 1);
  }
  if (part->works->len > first)
    loom_path_part_add_stream (part, track, first);
}

static void
add_works (LoomPathPart *part)
{
  LoomLaunchWalk walk;
  loom_launch_walk_init (&walk, part->trace);
  for (guint32 i = 0; i < loom_trace_get_n_tracks (part->trace); i++)
    add_works_of_track (part, &walk, i);
  loom_launch_walk_clear (&walk);
}

/* --- calls on the host -------------------------------------------------------------------------------------------- */

/* Returns the LoomPathBlocking of calls with this name, that is, whether they may wait for a device, as
 * cudaDeviceSynchronize, hipStreamSynchronize, cudaMemcpy and cudaMemcpyAsync do. */
static guint8
may_block (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  if (strstr (lower, "synchronize") != NULL)
    return LOOM_PATH_BLOCKING_SYNCHRONIZES;
  return strstr (lower, "memcpy") != NULL ? LOOM_PATH_BLOCKING_COPIES : LOOM_PATH_BLOCKING_NO;
}

static void
classify_names (LoomPathPart *part)
{
  guint n = loom_trace_get_n_names (part->trace);
  const guint8 *host = part->host_kinds = loom_work_kind_of_names (part->trace, FALSE);
  part->blocking = g_malloc0 (MAX (n, 1));
  for (guint i = 0; i < n; i++)
    if (host[i] == LOOM_WORK_KIND_RUNTIME || host[i] == LOOM_WORK_KIND_SYNC)
      part->blocking[i] = may_block (loom_trace_get_name (part->trace, i)->text);
  part->works_of_name = loom_work_kind_of_names (part->trace, TRUE);
  /* keep the kind that the name has on the host, because kernels may be on tracks that are not marked as tracks of a
   * device */
  for (guint i = 0; i < n; i++)
    if (host[i] < LOOM_WORK_KIND_DEVICE_OTHER)
      part->works_of_name[i] = host[i];
}

static gboolean
is_host_track (const LoomTrack *track)
{
  return track->kind == LOOM_TRACK_SPANS && (track->flags & (LOOM_TRACK_DERIVED | LOOM_TRACK_NO_EXTENT)) == 0 &&
         !loom_trace_track_is_device (track);
}

static void
find_blocking_calls (LoomPathPart *part, GArray *found, guint32 number)
{
  const LoomTrack *track = loom_trace_get_track (part->trace, number);
  const LoomSpans *spans = loom_trace_get_spans (part->trace);
  LoomRange local = loom_span_walk_get_local (part->timeline, part->number, track, part->range);
  for (guint32 k = 0; k < track->n_rows && is_host_track (track); k++) {
    const LoomRow *row = loom_trace_get_row (part->trace, track->first_row + k);
    guint32 end = row->first + loom_trace_row_lower_bound (part->trace, row, local.end_ns);
    for (guint32 i = row->first + loom_trace_row_first_ending_after (part->trace, row, local.begin_ns); i < end; i++)
      if (part->blocking[spans->name_id[i]] != LOOM_PATH_BLOCKING_NO)
        g_array_append_val (found, i);
  }
}

/* Appends to `found` the spans of collectives that run on hosts instead of devices, such as barriers of Gloo. */
static void
find_meeting_calls (LoomPathPart *part, GArray *found)
{
  guint32 n;
  const LoomSyncEvent *events = loom_trace_get_meetings (part->trace, &n);
  for (guint32 i = 0; i < n; i++) {
    if (events[i].kind != LOOM_SYNC_EVENT_HOST)
      continue;
    guint32 span = loom_path_part_find_span (part, i);
    if (span != LOOM_PATH_NONE)
      g_array_append_val (found, span);
  }
}

static void
add_call (LoomPathPart *part, guint32 span)
{
  guint32 track, row;
  gint64 begin_ns, end_ns;
  loom_trace_locate_span (part->trace, span, &track, &row);
  loom_timeline_get_span (part->timeline, (LoomSpanId) { part->number, span }, &begin_ns, &end_ns);
  guint32 name = loom_trace_get_spans (part->trace)->name_id[span];
  gboolean blocks = part->blocking[name] == LOOM_PATH_BLOCKING_SYNCHRONIZES;
  LoomPathCall call = { begin_ns,
                        MAX (begin_ns, end_ns),
                        part->number,
                        span,
                        track,
                        loom_trace_get_track (part->trace, track)->process_id,
                        blocks ? LOOM_PATH_CALL_BLOCKS : 0,
                        LOOM_PATH_NONE };
  g_array_append_val (part->calls, call);
}

static void
add_calls (LoomPathPart *part, gboolean with_meetings)
{
  g_autoptr (GArray) spans = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < part->works->len; i++) {
    guint32 launch = g_array_index (part->works, LoomPathWork, i).launch;
    if (launch != LOOM_PATH_NONE)
      g_array_append_val (spans, launch);
  }
  for (guint32 i = 0; i < loom_trace_get_n_tracks (part->trace); i++)
    find_blocking_calls (part, spans, i);
  if (with_meetings)
    find_meeting_calls (part, spans);
  guint32 *sorted = (guint32 *) (gpointer) spans->data;
  sort_spans (sorted, spans->len);
  for (guint i = 0; i < spans->len; i++)
    if (i == 0 || sorted[i] != sorted[i - 1])
      add_call (part, sorted[i]);
}

static guint32
find_in_calls (const LoomPathCall *calls, guint32 n, guint32 span)
{
  guint32 low = 0, high = n;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (calls[middle].span < span)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n && calls[low].span == span ? low : LOOM_PATH_NONE;
}

guint32
loom_path_part_find_call (const LoomPathPart *part, guint32 span)
{
  return find_in_calls ((const LoomPathCall *) (gpointer) part->calls->data, part->calls->len, span);
}

guint32
loom_path_items_find_call (const LoomPathItems *items, guint32 trace, guint32 span)
{
  guint32 first = items->first_call[trace], n = items->first_call[trace + 1] - first;
  guint32 found = find_in_calls ((const LoomPathCall *) (gpointer) items->calls->data + first, n, span);
  return found != LOOM_PATH_NONE ? first + found : LOOM_PATH_NONE;
}

/* Changes `launch` of each LoomPathWork: until now, it is the span of the launching call; from now on, it is the index
 * of this call in part->calls. */
static void
number_launches (LoomPathPart *part)
{
  for (guint i = 0; i < part->works->len; i++) {
    LoomPathWork *work = &g_array_index (part->works, LoomPathWork, i);
    if (work->launch != LOOM_PATH_NONE)
      work->launch = loom_path_part_find_call (part, work->launch);
  }
}

static void
collect_trace (guint item, guint worker, gpointer data)
{
  Collection *all = data;
  LoomPathPart *part = &all->parts[item];
  if (g_cancellable_is_cancelled (all->cancellable))
    return;
  classify_names (part);
  add_works (part);
  if (g_cancellable_is_cancelled (all->cancellable))
    return;
  add_calls (part, all->collectives != NULL);
  number_launches (part);
  if (!g_cancellable_is_cancelled (all->cancellable))
    loom_path_part_add_waits (part);
}

/* --- items of all traces ------------------------------------------------------------------------------------------ */

static void
init_part (LoomPathItems *items, LoomPathPart *part, guint number)
{
  *part = (LoomPathPart) { .timeline = items->timeline,
                           .trace = loom_path_items_get_trace (items, number),
                           .number = number,
                           .range = items->range,
                           .works = g_array_new (FALSE, FALSE, sizeof (LoomPathWork)),
                           .calls = g_array_new (FALSE, FALSE, sizeof (LoomPathCall)),
                           .waits = g_array_new (FALSE, FALSE, sizeof (LoomPathWait)),
                           .streams = g_array_new (FALSE, FALSE, sizeof (LoomPathStream)) };
}

static void
clear_part (LoomPathPart *part)
{
  g_array_unref (part->works);
  g_array_unref (part->calls);
  g_array_unref (part->waits);
  g_array_unref (part->streams);
  g_free (part->blocking);
  g_free (part->works_of_name);
  g_free (part->host_kinds);
  g_free (part->order);
}

static guint32
shift (guint32 index, guint32 by)
{
  return index != LOOM_PATH_NONE ? index + by : LOOM_PATH_NONE;
}

/* Appends the kernels and copies, calls and waits of a trace to the arrays for all traces in `items`. Indices that
 * refer to the arrays of `part` are changed, so that they refer to the arrays of `items`. */
static void
join_part (LoomPathItems *items, LoomPathPart *part)
{
  guint32 works = items->works->len, calls = items->calls->len;
  items->first_work[part->number] = works;
  items->first_call[part->number] = calls;
  items->host_kinds[part->number] = g_steal_pointer (&part->host_kinds);
  for (guint i = 0; i < part->works->len; i++) {
    LoomPathWork *work = &g_array_index (part->works, LoomPathWork, i);
    work->launch = shift (work->launch, calls);
    work->previous = shift (work->previous, works);
  }
  for (guint i = 0; i < part->calls->len; i++)
    g_array_index (part->calls, LoomPathCall, i).line += items->first_line[part->number];
  for (guint i = 0; i < part->waits->len; i++) {
    LoomPathWait *wait = &g_array_index (part->waits, LoomPathWait, i);
    wait->work += works;
    wait->target += wait->is_call ? calls : works;
    items->n_inferred += wait->inferred;
  }
  g_array_append_vals (items->works, part->works->data, part->works->len);
  g_array_append_vals (items->calls, part->calls->data, part->calls->len);
  g_array_append_vals (items->waits, part->waits->data, part->waits->len);
}

#define IS_EARLIER_WAIT(a, b)                                 \
  ((a)->is_call != (b)->is_call ? (a)->is_call < (b)->is_call \
   : (a)->target != (b)->target ? (a)->target < (b)->target   \
                                : (a)->work < (b)->work)
LOOM_DEFINE_SORT (sort_waits, LoomPathWait, IS_EARLIER_WAIT)

static void
number_lines (LoomPathItems *items, guint n)
{
  items->first_line = g_new0 (guint32, n + 1);
  for (guint i = 0; i < n; i++) {
    const LoomTrace *trace = loom_path_items_get_trace (items, i);
    guint32 n_processes = 0;
    for (guint32 k = 0; k < loom_trace_get_n_tracks (trace); k++)
      n_processes = MAX (n_processes, loom_trace_get_track (trace, k)->process_id + 1);
    items->first_line[i + 1] = items->first_line[i] + n_processes;
  }
}

/* A kernel or copy for which a call waited cannot end after the end of the call. A kernel or copy for which another
 * kernel or copy waited cannot end after the start of the latter. If the recorded end is later, but by no more than the
 * error of clocks (LOOM_PATH_CLOCK_ERROR_NS) or of rounding (LOOM_PATH_ROUNDING_NS), this function sets an earlier end
 * in the graph (left_ns). */
static void
end_before_waits (LoomPathItems *items)
{
  for (guint i = 0; i < items->waits->len; i++) {
    const LoomPathWait *wait = &g_array_index (items->waits, LoomPathWait, i);
    LoomPathWork *work = &g_array_index (items->works, LoomPathWork, wait->work);
    gint64 until_ns = wait->is_call ? loom_path_items_get_call (items, wait->target)->end_ns
                                    : loom_path_items_get_work (items, wait->target)->begin_ns;
    gint64 most_ns = wait->is_call ? LOOM_PATH_CLOCK_ERROR_NS : LOOM_PATH_ROUNDING_NS;
    if (work->begin_ns < until_ns && work->end_ns - until_ns <= most_ns)
      work->left_ns = MIN (work->left_ns, until_ns);
  }
}

/* --- late ends of kernels ----------------------------------------------------------------------------------------- */

static LoomPathLateEnds
get_late_ends (const LoomPathPart *part)
{
  LoomPathLateEnds found = { .latest = LOOM_SPAN_ID_NONE };
  for (guint i = 0; i < part->waits->len; i++) {
    const LoomPathWait *wait = &g_array_index (part->waits, LoomPathWait, i);
    found.n_waits += wait->is_call;
    found.n_late += wait->late_ns > 0;
    if (wait->late_ns > found.latest_ns) {
      found.latest_ns = wait->late_ns;
      found.latest = (LoomSpanId) { part->number, g_array_index (part->works, LoomPathWork, wait->work).span };
    }
  }
  return found;
}

LoomPathLateEnds
loom_path_items_find_late_ends (LoomTimeline *timeline, guint trace, GCancellable *cancellable)
{
  LoomPathItems items = { .timeline = timeline };
  LoomPathPart part;
  if (!loom_timeline_get_extent (timeline, &items.range))
    return (LoomPathLateEnds) { .latest = LOOM_SPAN_ID_NONE };
  items.range.end_ns = loom_time_add (items.range.end_ns, 1);
  Collection all = { &items, &part, NULL, cancellable };
  init_part (&items, &part, trace);
  collect_trace (0, 0, &all);
  LoomPathLateEnds found = get_late_ends (&part);
  clear_part (&part);
  return found;
}

/* --- marks: starts and ends of steps and of recordings ------------------------------------------------------------ */

typedef enum {
  HAS_CALLS = 1 << 0,
  /* the end of the range lies in a blocking call of the process, or in a kernel or copy that the process launched */
  IS_CUT = 1 << 1,
} LineFlags;

/* Adds a mark: the start or end of a step, or of the recording of a process. A time outside the range is clamped to the
 * range. Exception: skips a mark after the range if the end of the range lies in a blocking call of the mark's process,
 * or in a kernel or copy of this process (IS_CUT). The path then ends with this call, kernel or copy. A mark at the end
 * of the range would make the path end on the host instead, and would limit all savings. */
static void
add_mark (LoomPathItems *items, const LoomPathMark *mark, const guint8 *lines)
{
  LoomPathMark own = *mark;
  if (own.time_ns > items->range.end_ns && (lines[own.line] & IS_CUT) != 0)
    return;
  own.time_ns = CLAMP (own.time_ns, items->range.begin_ns, items->range.end_ns);
  g_array_append_val (items->marks, own);
}

/* Returns an array with one element per process, indexed by the number of the process (LoomPathCall.line): LineFlags.
 * Owned by the caller. */
static guint8 *
find_flags_of_lines (const LoomPathItems *items)
{
  guint n_traces = loom_run_get_n_traces (loom_timeline_get_run (items->timeline));
  guint8 *lines = g_new0 (guint8, MAX (items->first_line[n_traces], 1));
  for (guint32 i = 0; i < items->calls->len; i++) {
    const LoomPathCall *call = loom_path_items_get_call (items, i);
    gboolean is_cut = (call->flags & LOOM_PATH_CALL_BLOCKS) != 0 && call->begin_ns < items->range.end_ns &&
                      call->end_ns > items->range.end_ns;
    lines[call->line] |= is_cut ? HAS_CALLS | IS_CUT : HAS_CALLS;
  }
  for (guint32 i = 0; i < items->works->len; i++) {
    const LoomPathWork *work = loom_path_items_get_work (items, i);
    if (work->launch != LOOM_PATH_NONE && work->end_ns > items->range.end_ns)
      lines[loom_path_items_get_call (items, work->launch)->line] |= IS_CUT;
  }
  return lines;
}

/* Adds LoomPathMarks for the start and end of a step. Skips the steps of a process without calls (LoomPathCall). Such a
 * process may be a second recording of the same job, without kernels. If this recording ended later than the last
 * kernel, the path would consist of time without spans. */
static void
add_step (LoomPathItems *items, const LoomStep *step, const guint8 *lines)
{
  guint32 track, row;
  if (loom_timeline_span_id_is_none (step->span) || step->begin_ns >= items->range.end_ns ||
      step->end_ns <= items->range.begin_ns)
    return;
  const LoomTrace *trace = loom_path_items_get_trace (items, step->span.trace);
  loom_trace_locate_span (trace, step->span.span, &track, &row);
  const LoomTrack *own = loom_trace_get_track (trace, track);
  if (!is_host_track (own))
    return;
  guint32 line = items->first_line[step->span.trace] + own->process_id;
  if ((lines[line] & HAS_CALLS) == 0)
    return;
  gboolean whole = step->begin_ns >= items->range.begin_ns && step->end_ns <= items->range.end_ns;
  guint32 run_step = whole ? step->run_step : LOOM_NO_RUN_STEP;
  LoomPathMark mark = { step->begin_ns, line, step->rank, TRUE, run_step, step->number, step->span.trace, track };
  add_mark (items, &mark, lines);
  mark.time_ns = step->end_ns;
  mark.begins = FALSE;
  add_mark (items, &mark, lines);
}

/* Sets `extent` to the range in which a track of the host has spans. Returns FALSE if the track has none. */
static gboolean
get_extent (const LoomPathItems *items, guint32 number, const LoomTrack *track, LoomRange *extent)
{
  const LoomTrace *trace = loom_path_items_get_trace (items, number);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  const LoomClockMap *map = loom_timeline_get_map (items->timeline, number, track->clock);
  LoomRange local = loom_span_walk_get_local (items->timeline, number, track, items->range);
  gboolean found = FALSE;
  for (guint32 k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + k);
    guint32 first = row->first + loom_trace_row_first_ending_after (trace, row, local.begin_ns);
    guint32 end = row->first + loom_trace_row_lower_bound (trace, row, local.end_ns);
    if (row->depth > 0 || first >= end)
      continue;
    gint64 begin_ns = loom_clock_map_to_timeline (map, spans->start_ns[first]);
    gint64 end_ns = loom_clock_map_to_timeline (map, loom_time_add (spans->start_ns[end - 1], spans->dur_ns[end - 1]));
    *extent = found ? (LoomRange) { MIN (extent->begin_ns, begin_ns), MAX (extent->end_ns, end_ns) }
                    : (LoomRange) { begin_ns, end_ns };
    found = TRUE;
  }
  return found;
}

static void
add_recording (LoomPathItems *items, guint32 trace, guint32 track, guint32 line, LoomRange extent, const guint8 *lines)
{
  gint rank = loom_trace_get_track (loom_path_items_get_trace (items, trace), track)->rank;
  LoomPathMark mark = { extent.begin_ns, line, rank, TRUE, LOOM_NO_RUN_STEP, -1, trace, track };
  add_mark (items, &mark, lines);
  mark.time_ns = extent.end_ns;
  mark.begins = FALSE;
  add_mark (items, &mark, lines);
}

/* Compares two tracks of one process. Returns TRUE if `track` is more likely than `other` to be the main thread: only
 * `track` has the spans of steps or, if both or neither have them, `track` has more events. */
static gboolean
is_rather_main (const LoomTrace *trace, const LoomTrack *track, const LoomTrack *other)
{
  gboolean has = loom_main_thread_has_steps (trace, track), had = loom_main_thread_has_steps (trace, other);
  return has != had ? has : track->n_events > other->n_events;
}

/* Adds, for each process that has calls, LoomPathMarks for the start and end of the recording of its threads. */
static void
add_extents (LoomPathItems *items, guint32 number, const guint8 *lines)
{
  const LoomTrace *trace = loom_path_items_get_trace (items, number);
  guint32 first = items->first_line[number], n = items->first_line[number + 1] - first;
  g_autofree gboolean *known = g_new0 (gboolean, MAX (n, 1));
  g_autofree LoomRange *extents = g_new0 (LoomRange, MAX (n, 1));
  g_autofree guint32 *mains = g_new0 (guint32, MAX (n, 1)); /* [process] index of the main thread's track */
  for (guint32 k = 0; k < loom_trace_get_n_tracks (trace); k++) {
    const LoomTrack *track = loom_trace_get_track (trace, k);
    LoomRange own;
    guint32 line = track->process_id;
    if ((lines[first + line] & HAS_CALLS) == 0 || !is_host_track (track) || !get_extent (items, number, track, &own))
      continue;
    extents[line] =
      known[line] ? (LoomRange) { MIN (own.begin_ns, extents[line].begin_ns), MAX (own.end_ns, extents[line].end_ns) }
                  : own;
    if (!known[line] || is_rather_main (trace, track, loom_trace_get_track (trace, mains[line])))
      mains[line] = k;
    known[line] = TRUE;
  }
  for (guint32 i = 0; i < n; i++)
    if (known[i])
      add_recording (items, number, mains[i], first + i, extents[i], lines);
}

static void
add_marks (LoomPathItems *items, const LoomSteps *steps)
{
  g_autofree guint8 *lines = find_flags_of_lines (items);
  for (guint i = 0; steps != NULL && i < steps->n; i++)
    add_step (items, &steps->all[i], lines);
  for (guint i = 0; i < loom_run_get_n_traces (loom_timeline_get_run (items->timeline)); i++)
    add_extents (items, i, lines);
}

/* --- public functions and their helpers --------------------------------------------------------------------------- */

static void
init_arrays (LoomPathItems *items, guint n)
{
  items->works = g_array_new (FALSE, FALSE, sizeof (LoomPathWork));
  items->calls = g_array_new (FALSE, FALSE, sizeof (LoomPathCall));
  items->waits = g_array_new (FALSE, FALSE, sizeof (LoomPathWait));
  items->joins = g_array_new (FALSE, FALSE, sizeof (LoomPathJoin));
  items->marks = g_array_new (FALSE, FALSE, sizeof (LoomPathMark));
  items->late_ends = g_array_sized_new (FALSE, FALSE, sizeof (LoomPathLateEnds), n);
  items->host_kinds = g_new0 (guint8 *, MAX (n, 1));
  items->first_work = g_new0 (guint32, n + 1);
  items->first_call = g_new0 (guint32, n + 1);
}

gboolean
loom_path_items_init (LoomPathItems *items, LoomTimeline *timeline, LoomRange range, const LoomCollectives *collectives,
                      const LoomSteps *steps, GCancellable *cancellable)
{
  guint n = loom_run_get_n_traces (loom_timeline_get_run (timeline));
  *items = (LoomPathItems) { .timeline = timeline, .range = range };
  init_arrays (items, n);
  number_lines (items, n);
  Collection all = { items, g_new0 (LoomPathPart, MAX (n, 1)), collectives, cancellable };
  for (guint i = 0; i < n; i++)
    init_part (items, &all.parts[i], i);
  loom_parallel_for (n, 0, collect_trace, &all, NULL);
  for (guint i = 0; i < n; i++) {
    const LoomPathLateEnds late_ends = get_late_ends (&all.parts[i]);
    g_array_append_val (items->late_ends, late_ends);
    join_part (items, &all.parts[i]);
    clear_part (&all.parts[i]);
  }
  g_free (all.parts);
  items->first_work[n] = items->works->len;
  items->first_call[n] = items->calls->len;
  sort_waits ((LoomPathWait *) (gpointer) items->waits->data, items->waits->len);
  end_before_waits (items);
  add_marks (items, steps);
  return !g_cancellable_is_cancelled (cancellable) && loom_path_part_add_joins (items, collectives, cancellable);
}

void
loom_path_items_clear (LoomPathItems *items)
{
  guint n = items->host_kinds != NULL ? loom_run_get_n_traces (loom_timeline_get_run (items->timeline)) : 0;
  for (guint i = 0; i < n; i++)
    g_free (items->host_kinds[i]);
  g_clear_pointer (&items->host_kinds, g_free);
  g_clear_pointer (&items->works, g_array_unref);
  g_clear_pointer (&items->calls, g_array_unref);
  g_clear_pointer (&items->waits, g_array_unref);
  g_clear_pointer (&items->joins, g_array_unref);
  g_clear_pointer (&items->marks, g_array_unref);
  g_clear_pointer (&items->late_ends, g_array_unref);
  g_clear_pointer (&items->first_work, g_free);
  g_clear_pointer (&items->first_call, g_free);
  g_clear_pointer (&items->first_line, g_free);
}
