/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests commands of the timeline, and how keys, wheels and gestures move the view: zoom, pan, steps between spans and
 * along flows, marks, ranges, the history of views.
 */
#include "loom-scroll-zoom.h"
#include "loom-timeline-commands.h"
#include "loom-view-navigation.h"
#include "loom-visible-spans.h"
#include "run-fixture.h"

#include <math.h>

#define POINTER_PX 300
#define HOLD_US 300000
#define TALL_PX 2000 /* higher than the view */

typedef struct {
  LoomRunState *run;
  LoomTimelineState *state; /* belongs to the run, like the animator and the rows */
  LoomViewAnimator *flight;
  LoomRowList *rows;
  LoomFlowNavigation flows;
  gboolean animated; /* TRUE if the fake screen draws animations */
} Fixture;

/* --- a fake screen whose frames are drawn by the test --- */

static gboolean
has_frames (gpointer screen)
{
  return TRUE;
}

static gboolean
is_animated (gpointer screen)
{
  return ((Fixture *) screen)->animated;
}

static void
start (gpointer screen)
{
}

static const LoomViewAnimatorScreen screen_calls = { has_frames, is_animated, start };

static void
rest (Fixture *self)
{
  while (loom_view_animator_advance (self->flight, 16000))
    ;
}

/* --- fixture ----------------------------------------------------------------------------------------------------------- */

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "trace.json", RUN_FIXTURE_TRACE);
  self->run = run_fixture_open (path);
  self->state = loom_run_state_get_view (self->run);
  self->flight = loom_run_state_get_flight (self->run);
  self->rows = loom_timeline_state_get_row_list (self->state);
  self->flows = (LoomFlowNavigation) LOOM_FLOW_NAVIGATION_INIT;
  self->animated = TRUE;
  loom_timeline_state_set_size (self->state, 1000, 200); /* low, so that the rows can be higher than two pages */
  loom_view_animator_set_screen (self->flight, &screen_calls, self);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  loom_view_animator_set_screen (self->flight, NULL, NULL);
  run_fixture_close (self->run);
}

static LoomViewport
view_of (Fixture *self)
{
  return *loom_timeline_state_get_viewport (self->state);
}

static gint64
width_ns (Fixture *self)
{
  LoomViewport view = view_of (self);
  return loom_viewport_get_range_ns (&view);
}

static LoomSpanId
span_of (Fixture *self, const char *name, guint nth)
{
  return run_fixture_find_span (self->run, name, nth);
}

static LoomRange
range_of (Fixture *self, const char *name, guint nth)
{
  return run_fixture_range_of (self->run, span_of (self, name, nth));
}

static void
select_span (Fixture *self, const char *name, guint nth)
{
  loom_timeline_state_select_span (self->state, span_of (self, name, nth), FALSE);
}

static void
run (Fixture *self, LoomTimelineCommand command)
{
  loom_timeline_commands_run (self->flight, &self->flows, command);
  rest (self);
}

static void
assert_lead (Fixture *self, const char *name, guint nth)
{
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (self->state), span_of (self, name, nth)));
}

static guint
count_selected (Fixture *self)
{
  guint n;
  loom_timeline_state_get_selected (self->state, &n);
  return n;
}

/* Shows a third of the run, starting at 10 % of its length. */
static void
zoom_in (Fixture *self)
{
  LoomRange extent = loom_timeline_state_get_extent (self->state);
  LoomViewport view = view_of (self);
  gint64 length_ns = extent.end_ns - extent.begin_ns;
  view.begin_ns = extent.begin_ns + length_ns / 10;
  view.end_ns = view.begin_ns + length_ns / 3;
  loom_timeline_state_set_viewport (self->state, &view);
}

/* Sets the position of the pointer; returns the time under it. */
static gint64
point (Fixture *self)
{
  LoomViewport view = view_of (self);
  loom_view_animator_set_anchor (self->flight, POINTER_PX);
  return loom_viewport_time (&view, POINTER_PX);
}

static void
assert_kept (Fixture *self, gint64 time_ns)
{
  LoomViewport view = view_of (self);
  g_assert_cmpfloat (fabs (loom_viewport_x (&view, time_ns) - POINTER_PX), <, 2);
}

