/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-path-items.h"

#include <string.h>

#include "loom-array.h"
#include "loom-launch-walk.h"
#include "loom-merge-sort.h"
#include "loom-parallel.h"
#include "loom-path-marks.h"
#include "loom-path-part.h"
#include "loom-span-walk.h"
#include "loom-work-kind.h"

/* Number of traces that are read before their parts are joined to the items of all traces. The number is limited
 * because the parts of all traces of a large run would take as much memory as the joined items. */
#define BATCH 256

typedef struct {
  LoomPathItems *items;
  LoomPathPart *parts; /* one element for each trace of the batch */
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

/* Sets LoomPathWork.previous of the kernel or copy with the index `number`. `last`: index of the kernel or copy that
 * ends last among those that are on the same stream and do not begin after this one. The kernels of a stream run one
 * after the other, but the recorded times may overlap: by a few ns, because they are rounded, or by more, if a kernel
 * may begin before the previous one ends (programmatic dependent launch). Returns `number` or `last`: whichever of the
 * two ends later. This is the `last` of the next call. */
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

/* Returns whether calls with this name may wait for a device (LoomPathBlocking), as cudaDeviceSynchronize,
 * hipStreamSynchronize, cudaMemcpy and cudaMemcpyAsync do. */
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
  const guint8 *host = loom_work_kind_of_names (part->trace, FALSE);
  part->blocking = g_malloc0 (MAX (n, 1));
  for (guint i = 0; i < n; i++)
    if (host[i] == LOOM_WORK_KIND_RUNTIME || host[i] == LOOM_WORK_KIND_SYNC)
      part->blocking[i] = may_block (loom_trace_get_name (part->trace, i)->text);
  part->works_of_name = g_memdup2 (loom_work_kind_of_names (part->trace, TRUE), MAX (n, 1));
  /* keep the kind of work that the name has on the host, because kernels may be on tracks that are not marked as tracks
   * of a device */
  for (guint i = 0; i < n; i++)
    if (host[i] < LOOM_WORK_KIND_DEVICE_OTHER)
      part->works_of_name[i] = host[i];
}

