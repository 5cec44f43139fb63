/* SPDX-License-Identifier: Apache-2.0
 *
 * Pointer and keys over the tracks, as they come from devices: modes, selecting, zooming, flows, the history of views.
 */
#include "hands.h"

#include "loom-time-marks.h"

#include <math.h>

#define DOUBLE_CLICK_MS 450 /* GTK counts clicks within 400 */

#define X(name, tid, ts, dur) \
  "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur "},"
#define FLOW(ph, id, tid, ts) \
  "{\"ph\":\"" ph "\",\"bp\":\"e\",\"cat\":\"f\",\"name\":\"f\",\"id\":" id ",\"pid\":1,\"tid\":" tid ",\"ts\":" ts "},"

/* Thread 1: four ticks, then send, whose arrows lead to two spans of other threads. Thread 2 ticks once. */
static const char text[] = "[" X ("tick", "1", "0", "50") X ("tick", "1", "100", "50") X ("tick", "1", "200", "50") X (
  "tick", "1", "300", "50") X ("send", "1", "400", "100") X ("tick", "2", "20", "40") X ("first", "2", "520", "80") X (
  "second", "3", "540", "80") X ("end", "3", "900", "100") FLOW ("s", "1", "1", "410") FLOW ("f", "1", "2", "530")
  FLOW ("s", "2", "1", "420") FLOW ("f", "2", "3", "550") "{\"ph\":\"C\",\"name\":\"load\",\"pid\":1,\"tid\":1,"
  "\"ts\":10,\"args\":{\"value\":3}}]";

static LoomWindow *window;

static LoomTimelineView *
view (void)
{
  return loom_run_view_get_timeline_view (loom_window_get_run_view (window));
}

static GtkWidget *
tracks (void)
{
  return loom_timeline_view_get_tracks (view ());
}

static LoomViewState *
state (void)
{
  return fixture_state (window);
}

static guint
n_selected (void)
{
  guint n;
  loom_view_state_get_selected (state (), &n);
  return n;
}

static gint64
width_ns (void)
{
  LoomViewport now = fixture_view (window);
  return loom_viewport_get_range_ns (&now);
}

/* The nth span of that name, by trace order. */
static LoomSpanId
span_of (const char *name, guint nth)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (loom_view_state_get_timeline (state ())), 0);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = 0; i < spans->n; i++)
    if (g_str_equal (loom_trace_get_name (trace, spans->name_id[i])->text, name) && nth-- == 0)
      return (LoomSpanId) { 0, i };
  g_error ("no %s", name);
}

static LoomRange
range_of (LoomSpanId span)
{
  LoomRange range;
  loom_timeline_get_span (loom_view_state_get_timeline (state ()), span, &range.begin_ns, &range.end_ns);
  return range;
}

static double
x_of (gint64 time_ns)
{
  return loom_viewport_x (loom_view_state_get_viewport (state ()), time_ns);
}

static double
y_of (LoomSpanId span)
{
  LoomOutline *outline = loom_view_state_get_outline (state ());
  guint row, strip;
  g_assert_true (loom_outline_find_span (outline, span, &row, &strip));
  return loom_outline_row_top (outline, row, fixture_view (window).scroll_px) + LOOM_ROW_PADDING_PX + LOOM_STRIP_PX * (strip + 0.5);
}

static void
point_at (LoomSpanId span)
{
  LoomRange range = range_of (span);
  hands_move (tracks (), x_of (range.begin_ns / 2 + range.end_ns / 2), y_of (span));
}

/* Everything in view, nothing selected, no mark, mode 1, the last click long ago. */
static void
reset (void)
{
  LoomViewport all = loom_view_state_fitted (state ());
  loom_timeline_view_set_mode (view (), LOOM_MODE_SELECT);
  loom_view_state_select_nothing (state ());
  loom_view_state_remove_marks (state (), (LoomRange) { G_MININT64, G_MAXINT64 });
  loom_flight_stop (loom_timeline_view_get_flight (view ()));
  all.scroll_px = 0;
  loom_view_state_set_viewport (state (), &all);
  gtk_widget_grab_focus (tracks ());
  hands_move (tracks (), 3, gtk_widget_get_height (tracks ()) - 3);
  fixture_spin (DOUBLE_CLICK_MS);
  g_assert_true (loom_view_state_is_fitted (state ()));
}

