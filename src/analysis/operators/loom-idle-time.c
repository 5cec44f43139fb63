/* SPDX-License-Identifier: Apache-2.0
 *
 * Each trace is read twice. The first pass finds the shortest launch delay and the shortest gap of each rank. The
 * second pass needs both to find the cause of each gap.
 */
#include "loom-idle-time.h"

#include <glib/gi18n.h>

#include "loom-device-tracks.h"
#include "loom-idle-data.h"
#include "loom-idle-launches.h"
#include "loom-idle-shortest.h"
#include "loom-launch-queue.h"
#include "loom-launch-walk.h"
#include "loom-parallel.h"
#include "loom-span-walk.h"
#include "loom-step-collector.h"
#include "loom-trace-ranks.h"
#include "loom-track-rank.h"

/* Results for one trace, and the state while they are computed. */
typedef struct {
  LoomTimeline *timeline;
  const LoomTrace *trace;
  guint number;
  LoomRange range;
  const LoomIdleData *data; /* waits for data of all traces */
  /* track of the last launch for which find_waits() was called; G_MAXUINT32: it was not called yet */
  guint32 waits_track;
  const GArray *waits; /* waits for data on `waits_track`; NULL: there are none */
  GCancellable *cancellable;
  guint32 n_visited; /* number of calls of next(), modulo 2^32 */
  LoomDeviceTracks tracks;
  LoomLaunchWalk walk;
  LoomLaunchQueue queue; /* queue of the stream: kernels and copies that are launched but have not started */
  /* the calls that launched kernels of the stream. Each call is added once, even if it launches many kernels, as for a
   * CUDA graph */
  LoomLaunchQueue calls;
  LoomTraceRanks ranks;
  LoomIdleShortest *shortest; /* [rank of the trace] shortest delays of the rank */
  /* LoomIdleCall: the calls in the range, and the calls that launched kernels or copies which run in the range */
  GArray *made;
  GArray *devices, *streams, *launches, *longest, *longest_for_host;
} TraceResult;

typedef struct {
  LoomTimeline *timeline;
  LoomRange range;
  GCancellable *cancellable;
  LoomIdleData *data;
  TraceResult *traces;
} Computation;

/* A kernel or copy, its launch, and the end of the previous kernel or copy. All times are on the clock of the track
 * that contains the kernel or copy. */
typedef struct {
  /* `span`: the kernel or copy; `launch`: the call that launched it; G_MAXUINT32: the call is not in the file */
  guint32 span, launch;
  gint64 begin_ns, end_ns; /* start and end of the kernel or copy */
  gint64 launch_ns;        /* start of the launch; LOOM_TIME_NONE: not in the file */
  gint64 previous_end_ns;  /* end of the previous kernel or copy; LOOM_TIME_NONE: there is none */
  guint32 rank;            /* number of the rank in the trace */
  const LoomClockMap *map; /* map from the clock of the track to the timeline */
} Work;

/* --- visiting the kernels and copies of a track or a device ------------------------------------------------------- */

/* Returns the start of the launch on the clock of the kernel or copy. If a trace has several devices or hosts, host and
 * device may have different clocks. */
static gint64
get_launch_ns (const TraceResult *result, const Work *work)
{
  if (loom_trace_get_n_clocks (result->trace) == 1)
    return result->walk.spans->start_ns[work->launch];
  gint64 start_ns, end_ns;
  loom_timeline_get_span (result->timeline, (LoomSpanId) { result->number, work->launch }, &start_ns, &end_ns);
  return loom_clock_map_to_local (work->map, start_ns);
}

/* Begins to visit the kernels and copies on a track. If `device` is TRUE, visits all tracks of the process, which are
 * one device. Returns FALSE if no kernel or copy touches the range. */
static gboolean
begin_in (TraceResult *result, guint32 first_track, gboolean device, LoomRange local, Work *work)
{
  const LoomTrack *first = loom_trace_get_track (result->trace, first_track);
  *work = (Work) { .previous_end_ns = LOOM_TIME_NONE,
                   .end_ns = LOOM_TIME_NONE,
                   .rank = result->ranks.of_track[first_track],
                   .map = loom_timeline_get_map (result->timeline, result->number, first->clock) };
  loom_launch_walk_begin (&result->walk);
  for (guint32 i = first_track; i != G_MAXUINT32; i = device ? result->tracks.next[i] : G_MAXUINT32)
    loom_launch_walk_add_track (&result->walk, loom_trace_get_track (result->trace, i), local);
  return result->walk.rows->len > 0;
}