static void
find_blocking_calls (LoomPathPart *part, GArray *found, guint32 number)
{
  const LoomTrack *track = loom_trace_get_track (part->trace, number);
  const LoomSpans *spans = loom_trace_get_spans (part->trace);
  LoomRange local = loom_span_walk_get_local (part->timeline, part->number, track, part->range);
  for (guint32 k = 0; k < track->n_rows && loom_path_part_is_host_track (track); k++) {
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

/* Finds the track and the row of the span of a call. On input, `track` and `row` are those of the previous call, or
 * `row` is G_MAXUINT32 for the first call. Two consecutive calls are usually in one row, so no search is needed
 * then. */
static void
find_row (const LoomTrace *trace, guint32 span, guint32 *track, guint32 *row)
{
  const LoomRow *last = *row != G_MAXUINT32 ? loom_trace_get_row (trace, *row) : NULL;
  if (last == NULL || span < last->first || span - last->first >= last->n)
    loom_trace_locate_span (trace, span, track, row);
}

static void
add_call (LoomPathPart *part, guint32 span, guint32 track)
{
  gint64 begin_ns, end_ns;
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
  guint32 track = 0, row = G_MAXUINT32;
  for (guint i = 0; i < spans->len; i++)
    if (i == 0 || sorted[i] != sorted[i - 1]) {
      find_row (part->trace, sorted[i], &track, &row);
      add_call (part, sorted[i], track);
    }
}

/* Returns the index of the call with this span; LOOM_PATH_NONE: there is none. `near`: index at which the search
 * begins. O(log d) if the result is d elements away from `near`. */
static guint32
find_in_calls (const LoomPathCall *calls, guint32 n, guint32 near, guint32 span)
{
  guint32 low = MIN (near, n), high = low, step = 1;
  for (; low > 0 && calls[low - 1].span >= span; step *= 2)
    low -= MIN (step, low);
  for (; high < n && calls[high].span < span; step *= 2)
    high += MIN (step, n - high);
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
  return find_in_calls ((const LoomPathCall *) (gpointer) part->calls->data, part->calls->len, part->calls->len / 2,
                        span);
}

guint32
loom_path_items_find_call (const LoomPathItems *items, guint32 trace, guint32 span)
{
  guint32 first = items->first_call[trace], n = items->first_call[trace + 1] - first;
  guint32 found = find_in_calls ((const LoomPathCall *) (gpointer) items->calls->data + first, n, n / 2, span);
  return found != LOOM_PATH_NONE ? first + found : LOOM_PATH_NONE;
}

/* Changes `launch` of each LoomPathWork: until now, it is the span of the launching call; from now on, it is the index
 * of this call in part->calls. */
static void
number_launches (LoomPathPart *part)
{
  const LoomPathCall *calls = (const LoomPathCall *) (gpointer) part->calls->data;
  /* [row] index after the call that was found last in this row. The search for the next call of the row begins there,
   * because calls that launch the work of a stream usually follow each other. */
  g_autofree guint32 *next = g_new0 (guint32, MAX (loom_trace_get_n_rows (part->trace), 1));
  guint32 track, row;
  for (guint i = 0; i < part->works->len; i++) {
    LoomPathWork *work = &g_array_index (part->works, LoomPathWork, i);
    if (work->launch == LOOM_PATH_NONE)
      continue;
    loom_trace_locate_span (part->trace, work->launch, &track, &row);
    work->launch = find_in_calls (calls, part->calls->len, next[row], work->launch);
    next[row] = work->launch != LOOM_PATH_NONE ? work->launch + 1 : next[row];
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
  g_free (part->order);
}

static guint32
shift (guint32 index, guint32 by)
{
  return index != LOOM_PATH_NONE ? index + by : LOOM_PATH_NONE;
}

/* Returns the sum of the lengths of `all` and of the arrays at `offset` in the parts. */
static gsize
count_all (const GArray *all, const LoomPathPart *parts, guint n, gsize offset)
{
  gsize count = all->len;
  for (guint i = 0; i < n; i++)
    count += G_STRUCT_MEMBER (GArray *, &parts[i], offset)->len;
  return count;
}

/* Appends the array `own` to the array `all`. If `all` is empty, the two arrays are exchanged instead, to avoid a copy:
 * runs often have only one trace with kernels. */
static void
append (GArray **all, GArray **own)
{
  if ((*all)->len > 0) {
    g_array_append_vals (*all, (*own)->data, (*own)->len);
    return;
  }
  GArray *empty = *all;
  *all = *own;
  *own = empty;
}

/* Appends the kernels and copies, calls and waits of a trace to the arrays for all traces in `items`. Indices into the
 * arrays of `part` become indices into the arrays of `items`. */
static void
join_part (LoomPathItems *items, LoomPathPart *part)
{
  guint32 works = items->works->len, calls = items->calls->len;
  items->first_work[part->number] = works;
  items->first_call[part->number] = calls;
  for (guint i = 0; works + calls > 0 && i < part->works->len; i++) {
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
  append (&items->works, &part->works);
  append (&items->calls, &part->calls);
  append (&items->waits, &part->waits);
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

/* Corrects ends of kernels and copies that contradict recorded waits. If a call waited for a kernel or copy, the kernel
 * or copy cannot end after the call. If a kernel or copy waited for another one, the awaited one cannot end after the
 * start of the waiting one. If the recorded end is later by at most the error of clocks (LOOM_PATH_CLOCK_ERROR_NS) or
 * of rounding (LOOM_PATH_ROUNDING_NS), sets an earlier end in the graph (left_ns). */
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
  items->first_work = g_new0 (guint32, n + 1);
  items->first_call = g_new0 (guint32, n + 1);
}

/* Reads `n` traces from the trace with the number `first` on, and adds their items. */
static void
add_batch (Collection *all, guint first, guint n)
{
  for (guint i = 0; i < n; i++)
    init_part (all->items, &all->parts[i], first + i);
  loom_parallel_for (n, 0, collect_trace, all, NULL);
  LoomPathItems *items = all->items;
  gsize n_works = count_all (items->works, all->parts, n, G_STRUCT_OFFSET (LoomPathPart, works)),
        n_calls = count_all (items->calls, all->parts, n, G_STRUCT_OFFSET (LoomPathPart, calls)),
        n_waits = count_all (items->waits, all->parts, n, G_STRUCT_OFFSET (LoomPathPart, waits));
  for (guint i = 0; i < n; i++) {
    const LoomPathLateEnds late_ends = get_late_ends (&all->parts[i]);
    g_array_append_val (items->late_ends, late_ends);
    join_part (items, &all->parts[i]);
    clear_part (&all->parts[i]);
    loom_array_reserve (items->works, n_works); /* makes room at the first call only */
    loom_array_reserve (items->calls, n_calls);
    loom_array_reserve (items->waits, n_waits);
  }
}

gboolean
loom_path_items_init (LoomPathItems *items, LoomTimeline *timeline, LoomRange range, const LoomCollectives *collectives,
                      const LoomSteps *steps, GCancellable *cancellable)
{
  guint n = loom_run_get_n_traces (loom_timeline_get_run (timeline));
  *items = (LoomPathItems) { .timeline = timeline, .range = range };
  init_arrays (items, n);
  number_lines (items, n);
  LoomPathPart *parts = g_new0 (LoomPathPart, MIN (MAX (n, 1), BATCH));
  Collection all = { items, parts, collectives, cancellable };
  for (guint i = 0; i < n; i += BATCH)
    add_batch (&all, i, MIN (n - i, BATCH));
  g_free (parts);
  items->first_work[n] = items->works->len;
  items->first_call[n] = items->calls->len;
  sort_waits ((LoomPathWait *) (gpointer) items->waits->data, items->waits->len);
  end_before_waits (items);
  loom_path_marks_add (items, steps);
  return !g_cancellable_is_cancelled (cancellable) && loom_path_part_add_joins (items, collectives, cancellable);
}

void
loom_path_items_clear (LoomPathItems *items)
{
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
