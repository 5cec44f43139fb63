/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests every key of the timeline with a simulated keyboard, and wheel and pinch, which must keep the time under the
 * pointer. test-search-keys.c tests the keys of the search, test-query-keys.c
 * those of the query.
 */
#include "groups.h"
#include "hands-run.h"

#include "loom-command-palette.h"

#include <math.h>

#define POINTER_PX 300
#define MOST_MOVES 20
#define TALL_PX 2000 /* height of a plot that is larger than any window */

static gint64
begin_ns (void)
{
  return fixture_view (the_window ()).begin_ns;
}

static double
scrolled_px (void)
{
  return fixture_view (the_window ()).scroll_px;
}

/* --- zoom and pan ---------------------------------------------------------------------------------------------------- */

/* Returns the time under the pointer at POINTER_PX, to be compared later. */
static gint64
point_ns (void)
{
  hands_move (tracks (), POINTER_PX, 100);
  return loom_viewport_time (loom_timeline_state_get_viewport (state ()), POINTER_PX);
}

static void
assert_kept (gint64 time_ns)
{
  g_assert_cmpfloat (fabs (x_of (time_ns) - POINTER_PX), <, 2);
}

/* XTest cannot simulate a touchpad, so the test emits the signals of the gesture.
 * Covers documented rows: ../README.md §keys/zoom pinch | the time under the pointer keeps its position */
static void
test_pinch (void)
{
  reset ();
  zoom_in ();
  gint64 time_ns = point_ns (), before = width_ns ();
  GtkEventController *pinch = fixture_controller (tracks (), GTK_TYPE_GESTURE_ZOOM);
  g_signal_emit_by_name (pinch, "begin", NULL);
  for (guint i = 1; i <= 10; i++)
    g_signal_emit_by_name (pinch, "scale-changed", 1 + i / 10.0); /* the gesture reports the scale relative to the
                                                                   * beginning of the pinch */
  g_assert_cmpint (ABS (width_ns () * 2 - before), <, before / 100);
  assert_kept (time_ns);
  g_signal_emit_by_name (pinch, "begin", NULL);
  g_signal_emit_by_name (pinch, "scale-changed", 0.5);
  g_assert_cmpint (ABS (width_ns () - before), <, before / 100);
  assert_kept (time_ns);
}

/* --- up and down ----------------------------------------------------------------------------------------------------- */

static void
make_tall (void)
{
  guint row = first_row (LOOM_ROW_COUNTER);
  g_autofree char *key = g_strdup (loom_row_list_get_row (outline (), row)->key);
  loom_row_list_set_row_height (outline (), key, TALL_PX);
  loom_timeline_state_rows_changed (state ());
}

/* The wheel scrolls over the tracks and over their headers.
 * Covers documented rows: ../README.md §keys/vertical wheel */
static void
test_wheel (void)
{
  GtkWidget *const areas[] = { tracks (), headers () };
  for (guint i = 0; i < G_N_ELEMENTS (areas); i++) {
    reset ();
    loom_undo_stack_clear (steps ());
    make_tall ();
    hands_move (areas[i], 60, 60);
    gint64 begin = begin_ns (), width = width_ns ();
    hands_click (5);
    hands_click (5);
    rest ();
    double down = scrolled_px ();
    g_assert_cmpfloat (down, >, 0);
    hands_click (4);
    rest ();
    g_assert_cmpfloat (scrolled_px (), <, down);
    g_assert_cmpint (begin_ns (), ==, begin);
    g_assert_cmpint (width_ns (), ==, width);
    take_all_back ();
  }
}

/* --- spans ----------------------------------------------------------------------------------------------------------- */

static void
assert_lead (const char *name, guint nth)
{
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state ()), span_of (name, nth)));
}

/* Covers documented rows: ../README.md §keys/walk Tab moves the focus */
static void
test_tab (void)
{
  reset ();
  loom_timeline_state_select_span (state (), span_of ("tick", 1), FALSE);
  hands_type (0, GDK_KEY_Tab);
  g_assert_false (gtk_widget_has_focus (tracks ()));
  assert_lead ("tick", 1);
  hands_type (GDK_KEY_Shift_L, GDK_KEY_Tab);
  g_assert_true (gtk_widget_has_focus (tracks ()));
  assert_lead ("tick", 1);
}

/* --- marks ----------------------------------------------------------------------------------------------------------- */

static const LoomMarker *
marks (guint wanted)
{
  guint n;
  const LoomMarker *all = loom_timeline_state_get_marks (state (), &n);
  g_assert_cmpuint (n, ==, wanted);
  return all;
}