static gboolean
begin (TraceResult *result, guint32 first_track, gboolean device, Work *work)
{
  const LoomTrack *first = loom_trace_get_track (result->trace, first_track);
  return begin_in (result, first_track, device,
                   loom_span_walk_get_local (result->timeline, result->number, first, result->range), work);
}

/* Returns the range, extended at both ends: to the last kernel or copy before the range, because the gap after it may
 * reach into the range; and to the first kernel or copy after the range, because the gap before it may reach into the
 * range. */
static LoomRange
widen (TraceResult *result, guint32 first_track, gboolean device, LoomRange local)
{
  gint64 before_ns = G_MININT64, after_ns = G_MAXINT64;
  for (guint32 i = first_track; i != G_MAXUINT32; i = device ? result->tracks.next[i] : G_MAXUINT32)
    loom_launch_walk_find_around (&result->walk, loom_trace_get_track (result->trace, i), local, &before_ns, &after_ns);
  return (LoomRange) { before_ns > G_MININT64 ? before_ns - 1 : local.begin_ns,
                       after_ns < G_MAXINT64 ? after_ns + 1 : local.end_ns };
}

/* Sets `work` to the next kernel or copy of the visit that begin_in() began. Sets work->previous_end_ns: if `device` is
 * FALSE, to the end of the previous kernel or copy; if `device` is TRUE, to the latest end of all kernels and copies
 * that were visited so far. Returns FALSE at the end, or soon after the computation is cancelled. */
static gboolean
next (TraceResult *result, gboolean device, Work *work)
{
  gint64 end_ns = work->end_ns;
  if (device && end_ns != LOOM_TIME_NONE && work->previous_end_ns != LOOM_TIME_NONE)
    end_ns = MAX (end_ns, work->previous_end_ns);
  gboolean polls = (++result->n_visited & 0xffff) == 0;
  if ((polls && g_cancellable_is_cancelled (result->cancellable)) ||
      !loom_launch_walk_next (&result->walk, &work->span, &work->launch))
    return FALSE;
  work->previous_end_ns = end_ns;
  work->begin_ns = result->walk.spans->start_ns[work->span];
  work->end_ns = loom_time_add (work->begin_ns, result->walk.spans->dur_ns[work->span]);
  work->launch_ns = work->launch != G_MAXUINT32 ? get_launch_ns (result, work) : LOOM_TIME_NONE;
  return TRUE;
}

/* --- shortest launch delay and shortest gap ----------------------------------------------------------------------- */

static void
find_shortest (TraceResult *result)
{
  Work work;
  for (guint32 i = 0; i < result->ranks.n; i++)
    result->shortest[i] = (LoomIdleShortest) { LOOM_IDLE_TIME_MOST_LAUNCH_NS, LOOM_IDLE_TIME_MOST_PAUSE_NS };
  for (guint32 i = 0; i < loom_trace_get_n_tracks (result->trace); i++) {
    if (!begin (result, i, FALSE, &work))
      continue;
    while (next (result, FALSE, &work)) {
      if (work.launch != G_MAXUINT32)
        loom_idle_shortest_take (&result->shortest[work.rank].launch_ns, loom_time_sub (work.begin_ns, work.launch_ns));
      if (work.previous_end_ns != LOOM_TIME_NONE)
        loom_idle_shortest_take (&result->shortest[work.rank].gap_ns,
                                 loom_time_sub (work.begin_ns, work.previous_end_ns));
    }
  }
}

/* --- idle gaps and their causes ----------------------------------------------------------------------------------- */

static LoomIdleCause
get_hta_cause (const Work *work, gint64 gap_ns)
{
  if (work->launch == G_MAXUINT32)
    return LOOM_IDLE_CAUSE_UNKNOWN;
  if (work->launch_ns > work->previous_end_ns)
    return LOOM_IDLE_CAUSE_HOST;
  return gap_ns < LOOM_IDLE_TIME_SHORT_NS ? LOOM_IDLE_CAUSE_KERNEL : LOOM_IDLE_CAUSE_OTHER;
}