static gboolean
is_fitted (gpointer wanted)
{
  return loom_view_state_is_fitted (state ()) == GPOINTER_TO_INT (wanted);
}

static void
drag_right (guint button, double dy)
{
  double middle = gtk_widget_get_width (tracks ()) / 2.0;
  hands_drag (tracks (), button, middle, 120, middle + 150, 120 + dy);
}

static void
test_modes (void)
{
  reset ();
  for (guint i = 0; i < LOOM_N_MODES; i++) {
    hands_type (0, GDK_KEY_1 + i);
    g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, (int) i);
  }
  gtk_widget_activate_action (GTK_WIDGET (view ()), "timeline.mode", "s", "pan");
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, LOOM_MODE_PAN);
}

static void
test_mode_select (void)
{
  reset ();
  drag_right (1, 0);
  LoomRange range = loom_view_state_get_range (state ());
  g_assert_cmpint (range.end_ns, >, range.begin_ns);
  g_assert_true (loom_view_state_is_fitted (state ()));
}

static void
test_mode_pan (void)
{
  reset ();
  hands_type (0, GDK_KEY_2);
  gint64 begin_ns = fixture_view (window).begin_ns, width = width_ns ();
  drag_right (1, 0);
  g_assert_cmpint (fixture_view (window).begin_ns, <, begin_ns);
  g_assert_cmpint (ABS (width_ns () - width), <=, 2);
  g_assert_cmpint (loom_view_state_get_range (state ()).end_ns, ==, 0);
}

static void
test_mode_zoom (void)
{
  reset ();
  hands_type (0, GDK_KEY_3);
  gint64 width = width_ns (), under_ns = loom_viewport_time (loom_view_state_get_viewport (state ()), gtk_widget_get_width (tracks ()) / 2.0);
  drag_right (1, -60);
  g_assert_cmpint (width_ns (), <, width * 3 / 4);
  g_assert_cmpfloat (fabs (x_of (under_ns) - gtk_widget_get_width (tracks ()) / 2.0), <, 3);
  gint64 near = width_ns ();
  drag_right (1, 60);
  g_assert_cmpint (width_ns (), >, near);
}

static void
test_space (void)
{
  reset ();
  gint64 begin_ns = fixture_view (window).begin_ns;
  hands_key (GDK_KEY_space, TRUE);
  drag_right (1, 0);
  hands_key (GDK_KEY_space, FALSE);
  g_assert_cmpint (fixture_view (window).begin_ns, <, begin_ns);
  g_assert_cmpint (loom_view_state_get_range (state ()).end_ns, ==, 0);
  drag_right (1, 0); /* the key is up: a drag selects again */
  g_assert_cmpint (loom_view_state_get_range (state ()).end_ns, >, 0);
}

static void
test_middle_and_right (void)
{
  reset ();
  gint64 width = width_ns ();
  drag_right (2, 0);
  g_assert_true (fixture_wait (is_fitted, GINT_TO_POINTER (FALSE)));
  fixture_spin (200);
  g_assert_cmpint (width_ns (), <, width / 2);
  gint64 begin_ns = fixture_view (window).begin_ns;
  drag_right (3, 0);
  g_assert_cmpint (fixture_view (window).begin_ns, <, begin_ns);
}

static gboolean
is_later_than (gpointer begin_ns)
{
  return fixture_view (window).begin_ns > *(gint64 *) begin_ns;
}

static gboolean
is_earlier_than (gpointer begin_ns)
{
  return fixture_view (window).begin_ns < *(gint64 *) begin_ns;
}

