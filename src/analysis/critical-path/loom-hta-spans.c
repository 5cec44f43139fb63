/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-hta-spans.h"

#include <string.h>

#include "loom-int64-hash.h"
#include "loom-merge-sort.h"

static gboolean
is_one_of (const char *text, const char *const *words)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (text, words[i]) == 0)
      return TRUE;
  return FALSE;
}

static guint8
classify (const LoomName *name)
{
  static const char *const host[] = { "cpu_op", "cuda_runtime", "cuda_driver", NULL };
  static const char *const device[] = { "kernel", "gpu_memcpy", "gpu_memset", "Kernel", "Memcpy", "Memset", NULL };
  if (is_one_of (name->category, host))
    return LOOM_HTA_SPAN_HOST;
  if (is_one_of (name->category, device))
    return LOOM_HTA_SPAN_DEVICE;
  return strcmp (name->category, "cuda_sync") == 0 ? LOOM_HTA_SPAN_SYNC : LOOM_HTA_SPAN_OTHER;
}

static gboolean
communicates (const char *name)
{
  return g_str_has_prefix (name, "nccl") || strstr (name, "ncclKernel") != NULL || g_str_has_prefix (name, "hip") ||
         g_str_has_prefix (name, "hccl");
}

static guint8
get_flags (const LoomName *name)
{
  static const char *const locks[] = { "cudaHostAlloc", "cudaLaunchKernel", "cudaMemcpyAsync", NULL };
  static const char *const blocks[] = { "cudaDeviceSynchronize",
                                        "cudaStreamSynchronize",
                                        "cudaEventQuery",
                                        "cudaEventSynchronize",
                                        "cudaMemcpy",
                                        "cudaMemcpyAsync",
                                        NULL };
  static const char *const launches[] = { "cudaLaunchKernel", "cudaLaunchKernelExC",      "cuLaunchKernel",
                                          "cuLaunchKernelEx", "cudaMemcpyAsync",          "cudaMemsetAsync",
                                          "hipLaunchKernel",  "hipExtModuleLaunchKernel", "hipMemsetAsync",
                                          "hipMemcpyAsync",   "hipMemcpyWithStream",      NULL };
  static const char *const passes[] = { "cpu_op", "user_annotation", NULL };
  gboolean of_pass = is_one_of (name->category, passes);
  return (guint8) ((is_one_of (name->text, locks) ? LOOM_HTA_CALL_LOCKS : 0) |
                   (is_one_of (name->text, blocks) ? LOOM_HTA_CALL_BLOCKS : 0) |
                   (is_one_of (name->text, launches) ? LOOM_HTA_CALL_LAUNCHES : 0) |
                   (communicates (name->text) ? LOOM_HTA_NAME_COMMUNICATES : 0) |
                   (of_pass && strstr (name->text, "forward") != NULL ? LOOM_HTA_NAME_FORWARD : 0) |
                   (of_pass && strstr (name->text, "autograd") != NULL ? LOOM_HTA_NAME_AUTOGRAD : 0));
}

/* --- spans of the trace ------------------------------------------------------------------------------------------- */

static gint64
get_stream (const LoomTrack *track)
{
  const char *digits = track->thread_key + strcspn (track->thread_key, "0123456789");
  return *digits != '\0' ? g_ascii_strtoll (digits, NULL, 10) : -1;
}

static void
add_track (LoomHtaSpans *self, guint32 number)
{
  const LoomTrack *track = loom_trace_get_track (self->trace, number);
  const LoomSpans *spans = loom_trace_get_spans (self->trace);
  if (track->kind != LOOM_TRACK_SPANS || (track->flags & LOOM_TRACK_DERIVED) != 0)
    return;
  for (guint32 k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (self->trace, track->first_row + k);
    for (guint32 i = row->first; i < row->first + row->n; i++) {
      guint32 name = spans->name_id[i];
      gboolean on_device = self->classes[name] >= LOOM_HTA_SPAN_DEVICE;
      LoomHtaSpan span = { spans->start_ns[i],
                           loom_time_add (spans->start_ns[i], spans->dur_ns[i]),
                           spans->ref[i],
                           on_device ? get_stream (track) : -1,
                           i,
                           number,
                           LOOM_HTA_NONE,
                           LOOM_HTA_NONE,
                           LOOM_HTA_NONE,
                           self->classes[name],
                           self->flags[name],
                           -1 };
      if (strcmp (loom_trace_get_name (self->trace, name)->category, "Trace") != 0)
        g_array_append_val (self->spans, span);
    }
  }
}

