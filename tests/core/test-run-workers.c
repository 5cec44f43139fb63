/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests results of background workers for an open run, without a window: the overview, the steps, and the marks of
 * bottlenecks.
 */
#include "run-fixture.h"

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

/* The sample has five bottlenecks, none with higher limits, and none are computed while they are not wanted. */
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

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/run-workers/summaries", test_summaries);
  g_test_add_func ("/core/run-workers/bottlenecks", test_bottlenecks);
  g_test_add_func ("/core/run-workers/wanted-before", test_wanted_before);
  return run_fixture_run ();
}
