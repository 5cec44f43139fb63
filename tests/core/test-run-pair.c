/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the comparison of two runs on a common time axis: they are aligned by a step, and names whose time changed lead
 * to both runs.
 */
#include "loom-report-task.h"
#include "loom-run-pair.h"
#include "run-fixture.h"

#include <math.h>
#include <string.h>

#define MS 1000000

/* Writes a run with steps of 100 ms from `start_ms` on. Each step contains spans “same” of 10 ms in two categories, and
 * “slower” of `slower_ms`; one more name occurs only in this run. */
static char *
write_run (const char *folder, const char *name, guint start_ms, guint slower_ms, guint first_step)
{
  g_autoptr (GString) text =
    g_string_new ("{\"schemaVersion\":1,\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[\n");
  for (guint i = 0; i < 4; i++) {
    guint64 at_us = (start_ms + i * 100) * G_GUINT64_CONSTANT (1000);
    g_string_append_printf (text,
                            "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"pid\":1,\"tid\":1,\"ts\":%" G_GUINT64_FORMAT
                            ",\"dur\":100000,\"name\":\"ProfilerStep#%u\"},\n",
                            at_us, first_step + i);
    g_string_append_printf (text,
                            "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":%" G_GUINT64_FORMAT
                            ",\"dur\":10000,\"name\":\"same\"},\n",
                            at_us + 1000);
    g_string_append_printf (text,
                            "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":%" G_GUINT64_FORMAT
                            ",\"dur\":%u,\"name\":\"slower\"},\n",
                            at_us + 20000, slower_ms * 1000 + i);
    g_string_append_printf (text,
                            "{\"ph\":\"X\",\"cat\":\"other\",\"pid\":1,\"tid\":2,\"ts\":%" G_GUINT64_FORMAT
                            ",\"dur\":10,\"name\":\"same\"},\n",
                            at_us + 2000);
  }
  g_string_append_printf (
    text, "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":2,\"ts\":%u000,\"dur\":7,\"name\":\"only %s\"}\n]}",
    start_ms, name);
  return fixture_file (folder, name, text->str);
}

static gboolean
is_compared (gpointer comparison)
{
  return !loom_run_pair_is_working (comparison);
}

static const LoomViewport *
view_of (LoomRunPair *comparison, guint which)
{
  return loom_timeline_state_get_viewport (loom_run_pair_get_view (comparison, which));
}

static void
assert_linked (LoomRunPair *comparison, gint64 offset_ns)
{
  g_assert_cmpint (loom_run_pair_get_offset (comparison), ==, offset_ns);
  g_assert_cmpint (view_of (comparison, 1)->begin_ns - view_of (comparison, 0)->begin_ns, ==, offset_ns);
  g_assert_cmpint (view_of (comparison, 1)->end_ns - view_of (comparison, 0)->end_ns, ==, offset_ns);
}

static gboolean
has_name (LoomResultTable *table, const char *name)
{
  for (guint i = 0; i < table->n_rows; i++)
    if (g_strcmp0 (loom_result_table_get_text (table, i, 0), name) == 0)
      return TRUE;
  return FALSE;
}

static const char *
name_of_lead (LoomRunPair *comparison, guint which)
{
  LoomTimelineState *view = loom_run_pair_get_view (comparison, which);
  LoomSpanId lead = loom_timeline_state_get_lead (view);
  g_assert_false (loom_timeline_span_id_is_none (lead));
  const LoomTrace *trace =
    loom_run_get_trace (loom_timeline_get_run (loom_timeline_state_get_timeline (view)), lead.trace);
  return loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[lead.span])->text;
}

