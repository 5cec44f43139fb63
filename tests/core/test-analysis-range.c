/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the range of the analysis: it follows the view or the selection of the run, but not if the view or the
 * selection changes because a panel shows one of its elements on the timeline.
 */
#include "loom-run-navigation.h"

#include <glib/gstdio.h>

#define SPAN(name, tid, ts) "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"dur\":50}"
#define TEXT "[" SPAN ("a", "1", "1") "," SPAN ("b", "2", "101") "]"

typedef struct {
  char *folder, *path;
  LoomRunState *run;
  LoomTimelineState *view;
  LoomAnalysisContext *analysis; /* the context of the run; borrowed */
  guint n_changes;               /* number of changes of the range */
} Fixture;

static void
count (guint *n)
{
  (*n)++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (LoomDocument) document = loom_document_new ();
  fixture->folder = g_dir_make_tmp ("loom-analysis-range-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "a.json", NULL);
  g_assert_true (g_file_set_contents (fixture->path, TEXT, -1, NULL));
  loom_document_open (document, (const char *const[]) { fixture->path, NULL });
  while (loom_document_is_loading (document))
    g_main_context_iteration (NULL, TRUE);
  fixture->run = loom_run_state_new (document);
  fixture->view = loom_run_state_get_view (fixture->run);
  fixture->analysis = loom_run_state_get_analysis (fixture->run);
  loom_timeline_state_set_size (fixture->view, 1000, 400);
  loom_timeline_state_set_timeline (fixture->view, loom_document_get_timeline (document));
  g_signal_connect_swapped (fixture->analysis, "range-changed", G_CALLBACK (count), &fixture->n_changes);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->run);
  g_unlink (fixture->path);
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
}

static void
move_to (Fixture *fixture, gint64 begin_ns, gint64 end_ns)
{
  LoomViewport view = *loom_timeline_state_get_viewport (fixture->view);
  loom_viewport_fit_range (&view, loom_timeline_state_get_extent (fixture->view), (LoomRange) { begin_ns, end_ns }, 0);
  loom_view_animator_go_to (loom_run_state_get_flight (fixture->run), &view);
}

static void
assert_asked (Fixture *fixture, LoomRange wanted)
{
  LoomRange asked = loom_analysis_context_get_asked_range (fixture->analysis);
  g_assert_cmpint (asked.begin_ns, ==, wanted.begin_ns);
  g_assert_cmpint (asked.end_ns, ==, wanted.end_ns);
}

static void
assert_asked_about_view (Fixture *fixture)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (fixture->view);
  assert_asked (fixture, (LoomRange) { view->begin_ns, view->end_ns });
}

static void
test_all (Fixture *fixture, gconstpointer data)
{
  move_to (fixture, 11000, 21000);
  loom_timeline_state_select_range (fixture->view, (LoomRange) { 12000, 13000 });
  g_assert_cmpuint (fixture->n_changes, ==, 0);
  assert_asked (fixture, loom_timeline_state_get_extent (fixture->view));
}

/* With the scope "visible", selecting a range and resizing the view do not change the range of the analysis. */
static void
test_visible (Fixture *fixture, gconstpointer data)
{
  loom_analysis_context_set_scope (fixture->analysis, LOOM_RANGE_SCOPE_VISIBLE);
  g_assert_cmpuint (fixture->n_changes, ==, 1);
  assert_asked_about_view (fixture);
  move_to (fixture, 11000, 21000);
  g_assert_cmpuint (fixture->n_changes, ==, 2);
  assert_asked_about_view (fixture);
  loom_timeline_state_select_range (fixture->view, (LoomRange) { 12000, 13000 });
  loom_timeline_state_set_size (fixture->view, 1000, 300);
  g_assert_cmpuint (fixture->n_changes, ==, 2);
}

static void
test_selection (Fixture *fixture, gconstpointer data)
{
  const LoomRange first = { 12000, 13000 }, second = { 14000, 19000 };
  loom_timeline_state_select_range (fixture->view, first);
  loom_analysis_context_set_scope (fixture->analysis, LOOM_RANGE_SCOPE_SELECTION);
  assert_asked (fixture, first);
  loom_timeline_state_select_range (fixture->view, second);
  g_assert_cmpuint (fixture->n_changes, ==, 2);
  assert_asked (fixture, second);
  loom_timeline_state_select_nothing (fixture->view);
  g_assert_cmpuint (fixture->n_changes, ==, 3);
  assert_asked (fixture, (LoomRange) { 0, 0 });
}

