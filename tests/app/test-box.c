/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests selection of spans with a box drawn by Ctrl+drag over the tracks, and Ctrl+A with hidden rows.
 */
#include "hands-run.h"

#include "loom-track-area.h"

#define X(name, pid, tid, ts, dur) \
  "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":" pid ",\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur "}"

/* Thread 1: outer [0,400) contains a [50,100) and b [150,250); thread 2: c [20,80), d [120,180), e [300,350); another
 * process has f [600,1000). Times in µs. */
static const char text[] =
  "[" X ("outer", "1", "1", "0", "400") "," X ("a", "1", "1", "50", "50") "," X ("b", "1", "1", "150", "100") "," X (
    "c", "1", "2", "20", "60") "," X ("d", "1", "2", "120", "60") "," X ("e", "1", "2", "300",
                                                                         "50") "," X ("f", "2", "1", "600", "400") "]";

typedef struct {
  double x, y;
} Point;

/* Returns the position at a fraction of the span's width and in the middle of its height. */
static Point
place_in (const char *name, double share)
{
  LoomRange range = range_of (span_of (name, 0));
  return (Point) { x_of (range.begin_ns) + share * (x_of (range.end_ns) - x_of (range.begin_ns)),
                   y_of (span_of (name, 0)) };
}

static gboolean
is_selected (const char *name)
{
  guint n;
  const LoomSpanId *spans = loom_timeline_state_get_selected (state (), &n);
  for (guint i = 0; i < n; i++)
    if (loom_timeline_span_id_equal (spans[i], span_of (name, 0)))
      return TRUE;
  return FALSE;
}

static void
draw_box (Point from, Point to)
{
  hands_key (GDK_KEY_Control_L, TRUE);
  hands_drag (tracks (), 1, from.x, from.y, to.x, to.y);
  hands_key (GDK_KEY_Control_L, FALSE);
}

/* Begins a box; the button and Ctrl stay pressed. */
static void
begin_box (Point from, Point to)
{
  hands_key (GDK_KEY_Control_L, TRUE);
  hands_move (tracks (), from.x, from.y);
  hands_button (1, TRUE);
  hands_move (tracks (), (from.x + to.x) / 2, (from.y + to.y) / 2);
  hands_move (tracks (), to.x, to.y);
}

static void
end_box (void)
{
  hands_button (1, FALSE);
  hands_key (GDK_KEY_Control_L, FALSE);
}

/* Draws a box from inside b (second depth of thread 1) to inside c (thread 2): it selects the spans b and c, the
 * span a between them, and the span d.
 * Covers documented rows: ../README.md §keys/select Ctrl+drag draws a box | the spans in a box are added */
static void
test_box (void)
{
  reset ();
  draw_box (place_in ("b", 0.5), place_in ("c", 0.5));
  g_assert_cmpuint (run_fixture_count_selected (state ()), ==, 4);
  g_assert_true (is_selected ("a") && is_selected ("b") && is_selected ("c") && is_selected ("d"));
  g_assert_cmpint (loom_timeline_state_get_range (state ()).end_ns, ==, 0);
  g_assert_true (loom_timeline_state_is_fitted (state ()));
  draw_box (place_in ("e", 0.25), place_in ("e", 0.75));
  g_assert_cmpuint (run_fixture_count_selected (state ()), ==, 5);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (state ()), span_of ("e", 0)));
  Point start = place_in ("f", 0.25);
  hands_drag (tracks (), 1, start.x, start.y, place_in ("f", 0.75).x,
              start.y); /* without Ctrl the drag selects a range */
  g_assert_cmpuint (run_fixture_count_selected (state ()), ==, 0);
  g_assert_cmpint (loom_timeline_state_get_range (state ()).end_ns, >, 0);
}

static void
assert_box (gboolean drawn)
{
  LoomVisibleBox box;
  g_assert_cmpint (loom_track_area_get_box (LOOM_TRACK_AREA (tracks ()), &box), ==, drawn);
}

/* Covers documented rows: ../README.md §keys/select Escape cancels a box */
static void
test_escape (void)
{
  reset ();
  loom_timeline_state_select_span (state (), span_of ("f", 0), FALSE);
  begin_box (place_in ("b", 0.5), place_in ("c", 0.5));
  assert_box (TRUE);
  /* the selection changes only when the button is released */
  g_assert_cmpuint (run_fixture_count_selected (state ()), ==, 1);
  hands_key (GDK_KEY_Escape, TRUE);
  hands_key (GDK_KEY_Escape, FALSE);
  assert_box (FALSE);
  /* the rest of the drag after Escape draws nothing */
  hands_move (tracks (), place_in ("a", 0.5).x, place_in ("a", 0.5).y);
  end_box ();
  g_assert_cmpuint (run_fixture_count_selected (state ()), ==, 1);
  g_assert_true (is_selected ("f"));
  begin_box (place_in ("b", 0.5), place_in ("c", 0.5));
  hands_key (GDK_KEY_Control_L, FALSE);
  hands_type (0, GDK_KEY_Escape); /* Escape cancels the box even if Ctrl was released before */
  end_box ();
  g_assert_cmpuint (run_fixture_count_selected (state ()), ==, 1);
  draw_box (place_in ("b", 0.5), place_in ("c", 0.5));
  g_assert_cmpuint (run_fixture_count_selected (state ()), ==, 5);
}