static LoomIdleCause
get_binding_cause (const TraceResult *result, const Work *work, gint64 gap_ns)
{
  if (work->launch == G_MAXUINT32)
    return LOOM_IDLE_CAUSE_UNKNOWN;
  gint64 launched_ns = loom_time_add (work->launch_ns, result->shortest[work->rank].launch_ns);
  gint64 free_ns = loom_time_add (work->previous_end_ns, result->shortest[work->rank].gap_ns);
  gint64 unexplained_ns = loom_time_sub (work->begin_ns, MAX (launched_ns, free_ns));
  if (unexplained_ns > LOOM_IDLE_TIME_SHORT_NS && unexplained_ns > gap_ns / 2)
    return LOOM_IDLE_CAUSE_OTHER;
  return launched_ns > free_ns ? LOOM_IDLE_CAUSE_HOST : LOOM_IDLE_CAUSE_KERNEL;
}

static LoomRange
get_range (const Work *work)
{
  LoomRange range = { loom_clock_map_to_timeline (work->map, work->previous_end_ns),
                      loom_clock_map_to_timeline (work->map, work->begin_ns) };
  range.end_ns = MAX (range.end_ns, range.begin_ns);
  return range;
}

static void
add_gap (LoomIdleGaps *gaps, const Work *work, gint64 gap_ns)
{
  if (gaps->n == 0 || gap_ns > gaps->longest_ns) {
    gaps->longest = get_range (work);
    gaps->longest_ns = gap_ns;
    gaps->span = work->span;
  }
  gaps->n++;
  gaps->total_ns = loom_time_add (gaps->total_ns, gap_ns);
}

static gint64
get_length_ns (const LoomIdleGap *gap)
{
  return loom_time_sub (gap->range.end_ns, gap->range.begin_ns);
}

static int
compare_gaps (gconstpointer a, gconstpointer b)
{
  const LoomIdleGap *x = a, *y = b;
  gint64 own = get_length_ns (x), other = get_length_ns (y);
  if (own != other)
    return own > other ? -1 : 1;
  return x->range.begin_ns < y->range.begin_ns ? -1 : x->range.begin_ns > y->range.begin_ns;
}

static gboolean
is_step (const LoomTrace *trace, guint32 span)
{
  return loom_step_collector_states_number (loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[span]));
}

/* Returns the innermost span of the launching thread halfway between the start of the gap and the launch. G_MAXUINT32:
 * there is no such span, or it only marks a step and does not show the activity of the thread. Also G_MAXUINT32 if the
 * trace has several clocks, because then the span of the host at a time of the device cannot be found. */
static guint32
find_host_span (const TraceResult *result, const Work *work)
{
  guint32 track, row;
  if (loom_trace_get_n_clocks (result->trace) != 1)
    return G_MAXUINT32;
  loom_trace_locate_span (result->trace, work->launch, &track, &row);
  gint64 waited_ns = loom_time_sub (work->launch_ns, work->previous_end_ns);
  gint64 middle_ns = loom_time_add (work->previous_end_ns, MAX (waited_ns, 0) / 2);
  guint32 span = loom_span_walk_find_innermost (result->trace, loom_trace_get_track (result->trace, track), middle_ns);
  if (span != G_MAXUINT32 && is_step (result->trace, span))
    return G_MAXUINT32;
  return span;
}

/* Inserts a gap into `longest`, a sorted list of the LOOM_IDLE_TIME_MOST_GAPS longest gaps. Most gaps are shorter than
 * all gaps in the full list; they cost only one comparison. */
static void
keep_longest (const TraceResult *result, GArray *longest, const Work *work, LoomIdleGap gap)
{
  guint n = longest->len;
  if (n == LOOM_IDLE_TIME_MOST_GAPS && compare_gaps (&gap, &g_array_index (longest, LoomIdleGap, n - 1)) >= 0)
    return;
  while (n > 0 && compare_gaps (&gap, &g_array_index (longest, LoomIdleGap, n - 1)) < 0)
    n--;
  if (gap.cause == LOOM_IDLE_CAUSE_HOST)
    gap.host = find_host_span (result, work);
  g_array_insert_val (longest, n, gap);
  g_array_set_size (longest, MIN (longest->len, LOOM_IDLE_TIME_MOST_GAPS));
}

static void
keep_gap (const TraceResult *result, const Work *work, LoomIdleGap gap)
{
  keep_longest (result, result->longest, work, gap);
  if (gap.cause == LOOM_IDLE_CAUSE_HOST && gap.data_ns < get_length_ns (&gap) / 2)
    keep_longest (result, result->longest_for_host, work, gap);
}

