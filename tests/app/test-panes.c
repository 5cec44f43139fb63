/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that F6 and Shift+F6 move the focus through the panes of the window in every view, and that a view gets the
 * focus when it is opened.
 */
#include "groups.h"
#include "loom-pane-focus.h"
#include "loom-settings.h"

/* Returns the name of the class of the innermost pane that contains the focus; "none" if no pane contains it. */
static const char *
pane_of_focus (LoomWindow *window)
{
  GtkWidget *widget = gtk_root_get_focus (GTK_ROOT (window));
  while (widget != NULL && !gtk_widget_has_css_class (widget, LOOM_PANE_FOCUS_CLASS))
    widget = gtk_widget_get_parent (widget);
  return widget != NULL ? G_OBJECT_TYPE_NAME (widget) : "none";
}

/* Activates the action until a pane has the focus for the second time. Returns the names of the panes in the order in
 * which they got the focus, separated by spaces. */
static char *
go_round (LoomWindow *window, const char *action)
{
  g_autoptr (GString) panes = g_string_new (NULL);
  const char *first = NULL;
  for (guint i = 0; i < 12; i++) {
    g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), action, NULL));
    const char *pane = pane_of_focus (window);
    if (g_strcmp0 (pane, first) == 0)
      break;
    first = first != NULL ? first : pane;
    g_string_append_printf (panes, "%s%s", panes->len > 0 ? " " : "", pane);
  }
  return g_string_free (g_steal_pointer (&panes), FALSE);
}

static gboolean
has_focus (gpointer window)
{
  return gtk_root_get_focus (window) != NULL;
}

static void
show_view (LoomWindow *window, const char *name)
{
  g_autofree char *action = g_strdup_printf ("win.show-view::%s", name);
  gtk_root_set_focus (GTK_ROOT (window), NULL);
  g_autofree char *prefix = NULL;
  g_autoptr (GVariant) target = NULL;
  g_assert_true (g_action_parse_detailed_name (action, &prefix, &target, NULL));
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (window), prefix, target));
  fixture_frames (window);
  g_assert_true (fixture_wait (has_focus, window));
}

static void
assert_round (LoomWindow *window, const char *forward, const char *backward)
{
  gtk_root_set_focus (GTK_ROOT (window), NULL);
  g_autofree char *next = go_round (window, "win.next-pane");
  g_assert_cmpstr (next, ==, forward);
  gtk_root_set_focus (GTK_ROOT (window), NULL);
  g_autofree char *previous = go_round (window, "win.previous-pane");
  g_assert_cmpstr (previous, ==, backward);
}

/* Returns TRUE if the view switcher at the bottom, which only narrow windows show, is hidden. */
static gboolean
has_hidden_bar (gpointer bar)
{
  return !gtk_revealer_get_child_revealed (bar);
}

static void
test_round (void)
{
  loom_settings_set_boolean (LOOM_SETTING_SHOW_SOURCES, TRUE);
  loom_settings_set_int (LOOM_SETTING_WIDTH, 1366); /* wide enough for the list of sources */
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  fixture_frames (window);
  GtkWidget *bar = fixture_find_type (GTK_WIDGET (window), ADW_TYPE_VIEW_SWITCHER_BAR);
  g_assert_true (fixture_wait (has_hidden_bar, fixture_find_type (bar, GTK_TYPE_REVEALER)));
  assert_round (window, "AdwHeaderBar AdwViewSwitcherTitle LoomSourcesPanel LoomTimelineView",
                "LoomTimelineView LoomSourcesPanel AdwViewSwitcherTitle AdwHeaderBar");
  loom_timeline_state_select_span (fixture_state (window), (LoomSpanId) { 0, 0 }, FALSE);
  fixture_frames (window);
  fixture_frames (window);
  assert_round (window, "AdwHeaderBar AdwViewSwitcherTitle LoomSourcesPanel LoomTimelineView LoomRunViews",
                "LoomRunViews LoomTimelineView LoomSourcesPanel AdwViewSwitcherTitle AdwHeaderBar");
  show_view (window, "analysis");
  g_assert_cmpstr (pane_of_focus (window), ==, "GtkListBox");
  assert_round (window, "AdwHeaderBar AdwViewSwitcherTitle GtkListBox GtkBox GtkStack",
                "GtkStack GtkBox GtkListBox AdwViewSwitcherTitle AdwHeaderBar");
  show_view (window, "events");
  g_assert_cmpstr (pane_of_focus (window), ==, "LoomEventsPanel");
  assert_round (window, "AdwHeaderBar AdwViewSwitcherTitle LoomEventsPanel",
                "LoomEventsPanel AdwViewSwitcherTitle AdwHeaderBar");
  show_view (window, "timeline");
  g_assert_cmpstr (pane_of_focus (window), ==, "LoomTimelineView");
  fixture_close (window);
}

void
groups_add_panes (void)
{
  g_test_add_func ("/panes/round", test_round);
}
