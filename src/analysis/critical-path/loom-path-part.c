/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-path-part.h"

#include <string.h>

#include "loom-int64-hash.h"
#include "loom-merge-sort.h"
#include "loom-string-pool.h"
#include "loom-track-rank.h"
#include "loom-work-kind.h"

/* maximum number of kernels and copies that find_last_ended() examines. A few are enough, because kernels of one stream
 * rarely overlap. */
#define MOST_OVERLAPS 16
/* A synchronizing call may be recorded as returning before the end of the kernel or copy for which it waited, by at
 * most 1 / LATE_SHARE of its own duration, see find_ended_after(). */
#define LATE_SHARE 10

void
loom_path_part_add_stream (LoomPathPart *part, const LoomTrack *track, guint32 first)
{
  const char *digits = track->thread_key + strcspn (track->thread_key, "0123456789");
  LoomPathStream stream = { track->process_id, *digits != '\0' ? g_ascii_strtoll (digits, NULL, 10) : -1, first,
                            part->works->len - first, track };
  g_array_append_val (part->streams, stream);
}

guint32
loom_path_part_find_span (const LoomPathPart *part, guint32 event)
{
  LoomSpanId span = loom_collectives_get_event_span (part->trace, part->number, event);
  return loom_timeline_span_id_is_none (span) ? LOOM_PATH_NONE : span.span;
}

/* --- order of the work on each stream ----------------------------------------------------------------------------- */

static LoomPathWork *
get_work (const LoomPathPart *part, guint32 work)
{
  return &g_array_index (part->works, LoomPathWork, work);
}

static LoomPathCall *
get_call (const LoomPathPart *part, guint32 call)
{
  return &g_array_index (part->calls, LoomPathCall, call);
}

/* Returns when the call that launched a kernel or copy starts (timeline ns). If the call is not recorded, returns when
 * the kernel or copy itself starts. */
static gint64
get_launch_ns (const LoomPathPart *part, guint32 work)
{
  const LoomPathWork *own = get_work (part, work);
  return own->launch != LOOM_PATH_NONE ? get_call (part, own->launch)->begin_ns : own->begin_ns;
}

typedef struct {
  gint64 time_ns;
  guint32 work;
} Launch;

#define IS_EARLIER(a, b) ((a)->time_ns < (b)->time_ns)
LOOM_DEFINE_SORT (sort_launches, Launch, IS_EARLIER)

