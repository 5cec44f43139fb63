/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-path-marks.h"

#include "loom-main-thread.h"
#include "loom-path-part.h"
#include "loom-span-walk.h"

typedef enum {
  HAS_CALLS = 1 << 0,
  /* the end of the range lies in a blocking call of the process, or in a kernel or copy that the process launched */
  IS_CUT = 1 << 1,
} LineFlags;

/* Adds a mark: the start or end of a step, or of the recording of a process. A time outside the range is clamped to the
 * range. Exception: a mark after the range is skipped if the process is in a blocking call at the end of the range, or
 * if a kernel or copy that it launched runs at that time (IS_CUT). In these cases, the path ends with this call, kernel
 * or copy. A mark at the end of the range would make the path end on the host instead; the work of the host up to the
 * mark would then limit by how much the path can become shorter. */
static void
add_mark (LoomPathItems *items, const LoomPathMark *mark, const guint8 *lines)
{
  LoomPathMark own = *mark;
  if (own.time_ns > items->range.end_ns && (lines[own.line] & IS_CUT) != 0)
    return;
  own.time_ns = CLAMP (own.time_ns, items->range.begin_ns, items->range.end_ns);
  g_array_append_val (items->marks, own);
}

/* Returns an array of LineFlags: [LoomPathCall.line] flags of this process. Owned by the caller. */
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

/* Adds LoomPathMarks for the start and end of a step. Skips the steps of processes without calls (LoomPathCall). Such a
 * process may be a second recording of the job that contains no kernels. If it ended later than the last kernel, the
 * path would contain a long time without spans. */
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
  if (!loom_path_part_is_host_track (own))
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

/* Compares two tracks of one process. Returns TRUE if `track` is more likely the main thread than `other`. If only one
 * of the tracks has spans of steps, this track is more likely the main thread; otherwise, the track with more
 * events. */
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
  g_autofree guint32 *mains = g_new0 (guint32, MAX (n, 1)); /* [process] index of the track of the main thread */
  for (guint32 k = 0; k < loom_trace_get_n_tracks (trace); k++) {
    const LoomTrack *track = loom_trace_get_track (trace, k);
    LoomRange own;
    guint32 line = track->process_id;
    if ((lines[first + line] & HAS_CALLS) == 0 || !loom_path_part_is_host_track (track) ||
        !get_extent (items, number, track, &own))
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

void
loom_path_marks_add (LoomPathItems *items, const LoomSteps *steps)
{
  g_autofree guint8 *lines = find_flags_of_lines (items);
  for (guint i = 0; steps != NULL && i < steps->n; i++)
    add_step (items, &steps->all[i], lines);
  for (guint i = 0; i < loom_run_get_n_traces (loom_timeline_get_run (items->timeline)); i++)
    add_extents (items, i, lines);
}