static void
hold (Fixture *self, LoomMotion which, gboolean fast)
{
  loom_view_animator_press (self->flight, which, fast);
  for (guint i = 0; i < 3; i++)
    g_assert_true (loom_view_animator_advance (self->flight, HOLD_US / 3));
  loom_view_animator_release (self->flight, which);
  rest (self);
}

/* --- held keys --------------------------------------------------------------------------------------------------------- */

static void
test_zoom (Fixture *self, gconstpointer data)
{
  zoom_in (self);
  gint64 time_ns = point (self), before = width_ns (self);
  hold (self, LOOM_MOTION_IN, FALSE);
  gint64 near = width_ns (self);
  g_assert_cmpint (near, <, before * 9 / 10);
  assert_kept (self, time_ns);
  hold (self, LOOM_MOTION_OUT, FALSE);
  g_assert_cmpint (width_ns (self), >, near * 11 / 10);
  assert_kept (self, time_ns);
}

static void
test_pan (Fixture *self, gconstpointer data)
{
  zoom_in (self);
  gint64 begin = view_of (self).begin_ns, width = width_ns (self);
  hold (self, LOOM_MOTION_LATER, FALSE);
  gint64 later = view_of (self).begin_ns;
  g_assert_cmpint (later, >, begin);
  g_assert_cmpint (ABS (width_ns (self) - width), <=, 2);
  hold (self, LOOM_MOTION_EARLIER, FALSE);
  g_assert_cmpint (view_of (self).begin_ns, <, later);
  g_assert_cmpint (ABS (width_ns (self) - width), <=, 2);
}

static void
test_fast (Fixture *self, gconstpointer data)
{
  hold (self, LOOM_MOTION_IN, FALSE);
  gint64 slow = width_ns (self);
  run (self, LOOM_TIMELINE_COMMAND_FIT);
  hold (self, LOOM_MOTION_IN, TRUE);
  g_assert_cmpint (width_ns (self), <, slow);
}

/* A press that ends before the first frame moves the view by one step. */
static void
test_short_press (Fixture *self, gconstpointer data)
{
  gint64 before = width_ns (self);
  loom_view_animator_press (self->flight, LOOM_MOTION_IN, FALSE);
  loom_view_animator_release (self->flight, LOOM_MOTION_IN);
  rest (self);
  g_assert_cmpfloat ((double) width_ns (self) / (double) before, <, 0.9);
}

static void
test_reduced_motion (Fixture *self, gconstpointer data)
{
  gint64 before = width_ns (self);
  self->animated = FALSE;
  loom_view_animator_press (self->flight, LOOM_MOTION_IN, FALSE);
  gint64 after = width_ns (self); /* the first step is immediate, without a frame */
  loom_view_animator_release (self->flight, LOOM_MOTION_IN);
  rest (self);
  g_assert_cmpint (after, <, before);
  g_assert_cmpint (width_ns (self), ==, after);
}

/* --- wheels ------------------------------------------------------------------------------------------------------------ */

/* Both steps of a wheel and pixels of a touchpad zoom. */
static void
test_wheel_zoom (Fixture *self, gconstpointer data)
{
  for (guint wheel = 0; wheel < 2; wheel++) {
    double step = wheel ? 1 : 40;
    zoom_in (self);
    gint64 time_ns = point (self), before = width_ns (self);
    for (guint i = 0; i < 2; i++)
      loom_scroll_zoom_zoom (self->flight, self->state, POINTER_PX, -step, wheel);
    rest (self);
    gint64 near = width_ns (self);
    g_assert_cmpint (near, <, before * 9 / 10);
    assert_kept (self, time_ns);
    loom_scroll_zoom_zoom (self->flight, self->state, POINTER_PX, step, wheel);
    rest (self);
    g_assert_cmpint (width_ns (self), >, near);
    assert_kept (self, time_ns);
  }
}

static void
make_tall (Fixture *self)
{
  g_autofree char *key = g_strdup (loom_row_list_get_first_counter (self->rows));
  loom_row_list_set_row_height (self->rows, key, TALL_PX);
  loom_timeline_state_rows_changed (self->state);
}

static void
slide (Fixture *self, double dx, double dy, gboolean wheel)
{
  loom_scroll_zoom_slide (self->flight, self->state, dx, dy, wheel);
  rest (self);
}

