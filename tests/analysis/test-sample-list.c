/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the list of samples: which events it contains, their times, names and durations, and its orders.
 */
#include "loom-python-profile-builder.h"
#include "loom-sample-list.h"
#include "trace-maker.h"

static guint32
add_counter (Maker *maker, guint32 process, const char *name, const char *series)
{
  guint32 counter = loom_trace_builder_counter (maker->builder, process, "", 0, name, strlen (name), "", 0);
  return loom_trace_builder_series (maker->builder, counter, series, strlen (series));
}

static void
add_value (Maker *maker, guint32 series, gint64 time, double value)
{
  loom_trace_builder_sample (maker->builder, series, MAKER_BEGIN + time, value, LOOM_REF_NONE);
}

static void
add_instant (Maker *maker, guint32 thread, const char *name, gint64 time, char phase)
{
  guint32 id = loom_trace_builder_name (maker->builder, name, strlen (name), "", 0, "", 0);
  loom_trace_builder_instant (maker->builder, 0, 0, thread, MAKER_BEGIN + time, id, phase, 't', LOOM_REF_NONE);
}

/* A run with two counters, samples of a thread, and two events that are not samples: a span and an instant. */
static LoomTimeline *
small_run (void)
{
  Maker maker = maker_new ("a.json", "chrome");
  guint32 thread = maker_thread (&maker, "python", 3, "main", 0);
  guint32 process = loom_trace_builder_process (maker.builder, 0, "python", 6);
  guint32 load = add_counter (&maker, process, "load", "10"),
          memory = add_counter (&maker, process, "memory", "memory");
  maker_span (&maker, thread, "forward", "cpu_op", 0, 100);
  add_instant (&maker, thread, "mark", 5, 'i');
  add_instant (&maker, thread, "cycles", 20, 'P');
  add_instant (&maker, thread, "cycles", 40, 'P');
  add_value (&maker, load, 10, -7);
  add_value (&maker, load, 30, 2.5);
  add_value (&maker, memory, 15, 100);
  return maker_timeline (&maker, NULL);
}

/* Makes a session of pyinstrument: the function "main" takes 100 ns; it calls "load" for 30 ns and "call" for 20 ns;
 * "call" spends all of its time in "sleep". */
static LoomTimeline *
session_run (LoomPythonProfileKind kind)
{
  Maker maker = maker_new ("a.pyisession", "pyinstrument");
  loom_trace_builder_get_source (maker.builder, 0)->profile =
    loom_python_profile_builder_finish (loom_python_profile_builder_new (kind));
  guint32 thread = maker_thread (&maker, "Python", 0, "samples", 0);
  maker_span (&maker, thread, "main", "python", 0, 100);
  maker_span (&maker, thread, "load", "python", 10, 30);
  maker_span (&maker, thread, "call", "python", 50, 20);
  maker_span (&maker, thread, "sleep", "python", 50, 20);
  return maker_timeline (&maker, NULL);
}

/* Returns the name, time and duration (−1: unknown) of each sample in list order, such as "load · 10@30+-1", and its
 * depth if it has one. */
static char *
draw (LoomTimeline *timeline, const LoomSampleQuery *query)
{
  g_autoptr (LoomSampleList) list = loom_sample_list_new (timeline, query, NULL);
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < list->n; i++) {
    LoomSample sample;
    g_autofree char *name = loom_sample_list_dup_name (list, i);
    loom_sample_list_get (list, i, &sample);
    g_string_append_printf (text, "%s%s@%d+%d", i > 0 ? " " : "", name, (int) (sample.time_ns - MAKER_BEGIN),
                            (int) sample.duration_ns);
    if (sample.depth > 0)
      g_string_append_printf (text, "/%u", sample.depth);
    g_assert_cmpint (sample.series == NULL, ==, !loom_timeline_span_id_is_none (sample.span));
  }
  g_assert_cmpuint (list->n_found, ==, list->n);
  return g_string_free (text, FALSE);
}

