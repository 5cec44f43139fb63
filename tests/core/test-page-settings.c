/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that pages of the analysis and marks of bottlenecks follow two settings: the thresholds, and the number
 * convention, which can be that of SageMaker's library.
 */
#include "page-fixture.h"

#include <string.h>

static const LoomTimelineAnnotations *
marks_of (LoomRunState *run)
{
  return loom_timeline_state_get_finding_marks (loom_run_state_get_view (run));
}

/* --- thresholds ------------------------------------------------------------------------------------------------------ */

static void
set_thresholds (LoomRunState *run, LoomAnalysisThresholds thresholds)
{
  loom_analysis_context_set_thresholds (loom_run_state_get_analysis (run), thresholds);
}

typedef struct {
  LoomRunState *run;
  guint n;
} Awaited;

static gboolean
has_bottlenecks (gpointer data)
{
  const Awaited *awaited = data;
  return loom_timeline_annotations_get_n_bottlenecks (marks_of (awaited->run)) == awaited->n;
}

static void
wait_for_bottlenecks (LoomRunState *run, guint n)
{
  Awaited awaited = { run, n };
  g_assert_true (fixture_wait (has_bottlenecks, &awaited));
}

/* The sample has five bottlenecks with the default thresholds and none with higher ones. If the setting is off, none is
 * marked. */
static void
test_bottleneck_marks (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  loom_run_state_set_marks_bottlenecks (run, TRUE);
  wait_for_bottlenecks (run, 5);
  loom_run_state_set_marks_bottlenecks (run, FALSE);
  wait_for_bottlenecks (run, 0);
  loom_run_state_set_marks_bottlenecks (run, TRUE);
  wait_for_bottlenecks (run, 5);
  set_thresholds (run, (LoomAnalysisThresholds) { { 100, 10 }, 2, 0.5 });
  wait_for_bottlenecks (run, 0);
  set_thresholds (run, LOOM_THRESHOLDS);
  wait_for_bottlenecks (run, 5);
  run_fixture_close (run);
}

/* Returns the number of pairs of GPUs that the table marks as different. */
static guint
n_different (LoomAnalysisPage *page)
{
  LoomResultTable *table = page_fixture_get (page_fixture_wait (page), "Pairs")->table;
  guint n = 0, column = table->columns->len - 1;
  for (guint row = 0; row < table->n_rows; row++) {
    g_autofree char *text = loom_result_table_dup_cell (table, row, column);
    n += strcmp (text, "yes") == 0;
  }
  return n;
}

/* The threshold of the distance decides which pairs of GPUs differ. */
static void
test_balance_distance (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "balance");
  g_assert_cmpuint (n_different (page), ==, 8); /* 8 of 12 pairs differ with the limit 0.5 */
  set_thresholds (run, (LoomAnalysisThresholds) { { 90, 10 }, 2, 0.58 });
  g_assert_cmpuint (n_different (page), ==, 2);
  g_assert_cmpfloat (page_fixture_get (page, "Difference in GPU Utilization on algo-1 (0: identical)")->chart->limit,
                     ==, 0.58);
  set_thresholds (run, LOOM_THRESHOLDS);
  g_assert_cmpuint (n_different (page), ==, 8);
  g_clear_object (&page);
  run_fixture_close (run);
}

/* --- numbers --------------------------------------------------------------------------------------------------------- */

static void
set_numbers (LoomRunState *run, LoomNumberConvention numbers)
{
  loom_analysis_context_set_numbers (loom_run_state_get_analysis (run), numbers);
}

static gboolean
says_compatible (LoomAnalysisPage *page)
{
  return strstr (loom_analysis_page_get_summary (page), "SageMaker-compatible numbers") != NULL;
}

static void
write_job (const char *folder)
{
  static const char text[] =
    "[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"start_time_since_epoch_in_micros\":1735632360000000}},"
    "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"Step:ModeKeys.TRAIN\"}},"
    "{\"name\":\"Step:ModeKeys.TRAIN\",\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":1000,\"dur\":500.75,\"args\":{\"step_num\":\"1\"}},"
    "{\"name\":\"Step:ModeKeys.TRAIN\",\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":2000,\"dur\":500.75,\"args\":{\"step_num\":\"2\"}}]";
  g_autofree char *pevents = g_build_filename (folder, "framework", "pevents", "2024123108", NULL);
  g_assert_cmpint (g_mkdir_with_parents (pevents, 0755), ==, 0);
  g_free (fixture_file (pevents, "1735632360100000_0-algo-1_pythontimeline.json", text));
}

static double
first_step_ns (LoomAnalysisPage *page)
{
  LoomChart *chart = page_fixture_get (page_fixture_wait (page), "Duration of each step")->chart;
  return g_array_index (chart->lines.points, LoomChartPoint, 0).y;
}

/* Tests changing to the numbers as SageMaker's library computes them (in whole µs) and back; the page states which
 * numbers it shows. */
static void
test_numbers (void)
{
  g_autofree char *folder = fixture_folder ();
  write_job (folder);
  LoomRunState *run = run_fixture_open (folder);
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "steps");
  g_assert_cmpfloat (first_step_ns (page), ==, 500750);
  g_assert_false (says_compatible (page));
  set_numbers (run, LOOM_NUMBER_CONVENTION_SMDEBUG);
  g_assert_cmpfloat (first_step_ns (page), ==, 500000);
  g_assert_true (says_compatible (page));
  set_numbers (run, LOOM_NUMBER_CONVENTION_INTENDED);
  g_assert_cmpfloat (first_step_ns (page), ==, 500750);
  g_assert_false (says_compatible (page));
  g_clear_object (&page);
  run_fixture_close (run);
}

/* Every page shows figures of the sample run with SageMaker's numbers, too. */
static void
test_numbers_of_pages (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  set_numbers (run, LOOM_NUMBER_CONVENTION_SMDEBUG);
  for (guint i = 0; i < n; i++) {
    g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, pages[i].id);
    g_assert_true (says_compatible (page));
    gboolean is_whole = !g_str_equal (pages[i].id, "operators") && !g_str_equal (pages[i].id, "hang");
    g_assert_cmpint (page_fixture_lacks (page), !=, is_whole);
  }
  run_fixture_close (run);
}

/* For a run that SageMaker's library could not read, its numbers do not exist: the page keeps the program's own
 * numbers. */
static void
test_numbers_of_others (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = fixture_file (
    folder, "trace.json",
    "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"ProfilerStep#1\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5.5}]}");
  LoomRunState *run = run_fixture_open (path);
  set_numbers (run, LOOM_NUMBER_CONVENTION_SMDEBUG);
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "steps");
  g_assert_false (says_compatible (page));
  g_clear_object (&page);
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/page-settings/bottleneck-marks", test_bottleneck_marks);
  g_test_add_func ("/core/page-settings/balance-distance", test_balance_distance);
  g_test_add_func ("/core/page-settings/numbers", test_numbers);
  g_test_add_func ("/core/page-settings/numbers-of-pages", test_numbers_of_pages);
  g_test_add_func ("/core/page-settings/numbers-of-others", test_numbers_of_others);
  return run_fixture_run ();
}
