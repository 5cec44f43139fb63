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
  panels_set_scope (window, LOOM_RANGE_SCOPE_VISIBLE);
  LoomViewport view = fixture_view (window);
  gint64 middle = view.begin_ns + (view.end_ns - view.begin_ns) / 2;
  view.begin_ns = middle;
  view.end_ns = middle + 2 * LOOM_NS_PER_S;
  loom_timeline_state_set_viewport (fixture_state (window), &view);
  panels_wait (panel);
  LoomRange range = loom_page_content_get_range (panels_sheet (panel));
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
  LoomRange all = loom_page_content_get_range (panels_sheet (panel));
  g_assert_null (strstr (loom_analysis_panel_get_summary (panel), loom_page_range_rule)); /* nothing is cut */
  panels_set_scope (window, LOOM_RANGE_SCOPE_LOOP);
  LoomRange loop = loom_page_content_get_range (panels_sheet (panels_wait (panel)));
  g_assert_nonnull (strstr (loom_analysis_panel_get_summary (panel), loom_page_range_rule));
  g_assert_cmpint (loop.begin_ns, >, all.begin_ns);
  g_assert_cmpint (loop.end_ns, <, all.end_ns);
  panels_set_scope (window, LOOM_RANGE_SCOPE_SELECTION);
  panels_wait (panel);
  g_assert_true (panels_lack_something (panel)); /* nothing is selected */
  LoomRange selected = { loop.begin_ns, loop.begin_ns + 3 * LOOM_NS_PER_S };
  loom_timeline_state_select_range (fixture_state (window), selected);
  panels_wait (panel);
  g_assert_cmpint (loom_page_content_get_range (panels_sheet (panel)).end_ns, ==, selected.end_ns);
  g_assert_false (panels_lack_something (panel));
  /* What is not seen is asked for when it is, and not before. */
  panels_set_scope (window, LOOM_RANGE_SCOPE_ALL);
  LoomRange of_other = loom_page_content_get_range (panels_sheet (panels_show (window, "overview")));
  g_assert_cmpint (of_other.begin_ns, ==, all.begin_ns);
  fixture_close (window);
}

static GtkWidget *
find_back (GtkWidget *widget)
{
  if (GTK_IS_BUTTON (widget) && gtk_button_get_label (GTK_BUTTON (widget)) != NULL &&
      g_str_has_prefix (gtk_button_get_label (GTK_BUTTON (widget)), "Back to"))
    return widget;
  GtkWidget *found = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_back (child);
  return found;
}

static void
assert_range (LoomAnalysisPanel *panel, LoomRange wanted)
{
  LoomRange range = loom_page_content_get_range (panels_sheet (panels_wait (panel)));
  g_assert_cmpint (range.begin_ns, ==, wanted.begin_ns);
  g_assert_cmpint (range.end_ns, ==, wanted.end_ns);
}

/* A range that is made on the timeline is shown at once, with a way back; one that a panel selects is not. */
static void
test_range_made (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  LoomTimelineState *state = fixture_state (window);
  LoomRange all = loom_page_content_get_range (panels_sheet (panel)),
            made = { all.begin_ns + LOOM_NS_PER_S, all.begin_ns + 20 * LOOM_NS_PER_S };
  GtkDropDown *choice = loom_panel_tabs_get_range (panels_tabs (window));
  loom_timeline_state_select_range (state, made); /* as a row of a table does */
  assert_range (panel, all);
  g_assert_null (find_back (GTK_WIDGET (panels_tabs (window))));
  loom_timeline_state_make_range (state, made);
  assert_range (panel, made);
  g_assert_cmpuint (gtk_drop_down_get_selected (choice), ==, LOOM_RANGE_SCOPE_SELECTION);
  GtkWidget *back = find_back (GTK_WIDGET (panels_tabs (window)));
  g_assert_true (back != NULL && gtk_widget_get_visible (back));
  g_signal_emit_by_name (back, "clicked");
  assert_range (panel, all);
  g_assert_cmpuint (gtk_drop_down_get_selected (choice), ==, LOOM_RANGE_SCOPE_ALL);
  g_assert_false (gtk_widget_get_visible (back));
  loom_timeline_state_make_range (state, made);
  assert_range (panel, made);
  loom_timeline_state_select_nothing (state); /* it is gone */
  assert_range (panel, all);
  g_assert_false (gtk_widget_get_visible (back));
  loom_timeline_state_make_range (state, made);
  gtk_drop_down_set_selected (choice, LOOM_RANGE_SCOPE_VISIBLE); /* somebody chose: there is nothing to go back to */
  panels_wait (panel);
  g_assert_false (gtk_widget_get_visible (back));
  loom_timeline_state_select_nothing (state);
  g_assert_cmpuint (gtk_drop_down_get_selected (choice), ==, LOOM_RANGE_SCOPE_VISIBLE);
  fixture_close (window);
}