static gboolean
is_narrower_than (gpointer width)
{
  return width_ns () < *(gint64 *) width;
}

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
  fixture_spin (200);
  width = width_ns ();
  hands_key (GDK_KEY_Alt_L, TRUE);
  hands_click (4);
  hands_key (GDK_KEY_Alt_L, FALSE);
  g_assert_true (fixture_wait (is_narrower_than, &width));
  fixture_spin (200);
  begin_ns = fixture_view (window).begin_ns;
  hands_click (7);
  g_assert_true (fixture_wait (is_later_than, &begin_ns));
  fixture_spin (200);
  begin_ns = fixture_view (window).begin_ns;
  hands_click (6);
  g_assert_true (fixture_wait (is_earlier_than, &begin_ns));
  fixture_spin (200);
  begin_ns = fixture_view (window).begin_ns;
  hands_key (GDK_KEY_Shift_L, TRUE);
  hands_click (5);
  hands_key (GDK_KEY_Shift_L, FALSE);
  g_assert_true (fixture_wait (is_later_than, &begin_ns));
}

static void
test_click (void)
{
  reset ();
  point_at (span_of ("tick", 0));
  hands_click (1);
  g_assert_cmpuint (n_selected (), ==, 1);
  point_at (span_of ("send", 0));
  hands_key (GDK_KEY_Control_L, TRUE);
  hands_click (1);
  hands_key (GDK_KEY_Control_L, FALSE);
  g_assert_cmpuint (n_selected (), ==, 2);
  g_assert_true (loom_span_id_equal (loom_view_state_get_lead (state ()), span_of ("send", 0)));
}

/* The edge of a range goes to the edge of a span that is near, with Alt where the pointer is. */
static void
test_edges (void)
{
  reset ();
  LoomRange span = range_of (span_of ("send", 0));
  LoomRange range = { span.begin_ns - 60000, span.begin_ns - 20000 };
  double y = y_of (span_of ("send", 0)), beside = x_of (span.begin_ns) + 3;
  loom_view_state_select_range (state (), range);
  hands_drag (tracks (), 1, x_of (range.end_ns), y, beside, y);
  g_assert_cmpint (loom_view_state_get_range (state ()).begin_ns, ==, range.begin_ns);
  g_assert_cmpint (loom_view_state_get_range (state ()).end_ns, ==, span.begin_ns);
  loom_view_state_select_range (state (), range);
  hands_key (GDK_KEY_Alt_L, TRUE);
  hands_drag (tracks (), 1, x_of (range.end_ns), y, beside, y);
  hands_key (GDK_KEY_Alt_L, FALSE);
  g_assert_cmpint (loom_view_state_get_range (state ()).begin_ns, ==, range.begin_ns);
  g_assert_cmpint (loom_view_state_get_range (state ()).end_ns, >, span.begin_ns);
}

static void
test_select_all (void)
{
  reset ();
  hands_type (GDK_KEY_Control_L, GDK_KEY_a);
  LoomRange range = loom_view_state_get_range (state ()), extent = loom_view_state_get_extent (state ());
  g_assert_cmpint (range.begin_ns, ==, extent.begin_ns);
  g_assert_cmpint (range.end_ns, ==, extent.end_ns);
}

static void
test_same_name (void)
{
  reset ();
  LoomSpanId tick = span_of ("tick", 1);
  point_at (tick);
  hands_key (GDK_KEY_Shift_L, TRUE);
  hands_double_click (1);
  hands_key (GDK_KEY_Shift_L, FALSE);
  g_assert_cmpuint (n_selected (), ==, 4);
  g_assert_true (loom_span_id_equal (loom_view_state_get_lead (state ()), tick));
  g_assert_true (loom_view_state_is_fitted (state ()));
  gtk_widget_activate_action (GTK_WIDGET (view ()), "row.same-name", "(uub)", tick.trace, tick.span, TRUE);
  g_assert_cmpuint (n_selected (), ==, 5);
}

static void
test_double_click (void)
{
  reset ();
  LoomSpanId send = span_of ("send", 0);
  point_at (send);
  hands_double_click (1);
  g_assert_true (fixture_wait (is_fitted, GINT_TO_POINTER (FALSE)));
  fixture_spin (200);
  LoomRange range = range_of (send);
  g_assert_cmpint (fixture_view (window).begin_ns, <=, range.begin_ns);
  g_assert_cmpint (fixture_view (window).end_ns, >=, range.end_ns);
  g_assert_cmpint (width_ns (), <, 2 * (range.end_ns - range.begin_ns));
}

