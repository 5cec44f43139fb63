/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the file format of indexes, and that a trace that is read from an index equals the trace that was written.
 */
#include <string.h>

#include "loom-error.h"
#include "loom-index-bytes.h"
#include "loom-index-file.h"
#include "loom-index-places.h"
#include "loom-index-reader.h"
#include "loom-index-writer.h"

static void
test_numbers (void)
{
  static const gint64 values[] = { 0, -1, 1, 63, -64, 64, 300, G_MAXINT64, G_MININT64, 1700000000000000000 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    loom_index_bytes_put (out, (guint64) values[i]);
    loom_index_bytes_put_signed (out, values[i]);
    loom_index_bytes_put_difference (out, values[i], G_MAXINT64);
    loom_index_bytes_put_fixed (out, (guint64) values[i], 8);
  }
  LoomIndexBytes in = { out->data, out->data + out->len, FALSE };
  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    g_assert_cmpint ((gint64) loom_index_bytes_get (&in), ==, values[i]);
    g_assert_cmpint (loom_index_bytes_get_signed (&in), ==, values[i]);
    g_assert_cmpint (loom_index_bytes_get_sum (&in, G_MAXINT64), ==, values[i]);
    g_assert_cmpint ((gint64) loom_index_bytes_get_fixed (&in, 8), ==, values[i]);
  }
  g_assert_true (in.at == in.end && !in.failed);
  g_assert_cmpuint (loom_index_bytes_get (&in), ==, 0);
  g_assert_true (in.failed);
}

static void
test_bytes_are_fixed (void)
{
  static const guint8 wanted[] = { 0xAC, 0x02, 0x01, 0x04, 0x03, 0x02, 0x01 };
  g_autoptr (GByteArray) out = g_byte_array_new ();
  loom_index_bytes_put (out, 300);
  loom_index_bytes_put_signed (out, -1);
  loom_index_bytes_put_fixed (out, 0x01020304, 4);
  g_assert_cmpmem (out->data, out->len, wanted, sizeof wanted);
}

/* --- a trace -------------------------------------------------------------------------------------------------------- */

#define BASE_NS G_GINT64_CONSTANT (1700000000000000000)
#define N_KERNELS 300
#define N_SAMPLES 5000

static guint32
add_thread (LoomTraceBuilder *builder, const char *process, const char *thread, guint flags)
{
  guint32 owner = loom_trace_builder_process (builder, 0, process, strlen (process));
  guint32 found = loom_trace_builder_thread (builder, owner, thread, strlen (thread));
  loom_trace_builder_process_set_label (builder, owner, process);
  loom_trace_builder_thread_set_label (builder, found, thread);
  loom_trace_builder_thread_add_flags (builder, found, flags);
  return found;
}

static void
add_kernels (LoomTraceBuilder *builder, guint32 stream)
{
  guint32 name = loom_trace_builder_name (builder, "ncclAllReduce", 13, "kernel", 6, "", 0);
  for (guint i = 0; i < N_KERNELS; i++) {
    LoomRef ref = loom_source_ref_make (0, i == 7 ? LOOM_REF_OPEN : 0, 100 + i);
    LoomSyncEvent meeting = { .start_ns = BASE_NS + i * 1000, .end_ns = BASE_NS + i * 1000 + 500 + i % 7, .ref = ref };
    meeting.sequence = i % 5 == 0 ? LOOM_SEQUENCE_NONE : (gint64) i;
    meeting.bytes = 4096;
    loom_trace_builder_span (builder, stream, meeting.start_ns, meeting.end_ns - meeting.start_ns, name, ref);
    loom_trace_builder_sync_event (builder, stream, &meeting, "0", "all_reduce");
  }
}

static void
add_samples (LoomTraceBuilder *builder)
{
  guint32 process = loom_trace_builder_process (builder, 0, "7", 1);
  guint32 counter = loom_trace_builder_counter (builder, process, "", 0, "memory", 6, "", 0);
  guint32 series = loom_trace_builder_series (builder, counter, "bytes", 5);
  loom_trace_builder_series_set_unit (builder, series, "B");
  for (guint i = 0; i < N_SAMPLES; i++)
    loom_trace_builder_sample (builder, series, BASE_NS + i, i == 1234 ? -2.5 : i % 100,
                               loom_source_ref_make (0, 0, i));
}

