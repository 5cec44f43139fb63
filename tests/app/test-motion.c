/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys, wheel, pinch: what they do to the view. Keys by position where the position counts.
 */
#include "fixture.h"

#include "loom-track-area.h"

enum { CODE_W = 25, CODE_A = 38, CODE_S = 39, CODE_D = 40 };

#define HOLD_US 300000

static LoomWindow *window;

static gint64
range_of (LoomViewport view)
{
  return loom_viewport_get_range_ns (&view);
}

/* For three tenths of a second of the flight, however long that takes. */
static void
hold (guint keyval, guint keycode, GdkModifierType modifiers)
{
  LoomViewAnimator *flight = loom_run_state_get_flight (loom_window_get_run_state (window));
  g_assert_true (fixture_press (window, keyval, keycode, modifiers));
  for (guint i = 0; i < 3; i++)
    g_assert_true (loom_view_animator_advance (flight, HOLD_US / 3));
  fixture_release (window, keyval, keycode, modifiers);
  fixture_frames (window);
  fixture_rest (window);
}

static void
reset (void)
{
  loom_timeline_state_select_nothing (fixture_state (window));
  fixture_type (window, GDK_KEY_0, 19, 0);
  g_assert_true (loom_timeline_state_is_fitted (fixture_state (window)));
}

static void
test_zoom (void)
{
  reset ();
  LoomViewport all = fixture_view (window);
  hold (GDK_KEY_w, CODE_W, 0);
  LoomViewport in = fixture_view (window);
  g_assert_cmpint (range_of (in), <, range_of (all));
  hold (GDK_KEY_s, CODE_S, 0);
  g_assert_cmpint (range_of (fixture_view (window)), >, range_of (in));
}

static void
test_pan (void)
{
  reset ();
  hold (GDK_KEY_w, CODE_W, 0);
  LoomViewport in = fixture_view (window);
  hold (GDK_KEY_d, CODE_D, 0);
  LoomViewport later = fixture_view (window);
  g_assert_cmpint (later.begin_ns, >, in.begin_ns);
  g_assert_cmpint (ABS (range_of (later) - range_of (in)), <=, 2);
  hold (GDK_KEY_a, CODE_A, 0);
  g_assert_cmpint (fixture_view (window).begin_ns, <, later.begin_ns);
}

/* On AZERTY the key at W's place types z, which elsewhere resets the view. */
static void
test_positions (void)
{
  reset ();
  LoomViewport all = fixture_view (window);
  hold (GDK_KEY_z, CODE_W, 0);
  g_assert_cmpint (range_of (fixture_view (window)), <, range_of (all));
  reset ();
  hold (GDK_KEY_Cyrillic_tse, CODE_W, 0);
  g_assert_cmpint (range_of (fixture_view (window)), <, range_of (all));
}

static gint64
zoomed_by (GdkModifierType modifiers)
{
  reset ();
  hold (modifiers ? GDK_KEY_W : GDK_KEY_w, CODE_W, modifiers);
  return range_of (fixture_view (window));
}

static void
test_shift_is_faster (void)
{
  gint64 slow = zoomed_by (0), fast = zoomed_by (GDK_SHIFT_MASK);
  g_assert_cmpint (fast, <, slow);
}

static void
test_short_press_moves (void)
{
  reset ();
  gint64 before = range_of (fixture_view (window));
  fixture_type (window, GDK_KEY_w, CODE_W, 0);
  g_assert_cmpfloat ((double) range_of (fixture_view (window)) / (double) before, <, 0.9);
}

static void
test_control_does_not_fly (void)
{
  reset ();
  g_assert_false (fixture_press (window, GDK_KEY_w, CODE_W, GDK_CONTROL_MASK));
  g_assert_true (loom_timeline_state_is_fitted (fixture_state (window)));
}