#define IS_EARLIER_IN_FILE(a, b) (loom_source_ref_offset ((a)->ref) < loom_source_ref_offset ((b)->ref))
LOOM_DEFINE_SORT (sort_by_file, LoomHtaSpan, IS_EARLIER_IN_FILE)

/* --- launches of kernels and copies ------------------------------------------------------------------------------- */

/* Links each span of device work with the call that launched it. If several calls have the correlation id of the span,
 * uses the last one in the file. */
static void
link_launches (LoomHtaSpans *self)
{
  guint32 n;
  const LoomArrow *arrows = loom_trace_get_arrows (self->trace, &n);
  for (guint32 i = 0; i < n; i++) {
    guint32 from = self->of_span[arrows[i].from], to = self->of_span[arrows[i].to];
    if (from == LOOM_HTA_NONE || to == LOOM_HTA_NONE)
      continue;
    LoomHtaSpan *call = loom_hta_spans_get (self, from), *work = loom_hta_spans_get (self, to);
    if (call->klass != LOOM_HTA_SPAN_HOST || work->klass < LOOM_HTA_SPAN_DEVICE)
      continue;
    call->link = to;
    if (work->link == LOOM_HTA_NONE || work->link < from)
      work->link = from;
  }
}

typedef struct {
  gint64 stream, time_ns;
  guint32 span;
  gint32 change;
} Change;

static gboolean
is_before (const Change *a, const Change *b)
{
  return a->stream != b->stream ? a->stream < b->stream : a->time_ns < b->time_ns;
}

#define IS_BEFORE(a, b) is_before (a, b)
LOOM_DEFINE_SORT (sort_changes, Change, IS_BEFORE)

/* For each launch on a stream, and for each start of work on the stream, computes how many launched kernels and copies
 * are in the queue of the stream afterwards. */
static void
count_queues (LoomHtaSpans *self)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (Change));
  /* pass 0 adds the launches, pass 1 the starts of work, so that launches come first at equal times */
  for (guint pass = 0; pass < 2; pass++)
    for (guint32 i = 0; i < self->spans->len; i++) {
      const LoomHtaSpan *work = loom_hta_spans_get (self, i);
      if (work->klass != LOOM_HTA_SPAN_DEVICE || work->link == LOOM_HTA_NONE)
        continue;
      const LoomHtaSpan *call = loom_hta_spans_get (self, work->link);
      if ((call->flags & LOOM_HTA_CALL_LAUNCHES) == 0)
        continue;
      Change change = { work->stream, pass == 0 ? call->start_ns : work->start_ns, pass == 0 ? work->link : i,
                        pass == 0 ? 1 : -1 };
      g_array_append_val (changes, change);
    }
  sort_changes ((Change *) (gpointer) changes->data, changes->len);
  gint32 length = 0;
  for (guint i = 0; i < changes->len; i++) {
    const Change *change = &g_array_index (changes, Change, i);
    if (i > 0 && change->stream != g_array_index (changes, Change, i - 1).stream)
      length = 0;
    length += change->change;
    loom_hta_spans_get (self, change->span)->queue = length;
  }
}

/* --- waits of calls and streams for device work ------------------------------------------------------------------- */

