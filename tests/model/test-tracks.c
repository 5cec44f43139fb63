/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests tracks: their order, labels and ids, instants, counters, the extent of a trace, and shifting a source in time.
 */
#include "fixture.h"

#include "loom-sample-hold.h"

#include <math.h>
#include <string.h>

static guint32
add_process (Fixture *fixture, const char *key, const char *label, gint64 sort)
{
  guint32 process = loom_trace_builder_process (fixture->builder, fixture->source, key, strlen (key));
  loom_trace_builder_process_set_label (fixture->builder, process, label);
  loom_trace_builder_process_set_sort (fixture->builder, process, sort);
  return process;
}

static guint32
add_thread (Fixture *fixture, guint32 process, const char *key, const char *label)
{
  guint32 thread = loom_trace_builder_thread (fixture->builder, process, key, strlen (key));
  loom_trace_builder_thread_set_label (fixture->builder, thread, label);
  fixture_feed (fixture, thread, "X a 0 1");
  return thread;
}

static char *
list_tracks (const LoomTrace *trace)
{
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    g_string_append_printf (out, "%s%s/%s %s", i > 0 ? ", " : "", track->process, track->thread,
                            loom_trace_track_kind_to_string (track->kind));
  }
  return g_string_free (out, FALSE);
}

/* The busy time of a track is the time in its outermost row; nested spans do not add to it, and gaps are not
 * included. */
static void
test_busy (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  fixture_feed (&fixture, 0, "X a 0 10; X b 2 3; X c 20 5; X d 40 1");
  fixture_freeze (&fixture);
  g_assert_cmpint (loom_trace_get_track (fixture.trace, 0)->busy_ns, ==, 16);
  fixture_clear (&fixture);
}

static void
test_process_order (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  add_thread (&fixture, add_process (&fixture, "12", NULL, 0), "1", NULL);
  add_thread (&fixture, add_process (&fixture, "9", NULL, 0), "1", NULL);
  add_thread (&fixture, add_process (&fixture, "1", "rank 10", 0), "1", NULL);
  add_thread (&fixture, add_process (&fixture, "2", "rank 2", 0), "1", NULL);
  add_thread (&fixture, add_process (&fixture, "3", "last", 5), "1", NULL);
  add_thread (&fixture, add_process (&fixture, "4", "first", -5), "1", NULL);
  fixture_freeze (&fixture);
  g_autofree char *listed = list_tracks (fixture.trace);
  g_assert_cmpstr (listed, ==,
                   "first/thread 1 spans, rank 2/thread 1 spans, rank 10/thread 1 spans, "
                   "9/thread 1 spans, 12/thread 1 spans, last/thread 1 spans");
  for (guint i = 0; i < 6; i++)
    g_assert_cmpuint (loom_trace_get_track (fixture.trace, i)->process_id, ==, i);
  fixture_clear (&fixture);
}

static void
test_thread_order (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  add_thread (&fixture, 0, "10", NULL);
  add_thread (&fixture, 0, "\"w0\"", NULL);
  add_thread (&fixture, 0, "-3", NULL);
  add_thread (&fixture, 0, "", NULL);
  guint32 late = add_thread (&fixture, 0, "5", "alpha");
  add_thread (&fixture, 0, "6", "beta");
  loom_trace_builder_thread_set_sort (fixture.builder, late, 99999);
  fixture_freeze (&fixture);
  g_autofree char *listed = list_tracks (fixture.trace);
  g_assert_cmpstr (listed, ==,
                   "7/beta spans, 7/thread -3 spans, 7/thread 10 spans, 7/(no thread) spans, 7/w0 spans, "
                   "7/alpha spans");
  g_assert_cmpstr (loom_trace_get_track (fixture.trace, 4)->thread_key, ==, "\"w0\"");
  g_assert_cmpint (loom_trace_get_track (fixture.trace, 5)->thread_sort, ==, 99999);
  fixture_clear (&fixture);
}