/* The panel that speaks of the selection keeps its figures when it shows one of its own elements. */
static void
test_holds (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  LoomRange all = loom_page_content_get_range (panels_sheet (panel));
  loom_timeline_state_select_range (fixture_state (window), all);
  panels_set_scope (window, LOOM_RANGE_SCOPE_SELECTION);
  panels_wait (panel);
  LoomNavigationTarget place;
  g_assert_true (
    loom_page_content_get_place (panels_sheet (panel), panels_find_block (panel, "Duration of each step"), 6, &place));
  panels_click (panels_widget (panel, "Duration of each step"), 6);
  g_assert_false (loom_analysis_panel_is_working (panel));
  panels_wait_in_view (window, place.range);
  g_assert_false (loom_analysis_panel_is_working (panel));
  g_assert_cmpint (loom_page_content_get_range (panels_sheet (panel)).begin_ns, ==, all.begin_ns);
  g_assert_cmpint (loom_page_content_get_range (panels_sheet (panel)).end_ns, ==, all.end_ns);
  fixture_close (window);
}

static gboolean
rests (gpointer window)
{
  return !loom_view_animator_is_moving (loom_run_state_get_flight (loom_window_get_run_state (window)));
}

static LoomRange
asked_range (LoomWindow *window)
{
  return loom_analysis_context_get_asked_range (loom_run_state_get_analysis (loom_window_get_run_state (window)));
}

/* A panel that speaks of what is visible, or selected, keeps that range when it shows one of its elements, for what is asked later
 * too, until a person moves on. */
static void
test_keeps (void)
{
  static const LoomRangeScope scopes[] = { LOOM_RANGE_SCOPE_VISIBLE, LOOM_RANGE_SCOPE_SELECTION };
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  LoomRange all = loom_page_content_get_range (panels_sheet (panel));
  for (guint i = 0; i < G_N_ELEMENTS (scopes); i++) {
    LoomNavigationTarget place;
    LoomViewport fitted = loom_timeline_state_fitted (fixture_state (window));
    loom_timeline_state_set_viewport (fixture_state (window), &fitted);
    loom_timeline_state_select_range (fixture_state (window), all);
    panels_set_scope (window, scopes[i]);
    panels_wait (panel);
    LoomRange before = loom_page_content_get_range (panels_sheet (panel));
    g_assert_true (loom_page_content_get_place (panels_sheet (panel),
                                                panels_find_block (panel, "Duration of each step"), 6, &place));
    panels_click (panels_widget (panel, "Duration of each step"), 6);
    panels_wait_in_view (window, place.range);
    g_assert_true (fixture_wait (rests, window));
    g_assert_false (loom_analysis_panel_is_working (panel));
    g_assert_cmpint (asked_range (window).begin_ns, ==, before.begin_ns);
    g_assert_cmpint (asked_range (window).end_ns, ==, before.end_ns);
    LoomRange other = loom_page_content_get_range (panels_sheet (panels_show (window, "overview")));
    g_assert_cmpint (other.begin_ns, ==, before.begin_ns);
    g_assert_cmpint (other.end_ns, ==, before.end_ns);
    panel = panels_show (window, "steps");
    LoomRange next = { before.begin_ns, before.begin_ns + LOOM_NS_PER_S };
    LoomViewport view = fixture_view (window);
    loom_timeline_state_select_range (fixture_state (window), next);
    view.begin_ns = next.begin_ns;
    view.end_ns = next.end_ns;
    loom_timeline_state_set_viewport (fixture_state (window), &view);
    g_assert_cmpint (asked_range (window).end_ns, ==, next.end_ns);
  }
  fixture_close (window);
}

