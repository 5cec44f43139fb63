/* SPDX-License-Identifier: Apache-2.0
 *
 * Every key of the timeline, as it comes from a keyboard, and the wheel and pinch where the pointer has to stay; those of the search have
 * a file of their own.
 */
#include "hands-run.h"

#include "loom-command-palette.h"

#include <math.h>

#define POINTER_PX 300
#define MOST_MOVES 20
#define TALL_PX 2000 /* a plot that no window shows all of */

static gint64
width_ns (void)
{
  LoomViewport now = fixture_view (the_window ());
  return loom_viewport_get_range_ns (&now);
}

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

/* A third of the run, from its second tenth. */
static void
zoom_in (void)
{
  LoomRange extent = loom_timeline_state_get_extent (state ());
  LoomViewport view = fixture_view (the_window ());
  gint64 length_ns = extent.end_ns - extent.begin_ns;
  view.begin_ns = extent.begin_ns + length_ns / 10;
  view.end_ns = view.begin_ns + length_ns / 3;
  loom_timeline_state_set_viewport (state (), &view);
}

static void
type (guint modifier, guint keyval)
{
  hands_type (modifier, keyval);
  rest ();
}

/* --- zoom and pan ---------------------------------------------------------------------------------------------------- */

/* What is under the pointer, before and after. */
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

/* rows: ../README.md §keys/zoom W | S | the instant under the pointer stays where it is */
static void
test_zoom (void)
{
  reset ();
  zoom_in ();
  gint64 time_ns = point_ns (), before = width_ns ();
  hold (GDK_KEY_w);
  gint64 near = width_ns ();
  g_assert_cmpint (near, <, before * 9 / 10);
  assert_kept (time_ns);
  hold (GDK_KEY_s);
  g_assert_cmpint (width_ns (), >, near * 11 / 10);
  assert_kept (time_ns);
}

/* rows: ../README.md §keys/zoom Ctrl+wheel | Alt+wheel | the instant under the pointer stays where it is */
static void
test_wheel_zoom (void)
{
  static const guint modifiers[] = { GDK_KEY_Control_L, GDK_KEY_Alt_L };
  for (guint i = 0; i < G_N_ELEMENTS (modifiers); i++) {
    reset ();
    zoom_in ();
    gint64 time_ns = point_ns (), before = width_ns ();
    hands_key (modifiers[i], TRUE);
    hands_click (4);
    hands_click (4);
    rest ();
    gint64 near = width_ns ();
    g_assert_cmpint (near, <, before * 9 / 10);
    assert_kept (time_ns);
    hands_click (5);
    hands_key (modifiers[i], FALSE);
    rest ();
    g_assert_cmpint (width_ns (), >, near);
    assert_kept (time_ns);
  }
}

/* No device of this kind can be made: the signal of its controller.
   rows: ../README.md §keys/zoom pinch | the instant under the pointer stays where it is */
static void
test_pinch (void)
{
  reset ();
  zoom_in ();
  gint64 time_ns = point_ns (), before = width_ns ();
  GtkEventController *pinch = fixture_controller (tracks (), GTK_TYPE_GESTURE_ZOOM);
  g_signal_emit_by_name (pinch, "begin", NULL);
  for (guint i = 1; i <= 10; i++)
    g_signal_emit_by_name (pinch, "scale-changed", 1 + i / 10.0); /* of the whole pinch, each time */
  g_assert_cmpint (ABS (width_ns () * 2 - before), <, before / 100);
  assert_kept (time_ns);
  g_signal_emit_by_name (pinch, "begin", NULL);
  g_signal_emit_by_name (pinch, "scale-changed", 0.5);
  g_assert_cmpint (ABS (width_ns () - before), <, before / 100);
  assert_kept (time_ns);
}