static void
assert_list (LoomTimeline *timeline, LoomSampleQuery query, const char *expected)
{
  g_autofree char *text = draw (timeline, &query);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_orders (void)
{
  g_autoptr (LoomTimeline) timeline = small_run ();
  assert_list (timeline, (LoomSampleQuery) { .text = NULL },
               "load · 10@10+20 memory@15+-1 cycles@20+-1 load · 10@30+-1 cycles@40+-1");
  assert_list (timeline, (LoomSampleQuery) { .descending = TRUE },
               "cycles@40+-1 load · 10@30+-1 cycles@20+-1 memory@15+-1 load · 10@10+20");
  assert_list (timeline, (LoomSampleQuery) { .order = LOOM_SAMPLE_BY_NAME },
               "cycles@20+-1 cycles@40+-1 load · 10@10+20 load · 10@30+-1 memory@15+-1");
  assert_list (timeline, (LoomSampleQuery) { .order = LOOM_SAMPLE_BY_VALUE },
               "cycles@20+-1 cycles@40+-1 load · 10@10+20 load · 10@30+-1 memory@15+-1");
  assert_list (timeline, (LoomSampleQuery) { .order = LOOM_SAMPLE_BY_DURATION, .descending = TRUE },
               "load · 10@10+20 memory@15+-1 cycles@20+-1 load · 10@30+-1 cycles@40+-1");
}

static void
test_filters (void)
{
  g_autoptr (LoomTimeline) timeline = small_run ();
  assert_list (timeline, (LoomSampleQuery) { .text = "LOAD" }, "load · 10@10+20 load · 10@30+-1");
  assert_list (timeline, (LoomSampleQuery) { .text = "rank cycles" }, "cycles@20+-1 cycles@40+-1");
  assert_list (timeline, (LoomSampleQuery) { .text = "nothing" }, "");
  /* the end of the range is excluded, so a sample at this time is not listed */
  assert_list (timeline, (LoomSampleQuery) { .range = { MAKER_BEGIN + 15, MAKER_BEGIN + 40 } },
               "memory@15+-1 cycles@20+-1 load · 10@30+-1");
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (LoomTrackId));
  assert_list (timeline, (LoomSampleQuery) { .tracks = none }, "");
}

static void
test_columns (void)
{
  g_autoptr (LoomTimeline) timeline = small_run (), session = session_run (LOOM_PYTHON_PROFILE_SESSION);
  g_autoptr (LoomSampleList) all = loom_sample_list_new (timeline, &(LoomSampleQuery) { .text = NULL }, NULL),
                             calls = loom_sample_list_new (session, &(LoomSampleQuery) { .text = NULL }, NULL);
  g_assert_true (all->has_values && all->has_ranks && !all->has_depths);
  g_assert_false (all->ranks_differ); /* all samples with a rank have the same */
  g_assert_true (calls->has_depths && !calls->has_values);
  Maker first = maker_new ("a.json", "chrome"), second = maker_new ("b.json", "chrome");
  add_instant (&first, maker_thread (&first, "python", 3, "main", 0), "cycles", 20, 'P');
  add_instant (&second, maker_thread (&second, "python", 4, "main", 0), "cycles", 30, 'P');
  g_autoptr (LoomTimeline) both = maker_timeline (&first, &second);
  g_autoptr (LoomSampleList) list = loom_sample_list_new (both, &(LoomSampleQuery) { .text = NULL }, NULL);
  g_assert_true (list->ranks_differ);
}

/* Each call with self time is a sample; a call that spends all of its time in another function is not. */
static void
test_python (void)
{
  g_autoptr (LoomTimeline) timeline = session_run (LOOM_PYTHON_PROFILE_SESSION);
  g_assert_true (loom_sample_list_has_any (timeline));
  assert_list (timeline, (LoomSampleQuery) { .text = NULL }, "main@0+50 load@10+30/1 sleep@50+20/2");
  assert_list (timeline, (LoomSampleQuery) { .order = LOOM_SAMPLE_BY_DEPTH, .descending = TRUE },
               "sleep@50+20/2 load@10+30/1 main@0+50");
}

/* The times of a text report of pyinstrument are computed from percentages, so its call tree has no samples. */
static void
test_report (void)
{
  g_autoptr (LoomTimeline) timeline = session_run (LOOM_PYTHON_PROFILE_REPORT);
  g_assert_false (loom_sample_list_has_any (timeline));
  assert_list (timeline, (LoomSampleQuery) { .text = NULL }, "");
}

static void
test_cancelled (void)
{
  g_autoptr (LoomTimeline) timeline = small_run ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_sample_list_new (timeline, &(LoomSampleQuery) { .text = NULL }, cancellable));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/sample-list/orders", test_orders);
  g_test_add_func ("/analysis/sample-list/filters", test_filters);
  g_test_add_func ("/analysis/sample-list/columns", test_columns);
  g_test_add_func ("/analysis/sample-list/python", test_python);
  g_test_add_func ("/analysis/sample-list/report", test_report);
  g_test_add_func ("/analysis/sample-list/cancelled", test_cancelled);
  return g_test_run ();
}
