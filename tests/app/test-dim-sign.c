/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the sign that says that the critical path is highlighted, so that the rest of the timeline is dimmed: its button
 * and the key Escape end the dimming. Also tests that the details of a span state its part in the critical path.
 */
#include "fixture.h"
#include "groups.h"
#include "loom-dim-sign.h"
#include "loom-search-bar.h"
#include "loom-selection-panel.h"
#include "loom-window-private.h"

static gboolean
has_path (gpointer run)
{
  return loom_timeline_state_get_path (loom_run_state_get_view (run)) != NULL;
}

static gboolean
has_hits (gpointer state)
{
  gsize n;
  return loom_timeline_state_get_hits (state, &n) != NULL && n > 0;
}

/* Returns the text of the sign; NULL: it is hidden. */
static const char *
read_sign (LoomWindow *window)
{
  GtkWidget *sign = fixture_find_type (GTK_WIDGET (window), LOOM_TYPE_DIM_SIGN);
  return gtk_widget_get_visible (sign) ? gtk_label_get_text (GTK_LABEL (fixture_find_type (sign, GTK_TYPE_LABEL)))
                                       : NULL;
}

static void
click (LoomWindow *window)
{
  GtkWidget *sign = fixture_find_type (GTK_WIDGET (window), LOOM_TYPE_DIM_SIGN);
  g_signal_emit_by_name (fixture_find_type (sign, GTK_TYPE_BUTTON), "clicked");
}

/* Returns the n-th span on the critical path. */
static LoomSpanId
find_piece (LoomRunState *run, guint n)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (loom_run_state_get_view (run));
  LoomPathOverlay *path = loom_timeline_state_get_path (loom_run_state_get_view (run));
  for (guint32 trace = 0; trace < loom_run_get_n_traces (loom_timeline_get_run (timeline)); trace++)
    for (guint32 i = 0; i < loom_trace_get_spans (loom_run_get_trace (loom_timeline_get_run (timeline), trace))->n; i++)
      if (loom_path_overlay_get_span_ns (path, (LoomSpanId) { trace, i }) > 0 && n-- == 0)
        return (LoomSpanId) { trace, i };
  g_assert_not_reached ();
}

/* Types the text into the search bar, as a user does: the bar replaces a text that it does not show. */
static void
type_search (LoomWindow *window, const char *text)
{
  GtkWidget *bar = fixture_find_type (GTK_WIDGET (window), LOOM_TYPE_SEARCH_BAR);
  gtk_editable_set_text (GTK_EDITABLE (fixture_find_type (bar, GTK_TYPE_SEARCH_ENTRY)), text);
}

static void
test_reasons (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  LoomRunState *run = loom_window_get_run_state (window);
  LoomTimelineState *state = fixture_state (window);
  LoomSearchState *search = loom_run_state_get_search (run);
  g_assert_null (read_sign (window));
  loom_path_display_set_shown (loom_run_state_get_path (run), TRUE);
  g_assert_true (fixture_wait (has_path, run));
  g_assert_cmpstr (read_sign (window), ==, "The critical path is highlighted");
  loom_timeline_state_select_span (state, find_piece (run, 0), FALSE);
  g_assert_cmpstr (read_sign (window), ==, "The critical path is highlighted");
  loom_timeline_state_select_span (state, find_piece (run, 1), TRUE);
  g_assert_cmpstr (read_sign (window), ==, "The critical path is highlighted");
  loom_search_state_set_open (search, TRUE);
  type_search (window, "a");
  g_assert_true (fixture_wait (has_hits, state));
  g_assert_null (read_sign (window));
  loom_search_state_set_open (search, FALSE);
  g_assert_cmpstr (read_sign (window), ==, "The critical path is highlighted");
  click (window);
  g_assert_null (read_sign (window));
  g_assert_false (loom_path_display_get_shown (loom_run_state_get_path (run)));
  loom_timeline_state_select_range (state, loom_timeline_state_get_extent (state));
  g_assert_null (read_sign (window));
  fixture_close (window);
}

/* The first Escape clears the selection; the next Escape ends the highlighting that dims the other spans. */
static void
test_escape (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  LoomRunState *run = loom_window_get_run_state (window);
  loom_path_display_set_shown (loom_run_state_get_path (run), TRUE);
  g_assert_true (fixture_wait (has_path, run));
  loom_timeline_state_select_span (fixture_state (window), find_piece (run, 0), FALSE);
  fixture_frames (window);
  fixture_press (window, GDK_KEY_Escape, 9, 0);
  g_assert_cmpstr (read_sign (window), ==, "The critical path is highlighted");
  fixture_press (window, GDK_KEY_Escape, 9, 0);
  g_assert_null (read_sign (window));
  g_assert_false (loom_path_display_get_shown (loom_run_state_get_path (run)));
  fixture_close (window);
}

static gboolean
says_path (LoomWindow *window)
{
  GtkWidget *panel = fixture_find_type (GTK_WIDGET (window), LOOM_TYPE_SELECTION_PANEL);
  g_autofree char *text = loom_selection_panel_dup_text (LOOM_SELECTION_PANEL (panel));
  return strstr (text, "Critical path") != NULL;
}

static void
test_details (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  LoomRunState *run = loom_window_get_run_state (window);
  loom_run_state_open_page (run, "selection");
  loom_path_display_set_shown (loom_run_state_get_path (run), TRUE);
  g_assert_true (fixture_wait (has_path, run));
  loom_timeline_state_select_span (fixture_state (window), find_piece (run, 0), FALSE);
  fixture_frames (window);
  g_assert_true (says_path (window));
  loom_path_display_set_shown (loom_run_state_get_path (run), FALSE);
  g_assert_false (says_path (window));
  loom_path_display_set_shown (loom_run_state_get_path (run), TRUE);
  g_assert_true (fixture_wait (has_path, run));
  g_assert_true (says_path (window));
  fixture_close (window);
}

void
groups_add_dim_sign (void)
{
  g_test_add_func ("/dim-sign/reasons", test_reasons);
  g_test_add_func ("/dim-sign/escape", test_escape);
  g_test_add_func ("/dim-sign/details", test_details);
}