static void
test_labels (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  guint32 plain = add_process (&fixture, "5", "loader", 0), absent = add_process (&fixture, "", NULL, 0);
  loom_trace_builder_process_set_label (fixture.builder, plain, "");
  loom_trace_builder_process_add_labels (fixture.builder, plain, "gpu 1,busy");
  loom_trace_builder_process_add_labels (fixture.builder, plain, "busy, late");
  loom_trace_builder_process_set_place (fixture.builder, plain, "algo-1", 3);
  loom_trace_builder_process_add_flags (fixture.builder, plain, LOOM_TRACK_DERIVED);
  guint32 thread = add_thread (&fixture, plain, "1", NULL);
  loom_trace_builder_thread_add_flags (fixture.builder, thread, LOOM_TRACK_DEVICE);
  add_thread (&fixture, absent, "", NULL);
  fixture_freeze (&fixture);
  g_autofree char *listed = list_tracks (fixture.trace);
  g_assert_cmpstr (listed, ==, "loader (gpu 1, busy, late)/thread 1 spans, (no process)/(no thread) spans");
  const LoomTrack *track = loom_trace_get_track (fixture.trace, 0);
  g_assert_cmpstr (track->node, ==, "algo-1");
  g_assert_cmpint (track->rank, ==, 3);
  g_assert_cmpuint (track->flags, ==, LOOM_TRACK_DERIVED | LOOM_TRACK_DEVICE);
  g_assert_null (loom_trace_get_track (fixture.trace, 1)->node);
  fixture_clear (&fixture);
}

/* A process shows a limited number of its labels, and a text says that it has more. */
static void
test_many_labels (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  guint32 process = add_process (&fixture, "5", "loader", 0);
  for (guint i = 0; i < 5000; i++) {
    g_autofree char *label = g_strdup_printf ("label %u", i);
    loom_trace_builder_process_add_labels (fixture.builder, process, label);
  }
  add_thread (&fixture, process, "1", NULL);
  fixture_freeze (&fixture);
  g_autofree char *listed = list_tracks (fixture.trace);
  g_assert_true (g_str_has_prefix (listed, "loader (label 0, label 1, "));
  g_assert_true (g_str_has_suffix (listed, "label 63, …)/thread 1 spans"));
  fixture_clear (&fixture);
}

static void
test_instants (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  LoomTraceBuilder *builder = fixture.builder;
  guint32 name = fixture_name (&fixture, "m");
  fixture_feed (&fixture, 0, "X a 0 9");
  loom_trace_builder_instant (builder, 0, 0, 0, 5, name, 'i', 't', fixture_ref (&fixture));
  loom_trace_builder_instant (builder, 0, 0, 0, 3, name, 'R', 't', fixture_ref (&fixture));
  loom_trace_builder_instant (builder, 0, 0, LOOM_ID_NONE, 7, name, 'i', 'p', fixture_ref (&fixture));
  loom_trace_builder_instant (builder, 0, LOOM_ID_NONE, LOOM_ID_NONE, 1, name, 'i', 'g', fixture_ref (&fixture));
  fixture_freeze (&fixture);
  g_autofree char *listed = list_tracks (fixture.trace);
  g_assert_cmpstr (listed, ==, "/ instants, 7/ instants, 7/thread 1 spans, 7/thread 1 instants");
  g_autofree char *drawn = fixture_draw (fixture.trace, 3);
  g_assert_cmpstr (drawn, ==, "0.0: m[3Rt] m[5it]");
  g_assert_cmpuint (loom_trace_get_track (fixture.trace, 0)->flags, ==, LOOM_TRACK_GLOBAL);
  g_assert_cmpuint (loom_trace_get_track (fixture.trace, 0)->process_id, ==, 0);
  g_assert_cmpuint (loom_trace_get_track (fixture.trace, 1)->process_id, ==, 1);
  g_assert_cmpuint (loom_trace_get_track (fixture.trace, 2)->thread_id, ==,
                    loom_trace_get_track (fixture.trace, 3)->thread_id);
  for (guint32 i = 0; i < 5; i++) {
    guint32 track, row;
    loom_trace_locate_span (fixture.trace, i, &track, &row);
    const LoomRow *held = loom_trace_get_row (fixture.trace, row);
    g_assert_true (i >= held->first && i < held->first + held->n);
    g_assert_cmpint (loom_trace_get_track (fixture.trace, track)->kind == LOOM_TRACK_INSTANTS, ==,
                     loom_trace_span_is_instant (fixture.trace, i));
  }
  fixture_clear (&fixture);
}

static void
feed_samples (Fixture *fixture, guint32 series, const gint64 *times_ns, const double *values, guint n)
{
  for (guint i = 0; i < n; i++)
    loom_trace_builder_sample (fixture->builder, series, times_ns[i], values[i], fixture_ref (fixture));
}

