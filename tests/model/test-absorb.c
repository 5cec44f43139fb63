/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that a file that is scanned in pieces gives the same trace as one that is scanned as a whole, for random
 * events, random pieces, and pieces that are divided again.
 */
#include "fixture.h"

#include <string.h>

typedef struct {
  guint kind, thread, name, phase;
  gint64 time_ns, dur_ns;
  guint64 offset;
} Event;

static Event
random_event (guint64 offset)
{
  return (Event) {
    .kind = (guint) g_test_rand_int_range (0, 7),
    .thread = (guint) g_test_rand_int_range (0, 3),
    .name = (guint) g_test_rand_int_range (0, 5),
    .phase = (guint) g_test_rand_int_range (0, 3),
    .time_ns = g_test_rand_int_range (0, 500),
    .dur_ns = g_test_rand_int_range (-2, 60),
    .offset = offset,
  };
}

static void
feed_event (LoomTraceBuilder *builder, const Event *event)
{
  static const char *const keys[] = { "11", "\"w\"", "" };
  static const char *const texts[] = { "a", "b", "c", "d", "" };
  const char *key = keys[event->thread], *text = texts[event->name];
  guint32 process = loom_trace_builder_process (builder, 0, key, strlen (key));
  guint32 thread = loom_trace_builder_thread (builder, process, key, strlen (key));
  guint32 name = loom_trace_builder_name (builder, text, strlen (text), "c", event->phase == 0, "", 0);
  guint32 id = loom_trace_builder_key (builder, text, strlen (text));
  LoomRef ref = loom_source_ref_make (0, 0, event->offset);
  switch (event->kind) {
  case 0: loom_trace_builder_span (builder, thread, event->time_ns, event->dur_ns, name, ref); break;
  case 1: loom_trace_builder_begin (builder, thread, event->time_ns, name, ref); break;
  case 2: loom_trace_builder_end (builder, thread, event->time_ns, name, ref, event->phase == 1); break;
  case 3:
    loom_trace_builder_instant (builder, 0, event->phase == 2 ? LOOM_ID_NONE : process,
                                event->phase == 0 ? thread : LOOM_ID_NONE, event->time_ns, name, 'i',
                                "tpg"[event->phase], ref);
    break;
  case 4: {
    guint32 counter = loom_trace_builder_counter (builder, process, "", 0, text, strlen (text), "", 0);
    loom_trace_builder_sample (builder, loom_trace_builder_series (builder, counter, key, strlen (key)), event->time_ns,
                               (double) event->dur_ns, ref);
    break;
  }
  case 5:
    loom_trace_builder_flow (builder, thread, "stf"[event->phase], event -> dur_ns > 20, event -> time_ns,
                             loom_string_pool_hash (text, strlen (text)), name, ref);
    break;
  default: loom_trace_builder_async (builder, process, "bne"[event->phase], id, event -> time_ns, name, ref); break;
  }
  if (event->dur_ns == 7)
    loom_trace_builder_process_set_label (builder, process, text);
  if (event->dur_ns == 9)
    loom_trace_builder_thread_set_sort (builder, thread, event->time_ns);
}

static void
describe_tracks (const LoomTrace *trace, GString *out)
{
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    g_autofree char *drawn = fixture_draw (trace, i);
    g_string_append_printf (out, "%d %s %s %s %u..%u: %s\n", track->kind, track->process, track->thread, track->name,
                            (guint) track->start_ns, (guint) track->end_ns, drawn);
    for (guint32 s = track->first_series; s < track->first_series + track->n_series; s++) {
      const LoomSeries *series = loom_trace_get_series (trace, s);
      for (guint32 n = 0; n < series->n; n++)
        g_string_append_printf (out, " %s@%d=%g#%" G_GINT64_MODIFIER "x", series->name, (int) series->time_ns[n],
                                series->value[n], series->ref[n]);
    }
  }
}

static void
describe_rest (const LoomTrace *trace, GString *out)
{
  guint32 n;
  const LoomArrow *arrows = loom_trace_get_arrows (trace, &n);
  for (guint32 i = 0; i < n; i++)
    g_string_append_printf (out, "%u>%u ", arrows[i].from, arrows[i].to);
  const LoomFlowPoint *points = loom_trace_get_flow_points (trace, &n);
  for (guint32 i = 0; i < n; i++)
    g_string_append_printf (out, "%d#%" G_GINT64_MODIFIER "x/%u ", (int) points[i].time_ns, points[i].ref,
                            points[i].track);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = 0; i < spans->n; i++)
    g_string_append_printf (out, "%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x ", spans->ref[i],
                            loom_trace_get_end_ref (trace, i));
  const LoomImportLog *log = loom_trace_get_source (trace, 0)->log;
  for (guint i = 0; i < loom_import_log_get_n_problems (log); i++) {
    const LoomProblem *problem = loom_import_log_get_problem (log, i);
    g_string_append_printf (out, "%s*%d@%d ", problem->code, (int) problem->count, (int) problem->offset);
  }
}

static char *
describe (LoomTraceBuilder *builder, guint n_threads)
{
  g_autoptr (LoomTrace) trace = loom_trace_builder_freeze (builder, n_threads, NULL);
  GString *out = g_string_new (NULL);
  describe_tracks (trace, out);
  describe_rest (trace, out);
  return g_string_free (out, FALSE);
}