static void
check_steps (LoomRunPair *comparison)
{
  gint64 first, last;
  g_assert_true (loom_run_pair_get_steps (comparison, &first, &last));
  g_assert_cmpint (first, ==, 1);
  g_assert_cmpint (last, ==, 3);
  /* step 1 is the first step of one run and the second step of the other run */
  g_assert_true (loom_run_pair_align_step (comparison, first));
  assert_linked (comparison, (130 + 100 - 50) * MS);
  g_assert_true (loom_run_pair_align_step (comparison, 3));
  assert_linked (comparison, (130 + 300 - 250) * MS);
  g_assert_cmpstr (loom_run_pair_get_alignment (comparison), ==, "Aligned at step 3");
  g_assert_false (loom_run_pair_align_step (comparison, 4)); /* only the first run has step 4 */
  LoomViewport view = *view_of (comparison, 1);
  view.begin_ns += 20 * MS;
  view.end_ns -= 40 * MS;
  loom_timeline_state_set_viewport (loom_run_pair_get_view (comparison, 1), &view);
  assert_linked (comparison, (130 + 300 - 250) * MS); /* the second view was moved, and the first view follows it */
  view = *view_of (comparison, 0);
  view.begin_ns += 5 * MS;
  loom_timeline_state_set_viewport (loom_run_pair_get_view (comparison, 0), &view);
  g_assert_cmpint (view_of (comparison, 0)->begin_ns, ==, view.begin_ns);
  assert_linked (comparison, (130 + 300 - 250) * MS); /* the first view was moved, and the second view follows it */
}

/* Zooming out shows no time beyond both runs, except for the margin of the whole run. */
static void
check_limits (LoomRunPair *comparison)
{
  LoomTimelineState *state = loom_run_pair_get_view (comparison, 0);
  LoomRange extent = loom_timeline_state_get_extent (state);
  gint64 length_ns = extent.end_ns - extent.begin_ns,
         margin_ns = (gint64) ((double) length_ns * LOOM_VIEWPORT_FIT_MARGIN) + 1;
  const LoomViewport before = *view_of (comparison, 0);
  LoomViewport view = before;
  view.begin_ns = extent.begin_ns - length_ns / 4;
  view.end_ns = extent.end_ns + length_ns / 4;
  loom_timeline_state_set_viewport (state, &view);
  g_assert_cmpint (view_of (comparison, 0)->begin_ns, ==, extent.begin_ns - margin_ns);
  g_assert_cmpint (view_of (comparison, 0)->end_ns, ==, extent.end_ns + margin_ns);
  assert_linked (comparison, loom_run_pair_get_offset (comparison));
  loom_timeline_state_set_viewport (state, &before);
}

static void
check_table (LoomRunPair *comparison)
{
  LoomResultTable *rows = loom_run_pair_get_table (comparison, LOOM_COMPARISON_NAMES);
  guint n = rows->n_rows;
  g_assert_cmpuint (n, >=, 5);
  g_assert_cmpstr (loom_result_table_get_text (rows, 0, 0), ==, "slower");
  g_assert_cmpfloat (loom_result_table_get_number (rows, 0, 1), ==, 25.0 * MS);
  g_assert_cmpfloat (loom_result_table_get_number (rows, 0, 5), ==, 4);
  g_assert_true (has_name (rows, "only a.pt.trace.json") && has_name (rows, "only b.pt.trace.json"));
  g_assert_true (has_name (rows, "same · cpu_op") && has_name (rows, "same · other") && !has_name (rows, "same"));
  loom_run_pair_show_row (comparison, LOOM_COMPARISON_NAMES, 0);
  g_assert_cmpstr (name_of_lead (comparison, 0), ==, "slower");
  g_assert_cmpstr (name_of_lead (comparison, 1), ==, "slower");
  assert_linked (comparison, (130 - 50) * MS); /* in both runs, the longest span with this name is the last one */
}

/* Steps take 100 ms in both runs, so the headline reports no change. */
static void
check_parts (LoomRunPair *comparison)
{
  LoomResultTable *parts = loom_run_pair_get_table (comparison, LOOM_COMPARISON_PARTS),
                  *ranks = loom_run_pair_get_table (comparison, LOOM_COMPARISON_RANKS);
  g_assert_cmpstr (loom_run_pair_get_headline (comparison), ==,
                   "Both runs take the same time: median step 100 ms and 100 ms, less than 1 % apart");
  g_assert_cmpfloat (loom_result_table_get_number (parts, 0, 2), ==, 100.0 * MS);
  g_assert_cmpuint (ranks->n_rows, ==, 1);
}

