/* SPDX-License-Identifier: Apache-2.0
 *
 * The panels follow the range that is asked about, and never show figures of another one as its own.
 */
#include "panels.h"

/* Figures follow the visible range, and say which one they are of. */
static void
test_visible (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  LoomChart *all = loom_chart_view_get_chart (LOOM_CHART_VIEW (panels_widget (panel, "Duration of each step")));
  guint n_all = loom_chart_get_n_elements (all);
  panels_set_scope (window, LOOM_SCOPE_VISIBLE);
  LoomViewport view = fixture_view (window);
  gint64 middle = view.begin_ns + (view.end_ns - view.begin_ns) / 2;
  view.begin_ns = middle;
  view.end_ns = middle + 2 * LOOM_NS_PER_S;
  loom_view_state_set_viewport (fixture_state (window), &view);
  panels_wait (panel);
  LoomRange range = loom_sheet_get_range (panels_sheet (panel));
  view = fixture_view (window);
  g_assert_cmpint (range.begin_ns, ==, view.begin_ns);
  g_assert_cmpint (range.end_ns, ==, view.end_ns);
  LoomChart *part = loom_chart_view_get_chart (LOOM_CHART_VIEW (panels_widget (panel, "Duration of each step")));
  g_assert_cmpuint (loom_chart_get_n_elements (part), <, n_all);
  g_assert_cmpuint (loom_chart_get_n_elements (part), >, 0);
  fixture_close (window);
}

static void
test_other_scopes (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  LoomRange all = loom_sheet_get_range (panels_sheet (panel));
  panels_set_scope (window, LOOM_SCOPE_LOOP);
  LoomRange loop = loom_sheet_get_range (panels_sheet (panels_wait (panel)));
  g_assert_cmpint (loop.begin_ns, >, all.begin_ns);
  g_assert_cmpint (loop.end_ns, <, all.end_ns);
  panels_set_scope (window, LOOM_SCOPE_SELECTION);
  panels_wait (panel);
  g_assert_true (panels_lack_something (panel)); /* nothing is selected */
  LoomRange selected = { loop.begin_ns, loop.begin_ns + 3 * LOOM_NS_PER_S };
  loom_view_state_select_range (fixture_state (window), selected);
  panels_wait (panel);
  g_assert_cmpint (loom_sheet_get_range (panels_sheet (panel)).end_ns, ==, selected.end_ns);
  g_assert_false (panels_lack_something (panel));
  /* What is not seen is asked for when it is, and not before. */
  panels_set_scope (window, LOOM_SCOPE_ALL);
  LoomRange of_other = loom_sheet_get_range (panels_sheet (panels_show (window, "overview")));
  g_assert_cmpint (of_other.begin_ns, ==, all.begin_ns);
  fixture_close (window);
}

/* The panel that speaks of the selection keeps its figures when it shows one of its own elements. */
static void
test_holds (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  LoomRange all = loom_sheet_get_range (panels_sheet (panel));
  loom_view_state_select_range (fixture_state (window), all);
  panels_set_scope (window, LOOM_SCOPE_SELECTION);
  panels_wait (panel);
  LoomPlace place;
  g_assert_true (loom_sheet_get_place (panels_sheet (panel), panels_find_block (panel, "Duration of each step"), 6, &place));
  panels_click (panels_widget (panel, "Duration of each step"), 6);
  g_assert_false (loom_analysis_panel_is_working (panel));
  panels_wait_in_view (window, place.range);
  g_assert_false (loom_analysis_panel_is_working (panel));
  g_assert_cmpint (loom_sheet_get_range (panels_sheet (panel)).begin_ns, ==, all.begin_ns);
  g_assert_cmpint (loom_sheet_get_range (panels_sheet (panel)).end_ns, ==, all.end_ns);
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/analysis/visible", test_visible);
  g_test_add_func ("/analysis/other-scopes", test_other_scopes);
  g_test_add_func ("/analysis/holds", test_holds);
  return fixture_run ();
}