/* Returns the waits for data of the thread that launches the kernel or copy; NULL: there are none. The result is
 * cached, because successive launches mostly come from the same thread. */
static const GArray *
find_waits (TraceResult *result, const Work *work)
{
  guint32 track, row;
  loom_trace_locate_span (result->trace, work->launch, &track, &row);
  if (track != result->waits_track)
    result->waits = loom_idle_data_find (result->data, result->number, track);
  result->waits_track = track;
  return result->waits;
}

/* Adds the gap (the idle time) before the kernel or copy `whole`. Only the part of the gap inside the range `local` is
 * added, but the cause is that of the whole gap. */
static void
add_gap_before (TraceResult *result, LoomIdleRow *row, const Work *whole, LoomRange local)
{
  if (whole->previous_end_ns == LOOM_TIME_NONE || whole->begin_ns <= local.begin_ns ||
      whole->previous_end_ns >= local.end_ns)
    return;
  Work part = *whole;
  const Work *work = &part;
  part.previous_end_ns = MAX (whole->previous_end_ns, local.begin_ns);
  part.begin_ns = MIN (whole->begin_ns, local.end_ns);
  gint64 whole_ns = MAX (loom_time_sub (whole->begin_ns, whole->previous_end_ns), 0);
  gint64 gap_ns = loom_time_sub (work->begin_ns, work->previous_end_ns);
  row->n_overlaps += gap_ns < 0;
  gap_ns = MAX (gap_ns, 0);
  row->idle_ns = loom_time_add (row->idle_ns, gap_ns);
  LoomIdleCause cause = get_binding_cause (result, whole, whole_ns);
  add_gap (&row->hta[get_hta_cause (whole, whole_ns)], work, gap_ns);
  add_gap (&row->binding[cause], work, gap_ns);
  gboolean is_data = cause == LOOM_IDLE_CAUSE_HOST && !loom_idle_data_is_empty (result->data);
  if (gap_ns == 0 || (row->stream != NULL && cause != LOOM_IDLE_CAUSE_HOST))
    return;
  LoomIdleGap gap = { result->number, work->span, G_MAXUINT32, get_range (work), cause, 0 };
  if (is_data)
    gap.data_ns = loom_idle_data_measure (find_waits (result, work), gap.range);
  if (cause == LOOM_IDLE_CAUSE_HOST)
    add_gap (gap.data_ns > gap_ns / 2 ? &row->mostly_data : &row->mostly_host, work, gap_ns);
  row->data_ns = loom_time_add (row->data_ns, gap.data_ns);
  if (row->stream == NULL)
    keep_gap (result, work, gap);
}

static void
add_work (LoomIdleRow *row, const Work *work)
{
  row->n_works++;
  row->work_ns = loom_time_add (row->work_ns, loom_time_sub (work->end_ns, work->begin_ns));
  row->n_unlinked += work->launch == G_MAXUINT32;
}

/* Adds the call that launched `work` to result->made, because the kernels or the delay of this call touch the range.
 * `cut`: the call that launched the last kernel or copy of the stream before the range; G_MAXUINT32: there is none.
 * `local`: the range, on the clock of the device. */
static void
add_call (TraceResult *result, const Work *work, guint32 cut, LoomRange local)
{
  const LoomIdleCall call = { .launch = work->launch,
                              .launch_ns = work->launch_ns,
                              .begin_ns = work->begin_ns,
                              .device_ns = loom_time_sub (work->end_ns, work->begin_ns),
                              .inside_ns = MAX (0, loom_time_sub (MIN (work->end_ns, local.end_ns),
                                                                  MAX (work->begin_ns, local.begin_ns))),
                              .range = local,
                              .is_cut = work->launch == cut };
  loom_idle_launches_add (result->made, &call);
}

/* --- length of a stream's queue ----------------------------------------------------------------------------------- */

/* fill_queue() searches kernels that were launched inside the range but begin after it. It stops after this number of
 * kernels that were launched after the range. It does not stop at the first such kernel, because launches of several
 * threads may be slightly out of order. */
#define MOST_LATER (2 * LOOM_LAUNCH_QUEUE_FULL)

