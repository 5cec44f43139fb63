/* SPDX-License-Identifier: Apache-2.0
 *
 * The numbers and the thresholds that a person chooses, and what they change.
 */
#include "panels.h"

#include <string.h>

static const LoomTimelineAnnotations *
marks_of (LoomWindow *window)
{
  return loom_timeline_state_get_finding_marks (fixture_state (window));
}

typedef struct {
  LoomWindow *window;
  guint n;
} Awaited;

static gboolean
has_bottlenecks (gpointer data)
{
  const Awaited *awaited = data;
  return loom_timeline_annotations_get_n_bottlenecks (marks_of (awaited->window)) == awaited->n;
}

static void
wait_for_bottlenecks (LoomWindow *window, guint n)
{
  Awaited awaited = { window, n };
  g_assert_true (fixture_wait (has_bottlenecks, &awaited));
}

/* Five instants in the sample; with other thresholds others, and none when nobody wants to see them. */
static void
test_bottleneck_marks (void)
{
  LoomWindow *window = panels_open_sample ();
  wait_for_bottlenecks (window, 5);
  g_action_group_activate_action (G_ACTION_GROUP (window), "bottleneck-marks", NULL);
  wait_for_bottlenecks (window, 0);
  g_action_group_activate_action (G_ACTION_GROUP (window), "bottleneck-marks", NULL);
  wait_for_bottlenecks (window, 5);
  loom_threshold_button_set (panels_thresholds (window), (LoomAnalysisThresholds) { { 100, 10 }, 2, 0.5 });
  g_signal_emit_by_name (panels_thresholds (window), "changed");
  wait_for_bottlenecks (window, 0);
  loom_threshold_button_reset (panels_thresholds (window));
  wait_for_bottlenecks (window, 5);
  fixture_close (window);
}

static gboolean
has_no_outliers (gpointer panel)
{
  return !loom_analysis_panel_is_working (panel) && !panels_has_block (panel, "Outlier steps");
}

/* Outliers of the sample take 3.7 medians. What is set holds in other windows, and is kept. */
static void
test_thresholds (void)
{
  LoomWindow *window = panels_open_sample (), *other = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps"), *of_other = panels_show (other, "steps");
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (panels_thresholds (window))));
  g_assert_true (panels_has_block (panel, "Outlier steps"));
  loom_threshold_button_set (panels_thresholds (window), (LoomAnalysisThresholds) { { 90, 10 }, 5, 0.5 });
  g_signal_emit_by_name (panels_thresholds (window), "changed");
  g_assert_true (fixture_wait (has_no_outliers, panel));
  g_assert_true (fixture_wait (has_no_outliers, of_other));
  g_assert_cmpfloat (loom_threshold_button_get (panels_thresholds (other)).outlier_factor, ==, 5);
  LoomWindow *third = panels_open_sample ();
  g_assert_false (panels_has_block (panels_show (third, "steps"), "Outlier steps"));
  loom_threshold_button_reset (panels_thresholds (third));
  g_assert_true (panels_has_block (panels_wait (panel), "Outlier steps"));
  fixture_close (third);
  fixture_close (other);
  fixture_close (window);
}

/* --- numbers --------------------------------------------------------------------------------------------------------- */

static void
set_numbers (LoomWindow *window, LoomNumberConvention numbers)
{
  loom_analysis_context_set_numbers (loom_run_state_get_analysis (loom_window_get_run_state (window)), numbers);
}

static gboolean
says_compatible (LoomAnalysisPanel *panel)
{
  return strstr (loom_analysis_panel_get_summary (panel), "SageMaker-compatible numbers") != NULL;
}

static char *
write_job (const char *folder)
{
  static const char text[] =
    "[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"start_time_since_epoch_in_micros\":1735632360000000}},"
    "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"Step:ModeKeys.TRAIN\"}},"
    "{\"name\":\"Step:ModeKeys.TRAIN\",\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":1000,\"dur\":500.75,\"args\":{\"step_num\":\"1\"}},"
    "{\"name\":\"Step:ModeKeys.TRAIN\",\"ph\":\"X\",\"pid\":1,\"tid\":0,\"ts\":2000,\"dur\":500.75,\"args\":{\"step_num\":\"2\"}}]";
  g_autofree char *pevents = g_build_filename (folder, "framework", "pevents", "2024123108", NULL);
  g_assert_cmpint (g_mkdir_with_parents (pevents, 0755), ==, 0);
  g_autofree char *file = fixture_file (pevents, "1735632360100000_0-algo-1_pythontimeline.json", text);
  return g_strdup (folder);
}