static gboolean
is_at_end (gpointer unused)
{
  return loom_timeline_state_get_viewport (state ())->end_ns >= loom_timeline_state_get_extent (state ()).end_ns;
}

static gboolean
is_at_begin (gpointer unused)
{
  return loom_timeline_state_get_viewport (state ())->begin_ns <= loom_timeline_state_get_extent (state ()).begin_ns;
}

/* Shows the middle third of the run. */
static void
look_at_middle (void)
{
  LoomRange extent = loom_timeline_state_get_extent (state ());
  gint64 third = (extent.end_ns - extent.begin_ns) / 3;
  LoomViewport viewport = *loom_timeline_state_get_viewport (state ());
  viewport.begin_ns = extent.begin_ns + third;
  viewport.end_ns = extent.end_ns - third;
  loom_timeline_state_set_viewport (state (), &viewport);
}

/* A box that is held beyond the right edge scrolls the view, and selects the spans that appear. Scrolling stops at the
 * end of the run, and when the pointer returns to the view.
 * Covers documented rows: ../README.md §keys/select a drag beyond the edge moves the view */
static void
test_beyond_edge (void)
{
  reset ();
  look_at_middle ();
  double width = gtk_widget_get_width (tracks ());
  Point from = { 60, 1 }, to = { width + 12, gtk_widget_get_height (tracks ()) - 20 };
  begin_box (from, to);
  g_assert_true (fixture_wait (is_at_end, NULL));
  LoomRange all = loom_timeline_state_get_extent (state ());
  g_assert_cmpint (loom_timeline_state_get_viewport (state ())->end_ns, ==, all.end_ns);
  hands_move (tracks (), width - 20, to.y);
  LoomViewport still = *loom_timeline_state_get_viewport (state ());
  fixture_frames (the_window ());
  g_assert_true (loom_viewport_equal (loom_timeline_state_get_viewport (state ()), &still));
  end_box ();
  g_assert_true (is_selected ("f"));
  g_assert_false (is_selected ("a"));
}

/* The edge of a range held beyond the edge of the view scrolls too, in both directions. Escape cancels the drag and
 * stops the scrolling.
 * Covers documented rows: ../README.md §keys/select a drag beyond the edge moves the view */
static void
test_range_beyond_edge (void)
{
  reset ();
  look_at_middle ();
  LoomRange range = { loom_viewport_time (loom_timeline_state_get_viewport (state ()), 100),
                      loom_viewport_time (loom_timeline_state_get_viewport (state ()), 300) };
  loom_timeline_state_select_range (state (), range);
  hands_move (tracks (), 100, 100);
  hands_button (1, TRUE);
  hands_move (tracks (), 50, 100);
  hands_move (tracks (), -40, 100);
  g_assert_true (fixture_wait (is_at_begin, NULL));
  hands_move (tracks (), 30, 100);
  hands_move (tracks (), 0, 100);
  hands_button (1, FALSE);
  g_assert_cmpint (loom_timeline_state_get_range (state ()).begin_ns, ==,
                   loom_timeline_state_get_extent (state ()).begin_ns);
  g_assert_cmpint (loom_timeline_state_get_range (state ()).end_ns, ==, range.end_ns);
  look_at_middle ();
  begin_box ((Point) { 60, 1 }, (Point) { gtk_widget_get_width (tracks ()) + 2, 100 });
  hands_key (GDK_KEY_Escape, TRUE);
  hands_key (GDK_KEY_Escape, FALSE);
  LoomViewport still = *loom_timeline_state_get_viewport (state ());
  fixture_frames (the_window ());
  g_assert_true (loom_viewport_equal (loom_timeline_state_get_viewport (state ()), &still));
  end_box ();
}

/* Ctrl+drag on the edge of a range moves the edge. Ctrl+drag in other modes does not draw a box. Ctrl+click, which is a
 * Ctrl+drag without motion, adds one span to the selection. */
static void
test_other_drags (void)
{
  reset ();
  LoomRange range = { range_of (span_of ("e", 0)).end_ns + 50000, range_of (span_of ("f", 0)).begin_ns - 50000 };
  loom_timeline_state_select_range (state (), range);
  Point edge = { x_of (range.end_ns), place_in ("f", 0).y }, beside = { x_of (range.end_ns) + 20, edge.y };
  draw_box (edge, beside);
  g_assert_cmpuint (run_fixture_count_selected (state ()), ==, 0);
  g_assert_cmpint (loom_timeline_state_get_range (state ()).begin_ns, ==, range.begin_ns);
  g_assert_cmpint (loom_timeline_state_get_range (state ()).end_ns, >, range.end_ns);
  reset ();
  hands_type (0, GDK_KEY_4);
  draw_box (place_in ("b", 0.5), place_in ("c", 0.5));
  g_assert_cmpuint (run_fixture_count_selected (state ()), ==, 0);
  g_assert_cmpint (loom_timeline_state_get_range (state ()).end_ns, >, 0);
  reset ();
  draw_box (place_in ("c", 0.5), place_in ("c", 0.5));
  g_assert_cmpuint (run_fixture_count_selected (state ()), ==, 1);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/box/box", test_box);
  g_test_add_func ("/app/box/escape", test_escape);
  g_test_add_func ("/app/box/beyond-edge", test_beyond_edge);
  g_test_add_func ("/app/box/range-beyond-edge", test_range_beyond_edge);
  g_test_add_func ("/app/box/other-drags", test_other_drags);
  return hands_run_on (text);
}
