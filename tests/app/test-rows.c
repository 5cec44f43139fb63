/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests rows and marks of the timeline with simulated input: pinning, filtering, ordering and resizing rows, and notes
 * of marks.
 */
#include "groups.h"
#include "hands-run.h"
#include "loom-track-headers.h"

#include <math.h>

/* --- rows --------------------------------------------------------------------------------------------------------- */

static gboolean
has_rows (gpointer n)
{
  return n_rows () == GPOINTER_TO_UINT (n);
}

static gboolean
has_some_rows (gpointer all)
{
  return n_rows () > 0 && n_rows () < GPOINTER_TO_UINT (all);
}

static gboolean
has_fewer_rows (gpointer n)
{
  return n_rows () < GPOINTER_TO_UINT (n);
}

/* Covers documented rows: ../README.md §keys/rows Ctrl+P filters */
static void
test_filter (void)
{
  reset ();
  guint all = n_rows ();
  LoomRowFilter *filter = loom_timeline_view_get_row_filter (view ());
  hands_type (GDK_KEY_Control_L, GDK_KEY_p);
  g_assert_true (loom_row_filter_is_open (filter));
  hands_type (0, GDK_KEY_x);
  g_assert_cmpstr (gtk_editable_get_text (
                     GTK_EDITABLE (gtk_widget_get_template_child (GTK_WIDGET (filter), LOOM_TYPE_ROW_FILTER, "entry"))),
                   ==, "x");
  g_assert_true (fixture_wait (has_rows, GUINT_TO_POINTER (0)));
  gtk_editable_set_text (
    GTK_EDITABLE (gtk_widget_get_template_child (GTK_WIDGET (filter), LOOM_TYPE_ROW_FILTER, "entry")), "LOAD");
  g_assert_true (fixture_wait (has_some_rows, GUINT_TO_POINTER (all)));
  hands_type (0, GDK_KEY_Escape);
  g_assert_false (loom_row_filter_is_open (filter));
  g_assert_cmpuint (n_rows (), ==, all);
  hands_type (0, GDK_KEY_2); /* the tracks have the focus again */
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, LOOM_DRAG_MODE_PAN);
}

/* Covers documented rows: ../README.md §keys/rows hide */
static void
test_hide (void)
{
  reset ();
  guint all = n_rows (), row = row_of (span_of ("second", 0));
  hands_move (headers (), 80, top_of (row) + 8);
  hands_click (3);
  g_assert_true (fixture_wait (has_menu, NULL));
  hands_type (0, GDK_KEY_h);
  g_assert_true (fixture_wait (has_fewer_rows, GUINT_TO_POINTER (all)));
  g_assert_cmpuint (row_of (span_of ("second", 0)), ==, G_MAXUINT);
  g_assert_cmpuint (n_rows (), ==, all - 1);
  gtk_widget_activate_action (GTK_WIDGET (view ()), "row.show-all", NULL);
  g_assert_cmpuint (n_rows (), ==, all);
}

static gboolean
has_no_menu (gpointer unused)
{
  return !has_menu (NULL);
}

static void
menu_on (LoomSpanId span)
{
  rest ();
  point_at (span);
  hands_click (3);
  g_assert_true (fixture_wait (has_menu, NULL));
}

static gboolean
has_range (gpointer wanted)
{
  LoomRange range = loom_timeline_state_get_range (state ());
  return range.begin_ns == ((LoomRange *) wanted)->begin_ns && range.end_ns == ((LoomRange *) wanted)->end_ns;
}

static gboolean
selects (gpointer n)
{
  guint n_selected;
  loom_timeline_state_get_selected (state (), &n_selected);
  return n_selected == GPOINTER_TO_UINT (n);
}

static gboolean
is_lead (gpointer span)
{
  return loom_timeline_span_id_equal (loom_timeline_state_get_lead (state ()), *(LoomSpanId *) span);
}

static gboolean
is_narrow (gpointer width)
{
  return width_ns () < *(gint64 *) width / 4;
}

/* A secondary click on a span selects it and opens its menu. */
static void
test_span_menu (void)
{
  reset ();
  LoomSpanId span = span_of ("tick", 1), flow = span_of ("send", 0), target = LOOM_SPAN_ID_NONE;
  LoomRange range = range_of (span);
  gint64 width = width_ns ();
  menu_on (span);
  g_assert_true (is_lead (&span));
  hands_type (0, GDK_KEY_r);
  g_assert_true (fixture_wait (has_range, &range));
  menu_on (span);
  hands_type (0, GDK_KEY_a);
  g_assert_true (fixture_wait (selects, GUINT_TO_POINTER (5)));
  menu_on (span); /* the span is already selected, so its menu keeps the other selected spans */
  g_assert_true (selects (GUINT_TO_POINTER (5)));
  hands_type (0, GDK_KEY_z);
  g_assert_true (fixture_wait (is_narrow, &width));
  reset ();
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  loom_flow_lines_next (loom_timeline_state_get_timeline (state ()), flow, TRUE, found);
  g_assert_cmpuint (found->len, >, 0);
  target = g_array_index (found, LoomSpanId, 0);
  menu_on (flow);
  hands_type (0, GDK_KEY_f);
  g_assert_true (fixture_wait (is_lead, &target));
}