/* Returns a byte index for a file of 5 MB. It has blocks, of which one has no times; some long spans; and two parts of
 * the file that contain metadata. */
static LoomByteIndex *
new_places (void)
{
  static const char text[] = "{\"ph\":\"X\"}";
  LoomByteIndex *index = loom_byte_index_new ();
  loom_byte_index_add_fixed (index, 20, 100);
  for (guint i = 0; i < 50; i++) {
    guint64 offset = 130 + (guint64) i * 100000;
    for (guint k = 0; k < 20; k++)
      loom_byte_index_add_span (index, offset + k * 100, text, strlen (text), -5000 + (gint64) i * 1000 + k * 50, 10);
    if (i % 10 == 0)
      loom_byte_index_add_span (index, offset + 3000, text, strlen (text), (gint64) i * 1000, 100000);
  }
  loom_byte_index_add_fixed (index, 5000000, 70);
  loom_byte_index_finish (index);
  return index;
}

static LoomTrace *
new_trace (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  LoomDeclaredClock *clock = loom_trace_builder_get_clock (builder, loom_trace_builder_add_clock (builder));
  LoomSource *source = loom_source_new ("rank3.json");
  clock->state = LOOM_CLOCK_EXACT;
  clock->basis = g_strdup ("baseTimeNanoseconds");
  clock->base_ns = BASE_NS;
  source->format = "kineto";
  source->rank = 3;
  source->node = g_strdup ("node-1");
  source->n_bytes = 123456;
  source->n_events = 777;
  source->byte_index = new_places ();
  loom_import_log_add_n (source->log, LOOM_SEVERITY_WARNING, "orphan-end", 42, 3, "An end without a begin");
  loom_trace_builder_add_source (builder, source, 0);
  add_kernels (builder, add_thread (builder, "GPU 0", "stream 7", LOOM_TRACK_DEVICE));
  add_samples (builder);
  return loom_trace_builder_freeze (builder, 1, NULL);
}

/* Writes an index without limits, which keeps the whole trace. */
static GBytes *
make_index (LoomTrace *trace)
{
  g_autoptr (LoomIndexContent) content = loom_index_content_alloc (trace);
  g_autoptr (LoomIndexAbout) about = loom_index_about_new ("");
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 n_meetings;
  loom_index_about_add (about, "/data/rank3.json", 123456, 1700000000, 5, FALSE);
  for (guint t = 0; t < loom_trace_get_n_tracks (trace); t++) {
    const LoomTrack *track = loom_trace_get_track (trace, t);
    LoomIndexTrack *kept = track->kind == LOOM_TRACK_SPANS ? loom_index_content_add_track (content, t) : NULL;
    for (guint32 i = 0; kept != NULL && i < spans->n; i++) {
      LoomIndexSpan span = { spans->start_ns[i], spans->dur_ns[i], spans->name_id[i], spans->ref[i] };
      g_array_append_val (kept->spans, span);
    }
  }
  loom_trace_get_meetings (trace, &n_meetings);
  for (guint32 i = 0; i < n_meetings; i++)
    g_array_append_val (content->meetings, i);
  guint64 n_left_out;
  return loom_index_writer_make (content, about, &n_left_out);
}

static LoomTrace *
read_index (GBytes *bytes, GError **error)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  LoomIndexReading reading;
  gboolean good = loom_index_reader_read (bytes, "rank3.loomidx", builder, &reading, error);
  loom_index_about_free (reading.about);
  LoomTrace *trace = NULL;
  if (reading.n_sources > 0)
    trace = loom_trace_builder_freeze (builder, 1, NULL);
  else
    loom_trace_builder_free (builder);
  if (!good)
    g_clear_pointer (&trace, loom_trace_unref);
  return trace;
}