static void
test_walk (void)
{
  reset ();
  LoomTimelineState *state = fixture_state (window);
  g_assert_true (fixture_type (window, GDK_KEY_Right, 114, 0));
  LoomSpanId first = loom_timeline_state_get_lead (state);
  g_assert_false (loom_timeline_span_id_is_none (first));
  fixture_type (window, GDK_KEY_period, 60, 0);
  LoomSpanId second = loom_timeline_state_get_lead (state);
  g_assert_false (loom_timeline_span_id_equal (first, second));
  fixture_type (window, GDK_KEY_Left, 113, 0);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state), first));
  fixture_type (window, GDK_KEY_period, 60, 0);
  fixture_type (window, GDK_KEY_comma, 59, 0);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state), first));
}

static void
test_focus (void)
{
  reset ();
  LoomTimelineState *state = fixture_state (window);
  fixture_type (window, GDK_KEY_Right, 114, 0);
  LoomRange range;
  g_assert_true (loom_timeline_state_get_selected_range (state, &range));
  g_assert_true (fixture_type (window, GDK_KEY_f, 41, 0));
  LoomViewport near = fixture_view (window);
  g_assert_cmpint (near.begin_ns, <=, range.begin_ns);
  g_assert_cmpint (near.end_ns, >=, range.end_ns);
  g_assert_false (loom_timeline_state_is_fitted (state));
  fixture_type (window, GDK_KEY_f, 41, 0);
  g_assert_true (loom_timeline_state_is_fitted (state));
}

static guint
count_marks (void)
{
  guint n;
  loom_timeline_state_get_marks (fixture_state (window), &n);
  return n;
}

static void
test_marks (void)
{
  reset ();
  fixture_type (window, GDK_KEY_Right, 114, 0);
  fixture_type (window, GDK_KEY_m, 58, 0);
  g_assert_cmpuint (count_marks (), ==, 1);
  fixture_type (window, GDK_KEY_Right, 114, 0);
  fixture_type (window, GDK_KEY_m, 58, 0); /* temporary: the other one goes */
  g_assert_cmpuint (count_marks (), ==, 1);
  fixture_type (window, GDK_KEY_Right, 114, 0);
  fixture_type (window, GDK_KEY_M, 58, GDK_SHIFT_MASK);
  g_assert_cmpuint (count_marks (), ==, 2);
  fixture_type (window, GDK_KEY_Delete, 119, 0);
  g_assert_cmpuint (count_marks (), ==, 1);
  fixture_type (window, GDK_KEY_Left, 113, 0);
  fixture_type (window, GDK_KEY_Delete, 119, 0);
  g_assert_cmpuint (count_marks (), ==, 0);
}

static void
test_range (void)
{
  reset ();
  LoomTimelineState *state = fixture_state (window);
  fixture_type (window, GDK_KEY_Right, 114, 0);
  LoomRange span;
  loom_timeline_state_get_selected_range (state, &span);
  fixture_type (window, GDK_KEY_r, 27, 0);
  LoomRange range = loom_timeline_state_get_range (state);
  g_assert_cmpint (range.begin_ns, ==, span.begin_ns);
  g_assert_cmpint (range.end_ns, ==, span.end_ns);
  fixture_type (window, GDK_KEY_Escape, 9, 0);
  g_assert_false (loom_timeline_state_get_selected_range (state, &span));
}

static GtkWidget *
tracks (void)
{
  return loom_timeline_view_get_tracks (loom_run_page_get_timeline_view (loom_window_get_run_view (window)));
}

static void
scroll (double dx, double dy)
{
  gboolean taken = FALSE;
  g_signal_emit_by_name (fixture_controller (tracks (), GTK_TYPE_EVENT_CONTROLLER_SCROLL), "scroll", dx, dy, &taken);
  g_assert_true (taken);
  fixture_rest (window);
}