static void
test_wheel (Fixture *self, gconstpointer data)
{
  make_tall (self);
  for (guint wheel = 0; wheel < 2; wheel++) {
    double step = wheel ? 1 : 60;
    run (self, LOOM_TIMELINE_COMMAND_FIT);
    run (self, LOOM_TIMELINE_COMMAND_TOP);
    LoomViewport before = view_of (self);
    slide (self, 0, 2 * step, wheel);
    double down = view_of (self).scroll_px;
    g_assert_cmpfloat (down, >, 0);
    slide (self, 0, -step, wheel);
    g_assert_cmpfloat (view_of (self).scroll_px, <, down);
    g_assert_cmpint (view_of (self).begin_ns, ==, before.begin_ns);
    g_assert_cmpint (view_of (self).end_ns, ==, before.end_ns);
    zoom_in (self);
    gint64 begin_ns = view_of (self).begin_ns;
    slide (self, step, 0, wheel);
    g_assert_cmpint (view_of (self).begin_ns, >, begin_ns);
  }
}

static void
test_pages (Fixture *self, gconstpointer data)
{
  make_tall (self);
  double height = view_of (self).height_px;
  run (self, LOOM_TIMELINE_COMMAND_PAGE_DOWN);
  double page = view_of (self).scroll_px;
  g_assert_cmpfloat (page, >, height / 2);
  g_assert_cmpfloat (page, <=, height);
  run (self, LOOM_TIMELINE_COMMAND_PAGE_DOWN);
  g_assert_cmpfloat (view_of (self).scroll_px, >, page);
  run (self, LOOM_TIMELINE_COMMAND_PAGE_UP);
  g_assert_cmpfloat (fabs (view_of (self).scroll_px - page), <, 1);
  run (self, LOOM_TIMELINE_COMMAND_BOTTOM);
  g_assert_cmpfloat (fabs (view_of (self).scroll_px - (loom_row_list_get_height (self->rows) - height)), <, 1);
  run (self, LOOM_TIMELINE_COMMAND_TOP);
  g_assert_cmpfloat (view_of (self).scroll_px, ==, 0);
}

/* --- spans ------------------------------------------------------------------------------------------------------------- */

static void
test_walk (Fixture *self, gconstpointer data)
{
  run (self, LOOM_TIMELINE_COMMAND_NEXT_SPAN); /* goes to the first visible span */
  assert_lead (self, "tick", 0);
  run (self, LOOM_TIMELINE_COMMAND_NEXT_SPAN);
  assert_lead (self, "tick", 1);
  run (self, LOOM_TIMELINE_COMMAND_NEXT_SPAN);
  assert_lead (self, "tick", 2);
  run (self, LOOM_TIMELINE_COMMAND_PREVIOUS_SPAN);
  assert_lead (self, "tick", 1);
  run (self, LOOM_TIMELINE_COMMAND_PREVIOUS_SPAN);
  run (self, LOOM_TIMELINE_COMMAND_PREVIOUS_SPAN); /* the first span has no predecessor, so it stays selected */
  assert_lead (self, "tick", 0);
}

static void
test_focus (Fixture *self, gconstpointer data)
{
  LoomRange range = range_of (self, "send", 0);
  select_span (self, "send", 0);
  run (self, LOOM_TIMELINE_COMMAND_FOCUS_SELECTION);
  g_assert_cmpint (view_of (self).begin_ns, <=, range.begin_ns);
  g_assert_cmpint (view_of (self).end_ns, >=, range.end_ns);
  g_assert_cmpint (width_ns (self), <, 2 * (range.end_ns - range.begin_ns));
  g_assert_false (loom_timeline_state_is_fitted (self->state));
  run (self, LOOM_TIMELINE_COMMAND_FOCUS_SELECTION);
  g_assert_true (loom_timeline_state_is_fitted (self->state));
  zoom_in (self);
  g_assert_false (loom_timeline_state_is_fitted (self->state));
  run (self, LOOM_TIMELINE_COMMAND_FIT);
  g_assert_true (loom_timeline_state_is_fitted (self->state));
}