/* --- every key ------------------------------------------------------------------------------------------------------ */

static void
assert_narrower (gint64 *width)
{
  gint64 now = width_ns ();
  g_assert_cmpint (now, <, *width);
  *width = now;
}

static gint64
pointer_ns (void)
{
  return loom_timeline_state_get_pointer (state ())->time_ns;
}

static gint64
n_marks (void)
{
  return run_fixture_count_marks (state ());
}

static gint64
n_pinned (void)
{
  return loom_row_list_get_n_pinned (outline ());
}

static gint64
lead (void)
{
  return loom_timeline_state_get_lead (state ()).span;
}

static gint64
range_end_ns (void)
{
  return loom_timeline_state_get_range (state ()).end_ns;
}

static gint64
scroll (void)
{
  return (gint64) scrolled_px ();
}

static void
type (guint modifier, guint keyval)
{
  hands_type (modifier, keyval);
  rest ();
}

/* Asserts that the range is inside the view and fills at least half of its width. */
static void
assert_near (LoomRange range)
{
  LoomViewport now = fixture_view (the_window ());
  g_assert_cmpint (now.begin_ns, <=, range.begin_ns);
  g_assert_cmpint (now.end_ns, >=, range.end_ns);
  g_assert_cmpint (width_ns (), <, 2 * (range.end_ns - range.begin_ns));
}

/* F zooms to the selected span and back, 0 and Z show the whole run, Alt+arrows move through the history of views. */
static void
check_focus (void)
{
  LoomRange range = range_of (span_of ("send", 0));
  loom_timeline_state_select_span (state (), span_of ("send", 0), FALSE);
  type (0, GDK_KEY_f);
  assert_near (range);
  type (0, GDK_KEY_f);
  g_assert_true (loom_timeline_state_is_fitted (state ()));
  type (GDK_KEY_Alt_L, GDK_KEY_Left);
  assert_near (range);
  type (GDK_KEY_Alt_L, GDK_KEY_Right);
  g_assert_true (loom_timeline_state_is_fitted (state ()));
  zoom_in ();
  type (0, GDK_KEY_0);
  g_assert_true (loom_timeline_state_is_fitted (state ()));
  zoom_in ();
  type (0, GDK_KEY_z);
  g_assert_true (loom_timeline_state_is_fitted (state ()));
}

/* For each key of a command: a figure that the key changes, and, for most of them, another key that changes the figure
 * back. */
static const struct {
  guint modifier, keyval;
  gint64 (*figure) (void);
} commands[] = {
  { 0, GDK_KEY_Right, lead },
  { 0, GDK_KEY_period, lead },
  { 0, GDK_KEY_Left, lead },
  { 0, GDK_KEY_comma, lead },
  { GDK_KEY_Shift_L, GDK_KEY_Right, pointer_ns },
  { GDK_KEY_Shift_L, GDK_KEY_Left, pointer_ns },
  { 0, GDK_KEY_m, n_marks },
  { GDK_KEY_Shift_L, GDK_KEY_t, n_pinned },
  { GDK_KEY_Shift_L, GDK_KEY_t, n_pinned },
  { 0, GDK_KEY_r, range_end_ns },
  { GDK_KEY_Control_L, GDK_KEY_a, range_end_ns },
  { 0, GDK_KEY_Escape, range_end_ns },
  { 0, GDK_KEY_Page_Up, scroll }, /* first, because the selected span is in the last rows */
  { 0, GDK_KEY_Page_Down, scroll },
  { 0, GDK_KEY_Home, scroll },
  { 0, GDK_KEY_End, scroll },
};

/* These keys run their commands; tests/core/test-timeline-commands.c and tests/core/test-search.c test what the
 * commands do.
 * Covers documented rows: ../README.md §keys/vertical Page Up | Page Down | Home | End
 * Covers documented rows: ../README.md §keys/walk ← | → | , | .
 * Covers documented rows: ../README.md §keys/span F | F again | 0 | Z
 * Covers documented rows: ../README.md §keys/flows [ | ] | Ctrl+[ | Ctrl+]
 * Covers documented rows: ../README.md §keys/mark M | Shift+M | Delete
 * Covers documented rows: ../README.md §keys/mark R
 * Covers documented rows: ../README.md §keys/select Ctrl+A | Ctrl+A selects the spans of the visible rows
 * Covers documented rows: ../README.md §keys/rows Shift+T pins */