/* The menu key opens the menu of the selected span, wherever the pointer is. */
static void
test_span_menu_by_key (void)
{
  reset ();
  LoomSpanId span = span_of ("tick", 2);
  LoomRange range = range_of (span);
  hands_move (tracks (), 2, 2);
  hands_type (GDK_KEY_Shift_L, GDK_KEY_F10);
  g_assert_false (has_menu (NULL)); /* nothing is selected */
  loom_timeline_state_select_span (state (), span, FALSE);
  hands_type (GDK_KEY_Shift_L, GDK_KEY_F10);
  g_assert_true (fixture_wait (has_menu, NULL));
  hands_type (0, GDK_KEY_r);
  g_assert_true (fixture_wait (has_range, &range));
  loom_timeline_state_select_span (state (), span, FALSE);
  hands_type (0, GDK_KEY_Menu);
  g_assert_true (fixture_wait (has_menu, NULL));
  hands_type (0, GDK_KEY_Escape);
  g_assert_true (fixture_wait (has_no_menu, NULL));
}

static gboolean
has_tip (GtkWidget *widget, double y)
{
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shows;
  g_signal_emit_by_name (widget, "query-tooltip", 80, (int) y, FALSE, tooltip, &shows);
  return shows;
}

/* While a menu is open, no tooltip appears over the menu. */
static void
test_menu_without_tip (void)
{
  reset ();
  double y = top_of (row_of (span_of ("second", 0))) + 8;
  g_assert_true (has_tip (headers (), y));
  hands_move (headers (), 80, y);
  hands_click (3);
  g_assert_true (fixture_wait (has_menu, NULL));
  g_assert_false (has_tip (headers (), y));
  hands_type (0, GDK_KEY_Escape);
  g_assert_true (fixture_wait (has_no_menu, NULL));
  g_assert_true (has_tip (headers (), y));
}

/* Covers documented rows: ../README.md §keys/rows height of plots by drag */
static void
test_plot_height (void)
{
  reset ();
  guint row = first_row (LOOM_ROW_COUNTER);
  double height = loom_row_list_get_row (outline (), row)->height, bottom = top_of (row) + height;
  hands_drag (headers (), 1, 60, bottom - 1, 60, bottom + 31);
  g_assert_cmpfloat (fabs (loom_row_list_get_row (outline (), row)->height - height - 32), <, 2);
  bottom = top_of (row) + loom_row_list_get_row (outline (), row)->height;
  hands_drag (headers (), 1, 60, bottom + 1, 60, bottom - 15); /* dragging one pixel below the edge must also move the
                                                                * edge */
  g_assert_cmpfloat (fabs (loom_row_list_get_row (outline (), row)->height - height - 16), <, 2);
  g_assert_cmpuint (loom_track_headers_get_focus_row (LOOM_TRACK_HEADERS (headers ())), ==, row);
}

/* Dragging moves thread 3 before thread 1.
 * Covers documented rows: ../README.md §keys/rows reorder by drag */
static void
test_order (void)
{
  reset ();
  guint third = row_of (span_of ("second", 0)), first = row_of (span_of ("send", 0));
  g_assert_cmpuint (first, <, third);
  hands_drag (headers (), 1, 80, top_of (third) + 8, 80, top_of (first) + 2);
  g_assert_cmpuint (row_of (span_of ("second", 0)), <, row_of (span_of ("send", 0)));
  hands_move (headers (), 80, top_of (row_of (span_of ("second", 0))) + 8);
}

/* Clicking the header of a group folds it if the button is released where it was pressed.
 * Covers documented rows: ../README.md §keys/rows fold */
static void
test_fold (void)
{
  reset ();
  guint all = n_rows (), group = 0;
  while (loom_row_list_get_row (outline (), group)->kind != LOOM_ROW_GROUP)
    group++;
  hands_move (headers (), 80, top_of (group) + 8);
  hands_click (1);
  g_assert_cmpuint (n_rows (), <, all);
  fixture_spin (DOUBLE_CLICK_MS);
  hands_click (1);
  g_assert_cmpuint (n_rows (), ==, all);
  fixture_spin (DOUBLE_CLICK_MS);
  hands_tap (1);
  g_assert_cmpuint (n_rows (), <, all);
  fixture_spin (DOUBLE_CLICK_MS);
  hands_tap (1);
  g_assert_cmpuint (n_rows (), ==, all);
}