static void
test_wheel (void)
{
  reset ();
  fixture_type (window, GDK_KEY_Home, 110, 0);
  g_assert_cmpfloat (fixture_view (window).scroll_px, ==, 0);
  scroll (0, 2);
  double down = fixture_view (window).scroll_px;
  g_assert_cmpfloat (down, >, 0);
  scroll (0, -1);
  g_assert_cmpfloat (fixture_view (window).scroll_px, <, down);
  fixture_type (window, GDK_KEY_End, 115, 0);
  g_assert_cmpfloat (fixture_view (window).scroll_px, >, down);
  fixture_type (window, GDK_KEY_Page_Up, 112, 0);
  fixture_type (window, GDK_KEY_Home, 110, 0);
  g_assert_cmpfloat (fixture_view (window).scroll_px, ==, 0);
  hold (GDK_KEY_w, CODE_W, 0);
  gint64 begin_ns = fixture_view (window).begin_ns;
  scroll (2, 0);
  g_assert_cmpint (fixture_view (window).begin_ns, >, begin_ns);
}

static void
test_pinch (void)
{
  reset ();
  gint64 before = range_of (fixture_view (window));
  GtkEventController *pinch = fixture_controller (tracks (), GTK_TYPE_GESTURE_ZOOM);
  g_signal_emit_by_name (pinch, "scale-changed", 2.0);
  g_assert_cmpint (ABS (range_of (fixture_view (window)) * 2 - before), <, before / 100);
}

static void
test_typing (void)
{
  reset ();
  LoomSearchBar *search = loom_run_page_get_search_bar (loom_window_get_run_view (window));
  g_assert_true (fixture_type (window, GDK_KEY_slash, 61, 0));
  g_assert_true (loom_search_bar_is_open (search));
  g_assert_false (fixture_press (window, GDK_KEY_w, CODE_W, 0));
  g_assert_false (fixture_press (window, GDK_KEY_f, 41, 0));
  g_assert_true (loom_timeline_state_is_fitted (fixture_state (window)));
  loom_search_bar_set_open (search, FALSE);
  gtk_widget_grab_focus (tracks ());
  fixture_type (window, GDK_KEY_w, CODE_W, 0);
  g_assert_false (loom_timeline_state_is_fitted (fixture_state (window)));
}

static void
set_animations (gboolean on)
{
  g_object_set (gtk_widget_get_settings (GTK_WIDGET (window)), "gtk-enable-animations", on, NULL);
}

static void
test_reduced_motion (void)
{
  reset ();
  set_animations (FALSE);
  gint64 before = range_of (fixture_view (window));
  fixture_press (window, GDK_KEY_w, CODE_W, 0);
  gint64 after = range_of (fixture_view (window)); /* at once, without a frame */
  fixture_release (window, GDK_KEY_w, CODE_W, 0);
  fixture_frames (window);
  fixture_rest (window);
  g_assert_cmpint (after, <, before);
  g_assert_cmpint (range_of (fixture_view (window)), ==, after);
  set_animations (TRUE);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/motion/zoom", test_zoom);
  g_test_add_func ("/app/motion/pan", test_pan);
  g_test_add_func ("/app/motion/positions", test_positions);
  g_test_add_func ("/app/motion/shift-is-faster", test_shift_is_faster);
  g_test_add_func ("/app/motion/short-press", test_short_press_moves);
  g_test_add_func ("/app/motion/control", test_control_does_not_fly);
  g_test_add_func ("/app/motion/walk", test_walk);
  g_test_add_func ("/app/motion/focus", test_focus);
  g_test_add_func ("/app/motion/marks", test_marks);
  g_test_add_func ("/app/motion/range", test_range);
  g_test_add_func ("/app/motion/wheel", test_wheel);
  g_test_add_func ("/app/motion/pinch", test_pinch);
  g_test_add_func ("/app/motion/typing", test_typing);
  g_test_add_func ("/app/motion/reduced-motion", test_reduced_motion);
  window = fixture_window ();
  fixture_open (window, fixture_sample ());
  int status = fixture_run ();
  return status;
}