/* rows: ../README.md §keys/pan A | D */
static void
test_pan (void)
{
  reset ();
  zoom_in ();
  gint64 begin = begin_ns (), width = width_ns ();
  hold (GDK_KEY_d);
  gint64 later = begin_ns ();
  g_assert_cmpint (later, >, begin);
  hold (GDK_KEY_a);
  g_assert_cmpint (begin_ns (), <, later);
  g_assert_cmpint (ABS (width_ns () - width), <=, 2);
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

/* Over the tracks and over their names.
   rows: ../README.md §keys/vertical wheel */
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

/* rows: ../README.md §keys/vertical Page Up | Page Down | Home | End */
static void
test_pages (void)
{
  reset ();
  loom_undo_stack_clear (steps ());
  make_tall ();
  double height = fixture_view (the_window ()).height_px;
  type (0, GDK_KEY_Page_Down);
  double page = scrolled_px ();
  g_assert_cmpfloat (page, >, height / 2);
  g_assert_cmpfloat (page, <=, height);
  type (0, GDK_KEY_Page_Down);
  g_assert_cmpfloat (scrolled_px (), >, page);
  type (0, GDK_KEY_Page_Up);
  g_assert_cmpfloat (fabs (scrolled_px () - page), <, 1);
  type (0, GDK_KEY_End);
  g_assert_cmpfloat (fabs (scrolled_px () - (loom_row_list_get_height (outline ()) - height)), <, 1);
  type (0, GDK_KEY_Home);
  g_assert_cmpfloat (scrolled_px (), ==, 0);
  take_all_back ();
}

/* --- spans ----------------------------------------------------------------------------------------------------------- */

static void
assert_lead (const char *name, guint nth)
{
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state ()), span_of (name, nth)));
}

/* rows: ../README.md §keys/walk ← | → | , | . */
static void
test_walk (void)
{
  reset ();
  loom_timeline_state_select_span (state (), span_of ("tick", 1), FALSE);
  hands_type (0, GDK_KEY_Right);
  assert_lead ("tick", 2);
  hands_type (0, GDK_KEY_period);
  assert_lead ("tick", 3);
  hands_type (0, GDK_KEY_Left);
  assert_lead ("tick", 2);
  hands_type (0, GDK_KEY_comma);
  assert_lead ("tick", 1);
}

/* rows: ../README.md §keys/walk Tab moves the focus */
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

static gboolean
shows_all (void)
{
  return loom_timeline_state_is_fitted (state ());
}