/* Swapping the runs inverts the sign of each change. */
static void
check_swapped (LoomRunPair *comparison)
{
  loom_run_pair_swap (comparison);
  g_assert_true (loom_run_pair_is_working (comparison));
  loom_run_pair_show_row (comparison, LOOM_COMPARISON_NAMES,
                          0); /* the index of a row in the table before the change is ignored */
  g_assert_cmpstr (loom_run_pair_get_name (comparison, 0), ==, "b");
  g_assert_true (fixture_wait (is_compared, comparison));
  LoomResultTable *rows = loom_run_pair_get_table (comparison, LOOM_COMPARISON_NAMES);
  g_assert_cmpfloat (loom_result_table_get_number (rows, 0, 1), ==, -25.0 * MS);
  g_assert_cmpfloat (loom_result_table_get_bar (rows, 0, 1), ==, -1);
  g_assert_true (isnan (loom_result_table_get_bar (rows, 0, 2)));
  g_assert_cmpstr (loom_result_table_get_column (rows, 2)->title, ==, "b");
}

/* Covers documented rows: ../README.md §compare two runs on one axis, aligned by steps | two events are aligned from a row of the table
 * Covers documented rows: ../README.md §compare the reason why one run is slower | names by the cost of their change, including names of one run only */
static void
test_compare (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *first = write_run (folder, "a.pt.trace.json", 50, 20, 1),
                  *second = write_run (folder, "b.pt.trace.json", 130, 45, 0);
  LoomRunState *runs[] = { run_fixture_open (first), run_fixture_open (second) };
  LoomRunPair *comparison = loom_run_pair_new ();
  for (guint i = 0; i < 2; i++)
    loom_timeline_state_set_size (loom_run_pair_get_view (comparison, i), 1000, 300);
  LoomTimeline *timelines[] = { loom_document_get_timeline (loom_run_state_get_document (runs[0])),
                                loom_document_get_timeline (loom_run_state_get_document (runs[1])) };
  loom_run_pair_start (comparison, timelines, (const char *const[]) { "a", "b" });
  assert_linked (comparison, (130 - 50) * MS);
  g_assert_true (fixture_wait (is_compared, comparison));
  check_steps (comparison);
  check_limits (comparison);
  check_parts (comparison);
  check_table (comparison);
  check_swapped (comparison);
  g_object_unref (comparison);
  run_fixture_close (runs[0]);
  run_fixture_close (runs[1]);
}