LoomHtaWait
loom_hta_spans_get_wait (const LoomHtaSpans *self, guint32 index)
{
  guint32 name = loom_trace_get_spans (self->trace)->name_id[loom_hta_spans_get (self, index)->span];
  const char *text = loom_trace_get_name (self->trace, name)->text;
  if (strcmp (text, "Stream Wait Event") == 0)
    return LOOM_HTA_WAIT_STREAM_EVENT;
  if (strcmp (text, "Event Sync") == 0)
    return LOOM_HTA_WAIT_EVENT;
  return strcmp (text, "Stream Sync") == 0 ? LOOM_HTA_WAIT_STREAM : LOOM_HTA_WAIT_CONTEXT;
}

/* A launch: start of the call, and the stream of the kernel or copy that it launched. */
typedef struct {
  gint64 stream, time_ns;
  guint32 call;
} Launch;

static gboolean
is_launch_before (const Launch *a, const Launch *b)
{
  return a->stream != b->stream ? a->stream < b->stream : a->time_ns < b->time_ns;
}

#define IS_LAUNCH_BEFORE(a, b) is_launch_before (a, b)
LOOM_DEFINE_SORT (sort_launches, Launch, IS_LAUNCH_BEFORE)

static GArray *
list_launches (LoomHtaSpans *self)
{
  GArray *launches = g_array_new (FALSE, FALSE, sizeof (Launch));
  for (guint32 i = 0; i < self->spans->len; i++) {
    const LoomHtaSpan *call = loom_hta_spans_get (self, i);
    if (call->klass != LOOM_HTA_SPAN_HOST || (call->flags & LOOM_HTA_CALL_LAUNCHES) == 0 || call->link == LOOM_HTA_NONE)
      continue;
    Launch launch = { loom_hta_spans_get (self, call->link)->stream, call->start_ns, i };
    g_array_append_val (launches, launch);
  }
  sort_launches ((Launch *) (gpointer) launches->data, launches->len);
  return launches;
}

/* Returns the index of the first launch on a stream at or after `time_ns`. If `after` is TRUE, a launch at `time_ns`
 * does not count. */