static void
test_flows (Fixture *self, gconstpointer data)
{
  select_span (self, "send", 0);
  run (self, LOOM_TIMELINE_COMMAND_FLOW_FORWARD);
  assert_lead (self, "first", 0);
  run (self, LOOM_TIMELINE_COMMAND_NEXT_FLOW);
  assert_lead (self, "second", 0);
  run (self, LOOM_TIMELINE_COMMAND_NEXT_FLOW);
  assert_lead (self, "first", 0);
  run (self, LOOM_TIMELINE_COMMAND_PREVIOUS_FLOW);
  assert_lead (self, "second", 0);
  run (self, LOOM_TIMELINE_COMMAND_FLOW_BACK);
  assert_lead (self, "send", 0);
  select_span (self, "second", 0); /* this span was not reached along a flow */
  run (self, LOOM_TIMELINE_COMMAND_NEXT_FLOW);
  assert_lead (self, "first", 0);
  select_span (self, "end", 0);
  run (self, LOOM_TIMELINE_COMMAND_NEXT_FLOW);
  assert_lead (self, "end", 0);
}

static void
assert_view (Fixture *self, LoomViewport wanted)
{
  g_assert_cmpint (view_of (self).begin_ns, ==, wanted.begin_ns);
  g_assert_cmpint (view_of (self).end_ns, ==, wanted.end_ns);
}

/* A drag adds no entry to the history; a later jump adds the view that the drag had reached. */
static void
test_history (Fixture *self, gconstpointer data)
{
  LoomViewport all = view_of (self);
  select_span (self, "send", 0);
  run (self, LOOM_TIMELINE_COMMAND_FOCUS_SELECTION);
  LoomViewport near = view_of (self);
  g_assert_cmpint (width_ns (self), <, 300000);
  loom_scroll_zoom_pan_from (self->flight, self->state, &near, 40, 0);
  LoomViewport moved = view_of (self);
  g_assert_cmpint (moved.begin_ns, !=, near.begin_ns);
  run (self, LOOM_TIMELINE_COMMAND_FIT);
  assert_view (self, all);
  run (self, LOOM_TIMELINE_COMMAND_VIEW_BACK);
  assert_view (self, moved);
  run (self, LOOM_TIMELINE_COMMAND_VIEW_BACK);
  assert_view (self, all);
  run (self, LOOM_TIMELINE_COMMAND_VIEW_FORWARD);
  assert_view (self, moved);
}

/* --- marks ------------------------------------------------------------------------------------------------------------- */

static const LoomMarker *
marks (Fixture *self, guint wanted)
{
  guint n;
  const LoomMarker *all = loom_timeline_state_get_marks (self->state, &n);
  g_assert_cmpuint (n, ==, wanted);
  return all;
}

static void
point_at (Fixture *self, gint64 time_ns)
{
  loom_timeline_state_set_pointer (self->state, time_ns, G_MAXUINT, LOOM_SPAN_ID_NONE);
}

static void
test_marks (Fixture *self, gconstpointer data)
{
  LoomRange end = range_of (self, "end", 0), send = range_of (self, "send", 0);
  gint64 at_ns = point (self);
  point_at (self, at_ns);
  run (self, LOOM_TIMELINE_COMMAND_MARK);
  g_assert_cmpint (marks (self, 1)[0].time_ns, ==, at_ns);
  g_assert_true (marks (self, 1)[0].temporary);
  select_span (self, "send", 0);
  run (self, LOOM_TIMELINE_COMMAND_MARK); /* replaces the temporary mark */
  g_assert_cmpint (marks (self, 1)[0].time_ns, ==, send.begin_ns);
  select_span (self, "end", 0);
  run (self, LOOM_TIMELINE_COMMAND_KEEP_MARK);
  g_assert_false (marks (self, 2)[1].temporary);
  run (self, LOOM_TIMELINE_COMMAND_REMOVE_MARKS);
  g_assert_cmpint (marks (self, 1)[0].time_ns, ==, send.begin_ns);
  loom_timeline_state_select_range (self->state, end);
  run (self, LOOM_TIMELINE_COMMAND_KEEP_MARK); /* marks both ends of the range */
  g_assert_cmpint (marks (self, 3)[2].time_ns - marks (self, 3)[1].time_ns, ==, end.end_ns - end.begin_ns);
  run (self, LOOM_TIMELINE_COMMAND_MARK);
  loom_timeline_state_select_nothing (self->state);
  point_at (self, marks (self, 1)[0].time_ns);
  g_assert_true (loom_timeline_commands_find_mark (self->state) == &marks (self, 1)[0]);
  run (self, LOOM_TIMELINE_COMMAND_REMOVE_MARKS);
  marks (self, 0);
}