/* Writes a run with the module Model_0, which contains `layer` at `layer_ms` with a kernel of `kernel_ms`. */
static char *
write_modules (const char *folder, const char *name, const char *layer, guint layer_ms, guint kernel_ms)
{
  g_autofree char *text = g_strdup_printf (
    "{\"schemaVersion\":1,\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":["
    "{\"ph\":\"X\",\"cat\":\"python_function\",\"pid\":1,\"tid\":1,\"ts\":1000,\"dur\":900000,\"name\":\"nn.Module: "
    "Model_0\"},"
    "{\"ph\":\"X\",\"cat\":\"python_function\",\"pid\":1,\"tid\":1,\"ts\":%u000,\"dur\":9000,\"name\":\"nn.Module: %s\"},"
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"pid\":1,\"tid\":1,\"ts\":%u100,\"dur\":5,\"name\":\"cudaLaunchKernel\","
    "\"args\":{\"correlation\":7}},"
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"pid\":0,\"tid\":7,\"ts\":%u200,\"dur\":%u000,\"name\":\"gemm\","
    "\"args\":{\"correlation\":7,\"device\":0,\"stream\":7}}]}",
    layer_ms, layer, layer_ms, layer_ms, kernel_ms);
  return fixture_file (folder, name, text);
}

/* A row of the table of modules leads to the spans of the module in both runs. A module that exists in only one run leads
 * to its span there, and nothing is selected in the other run. */
static void
test_modules (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *first = write_modules (folder, "a.pt.trace.json", "Block_0", 100, 10),
                  *second = write_modules (folder, "b.pt.trace.json", "Head_0", 180, 25);
  LoomRunState *runs[] = { run_fixture_open (first), run_fixture_open (second) };
  LoomRunPair *comparison = loom_run_pair_new ();
  for (guint i = 0; i < 2; i++)
    loom_timeline_state_set_size (loom_run_pair_get_view (comparison, i), 1000, 300);
  LoomTimeline *timelines[] = { loom_document_get_timeline (loom_run_state_get_document (runs[0])),
                                loom_document_get_timeline (loom_run_state_get_document (runs[1])) };
  loom_run_pair_start (comparison, timelines, (const char *const[]) { "a", "b" });
  g_assert_true (fixture_wait (is_compared, comparison));
  LoomResultTable *rows = loom_run_pair_get_table (comparison, LOOM_COMPARISON_MODULES);
  g_assert_cmpuint (rows->n_rows, ==, 4);
  g_assert_cmpstr (loom_result_table_get_text (rows, 1, 0), ==, "Model_0");
  g_assert_cmpfloat (loom_result_table_get_number (rows, 1, 1), ==, 15.0 * MS);
  g_autofree char *indented = loom_result_table_dup_cell (rows, 2, 0),
                  *exact = loom_result_table_dup_exact (rows, 2, 0);
  g_assert_cmpstr (indented, ==, "\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0Block_0");
  g_assert_cmpstr (exact, ==, "Block_0");
  loom_run_pair_show_row (comparison, LOOM_COMPARISON_MODULES, 1);
  g_assert_cmpstr (name_of_lead (comparison, 0), ==, "nn.Module: Model_0");
  g_assert_cmpstr (name_of_lead (comparison, 1), ==, "nn.Module: Model_0");
  loom_run_pair_show_row (comparison, LOOM_COMPARISON_MODULES, 0); /* the row of all kernels has no spans */
  g_assert_cmpstr (name_of_lead (comparison, 0), ==, "nn.Module: Model_0");
  loom_run_pair_show_row (comparison, LOOM_COMPARISON_MODULES, 3);
  g_assert_cmpstr (name_of_lead (comparison, 1), ==, "nn.Module: Head_0");
  g_assert_true (loom_timeline_span_id_is_none (loom_timeline_state_get_lead (loom_run_pair_get_view (comparison, 0))));
  g_object_unref (comparison);
  run_fixture_close (runs[0]);
  run_fixture_close (runs[1]);
}

static void
note_saved (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  g_assert_no_error (error);
  *(guint *) owner += 1;
}

static gboolean
is_saved (gpointer n_saved)
{
  return *(guint *) n_saved > 0;
}

static char *
save (LoomTimeline *const timelines[2], const char *path)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  guint n_saved = 0;
  char *text = NULL;
  loom_report_task_run_comparison (timelines, (const char *const[]) { "the run before", "b" }, path, cancellable,
                                   note_saved, &n_saved);
  g_assert_true (fixture_wait (is_saved, &n_saved));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* The comparison is written as JSON or as a page; the ending of the path determines the format. */
static void
test_report (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *first = write_run (folder, "a.pt.trace.json", 50, 20, 1),
                  *second = write_run (folder, "b.pt.trace.json", 130, 45, 1);
  g_autofree char *json = g_build_filename (folder, "c.json", NULL), *html = g_build_filename (folder, "c.html", NULL);
  LoomRunState *runs[] = { run_fixture_open (first), run_fixture_open (second) };
  LoomTimeline *timelines[] = { loom_document_get_timeline (loom_run_state_get_document (runs[0])),
                                loom_document_get_timeline (loom_run_state_get_document (runs[1])) };
  g_autofree char *figures = save (timelines, json), *page = save (timelines, html);
  g_assert_nonnull (strstr (figures, "\"headline\": \"Both runs take the same time"));
  g_assert_nonnull (strstr (figures, "\"name\": \"the run before\""));
  g_assert_true (g_str_has_prefix (page, "<!DOCTYPE html>"));
  g_assert_nonnull (strstr (page, "Both runs take the same time"));
  run_fixture_close (runs[0]);
  run_fixture_close (runs[1]);
}

/* Runs without a common step number are aligned by position: first with first, second with second. */
static void
test_positions (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *first = write_run (folder, "a.pt.trace.json", 50, 20, 1),
                  *second = write_run (folder, "b.pt.trace.json", 130, 20, 100);
  LoomRunState *runs[] = { run_fixture_open (first), run_fixture_open (second) };
  LoomRunPair *comparison = loom_run_pair_new ();
  LoomTimeline *timelines[] = { loom_document_get_timeline (loom_run_state_get_document (runs[0])),
                                loom_document_get_timeline (loom_run_state_get_document (runs[1])) };
  gint64 first_step, last_step;
  loom_run_pair_start (comparison, timelines, (const char *const[]) { "a", "b" });
  g_assert_true (fixture_wait (is_compared, comparison));
  g_assert_true (loom_run_pair_get_steps (comparison, &first_step, &last_step));
  g_assert_cmpint (first_step, ==, 1);
  g_assert_cmpint (last_step, ==, 4);
  g_assert_true (loom_run_pair_align_step (comparison, 4));
  assert_linked (comparison, (130 - 50) * MS);
  g_assert_cmpstr (loom_run_pair_get_alignment (comparison), ==, "Aligned at step 4 of each run");
  g_assert_false (loom_run_pair_align_step (comparison, 5));
  g_assert_nonnull (loom_run_pair_get_note (comparison));
  g_object_unref (comparison);
  run_fixture_close (runs[0]);
  run_fixture_close (runs[1]);
}

/* Writes a run of four steps of `step_ms` each, whose clock starts at `base_ns`. */
static char *
write_steps (const char *folder, const char *name, guint step_ms, gint64 base_ns)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_string_append_printf (text, "{\"schemaVersion\":1,\"baseTimeNanoseconds\":%" G_GINT64_FORMAT ",\"traceEvents\":[",
                          base_ns);
  for (guint i = 0; i < 4; i++)
    g_string_append_printf (text,
                            "%s{\"ph\":\"X\",\"cat\":\"user_annotation\",\"pid\":1,\"tid\":1,\"ts\":%u,"
                            "\"dur\":%u,\"name\":\"ProfilerStep#%u\"}",
                            i > 0 ? "," : "", i * step_ms * 1000, step_ms * 1000, i);
  g_string_append (text, "]}");
  return fixture_file (folder, name, text->str);
}