static void
check_meetings (const LoomTrace *got, const LoomTrace *wanted)
{
  guint32 n, n_wanted;
  const LoomSyncEvent *all = loom_trace_get_meetings (got, &n), *others = loom_trace_get_meetings (wanted, &n_wanted);
  g_assert_cmpuint (n, ==, n_wanted);
  for (guint32 i = 0; i < n; i++) {
    g_assert_cmpint (all[i].start_ns, ==, others[i].start_ns);
    g_assert_cmpint (all[i].end_ns, ==, others[i].end_ns);
    g_assert_cmpint (all[i].sequence, ==, others[i].sequence);
    g_assert_cmpint (all[i].bytes, ==, others[i].bytes);
    g_assert_cmpstr (loom_trace_get_sync_event_text (got, all[i].name), ==, "all_reduce");
    g_assert_cmpuint (all[i].ref, ==, loom_trace_get_spans (got)->ref[i]);
  }
}

static void
check_source (const LoomSource *source)
{
  g_assert_cmpstr (source->format, ==, "kineto");
  g_assert_cmpstr (source->node, ==, "node-1");
  g_assert_cmpint (source->rank, ==, 3);
  g_assert_cmpuint (source->n_events, ==, 777);
  g_assert_cmpuint (source->n_spans, ==, N_KERNELS);
  const LoomProblem *problem = loom_import_log_get_problem (source->log, 0);
  g_assert_cmpstr (problem->code, ==, "orphan-end");
  g_assert_cmpuint (problem->count, ==, 3);
  g_assert_cmpuint (problem->offset, ==, 42);
}

static const LoomTrack *
find_track (const LoomTrace *trace, LoomTrackKind kind)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
    if (loom_trace_get_track (trace, i)->kind == kind)
      return loom_trace_get_track (trace, i);
  g_assert_not_reached ();
}

/* Of a long series, an index keeps only the extremes of each bucket, which include the extremes of the whole series. */
static void
check_series (const LoomTrace *trace)
{
  const LoomTrack *track = find_track (trace, LOOM_TRACK_COUNTER);
  const LoomSeries *series = loom_trace_get_series (trace, track->first_series);
  g_assert_cmpstr (series->unit, ==, "B");
  g_assert_cmpuint (series->n, ==, 2 * LOOM_INDEX_BUCKETS);
  g_assert_cmpfloat (series->min, ==, -2.5);
  g_assert_cmpfloat (series->max, ==, 99);
}

static void
test_trace (void)
{
  g_autoptr (LoomTrace) wanted = new_trace ();
  g_autoptr (GBytes) bytes = make_index (wanted), again = make_index (wanted);
  g_autoptr (GError) error = NULL;
  g_assert_true (g_bytes_equal (bytes, again));
  g_autoptr (LoomTrace) got = read_index (bytes, &error);
  g_assert_no_error (error);
  const LoomSpans *spans = loom_trace_get_spans (got), *others = loom_trace_get_spans (wanted);
  g_assert_cmpuint (spans->n, ==, others->n);
  for (guint32 i = 0; i < spans->n; i++) {
    g_assert_cmpint (spans->start_ns[i], ==, others->start_ns[i]);
    g_assert_cmpint (spans->dur_ns[i], ==, others->dur_ns[i]);
    g_assert_cmpuint (loom_source_ref_flags (spans->ref[i]), ==, loom_source_ref_flags (others->ref[i]));
  }
  g_assert_cmpuint (find_track (got, LOOM_TRACK_SPANS)->flags & LOOM_TRACK_DEVICE, !=, 0);
  g_assert_cmpstr (find_track (got, LOOM_TRACK_SPANS)->thread, ==, "stream 7");
  check_meetings (got, wanted);
  check_source (loom_trace_get_source (got, 0));
  check_series (got);
  g_assert_cmpint (loom_trace_get_clock (got, 0)->base_ns, ==, BASE_NS);
}

#define N_CALLS 3

/* Returns a trace with sync events whose spans an index does not keep: calls on the host with and without a sequence
 * number, and a clock sync, which has no track. */
