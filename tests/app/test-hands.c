/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests pointer and keys over the tracks with simulated devices: modes, selecting, zooming, flows, the history of
 * views.
 */
#include "groups.h"
#include "hands-run.h"
#include "loom-settings.h"

#include <math.h>

static void
drag_right (guint button, double dy)
{
  double middle = gtk_widget_get_width (tracks ()) / 2.0;
  hands_drag (tracks (), button, middle, 120, middle + 150, 120 + dy);
  rest ();
}

/* Covers documented rows: ../README.md §keys/modes 1 | 2 | 3 | 4 */
static void
test_modes (void)
{
  reset ();
  for (guint i = 0; i < LOOM_N_DRAG_MODES; i++) {
    hands_type (0, GDK_KEY_1 + i);
    g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, (int) i);
  }
  gtk_widget_activate_action (GTK_WIDGET (view ()), "timeline.mode", "s", "pan");
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, LOOM_DRAG_MODE_PAN);
}

/* Covers documented rows: ../README.md §keys/select drag */
static void
test_mode_select (void)
{
  reset ();
  drag_right (1, 0);
  LoomRange range = loom_timeline_state_get_range (state ());
  g_assert_cmpint (range.end_ns, >, range.begin_ns);
  g_assert_true (loom_timeline_state_is_fitted (state ()));
}

/* Covers documented rows: ../README.md §keys/pan mode 2 drag */
static void
test_mode_pan (void)
{
  reset ();
  hands_type (0, GDK_KEY_2);
  gint64 begin_ns = fixture_view (the_window ()).begin_ns, width = width_ns ();
  drag_right (1, 0);
  g_assert_cmpint (fixture_view (the_window ()).begin_ns, <, begin_ns);
  g_assert_cmpint (ABS (width_ns () - width), <=, 2);
  g_assert_cmpint (loom_timeline_state_get_range (state ()).end_ns, ==, 0);
}

/* A vertical drag in mode 3 zooms in or out, and the time under the pointer keeps its position.
 * Covers documented rows: ../README.md §keys/zoom mode 3 drag | the time under the pointer keeps its position */
static void
test_mode_zoom (void)
{
  reset ();
  hands_type (0, GDK_KEY_3);
  gint64 width = width_ns (), under_ns = loom_viewport_time (loom_timeline_state_get_viewport (state ()),
                                                             gtk_widget_get_width (tracks ()) / 2.0);
  drag_right (1, -60);
  g_assert_cmpint (width_ns (), <, width * 3 / 4);
  g_assert_cmpfloat (fabs (x_of (under_ns) - gtk_widget_get_width (tracks ()) / 2.0), <, 3);
  gint64 near = width_ns ();
  drag_right (1, 60);
  g_assert_cmpint (width_ns (), >, near);
}

/* Covers documented rows: ../README.md §keys/pan Space+drag */
static void
test_space (void)
{
  reset ();
  gint64 begin_ns = fixture_view (the_window ()).begin_ns;
  hands_key (GDK_KEY_space, TRUE);
  drag_right (1, 0);
  hands_key (GDK_KEY_space, FALSE);
  g_assert_cmpint (fixture_view (the_window ()).begin_ns, <, begin_ns);
  g_assert_cmpint (loom_timeline_state_get_range (state ()).end_ns, ==, 0);
  drag_right (1, 0); /* Space is released, so a drag selects again */
  g_assert_cmpint (loom_timeline_state_get_range (state ()).end_ns, >, 0);
}

/* Covers documented rows: ../README.md §keys/zoom middle drag zooms to a range
 * Covers documented rows: ../README.md §keys/pan right drag */
static void
test_middle_and_right (void)
{
  reset ();
  gint64 width = width_ns ();
  drag_right (2, 0);
  rest ();
  g_assert_cmpint (width_ns (), <, width / 2);
  gint64 begin_ns = fixture_view (the_window ()).begin_ns;
  drag_right (3, 0);
  g_assert_cmpint (fixture_view (the_window ()).begin_ns, <, begin_ns);
}