/* Clicking the lane of a folded group selects the span that covers most of that pixel. A double click or Return unfolds
 * the group without moving it.
 * Covers documented rows: ../README.md §keys/rows unfold a lane
 * Covers documented rows: ../README.md §keys/rows E */
static void
test_lane (void)
{
  reset ();
  LoomSpanId send = span_of ("send", 0);
  double x = x_of (range_of (send).begin_ns) + 2;
  guint all = n_rows (), group = first_row (LOOM_ROW_GROUP);
  g_autofree char *key = g_strdup (loom_row_list_get_row (outline (), group)->key);
  loom_row_list_set_folded (outline (), key, TRUE);
  loom_timeline_state_rows_changed (state ());
  g_assert_cmpuint (n_rows (), <, all);
  fixture_spin (DOUBLE_CLICK_MS);
  double top = top_of (group);
  hands_move (tracks (), x, top + 8);
  hands_click (1);
  g_assert_false (loom_timeline_span_id_is_none (loom_timeline_state_get_lead (state ())));
  g_assert_cmpuint (n_rows (), <, all);
  fixture_spin (DOUBLE_CLICK_MS);
  hands_double_click (1);
  g_assert_cmpuint (n_rows (), ==, all);
  g_assert_cmpuint (row_of (loom_timeline_state_get_lead (state ())), >, group);
  g_assert_cmpfloat (top_of (group), ==, top);
  loom_row_list_set_folded (outline (), key, TRUE);
  loom_timeline_state_rows_changed (state ());
  fixture_spin (DOUBLE_CLICK_MS);
  hands_move (tracks (), x + 1, top + 9);
  hands_type (0, GDK_KEY_Return);
  g_assert_cmpuint (n_rows (), ==, all);
  hands_type (0, GDK_KEY_e);
  g_assert_cmpuint (n_rows (), <, all);
  hands_type (0, GDK_KEY_e);
  g_assert_cmpuint (n_rows (), ==, all);
}

static void
scroll_to (double scroll_px)
{
  LoomViewport viewport = *loom_timeline_state_get_viewport (state ());
  viewport.scroll_px = scroll_px;
  loom_timeline_state_set_viewport (state (), &viewport);
  gtk_widget_grab_focus (tracks ());
  fixture_frames (the_window ());
}

/* Sets the height of the first plot to `plot_px`, and scrolls to the end of the rows. Returns that scroll position in
 * px. */
static double
scroll_to_end (double plot_px)
{
  g_autofree char *plot = g_strdup (loom_row_list_get_row (outline (), first_row (LOOM_ROW_COUNTER))->key);
  loom_row_list_set_row_height (outline (), plot, plot_px);
  loom_timeline_state_rows_changed (state ());
  double room = gtk_widget_get_height (headers ()), end = MAX (loom_row_list_get_height (outline ()) - room, 0);
  scroll_to (end);
  return end;
}

static void
click_header_of (guint row)
{
  hands_move (headers (), 80, top_of (row) + 8);
  fixture_spin (DOUBLE_CLICK_MS);
  hands_click (1);
  rest ();
}

static void
assert_focus_in_view (double scroll_px)
{
  guint row = loom_track_headers_get_focus_row (LOOM_TRACK_HEADERS (headers ()));
  g_assert_cmpfloat (loom_timeline_state_get_viewport (state ())->scroll_px, ==, scroll_px);
  g_assert_cmpuint (row, !=, G_MAXUINT);
  g_assert_cmpfloat (top_of (row), <, gtk_widget_get_height (headers ()));
  g_assert_cmpfloat (top_of (row) + loom_row_list_get_row (outline (), row)->height, >, 0);
}

/* Clicking must not scroll the rows while no row has the focus, neither at first nor after the
 * focused row was hidden. */
static void
test_click_keeps_place (void)
{
  reset ();
  g_assert_cmpuint (loom_track_headers_get_focus_row (LOOM_TRACK_HEADERS (headers ())), ==, G_MAXUINT);
  guint second = row_of (span_of ("second", 0)), all = n_rows ();
  double plot_px = loom_row_list_get_row (outline (), first_row (LOOM_ROW_COUNTER))->height, end = scroll_to_end (2000);
  g_assert_cmpfloat (end, >, 100);
  click_header_of (second);
  assert_focus_in_view (end);
  g_assert_cmpuint (loom_track_headers_get_focus_row (LOOM_TRACK_HEADERS (headers ())), ==, second);
  g_autofree char *key = g_strdup (loom_row_list_get_row (outline (), second)->key);
  loom_row_list_set_hidden (outline (), key, TRUE);
  loom_timeline_state_rows_changed (state ());
  end = scroll_to_end (2000);
  gtk_widget_grab_focus (headers ());
  rest ();
  assert_focus_in_view (end);
  gtk_widget_activate_action (GTK_WIDGET (view ()), "row.show-all", NULL);
  g_assert_cmpuint (n_rows (), ==, all);
  scroll_to_end (plot_px);
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

static gboolean
is_writing (gpointer data)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (the_window ()));
  return focus != NULL && GTK_IS_EDITABLE (focus);
}

