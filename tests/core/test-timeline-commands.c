/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the commands of the timeline: steps from span to span and along flows, marks, selecting ranges, editing rows,
 * and the history of views.
 */
#include "loom-scroll-zoom.h"
#include "loom-view-navigation.h"
#include "timeline-fixture.h"

static LoomSpanId
span_of (TimelineFixture *self, const char *name, guint nth)
{
  return run_fixture_find_span (self->run, name, nth);
}

static LoomRange
range_of (TimelineFixture *self, const char *name, guint nth)
{
  return run_fixture_range_of (self->run, span_of (self, name, nth));
}

static void
select_span (TimelineFixture *self, const char *name, guint nth)
{
  loom_timeline_state_select_span (self->state, span_of (self, name, nth), FALSE);
}

static void
assert_lead (TimelineFixture *self, const char *name, guint nth)
{
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (self->state), span_of (self, name, nth)));
}

static guint
count_selected (TimelineFixture *self)
{
  guint n;
  loom_timeline_state_get_selected (self->state, &n);
  return n;
}

/* --- spans ------------------------------------------------------------------------------------------------------------- */

static void
test_walk (TimelineFixture *self, gconstpointer data)
{
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_NEXT_SPAN); /* nothing is selected, so the command selects the first
                                                                 * visible span */
  assert_lead (self, "tick", 0);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_NEXT_SPAN);
  assert_lead (self, "tick", 1);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_NEXT_SPAN);
  assert_lead (self, "tick", 2);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_PREVIOUS_SPAN);
  assert_lead (self, "tick", 1);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_PREVIOUS_SPAN);
  /* the first span has no predecessor, so it stays selected */
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_PREVIOUS_SPAN);
  assert_lead (self, "tick", 0);
}

static void
test_focus (TimelineFixture *self, gconstpointer data)
{
  LoomRange range = range_of (self, "send", 0);
  select_span (self, "send", 0);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_FOCUS_SELECTION);
  g_assert_cmpint (timeline_fixture_view_of (self).begin_ns, <=, range.begin_ns);
  g_assert_cmpint (timeline_fixture_view_of (self).end_ns, >=, range.end_ns);
  g_assert_cmpint (timeline_fixture_width_ns (self), <, 2 * (range.end_ns - range.begin_ns));
  g_assert_false (loom_timeline_state_is_fitted (self->state));
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_FOCUS_SELECTION);
  g_assert_true (loom_timeline_state_is_fitted (self->state));
  timeline_fixture_zoom_in (self);
  g_assert_false (loom_timeline_state_is_fitted (self->state));
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_FIT);
  g_assert_true (loom_timeline_state_is_fitted (self->state));
}

static void
test_flows (TimelineFixture *self, gconstpointer data)
{
  select_span (self, "send", 0);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_FLOW_FORWARD);
  assert_lead (self, "first", 0);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_NEXT_FLOW);
  assert_lead (self, "second", 0);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_NEXT_FLOW);
  assert_lead (self, "first", 0);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_PREVIOUS_FLOW);
  assert_lead (self, "second", 0);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_FLOW_BACK);
  assert_lead (self, "send", 0);
  select_span (self, "second", 0); /* a span that was not reached by a step along a flow */
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_NEXT_FLOW);
  assert_lead (self, "first", 0);
  select_span (self, "end", 0);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_NEXT_FLOW);
  assert_lead (self, "end", 0);
}

static void
assert_view (TimelineFixture *self, LoomViewport wanted)
{
  g_assert_cmpint (timeline_fixture_view_of (self).begin_ns, ==, wanted.begin_ns);
  g_assert_cmpint (timeline_fixture_view_of (self).end_ns, ==, wanted.end_ns);
}

/* A drag adds no entry to the history; a later jump adds the view that the drag had reached. */
static void
test_history (TimelineFixture *self, gconstpointer data)
{
  LoomViewport all = timeline_fixture_view_of (self);
  select_span (self, "send", 0);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_FOCUS_SELECTION);
  LoomViewport near = timeline_fixture_view_of (self);
  g_assert_cmpint (timeline_fixture_width_ns (self), <, 300000);
  loom_scroll_zoom_pan_from (self->flight, self->state, &near, 40, 0);
  LoomViewport moved = timeline_fixture_view_of (self);
  g_assert_cmpint (moved.begin_ns, !=, near.begin_ns);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_FIT);
  assert_view (self, all);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_VIEW_BACK);
  assert_view (self, moved);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_VIEW_BACK);
  assert_view (self, all);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_VIEW_FORWARD);
  assert_view (self, moved);
}

/* --- marks ------------------------------------------------------------------------------------------------------------- */

static const LoomMarker *
marks (TimelineFixture *self, guint wanted)
{
  guint n;
  const LoomMarker *all = loom_timeline_state_get_marks (self->state, &n);
  g_assert_cmpuint (n, ==, wanted);
  return all;
}