/* Covers documented rows: ../README.md §keys/zoom Shift+drag zooms to a range | Shift+drag pans, by the preference */
static void
test_shift_drag (void)
{
  reset ();
  gint64 all = width_ns ();
  hands_key (GDK_KEY_Shift_L, TRUE);
  drag_right (1, 0);
  hands_key (GDK_KEY_Shift_L, FALSE);
  rest ();
  gint64 near = width_ns (), begin_ns = fixture_view (the_window ()).begin_ns;
  g_assert_cmpint (near, <, all / 2);
  loom_settings_set_string (LOOM_SETTING_SHIFT_DRAG, "pan");
  hands_key (GDK_KEY_Shift_L, TRUE);
  drag_right (1, 0);
  hands_key (GDK_KEY_Shift_L, FALSE);
  loom_settings_set_string (LOOM_SETTING_SHIFT_DRAG, "zoom");
  g_assert_cmpint (ABS (width_ns () - near), <=, 2);
  g_assert_cmpint (fixture_view (the_window ()).begin_ns, <, begin_ns);
  g_assert_cmpint (loom_timeline_state_get_range (state ()).end_ns, ==, 0);
}

static gboolean
is_later_than (gpointer begin_ns)
{
  return fixture_view (the_window ()).begin_ns > *(gint64 *) begin_ns;
}

static gboolean
is_earlier_than (gpointer begin_ns)
{
  return fixture_view (the_window ()).begin_ns < *(gint64 *) begin_ns;
}

static gboolean
is_narrower_than (gpointer width)
{
  return width_ns () < *(gint64 *) width;
}

/* Covers documented rows: ../README.md §keys/pan Shift+wheel | horizontal wheel */
static void
test_wheel (void)
{
  reset ();
  hands_move (tracks (), 200, 100);
  gint64 width = width_ns (), begin_ns;
  hands_key (GDK_KEY_Control_L, TRUE);
  hands_click (4);
  hands_key (GDK_KEY_Control_L, FALSE);
  g_assert_true (fixture_wait (is_narrower_than, &width));
  rest ();
  width = width_ns ();
  hands_key (GDK_KEY_Alt_L, TRUE);
  hands_click (4);
  hands_key (GDK_KEY_Alt_L, FALSE);
  g_assert_true (fixture_wait (is_narrower_than, &width));
  rest ();
  begin_ns = fixture_view (the_window ()).begin_ns;
  hands_click (7);
  g_assert_true (fixture_wait (is_later_than, &begin_ns));
  rest ();
  begin_ns = fixture_view (the_window ()).begin_ns;
  hands_click (6);
  g_assert_true (fixture_wait (is_earlier_than, &begin_ns));
  rest ();
  begin_ns = fixture_view (the_window ()).begin_ns;
  hands_key (GDK_KEY_Shift_L, TRUE);
  hands_click (5);
  hands_key (GDK_KEY_Shift_L, FALSE);
  g_assert_true (fixture_wait (is_later_than, &begin_ns));
}

/* Covers documented rows: ../README.md §keys/select click | Ctrl+click adds */
static void
test_click (void)
{
  reset ();
  point_at (span_of ("tick", 0));
  hands_click (1);
  g_assert_cmpuint (run_fixture_count_selected (state ()), ==, 1);
  point_at (span_of ("send", 0));
  hands_key (GDK_KEY_Control_L, TRUE);
  hands_click (1);
  hands_key (GDK_KEY_Control_L, FALSE);
  g_assert_cmpuint (run_fixture_count_selected (state ()), ==, 2);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state ()), span_of ("send", 0)));
}

/* A click counts even if the button is released before the next frame, when GTK cancels the press. */
static void
test_tap (void)
{
  reset ();
  point_at (span_of ("tick", 0));
  hands_tap (1);
  g_assert_cmpuint (run_fixture_count_selected (state ()), ==, 1);
  point_at (span_of ("send", 0));
  hands_key (GDK_KEY_Control_L, TRUE);
  hands_tap (1);
  hands_key (GDK_KEY_Control_L, FALSE);
  g_assert_cmpuint (run_fixture_count_selected (state ()), ==, 2);
}

/* A dragged edge of a range snaps to a near edge of a span; with Alt it follows the pointer.
 * Covers documented rows: ../README.md §keys/select edges drag | edges snap | Alt: no snap */