static void
test_counters (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  LoomTraceBuilder *builder = fixture.builder;
  guint32 queue = loom_trace_builder_counter (builder, 0, "io", 2, "queue", 5, "", 0);
  guint32 unused = loom_trace_builder_counter (builder, 0, "", 0, "unused", 6, "", 0);
  guint32 memory = loom_trace_builder_counter (builder, 0, "", 0, "memory", 6, "0x1", 3);
  guint32 ready = loom_trace_builder_series (builder, queue, "ready", 5);
  guint32 used = loom_trace_builder_series (builder, memory, "used", 4);
  guint32 wait = loom_trace_builder_series (builder, queue, "wait", 4);
  loom_trace_builder_series (builder, unused, "x", 1);
  loom_trace_builder_series_set_unit (builder, used, "B");
  g_assert_cmpuint (loom_trace_builder_counter (builder, 0, "io", 2, "queue", 5, "", 0), ==, queue);
  g_assert_cmpuint (loom_trace_builder_counter (builder, 0, "", 0, "queue", 5, "", 0), !=, queue);
  feed_samples (&fixture, ready, (gint64[]) { 30, 10, 20, 20 }, (double[]) { 3, 1, 2, 2 }, 4);
  feed_samples (&fixture, used, (gint64[]) { 5, 6 }, (double[]) { -4, NAN }, 2);
  fixture_freeze (&fixture);
  g_autofree char *listed = list_tracks (fixture.trace);
  g_assert_cmpstr (listed, ==, "7/ counter, 7/ counter");
  const LoomTrack *first = loom_trace_get_track (fixture.trace, 0), *second = loom_trace_get_track (fixture.trace, 1);
  g_assert_cmpstr (first->name, ==, "memory");
  g_assert_cmpstr (first->id, ==, "0x1");
  g_assert_cmpstr (loom_trace_get_series (fixture.trace, first->first_series)->unit, ==, "B");
  g_assert_cmpuint (fixture_count (fixture.trace, "non-finite-value"), ==, 1);
  g_assert_cmpstr (second->category, ==, "io");
  g_assert_cmpuint (second->n_series, ==, 2);
  g_assert_cmpuint (second->n_events, ==, 4);
  const LoomSeries *series = loom_trace_get_series (fixture.trace, second->first_series);
  g_assert_cmpstr (series->name, ==, "ready");
  g_assert_cmpuint (series->n, ==, 4);
  g_assert_cmpint (series->time_ns[0], ==, 10);
  g_assert_cmpint (series->time_ns[3], ==, 30);
  g_assert_cmpuint (loom_source_ref_offset (series->ref[1]), ==, 2);
  g_assert_cmpuint (loom_source_ref_offset (series->ref[2]), ==, 3);
  g_assert_cmpfloat (series->min, ==, 1);
  g_assert_cmpfloat (series->max, ==, 3);
  g_assert_cmpstr (loom_trace_get_series (fixture.trace, second->first_series + 1)->name, ==, "wait");
  g_assert_cmpint (second->start_ns, ==, 10);
  g_assert_cmpint (second->end_ns, ==, 30);
  g_assert_cmpuint (wait, !=, ready);
  fixture_clear (&fixture);
}

static void
assert_extent (const LoomTrace *trace, gint64 begin_ns, gint64 end_ns)
{
  LoomRange extent;
  g_assert_true (loom_trace_get_extent (trace, 0, &extent));
  g_assert_cmpint (extent.begin_ns, ==, begin_ns);
  g_assert_cmpint (extent.end_ns, ==, end_ns);
  g_assert_cmpint (loom_trace_get_source (trace, 0)->start_ns, ==, begin_ns);
  g_assert_cmpint (loom_trace_get_source (trace, 0)->end_ns, ==, end_ns);
}