/* Fills the queue of a stream with the kernels that are in the queue at any time of the range; their times are clipped
 * to the range. Some of these kernels begin after the range. For each of them, also adds the call that launched it,
 * because a part of the call or of its delay is in the range. `cut`: see add_call(). */
static void
fill_queue (TraceResult *result, guint32 track, guint32 cut, LoomRange local)
{
  Work work;
  guint n_later = 0;
  guint32 last_call = G_MAXUINT32;
  loom_launch_queue_reset (&result->queue);
  loom_launch_queue_reset (&result->calls);
  if (!begin_in (result, track, FALSE, (LoomRange) { local.begin_ns, G_MAXINT64 }, &work))
    return;
  while (n_later < MOST_LATER && next (result, FALSE, &work)) {
    if (work.launch == G_MAXUINT32 || work.begin_ns < local.begin_ns)
      continue;
    if (work.launch_ns >= local.end_ns) {
      n_later++;
      continue;
    }
    n_later = 0;
    gint64 launch_ns = MAX (work.launch_ns, local.begin_ns), begin_ns = MIN (work.begin_ns, local.end_ns);
    loom_launch_queue_add (&result->queue, launch_ns, begin_ns);
    if (work.launch != last_call)
      loom_launch_queue_add (&result->calls, launch_ns, begin_ns);
    last_call = work.launch;
    if (work.begin_ns >= local.end_ns)
      add_call (result, &work, cut, local);
  }
}

/* --- streams and devices ------------------------------------------------------------------------------------------ */

static LoomIdleRow
make_row (const TraceResult *result, const LoomTrack *track, gboolean device)
{
  return (LoomIdleRow) {
    .trace = result->number,
    .node = track->node,
    .device = track->process,
    .stream = device ? NULL : track,
    .rank = track->rank,
    .first = G_MAXUINT32,
    .first_launch = G_MAXUINT32,
    .is_process = loom_track_rank_is_process (track, track->format),
    .source = loom_run_get_first_source (loom_timeline_get_run (result->timeline), result->number) + track->source
  };
}

/* Returns the range for which the idle time is computed, on the clock of a track. */
static LoomRange
get_local (const TraceResult *result, guint32 track)
{
  return loom_span_walk_get_local (result->timeline, result->number, loom_trace_get_track (result->trace, track),
                                   result->range);
}

/* Sets the recorded time of a row. `first_ns`, `last_ns`: first start and last end of its kernels and copies, before and
 * after the range, too. `local`: the range. All times are on the clock of the track. */
static void
set_recorded (const TraceResult *result, LoomIdleRow *row, guint32 track, gint64 first_ns, gint64 last_ns,
              LoomRange local)
{
  const LoomClockMap *map =
    loom_timeline_get_map (result->timeline, result->number, loom_trace_get_track (result->trace, track)->clock);
  gint64 begin_ns = MAX (first_ns, local.begin_ns), end_ns = MIN (last_ns, local.end_ns);
  row->recorded_ns = loom_time_sub (end_ns, begin_ns);
  row->recorded = (LoomRange) { loom_clock_map_to_timeline (map, begin_ns), loom_clock_map_to_timeline (map, end_ns) };
  row->is_cut = first_ns < local.begin_ns;
}

/* Adds a row. If `device` is FALSE, the row is for a stream that has a kernel or copy in the range; if it is TRUE, the
 * row is for the device whose first track is `track`. */
static void
add_row (TraceResult *result, guint32 track, gboolean device)
{
  Work work;
  LoomIdleRow row = make_row (result, loom_trace_get_track (result->trace, track), device);
  const LoomRange local = get_local (result, track);
  gint64 first_ns = LOOM_TIME_NONE, last_ns = LOOM_TIME_NONE;
  /* the call that launched the last kernel or copy of the stream that ends before the range begins; G_MAXUINT32:
   * unknown, or there is none. If this call also launched kernels in the range, only a part of its kernels is in the
   * range */
  guint32 cut = G_MAXUINT32;
  begin_in (result, track, device, widen (result, track, device, local), &work);
  while (next (result, device, &work)) {
    last_ns = first_ns == LOOM_TIME_NONE ? work.end_ns : MAX (last_ns, work.end_ns);
    first_ns = first_ns == LOOM_TIME_NONE ? work.begin_ns : first_ns;
    add_gap_before (result, &row, &work, local);
    if (work.end_ns <= local.begin_ns)
      cut = work.launch;
    if (work.end_ns <= local.begin_ns || work.begin_ns >= local.end_ns)
      continue;
    if (row.n_works == 0) {
      row.first = work.span;
      row.first_launch = work.launch;
    }
    add_work (&row, &work);
    if (!device && work.launch != G_MAXUINT32)
      add_call (result, &work, cut, local);
  }
  set_recorded (result, &row, track, first_ns, last_ns, local);
  if (!device) {
    fill_queue (result, track, cut, local);
    LoomLaunchQueueLength queue = loom_launch_queue_get_length (&result->queue);
    row.longest_queue = queue.longest;
    row.mean_queue = queue.mean;
    row.queued_ns = queue.queued_ns;
    row.full_queue_ns = loom_launch_queue_get_length (&result->calls).full_ns;
  }
  g_array_append_val (device ? result->devices : result->streams, row);
}