/* Compares two runs, and asserts which of them becomes the first one. */
static void
check_order (const char *first, const char *second, const char *expected, int slower)
{
  LoomRunState *runs[] = { run_fixture_open (first), run_fixture_open (second) };
  LoomRunPair *comparison = loom_run_pair_new ();
  LoomTimeline *timelines[] = { loom_document_get_timeline (loom_run_state_get_document (runs[0])),
                                loom_document_get_timeline (loom_run_state_get_document (runs[1])) };
  for (guint i = 0; i < 2; i++)
    loom_timeline_state_set_size (loom_run_pair_get_view (comparison, i), 1000, 300);
  loom_run_pair_start (comparison, timelines, (const char *const[]) { "given first", "given second" });
  g_assert_true (fixture_wait (is_compared, comparison));
  g_assert_cmpstr (loom_run_pair_get_name (comparison, 0), ==, expected);
  g_assert_cmpint (loom_run_pair_get_slower (comparison), ==, slower);
  g_assert_cmpstr (loom_run_pair_get_note (comparison), ==,
                   g_str_equal (expected, "given second") ? "The run that was recorded first is shown as “Before”."
                                                          : NULL);
  gboolean are_dated = loom_timeline_get_start (timelines[0]) != loom_timeline_get_start (timelines[1]);
  g_assert_cmpint (loom_run_pair_get_earlier (comparison), ==, are_dated ? 0 : -1);
  for (guint i = 0; i < 2; i++) { /* both views have the same scale: each view is as long as the longer run */
    LoomRange extent = loom_timeline_state_get_extent (loom_run_pair_get_view (comparison, i));
    g_assert_cmpint (extent.end_ns - extent.begin_ns, ==, 800 * MS);
  }
  loom_run_pair_swap (comparison); /* an order that the user chose by swapping is kept */
  g_assert_true (fixture_wait (is_compared, comparison));
  g_assert_cmpstr (loom_run_pair_get_name (comparison, 1), ==, expected);
  g_assert_cmpint (loom_run_pair_get_earlier (comparison), ==, are_dated ? 1 : -1);
  g_object_unref (comparison);
  run_fixture_close (runs[0]);
  run_fixture_close (runs[1]);
}

/* The run that was recorded earlier becomes the first run; a note says so if this differs from the given order. Runs
 * that were recorded at the same time keep the given order. */
static void
test_order (void)
{
  const gint64 monday_ns = G_GINT64_CONSTANT (1700000000000000000);
  g_autofree char *folder = fixture_folder ();
  g_autofree char *fast = write_steps (folder, "fast.pt.trace.json", 100, monday_ns),
                  *slow = write_steps (folder, "slow.pt.trace.json", 200, monday_ns),
                  *later = write_steps (folder, "later.pt.trace.json", 100, monday_ns + 3600 * LOOM_NS_PER_S);
  check_order (fast, slow, "given first", 1);
  check_order (slow, fast, "given first", 0);
  check_order (slow, later, "given first", 0);
  check_order (later, slow, "given second", 0);
}

#define N_RANKS 8
#define SLOW_RANK 6

