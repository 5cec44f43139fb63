/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests Ctrl+Z and Ctrl+Shift+Z: moves of the view, changes of rows and changes of marks are each one step. The history
 * of views (Alt+arrows) is separate.
 */
#include "hands-run.h"

#include "loom-view-commands.h"

#include <math.h>

#define REST_MS 1100 /* pause that ends an undo step of view moves */
#define EDIT_MS 550  /* pause that ends an undo step of edits (half a second) */

/* The simulated clock of the undo stack, in µs. Only pause_for() advances it, so that a busy machine cannot split an
 * undo step. */
static gint64 now_us = 10 * G_USEC_PER_SEC;

static gint64
tell_time (void)
{
  return now_us;
}

static void
pause_for (guint ms)
{
  now_us += ms * G_GINT64_CONSTANT (1000);
}

/* Empties the undo stack and makes sure that the next change is a new step. */
static void
start (void)
{
  reset ();
  pause_for (REST_MS);
  loom_undo_stack_clear (steps ());
}

static void
undo (void)
{
  hands_type (GDK_KEY_Control_L, GDK_KEY_z);
  rest ();
}

static void
redo (void)
{
  hands_key (GDK_KEY_Shift_L, TRUE);
  hands_type (GDK_KEY_Control_L, GDK_KEY_z);
  hands_key (GDK_KEY_Shift_L, FALSE);
  rest ();
}

static void
assert_view (LoomViewport wanted)
{
  LoomViewport now = fixture_view (the_window ());
  g_assert_cmpint (now.begin_ns, ==, wanted.begin_ns);
  g_assert_cmpint (now.end_ns, ==, wanted.end_ns);
  g_assert_cmpfloat (fabs (now.scroll_px - wanted.scroll_px), <, 0.5);
}

/* --- the view ------------------------------------------------------------------------------------------------------ */

/* Keys, wheel and drag without a pause are one step; after a pause a new step begins.
 * Covers documented rows: ../README.md §keys/undo Ctrl+Z: view | Ctrl+Shift+Z: view */
static void
test_view (void)
{
  start ();
  LoomViewport all = fixture_view (the_window ());
  hands_move (tracks (), 300, 100);
  hold (GDK_KEY_w);
  hands_key (GDK_KEY_Control_L, TRUE);
  hands_click (4);
  hands_key (GDK_KEY_Control_L, FALSE);
  hands_drag (tracks (), 3, 300, 100, 360, 100);
  rest ();
  LoomViewport first = fixture_view (the_window ());
  pause_for (REST_MS);
  hold (GDK_KEY_w);
  LoomViewport second = fixture_view (the_window ());
  g_assert_cmpint (second.end_ns - second.begin_ns, <, first.end_ns - first.begin_ns);
  undo ();
  assert_view (first);
  undo ();
  assert_view (all);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (the_window ()), "undo"));
  redo ();
  assert_view (first);
  redo ();
  assert_view (second);
  undo ();
  assert_view (first);
}

/* Going back in the history of views is a move that can be undone; undoing does not change the history.
 * Covers documented rows: ../README.md §keys/undo Alt+← | Alt+→ */
static void
test_history (void)
{
  start ();
  LoomViewport all = fixture_view (the_window ());
  loom_timeline_state_select_span (state (), span_of ("send", 0), FALSE);
  hands_type (0, GDK_KEY_f);
  rest ();
  pause_for (REST_MS);
  LoomViewport near = fixture_view (the_window ());
  hands_type (GDK_KEY_Alt_L, GDK_KEY_Left);
  rest ();
  assert_view (all);
  undo ();
  assert_view (near);
  hands_type (GDK_KEY_Alt_L, GDK_KEY_Right);
  rest ();
  assert_view (near);
}

/* --- rows ---------------------------------------------------------------------------------------------------------- */

/* Covers documented rows: ../README.md §keys/undo Ctrl+Z: changes of rows | Ctrl+Shift+Z: changes of rows */
static void
test_fold (void)
{
  start ();
  guint all = n_rows (), group = first_row (LOOM_ROW_GROUP);
  hands_move (headers (), 80, top_of (group) + 8);
  hands_click (1);
  guint folded = n_rows ();
  g_assert_cmpuint (folded, <, all);
  undo ();
  g_assert_cmpuint (n_rows (), ==, all);
  redo ();
  g_assert_cmpuint (n_rows (), ==, folded);
  undo ();
  fixture_spin (DOUBLE_CLICK_MS);
}

/* The filter entry reports its text only after the user has stopped typing. Sets `whole` to TRUE if the reported text
 * is all that was typed, "lo". */