static LoomTrace *
new_trace_of_calls (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  loom_trace_builder_add_clock (builder);
  loom_trace_builder_add_source (builder, loom_source_new ("rank3.json"), 0);
  guint32 thread = add_thread (builder, "python", "main", 0);
  guint32 name = loom_trace_builder_name (builder, "step", 4, "", 0, "", 0);
  loom_trace_builder_span (builder, thread, BASE_NS, 1000, name, loom_source_ref_make (0, 0, 1));
  for (guint i = 0; i < N_CALLS; i++) {
    LoomSyncEvent call = { .start_ns = BASE_NS + i, .end_ns = BASE_NS + i + 1, .kind = LOOM_SYNC_EVENT_CALL };
    call.ref = loom_source_ref_make (0, 0, 100 + i);
    call.sequence = i == 0 ? LOOM_SEQUENCE_NONE : (gint64) i;
    call.call = i;
    loom_trace_builder_sync_event (builder, thread, &call, "0", "all_reduce");
  }
  LoomSyncEvent sync = { .start_ns = BASE_NS + N_CALLS, .end_ns = BASE_NS + N_CALLS };
  sync.kind = LOOM_SYNC_EVENT_CLOCK_SYNC;
  sync.ref = loom_source_ref_make (0, 0, 200);
  loom_trace_builder_sync_event (builder, LOOM_ID_NONE, &sync, "", "sync");
  return loom_trace_builder_freeze (builder, 1, NULL);
}

/* The reference (ref) of each sync event that is read names a source of the trace, because the event's time is in the
 * clock of this source. The reference is not that of a span, because the index does not keep the spans of these events.
 */
static void
test_sync_events_without_spans (void)
{
  g_autoptr (LoomTrace) trace = new_trace_of_calls ();
  g_autoptr (GBytes) bytes = make_index (trace);
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomTrace) got = read_index (bytes, &error);
  g_assert_no_error (error);
  guint32 n;
  const LoomSyncEvent *all = loom_trace_get_meetings (got, &n);
  g_assert_cmpuint (n, ==, N_CALLS + 1);
  g_assert_cmpint (all[0].sequence, ==, LOOM_SEQUENCE_NONE);
  for (guint32 i = 0; i < n; i++) {
    g_assert_cmpuint (loom_source_ref_source (all[i].ref), ==, 0);
    g_assert_cmpuint (all[i].track, ==, i < N_CALLS ? 0 : G_MAXUINT32);
    g_assert_cmpuint (all[i].ref, !=, loom_trace_get_spans (got)->ref[0]);
  }
}

/* Reads the byte index of an index file. It is not checked when the index is opened, but when a range is read. */
static LoomByteIndex *
read_places (GBytes *bytes, GError **error)
{
  g_autoptr (LoomIndexFile) file = loom_index_file_new (bytes, error);
  return file != NULL ? loom_index_places_read (file, 0, error) : NULL;
}

/* Every truncated index is refused as cut off, and a change of any byte is detected by a checksum. */
static void
test_damage (void)
{
  g_autoptr (LoomTrace) trace = new_trace ();
  g_autoptr (GBytes) bytes = make_index (trace);
  gsize n;
  const guint8 *start = g_bytes_get_data (bytes, &n);
  for (gsize i = 0; i < n; i += 1 + i / 64) {
    g_autoptr (GError) cut = NULL, changed = NULL;
    g_autoptr (GBytes) head = g_bytes_new (start, i);
    g_assert_null (read_index (head, &cut));
    g_assert_true (g_error_matches (cut, LOOM_ERROR, LOOM_ERROR_FORMAT));
    guint8 *copy = g_memdup2 (start, n);
    copy[i] ^= 0x10;
    g_autoptr (GBytes) other = g_bytes_new_take (copy, n);
    g_autoptr (LoomTrace) read = read_index (other, &changed);
    if (read != NULL)
      g_assert_null (read_places (other, &changed));
    g_assert_true (changed != NULL && changed->domain == LOOM_ERROR);
  }
}