/* If the user chooses the scope "selection" while no range is selected, the previous scope is remembered and can be
 * restored. If a range is selected, no previous scope is remembered. */
static void
test_empty_selection (Fixture *fixture, gconstpointer data)
{
  loom_analysis_context_set_scope (fixture->analysis, LOOM_RANGE_SCOPE_ALL);
  loom_analysis_context_set_scope (fixture->analysis, LOOM_RANGE_SCOPE_SELECTION);
  g_assert_cmpint (loom_analysis_context_get_previous_scope (fixture->analysis), ==, LOOM_RANGE_SCOPE_ALL);
  loom_analysis_context_restore_scope (fixture->analysis);
  g_assert_cmpint (loom_analysis_context_get_scope (fixture->analysis), ==, LOOM_RANGE_SCOPE_ALL);
  loom_timeline_state_select_range (fixture->view, (LoomRange) { 12000, 13000 });
  loom_analysis_context_set_scope (fixture->analysis, LOOM_RANGE_SCOPE_ALL);
  loom_analysis_context_set_scope (fixture->analysis, LOOM_RANGE_SCOPE_SELECTION);
  g_assert_cmpint (loom_analysis_context_get_previous_scope (fixture->analysis), ==, LOOM_N_RANGE_SCOPES);
}

/* When a panel shows one of its elements on the timeline with the flag KEEP_RANGE, the range of the analysis stays
 * until the user moves the view. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  move_to (fixture, 11000, 41000);
  loom_analysis_context_set_scope (fixture->analysis, LOOM_RANGE_SCOPE_VISIBLE);
  const LoomViewport view = *loom_timeline_state_get_viewport (fixture->view);
  const LoomNavigationTarget target = { .range = { 14000, 20000 } };
  fixture->n_changes = 0;
  loom_run_navigation_show (fixture->run, &target, LOOM_RUN_NAVIGATION_KEEP_RANGE);
  g_assert_cmpint (loom_timeline_state_get_viewport (fixture->view)->begin_ns, >, view.begin_ns);
  g_assert_cmpuint (fixture->n_changes, ==, 0);
  assert_asked (fixture, (LoomRange) { view.begin_ns, view.end_ns });
  move_to (fixture, 15000, 20000);
  g_assert_cmpuint (fixture->n_changes, ==, 1);
  assert_asked_about_view (fixture);
}

/* When a panel shows an element without the flag KEEP_RANGE, the range of the analysis follows the view. */
static void
test_not_kept (Fixture *fixture, gconstpointer data)
{
  const LoomNavigationTarget target = { .range = { 14000, 20000 } };
  move_to (fixture, 11000, 41000);
  loom_analysis_context_set_scope (fixture->analysis, LOOM_RANGE_SCOPE_VISIBLE);
  fixture->n_changes = 0;
  loom_run_navigation_show (fixture->run, &target, LOOM_RUN_NAVIGATION_DEFAULT);
  g_assert_cmpuint (fixture->n_changes, ==, 1);
  assert_asked_about_view (fixture);
}

/* With the scope "selection", a range that is kept by KEEP_RANGE ends when the user selects something; a selection that
 * a panel makes does not end it. */
static void
test_left (Fixture *fixture, gconstpointer data)
{
  LoomSpanId span = { 0, 0 };
  guint n_left = 0;
  g_signal_connect_swapped (fixture->analysis, "range-left", G_CALLBACK (count), &n_left);
  loom_timeline_state_select_range (fixture->view, (LoomRange) { 12000, 13000 });
  loom_run_navigation_show (fixture->run, &(LoomNavigationTarget) { .spans = &span, .n_spans = 1 },
                            LOOM_RUN_NAVIGATION_KEEP_RANGE);
  g_assert_cmpuint (n_left, ==, 0);
  loom_timeline_state_select_nothing (fixture->view);
  g_assert_cmpuint (n_left, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  ADD ("/core/analysis-range/all", test_all);
  ADD ("/core/analysis-range/visible", test_visible);
  ADD ("/core/analysis-range/selection", test_selection);
  ADD ("/core/analysis-range/empty-selection", test_empty_selection);
  ADD ("/core/analysis-range/kept", test_kept);
  ADD ("/core/analysis-range/not-kept", test_not_kept);
  ADD ("/core/analysis-range/left", test_left);
  return g_test_run ();
}