static void
filter_told (GtkEditable *entry, gboolean *whole)
{
  *whole = g_str_equal (gtk_editable_get_text (entry), "lo");
}

static gboolean
is_true (gpointer value)
{
  return *(gboolean *) value;
}

/* Undo and redo also close and open the bar of the filter, and the timeline keeps the keyboard focus. */
static void
test_filter (void)
{
  start ();
  guint all = n_rows ();
  LoomRowFilter *filter = loom_timeline_view_get_row_filter (view ());
  gboolean whole = FALSE;
  gulong told =
    g_signal_connect (GTK_EDITABLE (gtk_widget_get_template_child (GTK_WIDGET (filter), LOOM_TYPE_ROW_FILTER, "entry")),
                      "search-changed", G_CALLBACK (filter_told), &whole);
  hands_type (GDK_KEY_Control_L, GDK_KEY_p);
  hands_type (0, GDK_KEY_l);
  hands_type (0, GDK_KEY_o);
  g_assert_true (fixture_wait (is_true, &whole));
  g_signal_handler_disconnect (
    GTK_EDITABLE (gtk_widget_get_template_child (GTK_WIDGET (filter), LOOM_TYPE_ROW_FILTER, "entry")), told);
  guint few = n_rows ();
  g_assert_cmpuint (few, <, all);
  gtk_widget_grab_focus (tracks ());
  undo ();
  g_assert_cmpuint (n_rows (), ==, all);
  g_assert_false (loom_row_filter_is_open (filter));
  redo ();
  g_assert_cmpuint (n_rows (), ==, few);
  g_assert_true (loom_row_filter_is_open (filter));
  g_assert_cmpstr (gtk_editable_get_text (
                     GTK_EDITABLE (gtk_widget_get_template_child (GTK_WIDGET (filter), LOOM_TYPE_ROW_FILTER, "entry"))),
                   ==, "lo");
  hands_type (0, GDK_KEY_2);
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, LOOM_DRAG_MODE_PAN);
  undo ();
}

/* Covers documented rows: ../README.md §keys/undo Ctrl+Z: marks | Ctrl+Z: pins | Ctrl+Shift+Z: marks | Ctrl+Shift+Z: pins */
static void
test_marks_and_pins (void)
{
  start ();
  loom_timeline_state_select_span (state (), span_of ("first", 0), FALSE);
  hands_type (GDK_KEY_Shift_L, GDK_KEY_m);
  pause_for (EDIT_MS);
  hands_type (GDK_KEY_Shift_L, GDK_KEY_t);
  g_assert_cmpuint (run_fixture_count_marks (state ()), ==, 1);
  g_assert_cmpuint (loom_row_list_get_n_pinned (outline ()), ==, 1);
  undo ();
  g_assert_cmpuint (loom_row_list_get_n_pinned (outline ()), ==, 0);
  g_assert_cmpuint (run_fixture_count_marks (state ()), ==, 1);
  undo ();
  g_assert_cmpuint (run_fixture_count_marks (state ()), ==, 0);
  redo ();
  redo ();
  g_assert_cmpuint (run_fixture_count_marks (state ()), ==, 1);
  g_assert_cmpuint (loom_row_list_get_n_pinned (outline ()), ==, 1);
  undo ();
  g_assert_cmpuint (loom_row_list_get_n_pinned (outline ()), ==, 0);
}

static gint64
offset_of_first (void)
{
  return loom_alignment_get (loom_timeline_get_alignment (loom_timeline_state_get_timeline (state ())), 0)
    ->user_offset_ns;
}

/* Covers documented rows: ../README.md §keys/undo Ctrl+Z: offsets | Ctrl+Shift+Z: offsets */
static void
test_offsets (void)
{
  start ();
  loom_timeline_state_select_span (state (), span_of ("send", 0), FALSE);
  hands_type (GDK_KEY_Control_L, GDK_KEY_Right);
  gint64 moved_ns = offset_of_first ();
  g_assert_cmpint (moved_ns, >, 0);
  undo ();
  g_assert_cmpint (offset_of_first (), ==, 0);
  redo ();
  g_assert_cmpint (offset_of_first (), ==, moved_ns);
  undo ();
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  loom_view_commands_set_clock (tell_time);
  g_test_add_func ("/app/undo/view", test_view);
  g_test_add_func ("/app/undo/history", test_history);
  g_test_add_func ("/app/undo/fold", test_fold);
  g_test_add_func ("/app/undo/filter", test_filter);
  g_test_add_func ("/app/undo/marks-and-pins", test_marks_and_pins);
  g_test_add_func ("/app/undo/offsets", test_offsets);
  return hands_run ();
}