/* Writes four steps of a rank: the rank computes for `compute_ms`, and all ranks end the step after `step_ms`. */
static void
write_rank (const char *folder, guint rank, guint compute_ms, guint step_ms)
{
  g_autofree char *name = g_strdup_printf ("rank%u.pt.trace.json", rank);
  g_autoptr (GString) text = g_string_new (NULL);
  g_string_append_printf (text,
                          "{\"schemaVersion\":1,\"baseTimeNanoseconds\":1700000000000000000,"
                          "\"distributedInfo\":{\"rank\":%u,\"world_size\":%u},\"traceEvents\":[",
                          rank, N_RANKS);
  for (guint i = 0; i < 4; i++) {
    guint at_us = i * step_ms * 1000, compute_us = compute_ms * 1000, step_us = step_ms * 1000;
    g_string_append_printf (text,
                            "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":%u,"
                            "\"name\":\"ProfilerStep#%u\"},",
                            at_us, step_us, i);
    g_string_append_printf (text,
                            "{\"ph\":\"X\",\"cat\":\"kernel\",\"pid\":0,\"tid\":7,\"ts\":%u,\"dur\":%u,"
                            "\"name\":\"gemm\",\"args\":{\"device\":0,\"stream\":7}},",
                            at_us, compute_us);
    g_string_append_printf (
      text,
      "{\"ph\":\"X\",\"cat\":\"kernel\",\"pid\":0,\"tid\":20,\"ts\":%u,\"dur\":%u,"
      "\"name\":\"ncclDevKernel_AllReduce_Sum_f32_RING_LL\",\"args\":{\"device\":0,\"stream\":20}}%s",
      at_us + compute_us, step_us - compute_us, i < 3 ? "," : "]}");
  }
  g_free (fixture_file (folder, name, text->str));
}

/* The rank that makes the second run slower has marked rows, and both views scroll to it. */
static void
test_main_rank (void)
{
  g_autofree char *fast = fixture_folder (), *slow = fixture_folder ();
  for (guint rank = 0; rank < N_RANKS; rank++) {
    write_rank (fast, rank, 100, 110);
    write_rank (slow, rank, rank == SLOW_RANK ? 150 : 100, 160);
  }
  LoomRunState *runs[] = { run_fixture_open (fast), run_fixture_open (slow) };
  LoomRunPair *comparison = loom_run_pair_new ();
  LoomTimeline *timelines[] = { loom_document_get_timeline (loom_run_state_get_document (runs[0])),
                                loom_document_get_timeline (loom_run_state_get_document (runs[1])) };
  for (guint i = 0; i < 2; i++)
    loom_timeline_state_set_size (loom_run_pair_get_view (comparison, i), 1000, 80);
  loom_run_pair_start (comparison, timelines, (const char *const[]) { "fast", "slow" });
  g_assert_true (fixture_wait (is_compared, comparison));
  g_assert_nonnull (strstr (loom_run_pair_get_headline (comparison), "rank 6 computes for 50"));
  for (guint i = 0; i < 2; i++) {
    LoomTimelineState *state = loom_run_pair_get_view (comparison, i);
    const LoomRowList *rows = loom_timeline_state_get_row_list (state);
    const char *const *keys = loom_timeline_annotations_get_rows (loom_timeline_state_get_finding_marks (state));
    g_assert_cmpuint (g_strv_length ((char **) keys), ==, 1);
    guint row = loom_row_list_find (rows, keys[0]);
    g_assert_cmpint (loom_row_list_get_row (rows, row)->rank, ==, SLOW_RANK);
    double top = loom_row_list_row_top (
      rows, row, loom_view_animator_get_target (loom_run_pair_get_flight (comparison, i)).scroll_px);
    g_assert_true (top >= 0 && top + loom_row_list_get_row (rows, row)->height <= 80);
  }
  g_object_unref (comparison);
  run_fixture_close (runs[0]);
  run_fixture_close (runs[1]);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/run-pair/steps-and-names", test_compare);
  g_test_add_func ("/core/run-pair/positions", test_positions);
  g_test_add_func ("/core/run-pair/order", test_order);
  g_test_add_func ("/core/run-pair/main-rank", test_main_rank);
  g_test_add_func ("/core/run-pair/report", test_report);
  g_test_add_func ("/core/run-pair/modules", test_modules);
  return run_fixture_run ();
}