static guint
find_launch (const GArray *launches, gint64 stream, gint64 time_ns, gboolean after)
{
  guint low = 0, high = launches->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    const Launch *own = &g_array_index (launches, Launch, middle);
    if (own->stream < stream ||
        (own->stream == stream && (own->time_ns < time_ns || (after && own->time_ns == time_ns))))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static guint32
find_previous (const GArray *launches, gint64 stream, gint64 time_ns)
{
  guint i = find_launch (launches, stream, time_ns, FALSE);
  if (i == 0 || g_array_index (launches, Launch, i - 1).stream != stream)
    return LOOM_HTA_NONE;
  return g_array_index (launches, Launch, i - 1).call;
}

static guint32
find_next (const LoomHtaSpans *self, const GArray *launches, gint64 stream, const LoomHtaSpan *call)
{
  for (guint i = find_launch (launches, stream, call->start_ns, TRUE); i < launches->len; i++) {
    const Launch *own = &g_array_index (launches, Launch, i);
    if (own->stream != stream)
      break;
    if (loom_hta_spans_get (self, own->call)->track == call->track)
      return own->call;
  }
  return LOOM_HTA_NONE;
}

/* Returns the span of a sync event of the file. O(rows of the event's track · log spans). */
static guint32
find_span (const LoomHtaSpans *self, const LoomSyncEvent *event)
{
  if (event->track >= loom_trace_get_n_tracks (self->trace))
    return LOOM_HTA_NONE;
  const LoomTrack *track = loom_trace_get_track (self->trace, event->track);
  const LoomSpans *spans = loom_trace_get_spans (self->trace);
  for (guint32 k = 0; k < track->n_rows; k++) {
    const LoomRow *row = loom_trace_get_row (self->trace, track->first_row + k);
    for (guint32 i = row->first + loom_trace_row_lower_bound (self->trace, row, event->start_ns);
         i < row->first + row->n; i++) {
      if (spans->start_ns[i] != event->start_ns)
        break;
      if (spans->ref[i] == event->ref)
        return self->of_span[i];
    }
  }
  return LOOM_HTA_NONE;
}

static void
link_wait (LoomHtaSpans *self, GHashTable *calls, const GArray *launches, const LoomSyncEvent *wait)
{
  guint32 index = find_span (self, wait);
  const LoomSyncEvent *call = g_hash_table_lookup (calls, &wait->call),
                      *record = g_hash_table_lookup (calls, &wait->sequence);
  if (index == LOOM_HTA_NONE)
    return;
  LoomHtaSpan *own = loom_hta_spans_get (self, index);
  if (call != NULL)
    own->link = find_span (self, call);
  if (record != NULL && strcmp (loom_trace_get_sync_event_text (self->trace, record->name), "cudaEventRecord") == 0)
    own->recorded = find_previous (launches, wait->bytes, record->start_ns);
  LoomHtaWait kind = loom_hta_spans_get_wait (self, index);
  if (kind == LOOM_HTA_WAIT_STREAM_EVENT && own->link != LOOM_HTA_NONE)
    own->released = find_next (self, launches, own->stream, loom_hta_spans_get (self, own->link));
  if (kind == LOOM_HTA_WAIT_EVENT)
    own->stream = -1;
  /* A wait for all streams (the whole context) states the stream −1. HTA reads this as an unsigned number, and
   * therefore treats it as the number of a stream; so does this code. */
  if (kind == LOOM_HTA_WAIT_CONTEXT)
    own->stream = wait->bytes;
}

static void
link_waits (LoomHtaSpans *self)
{
  guint32 n;
  const LoomSyncEvent *events = loom_trace_get_meetings (self->trace, &n);
  g_autoptr (GHashTable) calls = g_hash_table_new (loom_int64_hash, g_int64_equal);
  g_autoptr (GArray) launches = list_launches (self);
  for (guint32 i = 0; i < n; i++)
    if (events[i].kind == LOOM_SYNC_EVENT_DEVICE_CALL)
      g_hash_table_insert (calls, (gpointer) &events[i].call, (gpointer) &events[i]);
  for (guint32 i = 0; i < n; i++)
    if (events[i].kind == LOOM_SYNC_EVENT_DEVICE_WAIT)
      link_wait (self, calls, launches, &events[i]);
}

void
loom_hta_spans_init (LoomHtaSpans *self, const LoomTrace *trace)
{
  guint n_names = loom_trace_get_n_names (trace);
  guint32 n_spans = loom_trace_get_spans (trace)->n;
  *self = (LoomHtaSpans) { .trace = trace,
                           .spans = g_array_new (FALSE, FALSE, sizeof (LoomHtaSpan)),
                           .of_span = g_new (guint32, MAX (n_spans, 1)),
                           .classes = g_new (guint8, MAX (n_names, 1)),
                           .flags = g_new (guint8, MAX (n_names, 1)) };
  for (guint i = 0; i < n_names; i++) {
    self->classes[i] = classify (loom_trace_get_name (trace, i));
    self->flags[i] = get_flags (loom_trace_get_name (trace, i));
  }
  for (guint32 i = 0; i < loom_trace_get_n_tracks (trace); i++)
    add_track (self, i);
  sort_by_file ((LoomHtaSpan *) (gpointer) self->spans->data, self->spans->len);
  memset (self->of_span, 0xff, MAX (n_spans, 1) * sizeof *self->of_span);
  for (guint32 i = 0; i < self->spans->len; i++)
    self->of_span[loom_hta_spans_get (self, i)->span] = i;
  link_launches (self);
  count_queues (self);
  link_waits (self);
}

void
loom_hta_spans_clear (LoomHtaSpans *self)
{
  g_clear_pointer (&self->spans, g_array_unref);
  g_clear_pointer (&self->of_span, g_free);
  g_clear_pointer (&self->classes, g_free);
  g_clear_pointer (&self->flags, g_free);
}