static void
assert_lead (const char *name)
{
  g_assert_true (loom_span_id_equal (loom_view_state_get_lead (state ()), span_of (name, 0)));
}

static void
test_flows (void)
{
  reset ();
  loom_view_state_select_span (state (), span_of ("send", 0), FALSE);
  hands_type (0, GDK_KEY_bracketright);
  assert_lead ("first");
  hands_type (GDK_KEY_Control_L, GDK_KEY_bracketright);
  assert_lead ("second");
  hands_type (GDK_KEY_Control_L, GDK_KEY_bracketright);
  assert_lead ("first");
  hands_type (GDK_KEY_Control_L, GDK_KEY_bracketleft);
  assert_lead ("second");
  hands_type (0, GDK_KEY_bracketleft);
  assert_lead ("send");
  loom_view_state_select_span (state (), span_of ("second", 0), FALSE); /* by no arrow */
  hands_type (GDK_KEY_Control_L, GDK_KEY_bracketright);
  assert_lead ("first");
  loom_view_state_select_span (state (), span_of ("end", 0), FALSE);
  hands_type (GDK_KEY_Control_L, GDK_KEY_bracketright);
  assert_lead ("end");
}

static gboolean
shows (gpointer place)
{
  const LoomViewport *wanted = place;
  return fixture_view (window).begin_ns == wanted->begin_ns && fixture_view (window).end_ns == wanted->end_ns;
}

static void
test_history (void)
{
  reset ();
  LoomViewport all = fixture_view (window);
  loom_view_state_select_span (state (), span_of ("send", 0), FALSE);
  hands_type (0, GDK_KEY_f);
  fixture_spin (250);
  LoomViewport near = fixture_view (window);
  g_assert_cmpint (width_ns (), <, 300000);
  hands_drag (tracks (), 3, 300, 100, 340, 100); /* steady motion is no entry, but where one was */
  LoomViewport moved = fixture_view (window);
  g_assert_cmpint (moved.begin_ns, !=, near.begin_ns);
  hands_type (0, GDK_KEY_0);
  g_assert_true (fixture_wait (shows, &all));
  hands_type (GDK_KEY_Alt_L, GDK_KEY_Left);
  g_assert_true (fixture_wait (shows, &moved));
  hands_type (GDK_KEY_Alt_L, GDK_KEY_Left);
  g_assert_true (fixture_wait (shows, &all));
  hands_type (GDK_KEY_Alt_L, GDK_KEY_Right);
  g_assert_true (fixture_wait (shows, &moved));
}

static const char *
timing_text (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child)) {
    if (g_str_equal (gtk_widget_get_css_name (child), "timingcard"))
      return gtk_widget_get_visible (child) ? gtk_label_get_text (GTK_LABEL (gtk_widget_get_first_child (child))) : NULL;
    const char *text_below = timing_text (child);
    if (text_below != NULL)
      return text_below;
  }
  return NULL;
}

