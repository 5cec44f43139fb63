/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests small data types of the timeline without a window: the history of views, marks, and the figures of a selection.
 */
#include "loom-markers.h"
#include "loom-timing.h"
#include "loom-view-history.h"

static LoomViewport
place (gint64 begin_ns)
{
  return (LoomViewport) { .begin_ns = begin_ns, .end_ns = begin_ns + 10, .width_px = 100, .height_px = 50 };
}

static void
jump (LoomViewHistory *history, gint64 from_ns, gint64 to_ns)
{
  LoomViewport from = place (from_ns), to = place (to_ns);
  loom_view_history_jump (history, &from, &to);
}

/* Goes `by` steps in the history. Returns the begin of the resulting view; −1 if the history has no such entry. */
static gint64
step (LoomViewHistory *history, int by, gint64 now_ns)
{
  LoomViewport now = place (now_ns), target;
  return loom_view_history_step (history, by, &now, &target) ? target.begin_ns : -1;
}

static void
test_history (void)
{
  g_autoptr (LoomViewHistory) history = loom_view_history_new ();
  g_assert_cmpint (step (history, -1, 0), ==, -1);
  jump (history, 0, 100);
  jump (history, 100, 100); /* the same place, so this adds no entry */
  jump (history, 120, 200); /* the view was panned from 100 to 120 before this jump */
  g_assert_cmpint (step (history, 1, 200), ==, -1);
  g_assert_cmpint (step (history, -1, 210), ==, 120);
  g_assert_cmpint (step (history, -1, 120), ==, 0);
  g_assert_cmpint (step (history, -1, 0), ==, -1);
  g_assert_cmpint (step (history, 1, 5), ==, 120);
  g_assert_cmpint (step (history, 1, 120), ==, 210);
  g_assert_cmpint (step (history, -1, 210), ==, 120);
  jump (history, 120, 300); /* a new jump drops the entries after the current one, here the view at 210 */
  g_assert_cmpint (step (history, 1, 300), ==, -1);
  g_assert_cmpint (step (history, -1, 300), ==, 120);
  g_assert_cmpint (step (history, -1, 120), ==, 5);
  loom_view_history_clear (history);
  g_assert_cmpint (step (history, 1, 0), ==, -1);
}

static void
test_history_is_bounded (void)
{
  g_autoptr (LoomViewHistory) history = loom_view_history_new ();
  const int n = 3 * LOOM_VIEW_HISTORY_MAX;
  for (int i = 0; i < n; i++)
    jump (history, i, i + 1);
  int steps = 0;
  gint64 now = n, next;
  while ((next = step (history, -1, now)) != -1) {
    g_assert_cmpint (next, ==, now - 1);
    now = next;
    steps++;
  }
  g_assert_cmpint (steps, ==, LOOM_VIEW_HISTORY_MAX - 1);
}

static void
test_marks (void)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (LoomMarker));
  loom_markers_toggle (marks, 20, TRUE);
  loom_markers_toggle (marks, 10, TRUE); /* replaces the temporary mark at 20 */
  g_assert_cmpuint (marks->len, ==, 1);
  g_assert_true (loom_markers_add (marks, 5, "start"));
  g_assert_false (loom_markers_add (marks, 5, "again"));
  g_assert_cmpint (g_array_index (marks, LoomMarker, 0).time_ns, ==, 5);
  g_assert_null (loom_markers_nearest (marks, 13, 2));
  g_assert_cmpint (loom_markers_nearest (marks, 13, 3)->time_ns, ==, 10);
  g_assert_true (loom_markers_set_label (marks, 10, "slow"));
  g_assert_false (loom_markers_set_label (marks, 11, "none"));
  loom_markers_toggle (marks, 30, TRUE); /* the labelled mark stays */
  g_assert_cmpuint (marks->len, ==, 3);
  g_assert_cmpstr (g_array_index (marks, LoomMarker, 1).label, ==, "slow");
  g_assert_true (loom_markers_remove (marks, (LoomRange) { 6, 40 }));
  g_assert_false (loom_markers_remove (marks, (LoomRange) { 6, 40 }));
  g_assert_cmpuint (marks->len, ==, 1);
}

static void
test_marks_of_range (void)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (LoomMarker));
  loom_markers_toggle (marks, 7, TRUE);
  g_assert_true (loom_markers_add (marks, 10, "start"));
  loom_markers_toggle_ends (marks, (LoomRange) { 10, 20 }, TRUE);
  g_assert_cmpuint (marks->len, ==, 2); /* the temporary mark at 7 was replaced */
  g_assert_cmpstr (g_array_index (marks, LoomMarker, 0).label, ==, "start");
  g_assert_false (g_array_index (marks, LoomMarker, 0).temporary);
  g_assert_true (g_array_index (marks, LoomMarker, 1).temporary);
  loom_markers_toggle_ends (marks, (LoomRange) { 10, 20 }, TRUE);
  g_assert_cmpuint (marks->len, ==, 0);
  loom_markers_toggle (marks, 20, TRUE);
  loom_markers_toggle_ends (marks, (LoomRange) { 10, 20 }, FALSE);
  g_assert_cmpuint (marks->len, ==, 2);
  g_assert_false (g_array_index (marks, LoomMarker, 1).temporary);
}

static void
test_between_marks (void)
{
  const LoomMarker marks[] = { { .time_ns = 10 }, { .time_ns = 20 }, { .time_ns = 40 } };
  LoomRange range;
  g_assert_false (loom_timing_between_marks (marks, 1, 12, &range));
  g_assert_true (loom_timing_between_marks (marks, 3, 12, &range));
  g_assert_cmpint (range.begin_ns, ==, 10);
  g_assert_cmpint (range.end_ns, ==, 20);
  g_assert_true (loom_timing_between_marks (marks, 3, LOOM_TIME_NONE, &range));
  g_assert_cmpint (range.begin_ns, ==, 20);
  g_assert_cmpint (range.end_ns, ==, 40);
}

static void
test_period (void)
{
  LoomTiming timing = { .n_starts = 4, .first_ns = 0, .last_ns = 301 };
  g_assert_cmpint (loom_timing_get_period_ns (&timing), ==, 100);
  g_assert_cmpfloat_with_epsilon (loom_timing_get_frequency_hz (&timing), 3e9 / 301, 1e-3);
  timing.last_ns = 302; /* 3 periods take 302 ns, and 100 2/3 is rounded up */
  g_assert_cmpint (loom_timing_get_period_ns (&timing), ==, 101);
  timing.n_starts = 1;
  g_assert_cmpint (loom_timing_get_period_ns (&timing), ==, 0);
  g_assert_cmpfloat (loom_timing_get_frequency_hz (&timing), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/history", test_history);
  g_test_add_func ("/core/history/bounded", test_history_is_bounded);
  g_test_add_func ("/core/marks", test_marks);
  g_test_add_func ("/core/marks/of-range", test_marks_of_range);
  g_test_add_func ("/core/timing/between-marks", test_between_marks);
  g_test_add_func ("/core/timing/period", test_period);
  return g_test_run ();
}