static void
point_at (TimelineFixture *self, gint64 time_ns)
{
  loom_timeline_state_set_pointer (self->state, time_ns, G_MAXUINT, LOOM_SPAN_ID_NONE);
}

static void
test_marks (TimelineFixture *self, gconstpointer data)
{
  LoomRange end = range_of (self, "end", 0), send = range_of (self, "send", 0);
  gint64 at_ns = timeline_fixture_point (self);
  point_at (self, at_ns);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_MARK);
  g_assert_cmpint (marks (self, 1)[0].time_ns, ==, at_ns);
  g_assert_true (marks (self, 1)[0].temporary);
  select_span (self, "send", 0);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_MARK); /* replaces the temporary mark that the command set before */
  g_assert_cmpint (marks (self, 1)[0].time_ns, ==, send.begin_ns);
  select_span (self, "end", 0);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_KEEP_MARK);
  g_assert_false (marks (self, 2)[1].temporary);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_REMOVE_MARKS);
  g_assert_cmpint (marks (self, 1)[0].time_ns, ==, send.begin_ns);
  loom_timeline_state_select_range (self->state, end);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_KEEP_MARK); /* marks both ends of the range */
  g_assert_cmpint (marks (self, 3)[2].time_ns - marks (self, 3)[1].time_ns, ==, end.end_ns - end.begin_ns);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_MARK);
  loom_timeline_state_select_nothing (self->state);
  point_at (self, marks (self, 1)[0].time_ns);
  g_assert_true (loom_timeline_commands_find_mark (self->state) == &marks (self, 1)[0]);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_REMOVE_MARKS);
  marks (self, 0);
}

static void
test_range (TimelineFixture *self, gconstpointer data)
{
  select_span (self, "tick", 1);
  loom_timeline_state_select_span (self->state, span_of (self, "send", 0), TRUE);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_SELECT_RANGE);
  LoomRange range = loom_timeline_state_get_range (self->state);
  g_assert_cmpint (range.begin_ns, ==, range_of (self, "tick", 1).begin_ns);
  g_assert_cmpint (range.end_ns, ==, range_of (self, "send", 0).end_ns);
}

/* --- rows -------------------------------------------------------------------------------------------------------------- */

static void
set_hidden (TimelineFixture *self, const char *name, gboolean hidden)
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
test_select_all (TimelineFixture *self, gconstpointer data)
{
  LoomRange extent = loom_timeline_state_get_extent (self->state);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_SELECT_ALL);
  LoomRange range = loom_timeline_state_get_range (self->state);
  g_assert_cmpint (range.begin_ns, ==, extent.begin_ns);
  g_assert_cmpint (range.end_ns, ==, extent.end_ns);
  set_hidden (self, "send", TRUE); /* also hides the spans in the same row, which include four ticks */
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_SELECT_ALL);
  g_assert_cmpuint (count_selected (self), ==, 4);
  g_assert_cmpint (loom_timeline_state_get_range (self->state).end_ns, ==, 0);
  loom_row_list_show_all_hidden (self->rows);
  set_hidden (self, "second", TRUE);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_SELECT_ALL);
  g_assert_cmpuint (count_selected (self), ==, 7);
}

static void
test_pin (TimelineFixture *self, gconstpointer data)
{
  guint row, strip;
  select_span (self, "first", 0);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_PIN);
  g_assert_cmpuint (loom_row_list_get_n_pinned (self->rows), ==, 1);
  g_assert_true (loom_row_list_find_span (self->rows, span_of (self, "first", 0), &row, &strip));
  g_assert_cmpuint (row, ==, 0);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_PIN);
  g_assert_cmpuint (loom_row_list_get_n_pinned (self->rows), ==, 0);
}

static double
x_of_pointer (TimelineFixture *self)
{
  LoomViewport view = timeline_fixture_view_of (self);
  return loom_viewport_x (&view, loom_timeline_state_get_pointer (self->state)->time_ns);
}

/* The cursor moves by a few pixels and is scrolled into view; a new mark is set at the cursor, even if a span is
 * selected. */
static void
test_cursor (TimelineFixture *self, gconstpointer data)
{
  LoomRange extent = loom_timeline_state_get_extent (self->state);
  select_span (self, "send", 0);
  point_at (self, timeline_fixture_point (self));
  double x = x_of_pointer (self);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_CURSOR_LATER);
  g_assert_true (loom_cursor_is_reading (loom_timeline_state_get_pointer (self->state)));
  g_assert_cmpfloat_with_epsilon (x_of_pointer (self) - x, 8, 0.5);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_CURSOR_EARLIER);
  g_assert_cmpfloat_with_epsilon (x_of_pointer (self), x, 0.5);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_MARK);
  g_assert_nonnull (
    loom_timeline_state_find_mark (self->state, loom_timeline_state_get_pointer (self->state)->time_ns, 0));
  LoomViewport near = timeline_fixture_view_of (self);
  loom_viewport_fit_range (&near, extent, (LoomRange) { extent.begin_ns, extent.begin_ns + 1000 }, 0);
  loom_timeline_state_set_viewport (self->state, &near);
  for (guint i = 0; i < 5; i++)
    timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_CURSOR_LATER);
  g_assert_cmpint (loom_timeline_state_get_pointer (self->state)->time_ns, >, near.end_ns);
  g_assert_cmpfloat (x_of_pointer (self), <=, near.width_px);
  point_at (self, extent.begin_ns); /* moving the pointer ends the keyboard cursor */
  g_assert_false (loom_cursor_is_reading (loom_timeline_state_get_pointer (self->state)));
}