static void
test_range (Fixture *self, gconstpointer data)
{
  select_span (self, "tick", 1);
  loom_timeline_state_select_span (self->state, span_of (self, "send", 0), TRUE);
  run (self, LOOM_TIMELINE_COMMAND_SELECT_RANGE);
  LoomRange range = loom_timeline_state_get_range (self->state);
  g_assert_cmpint (range.begin_ns, ==, range_of (self, "tick", 1).begin_ns);
  g_assert_cmpint (range.end_ns, ==, range_of (self, "send", 0).end_ns);
}

/* --- rows -------------------------------------------------------------------------------------------------------------- */

static void
set_hidden (Fixture *self, const char *name, gboolean hidden)
{
  guint row, strip;
  g_assert_true (loom_row_list_find_span (self->rows, span_of (self, name, 0), &row, &strip));
  g_autofree char *key = g_strdup (loom_row_list_get_row (self->rows, row)->key);
  loom_row_list_set_hidden (self->rows, key, hidden);
  loom_timeline_state_rows_changed (self->state);
}

/* If all rows are shown, the command selects the whole run as a range; otherwise it replaces the selection by the spans
 * of the shown rows. */
static void
test_select_all (Fixture *self, gconstpointer data)
{
  LoomRange extent = loom_timeline_state_get_extent (self->state);
  run (self, LOOM_TIMELINE_COMMAND_SELECT_ALL);
  LoomRange range = loom_timeline_state_get_range (self->state);
  g_assert_cmpint (range.begin_ns, ==, extent.begin_ns);
  g_assert_cmpint (range.end_ns, ==, extent.end_ns);
  set_hidden (self, "send", TRUE); /* hides the row with its four ticks too */
  run (self, LOOM_TIMELINE_COMMAND_SELECT_ALL);
  g_assert_cmpuint (count_selected (self), ==, 4);
  g_assert_cmpint (loom_timeline_state_get_range (self->state).end_ns, ==, 0);
  loom_row_list_show_all_hidden (self->rows);
  set_hidden (self, "second", TRUE);
  run (self, LOOM_TIMELINE_COMMAND_SELECT_ALL);
  g_assert_cmpuint (count_selected (self), ==, 7);
}

static void
test_pin (Fixture *self, gconstpointer data)
{
  guint row, strip;
  select_span (self, "first", 0);
  run (self, LOOM_TIMELINE_COMMAND_PIN);
  g_assert_cmpuint (loom_row_list_get_n_pinned (self->rows), ==, 1);
  g_assert_true (loom_row_list_find_span (self->rows, span_of (self, "first", 0), &row, &strip));
  g_assert_cmpuint (row, ==, 0);
  run (self, LOOM_TIMELINE_COMMAND_PIN);
  g_assert_cmpuint (loom_row_list_get_n_pinned (self->rows), ==, 0);
}

static double
x_of_pointer (Fixture *self)
{
  LoomViewport view = view_of (self);
  return loom_viewport_x (&view, loom_timeline_state_get_pointer (self->state)->time_ns);
}

/* The cursor moves by a few pixels and is scrolled into view; a new mark is set at the cursor, even if a span is
 * selected. */
static void
test_cursor (Fixture *self, gconstpointer data)
{
  LoomRange extent = loom_timeline_state_get_extent (self->state);
  select_span (self, "send", 0);
  point_at (self, point (self));
  double x = x_of_pointer (self);
  run (self, LOOM_TIMELINE_COMMAND_CURSOR_LATER);
  g_assert_true (loom_cursor_is_reading (loom_timeline_state_get_pointer (self->state)));
  g_assert_cmpfloat_with_epsilon (x_of_pointer (self) - x, 8, 0.5);
  run (self, LOOM_TIMELINE_COMMAND_CURSOR_EARLIER);
  g_assert_cmpfloat_with_epsilon (x_of_pointer (self), x, 0.5);
  run (self, LOOM_TIMELINE_COMMAND_MARK);
  g_assert_nonnull (
    loom_timeline_state_find_mark (self->state, loom_timeline_state_get_pointer (self->state)->time_ns, 0));
  LoomViewport near = view_of (self);
  loom_viewport_fit_range (&near, extent, (LoomRange) { extent.begin_ns, extent.begin_ns + 1000 }, 0);
  loom_timeline_state_set_viewport (self->state, &near);
  for (guint i = 0; i < 5; i++)
    run (self, LOOM_TIMELINE_COMMAND_CURSOR_LATER);
  g_assert_cmpint (loom_timeline_state_get_pointer (self->state)->time_ns, >, near.end_ns);
  g_assert_cmpfloat (x_of_pointer (self), <=, near.width_px);
  point_at (self, extent.begin_ns); /* moving the pointer ends the keyboard cursor */
  g_assert_false (loom_cursor_is_reading (loom_timeline_state_get_pointer (self->state)));
}