static void
test_commands (void)
{
  reset ();
  loom_undo_stack_clear (steps ());
  make_tall ();
  hands_move (tracks (), POINTER_PX, 100);
  check_focus ();
  loom_timeline_state_select_span (state (), span_of ("tick", 1), FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++) {
    gint64 before = commands[i].figure ();
    type (commands[i].modifier, commands[i].keyval);
    if (commands[i].figure () == before)
      g_error ("key %u (%s) changed nothing", i, gdk_keyval_name (commands[i].keyval));
  }
  hands_move (tracks (), POINTER_PX + 20, 100); /* places the time cursor under the pointer again */
  loom_timeline_state_remove_marks (state (),
                                    /* Delete removes all marks near the cursor */
                                    loom_timeline_state_get_extent (state ()));
  loom_timeline_state_select_span (state (), span_of ("send", 0), FALSE);
  gint64 before = run_fixture_count_marks (state ());
  hands_type (GDK_KEY_Shift_L, GDK_KEY_m);
  g_assert_cmpint (run_fixture_count_marks (state ()), ==, before + 1);
  hands_type (0, GDK_KEY_Delete);
  g_assert_cmpint (run_fixture_count_marks (state ()), ==, before);
  hands_type (0, GDK_KEY_bracketright);
  g_assert_cmpint (lead (), ==, span_of ("first", 0).span);
  hands_type (GDK_KEY_Control_L, GDK_KEY_bracketright);
  g_assert_cmpint (lead (), ==, span_of ("second", 0).span);
  hands_type (GDK_KEY_Control_L, GDK_KEY_bracketleft);
  g_assert_cmpint (lead (), ==, span_of ("first", 0).span);
  hands_type (0, GDK_KEY_bracketleft);
  g_assert_cmpint (lead (), ==, span_of ("send", 0).span);
  take_all_back ();
}

/* Held keys zoom around the pointer, and so does the wheel with Ctrl or Alt.
 * Covers documented rows: ../README.md §keys/zoom W | S | Ctrl+wheel | Alt+wheel
 * Covers documented rows: ../README.md §keys/pan A | D */
static void
test_about_pointer (void)
{
  static const guint modifiers[] = { GDK_KEY_Control_L, GDK_KEY_Alt_L };
  reset ();
  zoom_in ();
  gint64 time_ns = point_ns (), width = width_ns (), begin;
  hold (GDK_KEY_w);
  assert_narrower (&width);
  assert_kept (time_ns);
  for (guint i = 0; i < G_N_ELEMENTS (modifiers); i++) {
    hands_key (modifiers[i], TRUE);
    hands_click (4);
    hands_click (4);
    rest ();
    assert_narrower (&width);
    assert_kept (time_ns);
    hands_click (5);
    hands_key (modifiers[i], FALSE);
    rest ();
    g_assert_cmpint (width_ns (), >, width);
    assert_kept (time_ns);
    width = width_ns ();
  }
  hold (GDK_KEY_s);
  g_assert_cmpint (width_ns (), >, width);
  assert_kept (time_ns);
  begin = begin_ns ();
  hold (GDK_KEY_d);
  g_assert_cmpint (begin_ns (), >, begin);
  begin = begin_ns ();
  hold (GDK_KEY_a);
  g_assert_cmpint (begin_ns (), <, begin);
}

/* --- key events that this keyboard layout cannot send --- */

enum { CODE_W = 25 };

/* Ctrl+W must not zoom. */
static void
check_control (void)
{
  reset ();
  g_assert_false (fixture_press (the_window (), GDK_KEY_w, CODE_W, GDK_CONTROL_MASK));
  g_assert_true (loom_timeline_state_is_fitted (state ()));
}

/* The keys for zooming are recognized by their positions. On AZERTY, the key in the position of W types z; it must
 * zoom, although the letter z resets the view on other layouts. */
static void
test_positions (void)
{
  static const guint keyvals[] = { GDK_KEY_z, GDK_KEY_Cyrillic_tse };
  for (guint i = 0; i < G_N_ELEMENTS (keyvals); i++) {
    reset ();
    gint64 all = width_ns ();
    g_assert_true (fixture_type (the_window (), keyvals[i], CODE_W, 0));
    rest ();
    g_assert_cmpint (width_ns (), <, all);
  }
  check_control ();
}

static void
set_animations (gboolean on)
{
  g_object_set (gtk_widget_get_settings (GTK_WIDGET (the_window ())), "gtk-enable-animations", on, NULL);
}