static void
test_timing (void)
{
  reset ();
  LoomRange first = range_of (span_of ("tick", 0)), last = range_of (span_of ("tick", 3));
  g_assert_null (timing_text (GTK_WIDGET (view ())));
  hands_type (0, GDK_KEY_4);
  g_assert_nonnull (timing_text (GTK_WIDGET (view ())));
  for (guint i = 0; i < 4; i++)
    loom_view_state_select_span (state (), span_of ("tick", i), i > 0);
  g_assert_cmpstr (timing_text (GTK_WIDGET (view ())), ==, "Selection: 350 µs · 4 spans · 10 kHz, one every 100 µs");
  loom_view_state_select_nothing (state ());
  loom_view_state_toggle_mark (state (), first.begin_ns, FALSE);
  loom_view_state_toggle_mark (state (), last.begin_ns, FALSE);
  g_assert_true (g_str_has_prefix (timing_text (GTK_WIDGET (view ())), "Between marks: 300 µs · 4 spans · "));
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

static LoomOutline *
outline (void)
{
  return loom_view_state_get_outline (state ());
}

static guint
n_rows (void)
{
  return loom_outline_get_n_rows (outline ());
}

static guint
row_of (LoomSpanId span)
{
  guint row, strip;
  loom_outline_find_span (outline (), span, &row, &strip);
  return row;
}

static gboolean
has_row (LoomSpanId span)
{
  guint row, strip;
  return loom_outline_find_span (outline (), span, &row, &strip);
}

static double
top_of (guint row)
{
  return loom_outline_row_top (outline (), row, fixture_view (window).scroll_px);
}

static GtkWidget *
below (GtkWidget *widget, const char *css_name)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = g_str_equal (gtk_widget_get_css_name (child), css_name) ? child : below (child, css_name);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
test_pin (void)
{
  reset ();
  loom_view_state_select_span (state (), span_of ("first", 0), FALSE);
  hands_type (GDK_KEY_Shift_L, GDK_KEY_t);
  g_assert_cmpuint (loom_outline_get_n_pinned (outline ()), ==, 1);
  g_assert_cmpuint (row_of (span_of ("first", 0)), ==, 0);
  hands_type (GDK_KEY_Shift_L, GDK_KEY_t);
  g_assert_cmpuint (loom_outline_get_n_pinned (outline ()), ==, 0);
}

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

static void
test_filter (void)
{
  reset ();
  guint all = n_rows ();
  LoomRowFilter *filter = loom_timeline_view_get_row_filter (view ());
  hands_type (GDK_KEY_Control_L, GDK_KEY_p);
  g_assert_true (loom_row_filter_is_open (filter));
  hands_type (0, GDK_KEY_x);
  g_assert_cmpstr (gtk_editable_get_text (loom_row_filter_get_entry (filter)), ==, "x");
  g_assert_true (fixture_wait (has_rows, GUINT_TO_POINTER (0)));
  gtk_editable_set_text (loom_row_filter_get_entry (filter), "LOAD");
  g_assert_true (fixture_wait (has_some_rows, GUINT_TO_POINTER (all)));
  hands_type (0, GDK_KEY_Escape);
  g_assert_false (loom_row_filter_is_open (filter));
  g_assert_cmpuint (n_rows (), ==, all);
  hands_type (0, GDK_KEY_2); /* the tracks have the focus again */
  g_assert_cmpint (loom_timeline_view_get_mode (view ()), ==, LOOM_MODE_PAN);
}

static void
test_only_matching (void)
{
  reset ();
  guint all = n_rows ();
  LoomSearchBar *search = loom_run_view_get_search_bar (loom_window_get_run_view (window));
  hands_type (0, GDK_KEY_slash);
  gtk_editable_set_text (loom_search_bar_get_entry (search), "second");
  gtk_toggle_button_set_active (loom_search_bar_get_only (search), TRUE);
  g_assert_true (fixture_wait (has_fewer_rows, GUINT_TO_POINTER (all)));
  g_assert_true (has_row (span_of ("second", 0)));
  g_assert_false (has_row (span_of ("send", 0)));
  gtk_toggle_button_set_active (loom_search_bar_get_only (search), FALSE);
  g_assert_cmpuint (n_rows (), ==, all);
  gtk_toggle_button_set_active (loom_search_bar_get_only (search), TRUE);
  g_assert_cmpuint (n_rows (), <, all);
  loom_search_bar_set_open (search, FALSE);
  g_assert_cmpuint (n_rows (), ==, all);
  gtk_toggle_button_set_active (loom_search_bar_get_only (search), FALSE);
}

static guint
plot_row (void)
{
  for (guint i = 0; i < n_rows (); i++)
    if (loom_outline_get_row (outline (), i)->kind == LOOM_ROW_COUNTER)
      return i;
  g_assert_not_reached ();
}

static void
test_plot_height (void)
{
  reset ();
  GtkWidget *headers = below (GTK_WIDGET (view ()), "headers");
  guint row = plot_row ();
  double height = loom_outline_get_row (outline (), row)->height, bottom = top_of (row) + height;
  hands_drag (headers, 1, 60, bottom - 1, 60, bottom + 31);
  g_assert_cmpfloat (fabs (loom_outline_get_row (outline (), row)->height - height - 32), <, 2);
}

/* Thread 3 goes before thread 1. */
static void
test_order (void)
{
  reset ();
  GtkWidget *headers = below (GTK_WIDGET (view ()), "headers");
  guint third = row_of (span_of ("second", 0)), first = row_of (span_of ("send", 0));
  g_assert_cmpuint (first, <, third);
  hands_drag (headers, 1, 80, top_of (third) + 8, 80, top_of (first) + 2);
  g_assert_cmpuint (row_of (span_of ("second", 0)), <, row_of (span_of ("send", 0)));
  hands_move (headers, 80, top_of (row_of (span_of ("second", 0))) + 8);
}

/* A press on a group's name folds it when the button is let go where it went down. */
static void
test_fold (void)
{
  reset ();
  GtkWidget *headers = below (GTK_WIDGET (view ()), "headers");
  guint all = n_rows (), group = 0;
  while (loom_outline_get_row (outline (), group)->kind != LOOM_ROW_GROUP)
    group++;
  hands_move (headers, 80, top_of (group) + 8);
  hands_click (1);
  g_assert_cmpuint (n_rows (), <, all);
  fixture_spin (DOUBLE_CLICK_MS);
  hands_click (1);
  g_assert_cmpuint (n_rows (), ==, all);
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

static gboolean
is_writing (gpointer data)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (window));
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
  const LoomTimeMark *marks = loom_view_state_get_marks (state (), &n);
  g_assert_cmpuint (n, ==, 1);
  return marks[0].label;
}