static void
order_launches (LoomPathPart *part)
{
  guint32 n = part->works->len;
  g_autofree Launch *launches = g_new (Launch, MAX (n, 1));
  part->order = g_new (guint32, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    launches[i] = (Launch) { get_launch_ns (part, i), i };
  for (guint i = 0; i < part->streams->len; i++) {
    const LoomPathStream *stream = &g_array_index (part->streams, LoomPathStream, i);
    sort_launches (launches + stream->first, stream->n);
  }
  for (guint32 i = 0; i < n; i++)
    part->order[i] = launches[i].work;
}

/* Returns the number of kernels and copies of a stream that were launched before `time_ns`. If `also_at` is TRUE,
 * launches at `time_ns` count, too. */
static guint32
count_launched (const LoomPathPart *part, const LoomPathStream *stream, gint64 time_ns, gboolean also_at)
{
  guint32 low = 0, high = stream->n;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    gint64 launch_ns = get_launch_ns (part, part->order[stream->first + middle]);
    if (launch_ns < time_ns || (also_at && launch_ns == time_ns))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static guint32
find_last_launched (const LoomPathPart *part, const LoomPathStream *stream, gint64 time_ns)
{
  guint32 n = stream != NULL ? count_launched (part, stream, time_ns, FALSE) : 0;
  return n > 0 ? part->order[stream->first + n - 1] : LOOM_PATH_NONE;
}

/* Returns the first kernel or copy that is launched on the stream after `time_ns`; LOOM_PATH_NONE: there is none.
 * Launches by all threads count, because the stream waits, not a thread. (HTA considers only launches by the same
 * thread.) */
static guint32
find_next_launched (const LoomPathPart *part, const LoomPathStream *stream, gint64 time_ns)
{
  guint32 n = count_launched (part, stream, time_ns, TRUE);
  return n < stream->n ? part->order[stream->first + n] : LOOM_PATH_NONE;
}

static const LoomPathStream *
find_stream (const LoomPathPart *part, guint32 process_id, gint64 number)
{
  for (guint i = 0; i < part->streams->len; i++) {
    const LoomPathStream *stream = &g_array_index (part->streams, LoomPathStream, i);
    if (stream->process_id == process_id && stream->number == number)
      return stream;
  }
  return NULL;
}

static void
add_wait (LoomPathPart *part, guint32 work, guint32 target, gboolean is_call, gboolean inferred)
{
  LoomPathWait wait = { work, target, is_call, inferred, 0 };
  if (work != LOOM_PATH_NONE && target != LOOM_PATH_NONE && (is_call || work != target))
    g_array_append_val (part->waits, wait);
}

/* Adds the wait of the call `target` for the kernel or copy `work`, which should begin before the call returns. If
 * `work` begins later, and ends at most LOOM_PATH_CLOCK_ERROR_NS after the call, the clocks of host and device differ:
 * then the call is assumed to have waited for the nearest earlier kernel or copy of the stream that begins before the
 * call returns. If `work` ends more than LOOM_PATH_CLOCK_ERROR_NS after the call, the wait for `work` is added. */
static void
add_call_wait (LoomPathPart *part, guint32 work, guint32 target, gboolean inferred)
{
  gint64 end_ns = get_call (part, target)->end_ns, late_ns = 0;
  if (work != LOOM_PATH_NONE)
    late_ns = MAX (get_work (part, work)->end_ns - end_ns, 0);
  while (work != LOOM_PATH_NONE && late_ns <= LOOM_PATH_CLOCK_ERROR_NS && get_work (part, work)->begin_ns >= end_ns)
    work = get_work (part, work)->previous;
  guint n = part->waits->len;
  add_wait (part, work, target, TRUE, inferred);
  if (part->waits->len > n)
    g_array_index (part->waits, LoomPathWait, n).late_ns = late_ns;
}

/* --- waits that the trace records --------------------------------------------------------------------------------- */

/* Returns a key of rank and correlation id, because different ranks in one file use the same correlation ids. */
static gint64
get_call_key (const LoomPathPart *part, const LoomSyncEvent *event, gint64 correlation)
{
  gint rank = loom_trace_get_track (part->trace, event->track)->rank;
  return (gint64) loom_string_pool_hash_join ((guint64) correlation, (guint64) (rank + 1));
}

/* Returns a table of the calls that record events, wait for events, or synchronize: get_call_key() → LoomSyncEvent. */
static GHashTable *
index_calls (const LoomPathPart *part, const LoomSyncEvent *events, guint32 n)
{
  GHashTable *found = g_hash_table_new (loom_int64_hash_packed, NULL);
  for (guint32 i = 0; i < n; i++)
    if (events[i].kind == LOOM_SYNC_EVENT_DEVICE_CALL && events[i].track < loom_trace_get_n_tracks (part->trace)) {
      gint64 key = get_call_key (part, &events[i], events[i].call);
      g_hash_table_insert (found, GSIZE_TO_POINTER (key), (gpointer) &events[i]);
    }
  return found;
}

static const LoomSyncEvent *
find_call_of (const LoomPathPart *part, GHashTable *calls, const LoomSyncEvent *wait, gint64 correlation)
{
  return g_hash_table_lookup (calls, GSIZE_TO_POINTER (get_call_key (part, wait, correlation)));
}

static gint64
get_begin_ns (const LoomPathPart *part, const LoomSyncEvent *event)
{
  const LoomTrack *track = loom_trace_get_track (part->trace, event->track);
  return loom_clock_map_to_timeline (loom_timeline_get_map (part->timeline, part->number, track->clock),
                                     event->start_ns);
}

/* Returns the kernel or copy that must end before an event occurs: the last one that was launched on the event's stream
 * before the event was recorded. LOOM_PATH_NONE: there is no such kernel or copy, or the call that recorded the event
 * is not in the file. */
static guint32
find_recorded (const LoomPathPart *part, GHashTable *calls, const LoomSyncEvent *wait, guint32 process_id)
{
  const LoomSyncEvent *record = find_call_of (part, calls, wait, wait->sequence);
  const LoomPathStream *stream = find_stream (part, process_id, wait->bytes);
  return record != NULL && stream != NULL ? find_last_launched (part, stream, get_begin_ns (part, record))
                                          : LOOM_PATH_NONE;
}

/* Adds the wait that a call such as cudaStreamWaitEvent causes. The waiting kernel or copy is the next one that is
 * launched on the stream of `wait`. The awaited one is the last one that was launched on the event's stream before the
 * event was recorded. */
static void
add_stream_wait (LoomPathPart *part, GHashTable *calls, const LoomSyncEvent *wait, const LoomSyncEvent *call)
{
  const LoomTrack *track = loom_trace_get_track (part->trace, wait->track);
  gint64 call_ns = get_begin_ns (part, call);
  for (guint i = 0; i < part->streams->len; i++) {
    const LoomPathStream *stream = &g_array_index (part->streams, LoomPathStream, i);
    if (stream->track == track)
      add_wait (part, find_recorded (part, calls, wait, track->process_id), find_next_launched (part, stream, call_ns),
                FALSE, FALSE);
  }
}

/* Adds the waits of the call with the index `target` for a device, a stream or an event, as the file records them in
 * `wait`. */
static void
add_host_wait (LoomPathPart *part, GHashTable *calls, const LoomSyncEvent *wait, guint32 target)
{
  guint32 process_id = loom_trace_get_track (part->trace, wait->track)->process_id;
  const char *name = loom_trace_get_sync_event_text (part->trace, wait->name);
  gint64 begin_ns = get_call (part, target)->begin_ns;
  if (g_str_has_prefix (name, "Event")) {
    add_call_wait (part, find_recorded (part, calls, wait, process_id), target, FALSE);
    return;
  }
  gboolean all = g_str_has_prefix (name, "Context");
  for (guint i = 0; i < part->streams->len; i++) {
    const LoomPathStream *stream = &g_array_index (part->streams, LoomPathStream, i);
    if (stream->process_id == process_id && (all || stream->number == wait->bytes))
      add_call_wait (part, find_last_launched (part, stream, begin_ns), target, FALSE);
  }
}

/* Adds the waits that the profiler recorded. Returns their number, including those whose call is unknown. */
static guint
add_known_waits (LoomPathPart *part)
{
  guint32 n, n_waits = 0;
  const LoomSyncEvent *events = loom_trace_get_meetings (part->trace, &n);
  g_autoptr (GHashTable) calls = index_calls (part, events, n);
  for (guint32 i = 0; i < n; i++) {
    if (events[i].kind != LOOM_SYNC_EVENT_DEVICE_WAIT || events[i].track >= loom_trace_get_n_tracks (part->trace))
      continue;
    n_waits++;
    const LoomSyncEvent *call = find_call_of (part, calls, &events[i], events[i].call);
    if (call == NULL)
      continue;
    if (strcmp (loom_trace_get_sync_event_text (part->trace, events[i].name), "Stream Wait Event") == 0) {
      add_stream_wait (part, calls, &events[i], call);
      continue;
    }
    guint32 span = loom_path_part_find_span (part, (guint32) (call - events));
    guint32 target = span != LOOM_PATH_NONE ? loom_path_part_find_call (part, span) : LOOM_PATH_NONE;
    if (target != LOOM_PATH_NONE)
      add_host_wait (part, calls, &events[i], target);
  }
  return n_waits;
}

/* --- waits that are inferred from times --------------------------------------------------------------------------- */

/* Returns the number of kernels and copies of a stream that start before `time_ns`. If `also_at` is TRUE, starts at
 * `time_ns` count, too. */
static guint32
count_begun (const LoomPathPart *part, const LoomPathStream *stream, gint64 time_ns, gboolean also_at)
{
  guint32 low = 0, high = stream->n;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    gint64 begin_ns = get_work (part, stream->first + middle)->begin_ns;
    if (begin_ns < time_ns || (also_at && begin_ns == time_ns))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Returns the last kernel or copy of a stream that ends at or before `time_ns`. LOOM_PATH_NONE: there is none among the
 * last MOST_OVERLAPS kernels and copies that start at or before `time_ns`. */
static guint32
find_last_ended (const LoomPathPart *part, const LoomPathStream *stream, gint64 time_ns)
{
  guint32 n = count_begun (part, stream, time_ns, TRUE);
  for (guint32 i = 0; i < MIN (n, MOST_OVERLAPS); i++)
    if (get_work (part, stream->first + n - 1 - i)->end_ns <= time_ns)
      return stream->first + n - 1 - i;
  return LOOM_PATH_NONE;
}

static const LoomTrack *
get_track (const LoomPathPart *part, guint32 span)
{
  guint32 track, row;
  loom_trace_locate_span (part->trace, span, &track, &row);
  return loom_trace_get_track (part->trace, track);
}

typedef enum {
  /* calls that wait for all streams of a device, such as cudaDeviceSynchronize, cuCtxSynchronize and
   * hipDeviceSynchronize */
  WAITS_FOR_DEVICE,
  WAITS_FOR_STREAM,
  WAITS_FOR_EVENT,
} WaitsFor;

static WaitsFor
get_waits_for (const LoomPathPart *part, const LoomPathCall *call)
{
  guint32 name = loom_trace_get_spans (part->trace)->name_id[call->span];
  g_autofree char *lower = g_ascii_strdown (loom_trace_get_name (part->trace, name)->text, -1);
  if (strstr (lower, "device") != NULL || strstr (lower, "ctx") != NULL || strstr (lower, "context") != NULL ||
      strstr (lower, "thread") != NULL)
    return WAITS_FOR_DEVICE;
  return strstr (lower, "event") != NULL ? WAITS_FOR_EVENT : WAITS_FOR_STREAM;
}

/* Returns the last kernel or copy of a stream that was launched before a call and ends during the call. */
static guint32
find_ended_in (const LoomPathPart *part, const LoomPathStream *stream, const LoomPathCall *call)
{
  guint32 work = find_last_ended (part, stream, call->end_ns);
  return work != LOOM_PATH_NONE && get_work (part, work)->end_ns > call->begin_ns &&
             get_launch_ns (part, work) <= call->begin_ns
           ? work
           : LOOM_PATH_NONE;
}

/* Finds the last kernel or copy that was launched on a stream before a call. Returns it if it ends after the call, but
 * so little that the difference can be an error of the clocks of host and device; otherwise returns LOOM_PATH_NONE. The
 * limit is LOOM_PATH_CLOCK_ERROR_NS, but at most 1 / LATE_SHARE of the duration of the call, because a very short call
 * may have returned without waiting for the kernel or copy. */
static guint32
find_ended_after (const LoomPathPart *part, const LoomPathStream *stream, const LoomPathCall *call)
{
  guint32 last = find_last_launched (part, stream, call->begin_ns);
  gint64 most_ns = MIN (LOOM_PATH_CLOCK_ERROR_NS, (call->end_ns - call->begin_ns) / LATE_SHARE);
  gint64 late_ns = last != LOOM_PATH_NONE ? get_work (part, last)->end_ns - call->end_ns : 0;
  return late_ns > 0 && late_ns <= most_ns ? last : LOOM_PATH_NONE;
}

/* Returns which of two kernels or copies ends nearer to `time_ns`; if both are equally near, the first one.
 * LOOM_PATH_NONE: both are LOOM_PATH_NONE. */
static guint32
get_nearer (const LoomPathPart *part, guint32 a, guint32 b, gint64 time_ns)
{
  if (a == LOOM_PATH_NONE || b == LOOM_PATH_NONE)
    return a != LOOM_PATH_NONE ? a : b;
  gint64 from_a_ns = get_work (part, a)->end_ns - time_ns, from_b_ns = get_work (part, b)->end_ns - time_ns;
  return ABS (from_b_ns) < ABS (from_a_ns) ? b : a;
}

/* Infers for which kernels and copies a synchronizing call waited. Candidates are the kernels and copies of the same
 * rank that were launched before the call. A call that waits for a whole device is assumed to wait, on each stream, for
 * the last candidate that ends within the call or slightly after it. A call that waits for one stream or event is
 * assumed to wait for the candidate whose end is nearest to the end of the call. */
static void
infer_synchronization (LoomPathPart *part, guint32 target)
{
  const LoomPathCall *call = get_call (part, target);
  const LoomTrack *track = get_track (part, call->span);
  WaitsFor kind = get_waits_for (part, call);
  guint32 nearest = LOOM_PATH_NONE;
  for (guint i = 0; i < part->streams->len; i++) {
    const LoomPathStream *stream = &g_array_index (part->streams, LoomPathStream, i);
    if (!loom_track_rank_may_match (stream->track, track))
      continue;
    guint32 work = find_ended_in (part, stream, call), late = find_ended_after (part, stream, call);
    if (kind == WAITS_FOR_EVENT)
      late = get_nearer (part, work, late, call->end_ns);
    work = late != LOOM_PATH_NONE ? late : work;
    if (kind == WAITS_FOR_DEVICE)
      add_call_wait (part, work, target, TRUE);
    else
      nearest = get_nearer (part, nearest, work, call->end_ns);
  }
  add_call_wait (part, nearest, target, TRUE);
}

static void
infer_synchronizations (LoomPathPart *part)
{
  g_autofree gboolean *known = g_new0 (gboolean, MAX (part->calls->len, 1));
  for (guint i = 0; i < part->waits->len; i++) {
    const LoomPathWait *wait = &g_array_index (part->waits, LoomPathWait, i);
    if (wait->is_call)
      known[wait->target] = TRUE;
  }
  for (guint32 i = 0; i < part->calls->len; i++)
    if ((get_call (part, i)->flags & LOOM_PATH_CALL_BLOCKS) != 0 && !known[i])
      infer_synchronization (part, i);
}

/* Infers that a call waited for the copy that it launched, if the copy is inside the call. */
static void
infer_copies (LoomPathPart *part)
{
  const guint32 *name_id = loom_trace_get_spans (part->trace)->name_id;
  for (guint32 i = 0; i < part->works->len; i++) {
    const LoomPathWork *work = get_work (part, i);
    LoomPathCall *call = work->launch != LOOM_PATH_NONE ? get_call (part, work->launch) : NULL;
    if (call == NULL || part->blocking[name_id[call->span]] != LOOM_PATH_BLOCKING_COPIES ||
        work->end_ns > call->end_ns || work->begin_ns < call->begin_ns)
      continue;
    call->flags |= LOOM_PATH_CALL_BLOCKS;
    add_wait (part, i, work->launch, TRUE, TRUE);
  }
}

/* Infers the waits between the kernel `work`, which communicates, and kernels and copies of other streams; see
 * LOOM_PATH_INFERRED_GAP_NS. */
static void
infer_events (LoomPathPart *part, guint32 work)
{
  const LoomPathWork *own = get_work (part, work);
  gint64 launch_ns = get_launch_ns (part, work);
  const LoomTrack *track = get_track (part, own->span);
  for (guint i = 0; i < part->streams->len; i++) {
    const LoomPathStream *stream = &g_array_index (part->streams, LoomPathStream, i);
    if ((work >= stream->first && work < stream->first + stream->n) ||
        !loom_track_rank_may_match (stream->track, track))
      continue;
    guint32 before = find_last_ended (part, stream, own->begin_ns);
    if (before != LOOM_PATH_NONE && own->begin_ns - get_work (part, before)->end_ns <= LOOM_PATH_INFERRED_GAP_NS &&
        get_launch_ns (part, before) < launch_ns)
      add_wait (part, before, work, FALSE, TRUE);
    guint32 n = count_begun (part, stream, own->end_ns, FALSE), after = stream->first + n;
    if (n < stream->n && get_work (part, after)->begin_ns - own->end_ns <= LOOM_PATH_INFERRED_GAP_NS &&
        launch_ns < get_launch_ns (part, after))
      add_wait (part, work, after, FALSE, TRUE);
  }
}

void
loom_path_part_add_waits (LoomPathPart *part)
{
  order_launches (part);
  gboolean known = add_known_waits (part) > 0;
  infer_synchronizations (part);
  infer_copies (part);
  for (guint32 i = 0; i < part->works->len && !known; i++)
    if (get_work (part, i)->kind == LOOM_WORK_KIND_COMMUNICATION)
      infer_events (part, i);
}