static LoomTraceBuilder *
feed_range (const Event *events, guint first, guint end)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint clock = loom_trace_builder_add_clock (builder);
  loom_trace_builder_add_source (builder, loom_source_new ("a.json"), clock);
  for (guint i = first; i < end; i++)
    feed_event (builder, &events[i]);
  return builder;
}

/* Splits the events first … end − 1 at random, adds both parts to separate builders, and lets the first builder absorb
 * (append) the second one. */
static LoomTraceBuilder *
feed_in_parts (const Event *events, guint first, guint end, guint depth)
{
  if (depth == 0)
    return feed_range (events, first, end);
  guint cut = (guint) g_test_rand_int_range ((gint) first, (gint) end + 1);
  LoomTraceBuilder *builder = feed_in_parts (events, first, cut, depth - 1);
  loom_trace_builder_absorb (builder, feed_in_parts (events, cut, end, depth - 1));
  return builder;
}

static void
test_random (void)
{
  for (guint round = 0; round < 300; round++) {
    guint n = (guint) g_test_rand_int_range (0, 300);
    g_autofree Event *events = g_new (Event, n + 1);
    for (guint i = 0; i < n; i++)
      events[i] = random_event (i);
    g_autofree char *whole = describe (feed_range (events, 0, n), 1);
    g_autofree char *parts = describe (feed_in_parts (events, 0, n, round % 4), 1);
    g_assert_cmpstr (parts, ==, whole);
  }
}

/* The trace has so many events that freezing it uses several threads. */
static void
test_threads (void)
{
  const guint n = 60000;
  g_autofree Event *events = g_new (Event, n);
  for (guint i = 0; i < n; i++)
    events[i] = random_event (i);
  g_autofree char *alone = describe (feed_range (events, 0, n), 1);
  g_autofree char *together = describe (feed_in_parts (events, 0, n, 2), 4);
  g_assert_cmpuint (g_str_hash (together), ==, g_str_hash (alone));
  g_assert_true (g_str_equal (together, alone));
}

/* Events that are added to a builder after it absorbed another one come after the absorbed events. */
static void
test_feeding_goes_on (void)
{
  Event events[90];
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    events[i] = random_event (i);
  g_autofree char *whole = describe (feed_range (events, 0, 90), 1);
  LoomTraceBuilder *builder = feed_range (events, 0, 30);
  loom_trace_builder_absorb (builder, feed_range (events, 30, 60));
  for (guint i = 60; i < 90; i++)
    feed_event (builder, &events[i]);
  g_autofree char *parts = describe (builder, 1);
  g_assert_cmpstr (parts, ==, whole);
}

static void
test_sources (void)
{
  LoomTraceBuilder *builder = feed_range (NULL, 0, 0), *part = feed_range (NULL, 0, 0);
  loom_trace_builder_get_source (builder, 0)->n_events = 5;
  LoomSource *source = loom_trace_builder_get_source (part, 0);
  source->n_events = 7;
  source->rank = 3;
  source->incomplete = TRUE;
  loom_import_log_add (source->log, LOOM_SEVERITY_WARNING, "truncated", 40, "cut");
  loom_source_add_fact (source, "schemaVersion", "1");
  loom_trace_builder_get_clock (part, 0)->basis = g_strdup ("file name");
  loom_trace_builder_get_clock (part, 0)->state = LOOM_CLOCK_DERIVED;
  loom_trace_builder_absorb (builder, part);
  source = loom_trace_builder_get_source (builder, 0);
  g_assert_cmpuint (source->n_events, ==, 12);
  g_assert_cmpint (source->rank, ==, 3);
  g_assert_true (source->incomplete);
  g_assert_cmpuint (loom_import_log_get_n_problems (source->log), ==, 1);
  g_assert_cmpuint (source->facts->len, ==, 2);
  g_assert_cmpint (loom_trace_builder_get_clock (builder, 0)->state, ==, LOOM_CLOCK_DERIVED);
  loom_trace_builder_free (builder);
}

static void
test_shift_after_absorb (void)
{
  Event events[2] = { { .time_ns = 10, .dur_ns = 5, .offset = 0 }, { .time_ns = 20, .dur_ns = 5, .offset = 1 } };
  LoomTraceBuilder *builder = feed_range (events, 0, 1);
  loom_trace_builder_absorb (builder, feed_range (events, 1, 2));
  loom_trace_builder_shift_source (builder, 0, 100);
  g_autoptr (LoomTrace) trace = loom_trace_builder_freeze (builder, 1, NULL);
  g_autofree char *drawn = fixture_draw (trace, 0);
  g_assert_cmpstr (drawn, ==, "0.0: a[110+5] a[120+5]");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/absorb/random", test_random);
  g_test_add_func ("/model/absorb/threads", test_threads);
  g_test_add_func ("/model/absorb/feeding-goes-on", test_feeding_goes_on);
  g_test_add_func ("/model/absorb/sources", test_sources);
  g_test_add_func ("/model/absorb/shift-after-absorb", test_shift_after_absorb);
  return g_test_run ();
}