static void
test_reduced_motion (void)
{
  reset ();
  set_animations (FALSE);
  gint64 before = width_ns ();
  fixture_press (the_window (), GDK_KEY_w, CODE_W, 0);
  gint64 after = width_ns (); /* the first press zooms at once, before a frame is drawn */
  fixture_release (the_window (), GDK_KEY_w, CODE_W, 0);
  fixture_frames (the_window ());
  rest ();
  g_assert_cmpint (after, <, before);
  g_assert_cmpint (width_ns (), ==, after);
  set_animations (TRUE);
}

/* --- text entries ---------------------------------------------------------------------------------------------------- */

static const guint letters[] = { GDK_KEY_w,
                                 GDK_KEY_s,
                                 GDK_KEY_a,
                                 GDK_KEY_d,
                                 GDK_KEY_f,
                                 GDK_KEY_z,
                                 GDK_KEY_0,
                                 GDK_KEY_1,
                                 GDK_KEY_2,
                                 GDK_KEY_3,
                                 GDK_KEY_4,
                                 GDK_KEY_m,
                                 GDK_KEY_r,
                                 GDK_KEY_comma,
                                 GDK_KEY_period,
                                 GDK_KEY_bracketleft,
                                 GDK_KEY_bracketright,
                                 GDK_KEY_slash };

/* The focused entry receives the letters, and the view does not change. */
static void
assert_text (GtkEditable *entry)
{
  LoomViewport before = fixture_view (the_window ());
  LoomDragMode mode = loom_timeline_view_get_mode (view ());
  hands_type (GDK_KEY_Control_L, GDK_KEY_a);
  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    hands_type (0, letters[i]);
  hands_type (GDK_KEY_Shift_L, GDK_KEY_m);
  hands_type (GDK_KEY_Shift_L, GDK_KEY_t);
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "wsadfz01234mr,.[]/MT");
  rest ();
  LoomViewport after = fixture_view (the_window ());
  g_assert_cmpint (after.begin_ns, ==, before.begin_ns);
  g_assert_cmpint (after.end_ns, ==, before.end_ns);
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, mode);
}

/* Covers documented rows: ../README.md §keys/help letters are not shortcuts while the user types text */
static void
test_letters (void)
{
  reset ();
  hands_type (0, GDK_KEY_slash);
  assert_text (GTK_EDITABLE (gtk_widget_get_template_child (search (), LOOM_TYPE_SEARCH_BAR, "entry")));
  hands_type (0, GDK_KEY_Escape);
  marks (0);
  reset ();
  hands_type (GDK_KEY_Control_L, GDK_KEY_p);
  assert_text (GTK_EDITABLE (gtk_widget_get_template_child (GTK_WIDGET (loom_timeline_view_get_row_filter (view ())),
                                                            LOOM_TYPE_ROW_FILTER, "entry")));
  hands_type (0, GDK_KEY_Escape);
  marks (0);
}

/* --- help ------------------------------------------------------------------------------------------------------------ */

static GtkWindow *
find_window (GType type)
{
  GListModel *all = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (all, i);
    if (g_type_is_a (G_OBJECT_TYPE (window), type) && gtk_widget_get_visible (GTK_WIDGET (window)))
      return window; /* borrowed: GTK owns the window */
  }
  return NULL;
}

static gboolean
is_shown (gpointer type)
{
  return find_window (GPOINTER_TO_SIZE (type)) != NULL;
}

static gboolean
is_hidden (gpointer type)
{
  return !is_shown (type);
}

/* Waits until a window of the class is shown, and closes it. Then restores the input focus, because the X server of the
 * test has no window manager to do so. */
static void
assert_opens (GType type)
{
  g_assert_true (fixture_wait (is_shown, GSIZE_TO_POINTER (type)));
  gtk_window_close (find_window (type));
  g_assert_true (fixture_wait (is_hidden, GSIZE_TO_POINTER (type)));
  g_assert_true (hands_init (the_window ()));
}

/* Opens the window of shortcuts and the command palette by their keys.
 * Covers documented rows: ../README.md §keys/help ? | Ctrl+? | Ctrl+Shift+P */
static void
test_help (void)
{
  reset ();
  hands_type (GDK_KEY_Shift_L, GDK_KEY_question);
  assert_opens (GTK_TYPE_SHORTCUTS_WINDOW);
  reset ();
  hands_key (GDK_KEY_Control_L, TRUE);
  hands_type (GDK_KEY_Shift_L, GDK_KEY_question);
  hands_key (GDK_KEY_Control_L, FALSE);
  assert_opens (GTK_TYPE_SHORTCUTS_WINDOW);
  reset ();
  hands_key (GDK_KEY_Control_L, TRUE);
  hands_type (GDK_KEY_Shift_L, GDK_KEY_p);
  hands_key (GDK_KEY_Control_L, FALSE);
  assert_opens (LOOM_TYPE_COMMAND_PALETTE);
}