static void
test_note (void)
{
  reset ();
  LoomRange end = range_of (span_of ("end", 0));
  gint64 empty_ns = end.begin_ns - 100000;
  loom_view_state_toggle_mark (state (), empty_ns, FALSE);
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
  LoomReading reading = loom_view_state_get_reading (state ());
  GtkWidget *ruler = below (GTK_WIDGET (view ()), "ruler");
  graphene_point_t flag;
  g_assert_true (gtk_widget_compute_point (tracks (), ruler, &GRAPHENE_POINT_INIT ((float) x_of (empty_ns), 0), &flag));
  hands_move (ruler, flag.x + 3, 8);
  hands_double_click (1);
  write_note (GDK_KEY_d);
  g_assert_cmpstr (note (), ==, "d");
  g_assert_cmpint (loom_view_state_get_reading (state ()), ==, reading);
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
  g_test_add_func ("/app/hands/wheel", test_wheel);
  g_test_add_func ("/app/hands/click", test_click);
  g_test_add_func ("/app/hands/edges", test_edges);
  g_test_add_func ("/app/hands/select-all", test_select_all);
  g_test_add_func ("/app/hands/same-name", test_same_name);
  g_test_add_func ("/app/hands/double-click", test_double_click);
  g_test_add_func ("/app/hands/flows", test_flows);
  g_test_add_func ("/app/hands/history", test_history);
  g_test_add_func ("/app/hands/timing", test_timing);
  g_test_add_func ("/app/hands/pin", test_pin);
  g_test_add_func ("/app/hands/filter", test_filter);
  g_test_add_func ("/app/hands/only-matching", test_only_matching);
  g_test_add_func ("/app/hands/plot-height", test_plot_height);
  g_test_add_func ("/app/hands/order", test_order);
  g_test_add_func ("/app/hands/fold", test_fold);
  g_test_add_func ("/app/hands/note", test_note);
  window = fixture_window ();
  if (!hands_init (window)) {
    g_print ("1..0 # SKIP no X server with XTest\n");
    return 0;
  }
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = fixture_file (folder, "trace.json", text);
  fixture_open (window, path);
  return fixture_run ();
}