/* Returns the first track of a device that has kernels or copies, inside or outside the range. Kernels and copies
 * outside the range count, too, because the idle time of the device begins at the last kernel or copy before the range.
 * G_MAXUINT32: no track has kernels or copies, so the process is not a device but a host. `first`: first track of the
 * device. */
static guint32
find_first_track (TraceResult *result, guint32 first)
{
  Work work;
  for (guint32 i = first; i != G_MAXUINT32; i = result->tracks.next[i])
    if (begin_in (result, i, FALSE, (LoomRange) { G_MININT64, G_MAXINT64 }, &work))
      return i;
  return G_MAXUINT32;
}

/* Returns TRUE if the device has kernels or copies both before and after the range. Then the device was recorded during
 * the whole range; if it has no kernels or copies inside the range, it was idle all the time. */
static gboolean
is_around (TraceResult *result, guint32 track)
{
  const LoomRange local = get_local (result, track), around = widen (result, track, TRUE, local);
  return around.begin_ns < local.begin_ns && around.end_ns > local.end_ns;
}

/* Adds a row for a device, which consists of all tracks of a process. `first`: the first track of the process. A device
 * without a kernel or copy in the range gets a row only if it has kernels or copies both before and after the range.
 */
static void
add_device (TraceResult *result, guint32 first)
{
  Work work;
  guint32 track = find_first_track (result, first);
  if (track != G_MAXUINT32 && (begin (result, track, TRUE, &work) || is_around (result, track)))
    add_row (result, track, TRUE);
}

static void
run_trace (guint item, guint worker, gpointer data)
{
  Computation *all = data;
  TraceResult *result = &all->traces[item];
  if (g_cancellable_is_cancelled (all->cancellable))
    return;
  Work work;
  loom_device_tracks_init (&result->tracks, result->trace);
  loom_launch_walk_init (&result->walk, result->trace);
  loom_launch_queue_init (&result->queue);
  loom_launch_queue_init (&result->calls);
  result->made = g_array_new (FALSE, FALSE, sizeof (LoomIdleCall));
  loom_trace_ranks_init (&result->ranks, result->trace, item);
  result->shortest = g_new (LoomIdleShortest, MAX (result->ranks.n, 1));
  find_shortest (result);
  for (guint32 i = 0; i < loom_trace_get_n_tracks (result->trace) && !g_cancellable_is_cancelled (all->cancellable);
       i++) {
    if (begin (result, i, FALSE, &work))
      add_row (result, i, FALSE);
    if (result->tracks.first[i] == i)
      add_device (result, i);
  }
  loom_idle_launches_sum (result->launches, result->timeline, result->number, result->made);
  g_array_unref (result->made);
  loom_launch_queue_clear (&result->queue);
  loom_launch_queue_clear (&result->calls);
  loom_launch_walk_clear (&result->walk);
  loom_trace_ranks_clear (&result->ranks);
  g_clear_pointer (&result->shortest, g_free);
  loom_device_tracks_clear (&result->tracks);
}

/* --- public functions and their helpers --------------------------------------------------------------------------- */

static void
init_trace (Computation *all, guint number)
{
  all->traces[number] = (TraceResult) { .timeline = all->timeline,
                                        .trace = loom_run_get_trace (loom_timeline_get_run (all->timeline), number),
                                        .number = number,
                                        .range = all->range,
                                        .data = all->data,
                                        .cancellable = all->cancellable,
                                        .waits_track = G_MAXUINT32,
                                        .devices = g_array_new (FALSE, FALSE, sizeof (LoomIdleRow)),
                                        .streams = g_array_new (FALSE, FALSE, sizeof (LoomIdleRow)),
                                        .launches = g_array_new (FALSE, FALSE, sizeof (LoomIdleLaunches)),
                                        .longest = g_array_new (FALSE, FALSE, sizeof (LoomIdleGap)),
                                        .longest_for_host = g_array_new (FALSE, FALSE, sizeof (LoomIdleGap)) };
}