/* --- focus outside of the timeline --- */

static GtkWidget *
table (void)
{
  return below (loom_run_views_get_seen (loom_run_page_get_panels (loom_window_get_run_view (the_window ()))),
                "columnview");
}

static gboolean
has_rows (gpointer unused)
{
  GtkSelectionModel *model = table () != NULL ? gtk_column_view_get_model (GTK_COLUMN_VIEW (table ())) : NULL;
  return model != NULL && g_list_model_get_n_items (G_LIST_MODEL (model)) > 0;
}

static GtkWidget *
focus (void)
{
  return gtk_window_get_focus (GTK_WINDOW (the_window ()));
}

/* A focused table receives the keys until the pointer moves over the timeline. Then the keys control the timeline, but
 * the table keeps the input focus. */
static void
test_over_panel (void)
{
  reset ();
  loom_search_state_set_open (search_state (), TRUE);
  loom_search_state_ask (search_state (), "tick", FALSE);
  loom_run_state_set_page (loom_window_get_run_state (the_window ()), "found");
  g_assert_true (fixture_wait (has_rows, NULL));
  fixture_frames (the_window ());
  hands_move (table (), 60, 60);
  gtk_widget_grab_focus (table ());
  g_assert_true (gtk_widget_is_ancestor (focus (), table ()));
  rest ();
  loom_timeline_state_select_span (state (), span_of ("tick", 0), FALSE);
  hands_type (0, GDK_KEY_Right);
  rest ();
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state ()), span_of ("tick", 0)));
  for (guint i = 0;
       i < MOST_MOVES && loom_timeline_span_id_equal (loom_timeline_state_get_lead (state ()), span_of ("tick", 0));
       i++) {
    /* moves the pointer and presses the key several times, because the table may move the focus to its selected row in
     * between */
    hands_move (tracks (), POINTER_PX + i, 20);
    hands_type (0, GDK_KEY_Right);
    rest ();
  }
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state ()), span_of ("tick", 1)));
  g_assert_true (gtk_widget_is_ancestor (focus (), table ()));
  zoom_in ();
  gint64 before = width_ns ();
  hold (GDK_KEY_w);
  g_assert_cmpint (width_ns (), <, before);
}

/* Returns the divider between the timeline and the panel. */
static GtkWidget *
divider (void)
{
  GtkWidget *paned = gtk_widget_get_ancestor (
    GTK_WIDGET (loom_run_page_get_panels (loom_window_get_run_view (the_window ()))), GTK_TYPE_PANED);
  for (GtkWidget *child = gtk_widget_get_first_child (paned); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (g_str_equal (gtk_widget_get_css_name (child), "separator"))
      return child;
  g_assert_not_reached ();
}

/* A press outside of the search entry ends typing, even on a widget that takes no focus. */
static void
test_after_divider (void)
{
  reset ();
  zoom_in ();
  hands_type (GDK_KEY_Control_L, GDK_KEY_f);
  hands_type (0, GDK_KEY_t);
  GtkEditable *entry = GTK_EDITABLE (gtk_widget_get_template_child (search (), LOOM_TYPE_SEARCH_BAR, "entry"));
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "t");
  hands_move (GTK_WIDGET (entry), 40, 8);
  hands_click (1);
  hands_type (0, GDK_KEY_i);
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "ti"); /* a press on the entry itself does not end typing */
  hands_drag (divider (), 1, POINTER_PX, 1, POINTER_PX, 30);
  hands_move (tracks (), POINTER_PX, 60);
  gint64 before = width_ns ();
  hold (GDK_KEY_w);
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "ti");
  g_assert_cmpint (width_ns (), <, before);
  loom_search_state_set_open (search_state (), FALSE);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/keys/commands", test_commands);
  g_test_add_func ("/app/keys/about-pointer", test_about_pointer);
  g_test_add_func ("/app/keys/positions", test_positions);
  g_test_add_func ("/app/keys/reduced-motion", test_reduced_motion);
  g_test_add_func ("/app/keys/pinch", test_pinch);
  g_test_add_func ("/app/keys/wheel", test_wheel);
  g_test_add_func ("/app/keys/tab", test_tab);
  g_test_add_func ("/app/keys/letters", test_letters);
  g_test_add_func ("/app/keys/over-panel", test_over_panel);
  g_test_add_func ("/app/keys/after-divider", test_after_divider);
  g_test_add_func ("/app/keys/help", test_help);
  groups_add_search_keys ();
  groups_add_query_keys ();
  return hands_run ();
}