#define ADD(name, test) g_test_add ("/core/timeline-commands/" name, Fixture, NULL, set_up, test, tear_down)

/* Folds the first group; the caller owns the returned key. */
static char *
fold_group (Fixture *self)
{
  guint row = 0;
  while (loom_row_list_get_row (self->rows, row)->kind != LOOM_ROW_GROUP)
    row++;
  char *key = g_strdup (loom_row_list_get_row (self->rows, row)->key);
  loom_row_list_set_folded (self->rows, key, TRUE);
  loom_timeline_state_rows_changed (self->state);
  return key;
}

static gboolean
is_folded (Fixture *self, const char *key)
{
  return loom_row_list_get_row (self->rows, loom_row_list_find (self->rows, key))->folded;
}

static void
test_fold (Fixture *self, gconstpointer data)
{
  guint row, strip;
  select_span (self, "send", 0);
  g_autofree char *key = fold_group (self);
  g_assert_false (loom_row_list_find_span (self->rows, span_of (self, "send", 0), &row, &strip));
  run (self, LOOM_TIMELINE_COMMAND_FOLD); /* no row is pointed at: unfolds the lane with the selected span */
  g_assert_false (is_folded (self, key));
  g_assert_true (loom_row_list_find_span (self->rows, span_of (self, "send", 0), &row, &strip));
  assert_lead (self, "send", 0);
  loom_timeline_state_select_nothing (self->state);
  loom_timeline_state_set_pointer (self->state, LOOM_TIME_NONE, loom_row_list_find (self->rows, key),
                                   LOOM_SPAN_ID_NONE);
  run (self, LOOM_TIMELINE_COMMAND_FOLD);
  g_assert_true (is_folded (self, key));
  loom_timeline_state_set_pointer (self->state, LOOM_TIME_NONE, G_MAXUINT, LOOM_SPAN_ID_NONE);
  run (self, LOOM_TIMELINE_COMMAND_FOLD); /* no row is pointed at, no span is selected: nothing happens */
  g_assert_true (is_folded (self, key));
}

/* A double click keeps the other selected spans and scrolls to the row of the lead span. */
static void
test_unfold_keeps_selection (Fixture *self, gconstpointer data)
{
  guint n;
  select_span (self, "send", 0);
  loom_timeline_state_select_span (self->state, span_of (self, "tick", 0), TRUE);
  g_autofree char *key = fold_group (self);
  g_assert_true (loom_view_navigation_toggle_fold (self->flight, key));
  loom_timeline_state_get_selected (self->state, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_false (loom_view_navigation_toggle_fold (self->flight, "no such row"));
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  ADD ("zoom", test_zoom);
  ADD ("pan", test_pan);
  ADD ("fast", test_fast);
  ADD ("short-press", test_short_press);
  ADD ("reduced-motion", test_reduced_motion);
  ADD ("wheel-zoom", test_wheel_zoom);
  ADD ("wheel", test_wheel);
  ADD ("pages", test_pages);
  ADD ("walk", test_walk);
  ADD ("focus", test_focus);
  ADD ("flows", test_flows);
  ADD ("history", test_history);
  ADD ("marks", test_marks);
  ADD ("range", test_range);
  ADD ("select-all", test_select_all);
  ADD ("pin", test_pin);
  ADD ("fold", test_fold);
  ADD ("unfold-keeps-selection", test_unfold_keeps_selection);
  ADD ("cursor", test_cursor);
  return run_fixture_run ();
}