#define ADD(name, test)                                                                              \
  g_test_add ("/core/timeline-commands/" name, TimelineFixture, NULL, timeline_fixture_set_up, test, \
              timeline_fixture_tear_down)

/* Folds the first group; the caller owns the returned key. */
static char *
fold_group (TimelineFixture *self)
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
is_folded (TimelineFixture *self, const char *key)
{
  return loom_row_list_get_row (self->rows, loom_row_list_find (self->rows, key))->folded;
}

static void
test_fold (TimelineFixture *self, gconstpointer data)
{
  guint row, strip;
  select_span (self, "send", 0);
  g_autofree char *key = fold_group (self);
  g_assert_false (loom_row_list_find_span (self->rows, span_of (self, "send", 0), &row, &strip));
  timeline_fixture_run (self,
                        LOOM_TIMELINE_COMMAND_FOLD); /* the pointer is over no row, so the command unfolds the lane that
                                                      * contains the selected span */
  g_assert_false (is_folded (self, key));
  g_assert_true (loom_row_list_find_span (self->rows, span_of (self, "send", 0), &row, &strip));
  assert_lead (self, "send", 0);
  loom_timeline_state_select_nothing (self->state);
  loom_timeline_state_set_pointer (self->state, LOOM_TIME_NONE, loom_row_list_find (self->rows, key),
                                   LOOM_SPAN_ID_NONE);
  timeline_fixture_run (self, LOOM_TIMELINE_COMMAND_FOLD);
  g_assert_true (is_folded (self, key));
  loom_timeline_state_set_pointer (self->state, LOOM_TIME_NONE, G_MAXUINT, LOOM_SPAN_ID_NONE);
  timeline_fixture_run (self,
                        LOOM_TIMELINE_COMMAND_FOLD); /* the pointer is over no row and no span is selected, so nothing
                                                      * happens */
  g_assert_true (is_folded (self, key));
}

/* A double click on a lane unfolds it, keeps the selected spans, and scrolls to the row of the lead span. */
static void
test_unfold_keeps_selection (TimelineFixture *self, gconstpointer data)
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

/* Opens a run of two processes with four threads each. */
static void
set_up_processes (TimelineFixture *self, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("[");
  for (guint i = 0; i < 8; i++)
    g_string_append_printf (text, "%s{\"ph\":\"X\",\"name\":\"a\",\"pid\":%u,\"tid\":%u,\"ts\":%u,\"dur\":5}",
                            i > 0 ? "," : "", i / 4, i, 10 * i);
  g_string_append (text, "]");
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "trace.json", text->str);
  *self = (TimelineFixture) { .run = run_fixture_open (path) };
  self->state = loom_run_state_get_view (self->run);
  self->flight = loom_run_state_get_flight (self->run);
  self->rows = loom_timeline_state_get_row_list (self->state);
  loom_timeline_state_set_size (self->state, 1000, 120);
}

/* Unfolding a group at the bottom of the view scrolls to its rows: all are visible, or the group is at the top. */
static void
test_unfold_scrolls (TimelineFixture *self, gconstpointer data)
{
  guint row = loom_row_list_get_n_rows (self->rows);
  while (loom_row_list_get_row (self->rows, --row)->kind != LOOM_ROW_GROUP) {
  }
  g_assert_cmpuint (row, >, 0);
  g_autofree char *key = g_strdup (loom_row_list_get_row (self->rows, row)->key);
  loom_row_list_set_folded (self->rows, key, TRUE);
  loom_timeline_state_rows_changed (self->state);
  g_assert_true (loom_view_navigation_toggle_fold (self->flight, key));
  row = loom_row_list_find (self->rows, key);
  guint last = loom_row_list_get_n_rows (self->rows) - 1;
  g_assert_cmpuint (last, ==, row + 4);
  LoomViewport view = timeline_fixture_view_of (self);
  double top = loom_row_list_row_top (self->rows, row, view.scroll_px),
         bottom =
           loom_row_list_row_top (self->rows, last, view.scroll_px) + loom_row_list_get_row (self->rows, last)->height;
  g_test_message ("the rows of the group are from %g to %g px", top, bottom);
  g_assert_true (bottom <= view.height_px + 0.5 || top <= 0.5);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
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
  g_test_add ("/core/timeline-commands/unfold-scrolls", TimelineFixture, NULL, set_up_processes, test_unfold_scrolls,
              timeline_fixture_tear_down);
  ADD ("cursor", test_cursor);
  return run_fixture_run ();
}