static void
test_edges (void)
{
  reset ();
  LoomRange span = range_of (span_of ("send", 0));
  LoomRange range = { span.begin_ns - 60000, span.begin_ns - 20000 };
  double y = y_of (span_of ("send", 0)), beside = x_of (span.begin_ns) + 3;
  loom_timeline_state_select_range (state (), range);
  hands_drag (tracks (), 1, x_of (range.end_ns), y, beside, y);
  g_assert_cmpint (loom_timeline_state_get_range (state ()).begin_ns, ==, range.begin_ns);
  g_assert_cmpint (loom_timeline_state_get_range (state ()).end_ns, ==, span.begin_ns);
  loom_timeline_state_select_range (state (), range);
  /* the edge snaps to the begin of the span also if it is dragged from the gap before the span */
  hands_drag (tracks (), 1, x_of (range.end_ns), y, x_of (span.begin_ns) - 3, y);
  g_assert_cmpint (loom_timeline_state_get_range (state ()).end_ns, ==, span.begin_ns);
  loom_timeline_state_select_range (state (), range);
  hands_key (GDK_KEY_Alt_L, TRUE);
  hands_drag (tracks (), 1, x_of (range.end_ns), y, beside, y);
  hands_key (GDK_KEY_Alt_L, FALSE);
  g_assert_cmpint (loom_timeline_state_get_range (state ()).begin_ns, ==, range.begin_ns);
  g_assert_cmpint (loom_timeline_state_get_range (state ()).end_ns, >, span.begin_ns);
}

static gboolean
has_five (gpointer data)
{
  return run_fixture_count_selected (state ()) == 5;
}

/* Shift+double-click selects all spans of the name on the track; an entry of a span's menu selects them on all
 * tracks. tests/core/test-timeline-state.c tests which spans these are.
 * Covers documented rows: ../README.md §keys/same-name Shift+double-click | menu: all tracks */
static void
test_same_name (void)
{
  reset ();
  LoomSpanId tick = span_of ("tick", 1);
  point_at (tick);
  hands_key (GDK_KEY_Shift_L, TRUE);
  hands_double_click (1);
  hands_key (GDK_KEY_Shift_L, FALSE);
  g_assert_cmpuint (run_fixture_count_selected (state ()), ==, 4);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state ()), tick));
  g_assert_true (loom_timeline_state_is_fitted (state ()));
  reset ();
  point_at (tick);
  hands_click (3);
  g_assert_true (fixture_wait (has_menu, NULL));
  hands_type (0, GDK_KEY_a);
  g_assert_true (fixture_wait (has_five, NULL));
  g_assert_true (loom_timeline_state_is_fitted (state ()));
}

/* Covers documented rows: ../README.md §keys/span double-click */
static void
test_double_click (void)
{
  reset ();
  LoomSpanId send = span_of ("send", 0);
  point_at (send);
  hands_double_click (1);
  rest ();
  LoomRange range = range_of (send);
  g_assert_cmpint (fixture_view (the_window ()).begin_ns, <=, range.begin_ns);
  g_assert_cmpint (fixture_view (the_window ()).end_ns, >=, range.end_ns);
  g_assert_cmpint (width_ns (), <, 2 * (range.end_ns - range.begin_ns));
}

static gboolean
has_tooltip (gpointer widget)
{
  return gtk_widget_get_has_tooltip (widget);
}

/* While the menu of a button is open, the button shows no tooltip, which would cover the first entry. */
static void
test_no_tooltip_over_menu (void)
{
  reset ();
  GtkWidget *button =
    GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (the_window ()), LOOM_TYPE_WINDOW, "menu_button"));
  g_assert_true (has_tooltip (button));
  hands_move (button, gtk_widget_get_width (button) / 2.0, gtk_widget_get_height (button) / 2.0);
  hands_click (1);
  g_assert_true (fixture_wait (has_menu, NULL));
  g_assert_false (has_tooltip (button));
  hands_type (0, GDK_KEY_Escape);
  g_assert_true (fixture_wait (has_tooltip, button));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (button), ==, "Main menu");
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/hands/modes", test_modes);
  g_test_add_func ("/app/hands/mode-select", test_mode_select);
  g_test_add_func ("/app/hands/mode-pan", test_mode_pan);
  g_test_add_func ("/app/hands/mode-zoom", test_mode_zoom);
  g_test_add_func ("/app/hands/space", test_space);
  g_test_add_func ("/app/hands/middle-and-right", test_middle_and_right);
  g_test_add_func ("/app/hands/shift-drag", test_shift_drag);
  g_test_add_func ("/app/hands/wheel", test_wheel);
  g_test_add_func ("/app/hands/click", test_click);
  g_test_add_func ("/app/hands/tap", test_tap);
  g_test_add_func ("/app/hands/edges", test_edges);
  g_test_add_func ("/app/hands/same-name", test_same_name);
  g_test_add_func ("/app/hands/double-click", test_double_click);
  g_test_add_func ("/app/hands/no-tooltip-over-menu", test_no_tooltip_over_menu);
  groups_add_rows ();
  return hands_run ();
}