/* rows: ../README.md §keys/span F | F again | 0 | Z */
static void
test_focus (void)
{
  static const guint resets[] = { GDK_KEY_0, GDK_KEY_z };
  reset ();
  LoomSpanId send = span_of ("send", 0);
  LoomRange range = range_of (send);
  loom_timeline_state_select_span (state (), send, FALSE);
  type (0, GDK_KEY_f);
  g_assert_cmpint (begin_ns (), <=, range.begin_ns);
  g_assert_cmpint (fixture_view (the_window ()).end_ns, >=, range.end_ns);
  g_assert_cmpint (width_ns (), <, 2 * (range.end_ns - range.begin_ns));
  type (0, GDK_KEY_f);
  g_assert_true (shows_all ());
  for (guint i = 0; i < G_N_ELEMENTS (resets); i++) {
    zoom_in ();
    g_assert_false (shows_all ());
    type (0, resets[i]);
    g_assert_true (shows_all ());
  }
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

/* At the pointer, and where a selection begins.
   rows: ../README.md §keys/mark M | Shift+M | Delete */
static void
test_marks (void)
{
  reset ();
  gint64 at_ns = point_ns (),
         near_ns = (gint64) (3 * loom_viewport_get_ns_per_px (loom_timeline_state_get_viewport (state ())));
  hands_type (0, GDK_KEY_m);
  g_assert_cmpint (ABS (marks (1)[0].time_ns - at_ns), <, near_ns);
  g_assert_true (marks (1)[0].temporary);
  loom_timeline_state_select_span (state (), span_of ("send", 0), FALSE);
  hands_type (0, GDK_KEY_m); /* the one before gives way */
  g_assert_cmpint (marks (1)[0].time_ns, ==, range_of (span_of ("send", 0)).begin_ns);
  loom_timeline_state_select_span (state (), span_of ("end", 0), FALSE);
  hands_type (GDK_KEY_Shift_L, GDK_KEY_m);
  g_assert_false (marks (2)[1].temporary);
  hands_type (0, GDK_KEY_Delete);
  g_assert_cmpint (marks (1)[0].time_ns, ==, range_of (span_of ("send", 0)).begin_ns);
  loom_timeline_state_select_range (state (), range_of (span_of ("end", 0)));
  hands_type (GDK_KEY_Shift_L, GDK_KEY_m); /* both ends of a range */
  g_assert_cmpint (marks (3)[2].time_ns - marks (3)[1].time_ns, ==,
                   range_of (span_of ("end", 0)).end_ns - range_of (span_of ("end", 0)).begin_ns);
  hands_type (0, GDK_KEY_m);
  loom_timeline_state_select_nothing (state ());
  hands_move (tracks (), x_of (marks (1)[0].time_ns), 100);
  hands_type (0, GDK_KEY_Delete);
  marks (0);
}

/* rows: ../README.md §keys/mark R */
static void
test_range (void)
{
  reset ();
  loom_timeline_state_select_span (state (), span_of ("tick", 1), FALSE);
  loom_timeline_state_select_span (state (), span_of ("send", 0), TRUE);
  hands_type (0, GDK_KEY_r);
  LoomRange range = loom_timeline_state_get_range (state ());
  g_assert_cmpint (range.begin_ns, ==, range_of (span_of ("tick", 1)).begin_ns);
  g_assert_cmpint (range.end_ns, ==, range_of (span_of ("send", 0)).end_ns);
  hands_type (0, GDK_KEY_Escape);
  g_assert_false (loom_timeline_state_get_selected_range (state (), &range));
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

/* What has the focus takes them, and nothing else happens. */
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

/* rows: ../README.md §keys/help no letter does anything while a text is typed */
static void
test_letters (void)
{
  reset ();
  hands_type (0, GDK_KEY_slash);
  assert_text (loom_search_bar_get_entry (search ()));
  hands_type (0, GDK_KEY_Escape);
  marks (0);
  reset ();
  hands_type (GDK_KEY_Control_L, GDK_KEY_p);
  assert_text (loom_row_filter_get_entry (loom_timeline_view_get_row_filter (view ())));
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
      return window; /* GTK holds it */
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

/* Nobody gives the focus back where there is no window manager. */
static void
assert_opens (GType type)
{
  g_assert_true (fixture_wait (is_shown, GSIZE_TO_POINTER (type)));
  gtk_window_close (find_window (type));
  g_assert_true (fixture_wait (is_hidden, GSIZE_TO_POINTER (type)));
  g_assert_true (hands_init (the_window ()));
}

/* rows: ../README.md §keys/help ? | Ctrl+? | Ctrl+Shift+P */
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

/* --- where the focus is elsewhere ------------------------------------------------------------------------------------ */

static GtkWidget *
table (void)
{
  return below (loom_panel_area_get_seen (loom_run_page_get_panels (loom_window_get_run_view (the_window ()))),
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

/* A table that has the focus keeps its keys until the pointer is moved over the timeline; it keeps the focus. */
static void
test_over_panel (void)
{
  reset ();
  gtk_stack_set_visible_child_name (
    loom_panel_area_get_stack (loom_run_page_get_panels (loom_window_get_run_view (the_window ()))), "events");
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
    hands_move (tracks (), POINTER_PX + i, 20); /* the table may move the focus to the row of the span meanwhile */
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

/* The divider between the timeline and the panel. */
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

/* Typing ends with a press beside the entry, on what takes no focus too. */
static void
test_after_divider (void)
{
  reset ();
  zoom_in ();
  hands_type (GDK_KEY_Control_L, GDK_KEY_f);
  hands_type (0, GDK_KEY_t);
  GtkEditable *entry = loom_search_bar_get_entry (search ());
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "t");
  hands_move (GTK_WIDGET (entry), 40, 8);
  hands_click (1);
  hands_type (0, GDK_KEY_i);
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "ti"); /* a press on the entry ends nothing */
  hands_drag (divider (), 1, POINTER_PX, 1, POINTER_PX, 30);
  hands_move (tracks (), POINTER_PX, 60);
  gint64 before = width_ns ();
  hold (GDK_KEY_w);
  g_assert_cmpstr (gtk_editable_get_text (entry), ==, "ti");
  g_assert_cmpint (width_ns (), <, before);
  loom_search_bar_set_open (search (), FALSE);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/keys/zoom", test_zoom);
  g_test_add_func ("/app/keys/wheel-zoom", test_wheel_zoom);
  g_test_add_func ("/app/keys/pinch", test_pinch);
  g_test_add_func ("/app/keys/pan", test_pan);
  g_test_add_func ("/app/keys/wheel", test_wheel);
  g_test_add_func ("/app/keys/pages", test_pages);
  g_test_add_func ("/app/keys/walk", test_walk);
  g_test_add_func ("/app/keys/tab", test_tab);
  g_test_add_func ("/app/keys/focus", test_focus);
  g_test_add_func ("/app/keys/marks", test_marks);
  g_test_add_func ("/app/keys/range", test_range);
  g_test_add_func ("/app/keys/letters", test_letters);
  g_test_add_func ("/app/keys/over-panel", test_over_panel);
  g_test_add_func ("/app/keys/after-divider", test_after_divider);
  g_test_add_func ("/app/keys/help", test_help);
  return hands_run ();
}