/* --- workers that have something else to do --------------------------------------------------------------------------- */

#define N_BUSY 64 /* more than GLib lets run at once for some seconds */

static GMutex gate; /* shut while workers wait */

static void
wait_at_gate (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_mutex_lock (&gate);
  g_mutex_unlock (&gate);
  g_task_return_boolean (task, TRUE);
}

static void
shut (void)
{
  g_mutex_lock (&gate);
  for (guint i = 0; i < N_BUSY; i++) {
    g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);
    g_task_run_in_thread (task, wait_at_gate);
  }
}

static gboolean
says_working (gpointer panel)
{
  return g_str_has_prefix (loom_analysis_panel_get_summary (panel), "Working…");
}

static gboolean
says_how_far (gpointer panel)
{
  return says_working (panel) && g_str_has_suffix (loom_analysis_panel_get_summary (panel), " %");
}

/* While another range is computed the figures are named after their own range; then they look old, and the panel says how
 * far it is. A new question drops the old one: its figures never come. */
static void
test_old_figures (void)
{
  LoomWindow *window = panels_open_sample ();
  LoomAnalysisPanel *panel = panels_show (window, "steps");
  GtkWidget *view = GTK_WIDGET (loom_analysis_panel_get_view (panel));
  LoomPageContent *sheet = panels_sheet (panel);
  LoomRange all = loom_page_content_get_range (sheet);
  g_autofree char *summary = g_strdup (loom_analysis_panel_get_summary (panel));
  LoomRange first = { all.begin_ns, all.begin_ns + 12 * LOOM_NS_PER_S },
            second = { all.begin_ns, all.begin_ns + 17 * LOOM_NS_PER_S };
  shut ();
  panels_set_scope (window, LOOM_RANGE_SCOPE_SELECTION);
  loom_timeline_state_select_range (fixture_state (window), first);
  g_assert_true (panels_sheet (panel) == sheet);
  g_assert_cmpstr (loom_analysis_panel_get_summary (panel), ==, summary);
  g_assert_false (gtk_widget_has_css_class (view, "old"));
  g_assert_true (fixture_wait (says_how_far, panel));
  g_assert_true (panels_sheet (panel) == sheet);
  g_assert_true (gtk_widget_has_css_class (view, "old"));
  loom_timeline_state_select_range (fixture_state (window), second);
  g_assert_true (says_working (panel));
  g_assert_true (gtk_widget_has_css_class (view, "old"));
  g_assert_true (fixture_wait (says_how_far, panel));
  g_mutex_unlock (&gate);
  panels_wait (panel);
  g_assert_cmpint (loom_page_content_get_range (panels_sheet (panel)).end_ns, ==, second.end_ns);
  g_assert_false (gtk_widget_has_css_class (view, "old"));
  g_assert_false (says_working (panel));
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/analysis/visible", test_visible);
  g_test_add_func ("/analysis/other-scopes", test_other_scopes);
  g_test_add_func ("/analysis/range-made", test_range_made);
  g_test_add_func ("/analysis/holds", test_holds);
  g_test_add_func ("/analysis/keeps", test_keeps);
  g_test_add_func ("/analysis/old-figures", test_old_figures);
  return fixture_run ();
}