static void
test_extents (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  guint32 name = fixture_name (&fixture, "a");
  guint32 outside = loom_trace_builder_thread (fixture.builder, 0, "2", 1);
  loom_trace_builder_thread_add_flags (fixture.builder, outside, LOOM_TRACK_NO_EXTENT);
  fixture_feed (&fixture, 0, "X a 10 20; X a 50 5");
  fixture_feed (&fixture, outside, "X record 0 1000");
  loom_trace_builder_span (fixture.builder, 0, 5, 5000, name, loom_source_ref_make (0, LOOM_REF_SUSPECT, 99));
  loom_trace_builder_instant (fixture.builder, 0, 0, 0, 60, name, 'i', 't', fixture_ref (&fixture));
  fixture_freeze (&fixture);
  assert_extent (fixture.trace, 10, 60);
  guint track = fixture_find (fixture.trace, LOOM_TRACK_SPANS, "2", NULL);
  g_assert_cmpint (loom_trace_get_track (fixture.trace, track)->end_ns, ==, 1000);
  track = fixture_find (fixture.trace, LOOM_TRACK_SPANS, "1", NULL);
  g_assert_cmpint (loom_trace_get_track (fixture.trace, track)->end_ns, ==, 55);
  fixture_clear (&fixture);
}

static void
test_implausible_times (void)
{
  const gint64 now_ns = G_GINT64_CONSTANT (1700000000) * LOOM_NS_PER_S;
  Fixture fixture;
  fixture_init (&fixture);
  loom_trace_builder_get_clock (fixture.builder, 0)->state = LOOM_CLOCK_EXACT;
  guint32 name = fixture_name (&fixture, "a");
  loom_trace_builder_span (fixture.builder, 0, now_ns, 10, name, fixture_ref (&fixture));
  loom_trace_builder_span (fixture.builder, 0, 0, 10, name, fixture_ref (&fixture));
  fixture_freeze (&fixture);
  assert_extent (fixture.trace, now_ns, now_ns + 10);
  fixture_clear (&fixture);
}

static void
test_two_sources (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  guint second = loom_trace_builder_add_source (fixture.builder, loom_source_new ("b.json"), 0);
  guint32 name = fixture_name (&fixture, "a");
  loom_trace_builder_span (fixture.builder, 0, 100, 10, name, loom_source_ref_make (0, 0, 0));
  loom_trace_builder_span (fixture.builder, 0, 200, 10, name, loom_source_ref_make (second, 0, 0));
  loom_trace_builder_span (fixture.builder, 0, 150, 10, name, LOOM_REF_NONE);
  fixture_freeze (&fixture);
  g_assert_cmpint (loom_trace_get_source (fixture.trace, 0)->start_ns, ==, 100);
  g_assert_cmpint (loom_trace_get_source (fixture.trace, 0)->end_ns, ==, 160);
  g_assert_cmpint (loom_trace_get_source (fixture.trace, 1)->start_ns, ==, 200);
  fixture_clear (&fixture);
}

static void
test_shift_source (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  LoomTraceBuilder *builder = fixture.builder;
  guint second = loom_trace_builder_add_source (builder, loom_source_new ("b.json"), 0);
  guint32 name = fixture_name (&fixture, "a");
  guint64 key = loom_string_pool_hash ("k", 1);
  guint32 series =
    loom_trace_builder_series (builder, loom_trace_builder_counter (builder, 0, "", 0, "c", 1, "", 0), "c", 1);
  LoomRef own = loom_source_ref_make (0, 0, 1), other = loom_source_ref_make (second, 0, 1);
  loom_trace_builder_span (builder, 0, 10, 5, name, own);
  loom_trace_builder_span (builder, 0, 20, 5, name, other);
  loom_trace_builder_instant (builder, 0, 0, 0, 11, name, 'i', 't', own);
  loom_trace_builder_sample (builder, series, 12, 1, own);
  loom_trace_builder_flow (builder, 0, 's', FALSE, 13, key, name, own);
  loom_trace_builder_async (builder, 0, 'b', key, 14, name, own);
  loom_trace_builder_async (builder, 0, 'e', key, 16, name, own);
  loom_trace_builder_shift_source (builder, 0, 1000);
  loom_trace_builder_span (builder, 0, 30, 5, name, own); /* added after the shift, so it is not shifted */
  fixture_freeze (&fixture);
  guint track = fixture_find (fixture.trace, LOOM_TRACK_SPANS, "1", NULL);
  g_autofree char *drawn = fixture_draw (fixture.trace, track);
  g_assert_cmpstr (drawn, ==, "0.0: a[20+5] a[30+5] a[1010+5]");
  g_assert_cmpint (loom_trace_get_series (fixture.trace, 0)->time_ns[0], ==, 1012);
  g_autofree char *async = fixture_draw (fixture.trace, fixture_find (fixture.trace, LOOM_TRACK_ASYNC, NULL, "a"));
  g_assert_cmpstr (async, ==, "0.0: a[1014+2]");
  g_autofree char *marks = fixture_draw (fixture.trace, fixture_find (fixture.trace, LOOM_TRACK_INSTANTS, "1", NULL));
  g_assert_cmpstr (marks, ==, "0.0: a[1011it]");
  guint32 n;
  g_assert_cmpint (loom_trace_get_flow_points (fixture.trace, &n)->time_ns, ==, 1013);
  fixture_clear (&fixture);
}

