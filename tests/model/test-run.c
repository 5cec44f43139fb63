/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that a run numbers the tracks and sources of its traces consecutively, and that traces are shared with the next
 * run.
 */
#include "fixture.h"
#include "loom-python-profile-builder.h"
#include "loom-run-facts.h"

static LoomTrace *
new_trace (guint n_sources, guint n_clocks, guint64 n_events)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  for (guint i = 0; i < n_clocks; i++)
    loom_trace_builder_add_clock (builder);
  for (guint i = 0; i < n_sources; i++) {
    g_autofree char *path = g_strdup_printf ("%u-%u.json", n_sources, i);
    LoomSource *source = loom_source_new (path);
    source->n_events = n_events;
    loom_trace_builder_add_source (builder, source, i % n_clocks);
  }
  return loom_trace_builder_freeze (builder, 1, NULL);
}

static void
test_numbers (void)
{
  g_autoptr (LoomTrace) first = new_trace (3, 2, 10);
  g_autoptr (LoomTrace) second = new_trace (1, 1, 5);
  LoomTrace *traces[] = { first, second };
  g_autoptr (LoomRun) run = loom_run_new (traces, 2);
  g_assert_cmpuint (loom_run_get_n_sources (run), ==, 4);
  g_assert_cmpuint (loom_run_get_n_clocks (run), ==, 3);
  g_assert_cmpstr (loom_run_get_source (run, 2)->path, ==, "3-2.json");
  g_assert_cmpstr (loom_run_get_source (run, 3)->path, ==, "1-0.json");
  g_assert_cmpuint (loom_run_get_clock_of_source (run, 1), ==, 1);
  g_assert_cmpuint (loom_run_get_clock_of_source (run, 3), ==, 2);
  g_assert_true (loom_run_get_clock (run, 2) == loom_trace_get_clock (second, 0));
  g_assert_cmpuint (loom_run_get_first_source (run, 1), ==, 3);
  g_assert_cmpuint (loom_run_get_trace_of_source (run, 2), ==, 0);
  g_assert_cmpuint (loom_run_get_trace_of_source (run, 3), ==, 1);
  g_assert_cmpuint (loom_run_get_first_clock (run, 1), ==, 2);
  g_assert_cmpuint (loom_run_get_n_events (run), ==, 35);
}

/* Returns a trace with one source of the rank and, if `n_samples` is above 0, a counter with samples. */
static LoomTrace *
new_ranked (gint rank, const char *format, guint n_samples, gboolean has_profile)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  loom_trace_builder_add_clock (builder);
  LoomSource *source = loom_source_new ("ranked.json");
  source->rank = rank;
  source->format = g_intern_static_string (format);
  if (has_profile)
    source->profile =
      loom_python_profile_builder_finish (loom_python_profile_builder_new (LOOM_PYTHON_PROFILE_CPROFILE));
  guint number = loom_trace_builder_add_source (builder, source, 0);
  guint32 process = loom_trace_builder_process (builder, number, "1", 1);
  for (guint i = 0; i < n_samples; i++) {
    guint32 counter = loom_trace_builder_counter (builder, process, "", 0, "load", 4, "", 0),
            series = loom_trace_builder_series (builder, counter, "value", 5);
    loom_trace_builder_sample (builder, series, i, i, loom_source_ref_make (number, 0, i));
  }
  return loom_trace_builder_freeze (builder, 1, NULL);
}

/* A rank with two sources counts as one rank. A number that an smdebug file states in place of a rank, but that must be
 * a process id, does not count as a rank. */
static void
test_facts (void)
{
  g_autoptr (LoomTrace) first = new_ranked (3, "kineto", 0, FALSE), again = new_ranked (3, "kineto", 0, FALSE),
                        process = new_ranked (88359, "smdebug", 0, FALSE), zero = new_ranked (0, "kineto", 2, TRUE);
  LoomTrace *traces[] = { first, again, process, zero };
  g_autoptr (LoomRun) some = loom_run_new (traces, 3), all = loom_run_new (traces, 4);
  g_assert_cmpuint (loom_run_facts_count_ranks (some), ==, 1);
  g_assert_false (loom_run_facts_has_tracks (some, LOOM_TRACK_COUNTER));
  g_assert_false (loom_run_facts_has_profiles (some));
  g_assert_cmpuint (loom_run_facts_count_ranks (all), ==, 2);
  g_assert_true (loom_run_facts_has_tracks (all, LOOM_TRACK_COUNTER));
  g_assert_false (loom_run_facts_has_tracks (all, LOOM_TRACK_SPANS));
  g_assert_true (loom_run_facts_has_profiles (all));
}

static void
test_add (void)
{
  g_autoptr (LoomTrace) first = new_trace (1, 1, 1);
  g_autoptr (LoomTrace) second = new_trace (2, 1, 1);
  g_autoptr (LoomRun) run = loom_run_new (&first, 1);
  loom_run_add_ignored (run, "x.pb", "not a trace", TRUE);
  LoomTrace *traces[] = { first, second };
  g_autoptr (LoomRun) next = loom_run_new (traces, 2);
  loom_run_copy_ignored (next, run);
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 1);
  g_assert_cmpuint (loom_run_get_n_traces (next), ==, 2);
  g_assert_true (loom_run_get_trace (next, 0) == first);
  g_assert_cmpuint (loom_run_get_n_ignored (next), ==, 1);
  g_assert_cmpstr (loom_run_get_ignored (next, 0)->path, ==, "x.pb");
  g_assert_true (loom_run_get_ignored (next, 0)->failed);
}

static void
test_empty (void)
{
  g_autoptr (LoomRun) run = loom_run_new (NULL, 0);
  g_assert_cmpuint (loom_run_get_n_sources (run), ==, 0);
  g_assert_cmpuint (loom_run_get_n_clocks (run), ==, 0);
  g_assert_cmpuint (loom_run_get_n_events (run), ==, 0);
}

static void
test_log (void)
{
  g_autoptr (LoomImportLog) log = loom_import_log_new ();
  loom_import_log_add (log, LOOM_SEVERITY_WARNING, "a", 50, "later");
  loom_import_log_printf (log, LOOM_SEVERITY_WARNING, "a", 20, "at %d", 20);
  loom_import_log_add_n (log, LOOM_SEVERITY_ERROR, "b", LOOM_OFFSET_NONE, 3, "b");
  g_assert_cmpuint (loom_import_log_get_n_problems (log), ==, 2);
  g_assert_cmpuint (loom_import_log_get_problem (log, 0)->count, ==, 2);
  g_assert_cmpuint (loom_import_log_get_problem (log, 0)->offset, ==, 20);
  g_assert_cmpstr (loom_import_log_get_problem (log, 0)->message, ==, "at 20");
  g_assert_cmpuint (loom_import_log_count_at_least (log, LOOM_SEVERITY_ERROR), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/run/numbers", test_numbers);
  g_test_add_func ("/model/run/facts", test_facts);
  g_test_add_func ("/model/run/add", test_add);
  g_test_add_func ("/model/run/empty", test_empty);
  g_test_add_func ("/model/run/log", test_log);
  return g_test_run ();
}
