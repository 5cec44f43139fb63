/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests results of background workers for an open run, without a window: the figures of the overview, the steps, the
 * marks of bottlenecks, and the critical path.
 */
#include "run-fixture.h"

#include <string.h>

typedef struct {
  LoomRunState *run;
  guint n; /* expected number of bottlenecks */
} Awaited;

static gboolean
has_summaries (gpointer run)
{
  return loom_run_state_has_summaries (run);
}

static gboolean
has_bottlenecks (gpointer data)
{
  const Awaited *awaited = data;
  LoomTimelineState *view = loom_run_state_get_view (awaited->run);
  return loom_timeline_annotations_get_n_bottlenecks (loom_timeline_state_get_finding_marks (view)) == awaited->n;
}

static void
wait_for_bottlenecks (LoomRunState *run, guint n)
{
  Awaited awaited = { run, n };
  g_assert_true (fixture_wait (has_bottlenecks, &awaited));
}

static void
test_summaries (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  LoomTimelineState *view = loom_run_state_get_view (run);
  g_assert_true (fixture_wait (has_summaries, run));
  g_assert_nonnull (loom_timeline_state_get_overview (view));
  g_assert_nonnull (loom_timeline_state_get_steps (view));
  run_fixture_close (run);
}

/* The sample run has five bottlenecks with the default limits and none with higher limits. Nothing is computed while
 * the marks are switched off. */
static void
test_bottlenecks (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  LoomAnalysisContext *analysis = loom_run_state_get_analysis (run);
  loom_run_state_set_marks_bottlenecks (run, TRUE);
  wait_for_bottlenecks (run, 5);
  loom_analysis_context_set_thresholds (analysis, (LoomAnalysisThresholds) { { 100, 10 }, 2, 0.5 });
  wait_for_bottlenecks (run, 0);
  loom_analysis_context_set_thresholds (analysis, LOOM_THRESHOLDS);
  wait_for_bottlenecks (run, 5);
  loom_run_state_set_marks_bottlenecks (run, FALSE);
  wait_for_bottlenecks (run, 0);
  run_fixture_close (run);
}

/* Bottleneck marks that were requested before a load are computed after it. */
static void
test_wanted_before (void)
{
  g_autoptr (LoomDocument) document = loom_document_new ();
  LoomRunState *run = loom_run_state_new (document);
  loom_run_state_set_marks_bottlenecks (run, TRUE);
  loom_document_open (document, (const char *const[]) { fixture_sample (), NULL });
  run_fixture_wait_loaded (run);
  wait_for_bottlenecks (run, 5);
  run_fixture_close (run);
}

/* --- the critical path ---------------------------------------------------------------------------------------------- */

static gboolean
has_path (gpointer run)
{
  return loom_timeline_state_get_path (loom_run_state_get_view (run)) != NULL;
}

static gboolean
is_path_done (gpointer run)
{
  return !loom_path_display_is_working (loom_run_state_get_path (run));
}

/* While the critical path is shown, it is computed again when the range of the analyses changes, but not when
 * thresholds change. */
static void
test_path (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  LoomPathDisplay *path = loom_run_state_get_path (run);
  LoomTimelineState *view = loom_run_state_get_view (run);
  LoomAnalysisContext *analysis = loom_run_state_get_analysis (run);
  g_assert_false (loom_path_display_is_working (path));
  loom_path_display_set_shown (path, TRUE);
  g_assert_true (fixture_wait (has_path, run));
  g_assert_cmpstr (loom_path_display_get_missing (path), ==, "");
  LoomPathOverlay *whole = loom_timeline_state_get_path (view);
  LoomRange range = loom_path_overlay_get_range (whole),
            first = { range.begin_ns, (range.begin_ns + range.end_ns) / 2 };
  loom_analysis_context_set_thresholds (analysis, (LoomAnalysisThresholds) { { 100, 10 }, 2, 0.5 });
  g_assert_false (loom_path_display_is_working (path));
  loom_timeline_state_make_range (view, first);
  g_assert_true (loom_path_display_is_working (path));
  g_assert_true (loom_timeline_state_get_path (view) == whole); /* the old path stays until the new one has been
                                                                 * computed */
  g_assert_true (fixture_wait (is_path_done, run));
  g_assert_cmpint (loom_path_overlay_get_range (loom_timeline_state_get_path (view)).end_ns, ==, first.end_ns);
  loom_path_display_set_shown (path, FALSE);
  g_assert_null (loom_timeline_state_get_path (view));
  run_fixture_close (run);
}

/* Without kernels there is no critical path, and the state of the run contains the reason. */
static void
test_no_path (void)
{
  g_autofree char *folder = fixture_folder (),
                  *file =
                    fixture_file (folder, "a.json", "[{\"name\":\"a\",\"ph\":\"X\",\"ts\":1,\"dur\":5,\"pid\":1}]");
  LoomRunState *run = run_fixture_open (file);
  LoomPathDisplay *path = loom_run_state_get_path (run);
  loom_path_display_set_shown (path, TRUE);
  g_assert_true (fixture_wait (is_path_done, run));
  g_assert_nonnull (strstr (loom_path_display_get_missing (path), "no GPU kernels"));
  g_assert_false (has_path (run));
  loom_path_display_set_shown (path, FALSE);
  g_assert_cmpstr (loom_path_display_get_missing (path), ==, "");
  run_fixture_close (run);
}

static gboolean
is_path_missing (gpointer run)
{
  return loom_path_display_get_missing (loom_run_state_get_path (run))[0] != '\0';
}

/* If the range is the training loop but the run has no steps, there is no critical path, and the state of the run
 * contains the reason. */
static void
test_no_loop (void)
{
  g_autofree char *folder = fixture_folder (), *file = fixture_file (folder, "trace.json", RUN_FIXTURE_TRACE);
  LoomRunState *run = run_fixture_open (file);
  LoomPathDisplay *path = loom_run_state_get_path (run);
  loom_analysis_context_set_scope (loom_run_state_get_analysis (run), LOOM_RANGE_SCOPE_LOOP);
  loom_path_display_set_shown (path, TRUE);
  g_assert_true (fixture_wait (is_path_missing, run));
  g_assert_nonnull (strstr (loom_path_display_get_missing (path), "no training steps"));
  loom_analysis_context_set_scope (loom_run_state_get_analysis (run), LOOM_RANGE_SCOPE_VISIBLE);
  g_assert_null (strstr (loom_path_display_get_missing (path), "no training steps"));
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/run-workers/no-loop", test_no_loop);
  g_test_add_func ("/core/run-workers/summaries", test_summaries);
  g_test_add_func ("/core/run-workers/bottlenecks", test_bottlenecks);
  g_test_add_func ("/core/run-workers/wanted-before", test_wanted_before);
  g_test_add_func ("/core/run-workers/path", test_path);
  g_test_add_func ("/core/run-workers/no-path", test_no_path);
  return run_fixture_run ();
}