static void
test_names (void)
{
  Fixture fixture;
  fixture_init (&fixture);
  g_assert_cmpuint (loom_trace_builder_name (fixture.builder, "", 0, NULL, 0, NULL, 0), ==, 0);
  guint32 plain = loom_trace_builder_name (fixture.builder, "op", 2, "", 0, "", 0);
  guint32 coloured = loom_trace_builder_name (fixture.builder, "op", 2, "cat", 3, "good", 4);
  g_assert_cmpuint (plain, !=, coloured);
  g_assert_cmpuint (loom_trace_builder_name (fixture.builder, "opera", 2, "cats", 3, "goods", 4), ==, coloured);
  fixture_freeze (&fixture);
  g_assert_cmpuint (loom_trace_get_n_names (fixture.trace), ==, 3);
  const LoomName *name = loom_trace_get_name (fixture.trace, coloured);
  g_assert_cmpstr (name->text, ==, "op");
  g_assert_cmpstr (name->category, ==, "cat");
  g_assert_cmpstr (name->cname, ==, "good");
  g_assert_cmpuint (name->text_hash, ==, loom_trace_get_name (fixture.trace, plain)->text_hash);
  fixture_clear (&fixture);
}

static void
test_empty_and_cancelled (void)
{
  LoomTrace *trace = loom_trace_builder_freeze (loom_trace_builder_new (), 0, NULL);
  LoomRange extent;
  g_assert_cmpuint (loom_trace_get_n_tracks (trace), ==, 0);
  g_assert_false (loom_trace_get_extent (trace, 0, &extent));
  g_assert_cmpuint (loom_trace_get_memory (trace), >, 0);
  loom_trace_unref (trace);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (LoomProgress) progress = loom_progress_new (cancellable);
  g_cancellable_cancel (cancellable);
  Fixture fixture;
  fixture_init (&fixture);
  fixture_feed (&fixture, 0, "B a 0; X b 1 1");
  g_assert_null (loom_trace_builder_freeze (g_steal_pointer (&fixture.builder), 2, progress));
}

static gint64
find_hold (const char *format, gint64 interval_ns)
{
  gint64 times[] = { -interval_ns, 0, interval_ns };
  LoomSeries series = { .time_ns = times, .n = G_N_ELEMENTS (times) };
  return loom_sample_hold_find_hold (format, &series);
}

/* The time for which a counter's value holds is computed correctly even if the intervals between samples are
 * centuries. */
static void
test_holds (void)
{
  g_assert_cmpint (find_hold ("smdebug-system", 500000001), ==, 1250000002);
  g_assert_cmpint (find_hold ("smdebug-system", G_GINT64_CONSTANT (3600000000000000000)), ==,
                   G_GINT64_CONSTANT (9000000000000000000));
  g_assert_cmpint (find_hold ("smdebug-system", G_GINT64_CONSTANT (6400000000000000000)), ==, G_MAXINT64);
  g_assert_cmpint (find_hold ("kineto", 1), ==, G_MAXINT64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/tracks/busy", test_busy);
  g_test_add_func ("/model/tracks/process-order", test_process_order);
  g_test_add_func ("/model/tracks/thread-order", test_thread_order);
  g_test_add_func ("/model/tracks/labels", test_labels);
  g_test_add_func ("/model/tracks/many-labels", test_many_labels);
  g_test_add_func ("/model/tracks/instants", test_instants);
  g_test_add_func ("/model/tracks/counters", test_counters);
  g_test_add_func ("/model/tracks/holds", test_holds);
  g_test_add_func ("/model/tracks/extents", test_extents);
  g_test_add_func ("/model/tracks/implausible-times", test_implausible_times);
  g_test_add_func ("/model/tracks/two-sources", test_two_sources);
  g_test_add_func ("/model/tracks/shift-source", test_shift_source);
  g_test_add_func ("/model/tracks/names", test_names);
  g_test_add_func ("/model/tracks/empty-and-cancelled", test_empty_and_cancelled);
  return g_test_run ();
}