/* A byte index with entries of length 0, or with two entries for one offset, is refused, because a small file could
 * contain any number of them. */
static void
test_odd_places (void)
{
  for (guint i = 0; i < 3; i++) {
    g_autoptr (LoomTrace) trace = new_trace ();
    g_autoptr (GError) error = NULL;
    LoomByteIndex *index = loom_trace_get_source (trace, 0)->byte_index;
    if (i == 0)
      g_array_index (index->fixed, LoomByteIndexPart, 0).end = g_array_index (index->fixed, LoomByteIndexPart, 0).begin;
    else if (i == 1)
      g_array_index (index->blocks, LoomByteIndexBlock, 3).offset =
        g_array_index (index->blocks, LoomByteIndexBlock, 2).offset;
    else
      g_array_index (index->spans, LoomByteIndexSpan, 1).offset =
        g_array_index (index->spans, LoomByteIndexSpan, 0).offset;
    g_autoptr (GBytes) bytes = make_index (trace);
    g_assert_null (read_places (bytes, &error));
    g_assert_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT);
  }
}

static void
test_places (void)
{
  g_autoptr (LoomTrace) trace = new_trace ();
  g_autoptr (GBytes) bytes = make_index (trace);
  g_autoptr (GError) error = NULL;
  const LoomByteIndex *wanted = loom_trace_get_source (trace, 0)->byte_index;
  g_autoptr (LoomByteIndex) got = read_places (bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (wanted->blocks->len, >, 30);
  g_assert_cmpuint (wanted->spans->len, ==, 5);
  g_assert_cmpuint (got->head_end, ==, 20);
  g_assert_cmpuint (got->tail_begin, ==, 5000070);
  g_assert_cmpmem (got->blocks->data, got->blocks->len * sizeof (LoomByteIndexBlock), wanted->blocks->data,
                   wanted->blocks->len * sizeof (LoomByteIndexBlock));
  g_assert_cmpmem (got->fixed->data, got->fixed->len * sizeof (LoomByteIndexPart), wanted->fixed->data,
                   wanted->fixed->len * sizeof (LoomByteIndexPart));
  g_assert_cmpstr (got->texts->str, ==, wanted->texts->str);
  g_assert_cmpuint (got->spans->len, ==, wanted->spans->len);
  for (guint i = 0; i < got->spans->len; i++) {
    const LoomByteIndexSpan *a = &g_array_index (got->spans, LoomByteIndexSpan, i),
                            *b = &g_array_index (wanted->spans, LoomByteIndexSpan, i);
    g_assert_true (a->offset == b->offset && a->start_ns == b->start_ns && a->dur_ns == b->dur_ns &&
                   a->text == b->text && a->length == b->length);
  }
}

static void
test_current (void)
{
  g_autoptr (LoomIndexAbout) about = loom_index_about_new ("x"), same = loom_index_about_new ("x"),
                             later = loom_index_about_new ("x"), other = loom_index_about_new ("y");
  loom_index_about_add (about, "/none/a.json", 10, 5, 0, TRUE);
  loom_index_about_add (same, "/none/a.json", 10, 5, 0, FALSE);
  loom_index_about_add (later, "/none/a.json", 10, 6, 0, FALSE);
  loom_index_about_add (other, "/none/a.json", 10, 5, 0, FALSE);
  g_assert_true (loom_index_about_is_current (about, same));
  g_assert_false (loom_index_about_is_current (about, later)); /* the trace file does not exist, so its digest cannot be
                                                                * compared */
  g_assert_false (loom_index_about_is_current (about, other));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/index/numbers", test_numbers);
  g_test_add_func ("/index/bytes-are-fixed", test_bytes_are_fixed);
  g_test_add_func ("/index/trace", test_trace);
  g_test_add_func ("/index/sync-events-without-spans", test_sync_events_without_spans);
  g_test_add_func ("/index/damage", test_damage);
  g_test_add_func ("/index/places", test_places);
  g_test_add_func ("/index/odd-places", test_odd_places);
  g_test_add_func ("/index/current", test_current);
  return g_test_run ();
}