static void
write_note (guint letter)
{
  g_assert_true (fixture_wait (is_writing, NULL));
  hands_type (GDK_KEY_Control_L, GDK_KEY_a);
  hands_type (0, letter);
  hands_type (0, GDK_KEY_Return);
}

static const char *
note (void)
{
  guint n;
  const LoomMarker *marks = loom_timeline_state_get_marks (state (), &n);
  g_assert_cmpuint (n, ==, 1);
  return marks[0].label;
}

/* Covers documented rows: ../README.md §keys/mark notes */
static void
test_note (void)
{
  reset ();
  LoomRange end = range_of (span_of ("end", 0));
  gint64 empty_ns = end.begin_ns - 100000;
  loom_timeline_state_toggle_mark (state (), empty_ns, FALSE);
  hands_move (tracks (), x_of (empty_ns), y_of (span_of ("end", 0)));
  hands_double_click (1);
  write_note (GDK_KEY_w);
  g_assert_cmpstr (note (), ==, "w");
  fixture_spin (DOUBLE_CLICK_MS);
  hands_move (tracks (), x_of (empty_ns) + 1, y_of (span_of ("end", 0)));
  hands_type (0, GDK_KEY_Return);
  write_note (GDK_KEY_s);
  g_assert_cmpstr (note (), ==, "s");
  fixture_spin (DOUBLE_CLICK_MS);
  loom_timeline_state_set_reading (
    /* without a date, the unit button of the ruler offers one more unit, and clicking it would change the unit */
    state (), LOOM_RULER_UNIT_UTC);
  GtkWidget *ruler = below (GTK_WIDGET (view ()), "ruler");
  graphene_point_t flag;
  g_assert_true (gtk_widget_compute_point (tracks (), ruler, &GRAPHENE_POINT_INIT ((float) x_of (empty_ns), 0), &flag));
  hands_move (ruler, flag.x + 3, 8);
  hands_double_click (1);
  write_note (GDK_KEY_d);
  g_assert_cmpstr (note (), ==, "d");
  g_assert_cmpint (loom_timeline_state_get_reading (state ()), ==, LOOM_RULER_UNIT_UTC);
  loom_timeline_state_set_reading (state (), LOOM_RULER_UNIT_SINCE_START);
}

static gboolean
tells (GtkWidget *ruler, gint64 time_ns)
{
  graphene_point_t flag;
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shows = FALSE;
  g_assert_true (gtk_widget_compute_point (tracks (), ruler, &GRAPHENE_POINT_INIT ((float) x_of (time_ns), 0), &flag));
  g_signal_emit_by_name (ruler, "query-tooltip", (int) flag.x + 2, 8, FALSE, tooltip, &shows);
  return shows;
}

/* If two notes are close together, the first note has no room for its text; the text is then shown in a tooltip. A mark
 * without a note has no tooltip, because a tooltip would cover the values of the counters. */
static void
test_covered_note (void)
{
  reset ();
  GtkWidget *ruler = below (GTK_WIDGET (view ()), "ruler");
  gint64 first = range_of (span_of ("send", 0)).begin_ns,
         second = loom_viewport_time (loom_timeline_state_get_viewport (state ()), x_of (first) + 12);
  loom_timeline_state_add_mark (state (), first, "one");
  loom_timeline_state_add_mark (state (), second, "two");
  g_assert_true (tells (ruler, first));
  g_assert_true (tells (ruler, second));
  loom_timeline_state_set_mark_label (state (), first, NULL);
  g_assert_false (tells (ruler, first));
  loom_timeline_state_remove_marks (state (), (LoomRange) { first, second });
}

void
groups_add_rows (void)
{
  g_test_add_func ("/app/rows/click-keeps-place", test_click_keeps_place);
  g_test_add_func ("/app/rows/filter", test_filter);
  g_test_add_func ("/app/rows/plot-height", test_plot_height);
  g_test_add_func ("/app/rows/order", test_order);
  g_test_add_func ("/app/rows/fold", test_fold);
  g_test_add_func ("/app/rows/lane", test_lane);
  g_test_add_func ("/app/rows/hide", test_hide);
  g_test_add_func ("/app/rows/span-menu", test_span_menu);
  g_test_add_func ("/app/rows/span-menu-by-key", test_span_menu_by_key);
  g_test_add_func ("/app/rows/menu-without-tip", test_menu_without_tip);
  g_test_add_func ("/app/rows/note", test_note);
  g_test_add_func ("/app/rows/covered-note", test_covered_note);
}