static double
first_step_ns (LoomAnalysisPanel *panel)
{
  LoomChart *chart = loom_chart_view_get_chart (LOOM_CHART_VIEW (panels_widget (panel, "Duration of each step")));
  return g_array_index (chart->lines.points, LoomChartPoint, 0).y;
}

/* As SageMaker's analysis counts, in whole µs, and back again; the page says so. */
static void
test_numbers (void)
{
  LoomWindow *window = fixture_window ();
  g_autofree char *folder = fixture_folder (), *job = write_job (folder);
  fixture_open (window, job);
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  g_assert_cmpfloat (first_step_ns (panel), ==, 500750);
  g_assert_false (says_compatible (panel));
  set_numbers (window, LOOM_NUMBER_CONVENTION_SMDEBUG);
  g_assert_cmpfloat (first_step_ns (panels_wait (panel)), ==, 500000);
  g_assert_true (says_compatible (panel));
  set_numbers (window, LOOM_NUMBER_CONVENTION_INTENDED);
  g_assert_cmpfloat (first_step_ns (panels_wait (panel)), ==, 500750);
  g_assert_false (says_compatible (panel));
  fixture_close (window);
}

/* Every page of the sample has figures in these numbers too. */
static void
test_numbers_of_pages (void)
{
  LoomWindow *window = panels_open_sample ();
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  set_numbers (window, LOOM_NUMBER_CONVENTION_SMDEBUG);
  for (guint i = 0; i < n; i++) {
    LoomAnalysisPanel *panel = panels_show (window, pages[i].id);
    g_assert_true (says_compatible (panel));
    g_assert_false (panels_lack_something (panel));
  }
  fixture_close (window);
}

/* A run SageMaker's library cannot read has no such numbers: those there are stay. */
static void
test_numbers_of_others (void)
{
  LoomWindow *window = fixture_window ();
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = fixture_file (
    folder, "trace.json",
    "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"ProfilerStep#1\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5.5}]}");
  set_numbers (window, LOOM_NUMBER_CONVENTION_SMDEBUG);
  fixture_open (window, path);
  g_assert_false (says_compatible (panels_show (window, "steps")));
  fixture_close (window);
}

/* How many pairs the table calls different. */
static guint
n_different (LoomAnalysisPanel *panel)
{
  LoomResultTable *table = loom_table_view_get_table (LOOM_TABLE_VIEW (panels_widget (panel, "Pairs")));
  guint n = 0, column = loom_result_table_get_n_columns (table) - 1;
  for (guint row = 0; row < loom_result_table_get_n_rows (table); row++) {
    g_autofree char *text = loom_result_table_dup_cell (table, row, column);
    n += strcmp (text, "yes") == 0;
  }
  return n;
}

/* How far two GPUs have to be apart. */
static void
test_balance_distance (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "balance");
  g_assert_cmpuint (n_different (panel), ==, 8); /* of 12, as told at 0.5 */
  loom_threshold_button_set (panels_thresholds (window), (LoomAnalysisThresholds) { { 90, 10 }, 2, 0.58 });
  g_signal_emit_by_name (panels_thresholds (window), "changed");
  panels_wait (panel);
  g_assert_cmpuint (n_different (panel), ==, 2);
  LoomChart *matrix = loom_chart_view_get_chart (LOOM_CHART_VIEW (panels_widget (panel, "Distance of workloads")));
  g_assert_cmpfloat (matrix->limit, ==, 0.58);
  loom_threshold_button_reset (panels_thresholds (window));
  panels_wait (panel);
  g_assert_cmpuint (n_different (panel), ==, 8);
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/analysis/bottleneck-marks", test_bottleneck_marks);
  g_test_add_func ("/analysis/thresholds", test_thresholds);
  g_test_add_func ("/analysis/balance-distance", test_balance_distance);
  g_test_add_func ("/analysis/numbers", test_numbers);
  g_test_add_func ("/analysis/numbers-of-pages", test_numbers_of_pages);
  g_test_add_func ("/analysis/numbers-of-others", test_numbers_of_others);
  return fixture_run ();
}