static void
move (GArray *to, GArray *from)
{
  g_array_append_vals (to, from->data, from->len);
  g_array_unref (from);
}

static void
join (LoomIdleTime *idle, TraceResult *result)
{
  move (idle->devices, result->devices);
  move (idle->streams, result->streams);
  move (idle->launches, result->launches);
  move (idle->longest, result->longest);
  move (idle->longest_for_host, result->longest_for_host);
}

void
loom_idle_time_cut_gaps (GArray *gaps)
{
  g_array_sort (gaps, compare_gaps);
  g_array_set_size (gaps, MIN (gaps->len, LOOM_IDLE_TIME_MOST_GAPS));
}

LoomIdleTime *
loom_idle_time_new (LoomTimeline *timeline, LoomRange range, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  guint n = loom_run_get_n_traces (loom_timeline_get_run (timeline));
  g_autoptr (LoomIdleData) data = loom_idle_data_new (timeline, range, cancellable);
  if (data == NULL)
    return NULL;
  Computation all = { timeline, range, cancellable, data, g_new (TraceResult, MAX (n, 1)) };
  g_autoptr (LoomIdleTime) idle = g_new0 (LoomIdleTime, 1);
  idle->devices = g_array_new (FALSE, FALSE, sizeof (LoomIdleRow));
  idle->streams = g_array_new (FALSE, FALSE, sizeof (LoomIdleRow));
  idle->launches = g_array_new (FALSE, FALSE, sizeof (LoomIdleLaunches));
  idle->longest = g_array_new (FALSE, FALSE, sizeof (LoomIdleGap));
  idle->longest_for_host = g_array_new (FALSE, FALSE, sizeof (LoomIdleGap));
  idle->has_index = loom_run_has_index (loom_timeline_get_run (timeline));
  idle->recorder = loom_recording_advice_find_recorder (loom_timeline_get_run (timeline));
  for (guint i = 0; i < n; i++)
    init_trace (&all, i);
  loom_parallel_for (n, 0, run_trace, &all, NULL);
  for (guint i = 0; i < n; i++)
    join (idle, &all.traces[i]);
  g_free (all.traces);
  loom_idle_time_cut_gaps (idle->longest);
  loom_idle_time_cut_gaps (idle->longest_for_host);
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&idle);
}

static gpointer
make_idle (const LoomCollectives *collectives, GCancellable *cancellable)
{
  return loom_idle_time_new (collectives->timeline, collectives->range, cancellable);
}

static void
free_idle (gpointer idle)
{
  loom_idle_time_free (idle);
}

const LoomIdleTime *
loom_idle_time_get (const LoomCollectives *collectives, GCancellable *cancellable)
{
  return loom_collectives_share (collectives, LOOM_COLLECTIVES_IDLE_TIME, make_idle, free_idle, cancellable);
}

void
loom_idle_time_free (LoomIdleTime *idle)
{
  if (idle == NULL)
    return;
  g_array_unref (idle->devices);
  g_array_unref (idle->streams);
  g_array_unref (idle->launches);
  g_array_unref (idle->longest);
  g_array_unref (idle->longest_for_host);
  g_free (idle);
}

const char *
loom_idle_time_get_missing (const LoomIdleTime *idle)
{
  if (idle->devices->len == 0)
    return _ ("There are no GPU kernels or memory copies in this range.");
  if (idle->launches->len == 0)
    return idle->has_index
             ? _ (
                 "Index files do not record kernel launches: open the trace files themselves to see what the devices waited for.")
             : _ ("The files do not contain the launches of the kernels.");
  return NULL;
}

const char *
loom_idle_time_get_advice (const LoomIdleTime *idle)
{
  gboolean unlinked = idle->devices->len > 0 && idle->launches->len == 0 && !idle->has_index;
  return loom_recording_advice_get (idle->recorder, unlinked ? LOOM_LACKS_LAUNCHES : LOOM_LACKS_NOTHING);
}
