/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests navigation without a window: moves of the view to a range, a span and a row, and the selection and marks that
 * an element of a panel makes when it is shown on the timeline.
 */
#include "loom-run-navigation.h"
#include "loom-view-navigation.h"
#include "run-fixture.h"

#define SPAN(name, tid, ts) "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"dur\":50}"
#define TEXT "[" SPAN ("a", "1", "1") "," SPAN ("b", "2", "1001") "]"

typedef struct {
  LoomRunState *run;
  LoomTimelineState *view; /* the view and the animator belong to the run */
  LoomViewAnimator *flight;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "a.json", TEXT);
  fixture->run = run_fixture_open (path);
  fixture->view = loom_run_state_get_view (fixture->run);
  fixture->flight = loom_run_state_get_flight (fixture->run);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  run_fixture_close (fixture->run);
}

static LoomRange
visible (Fixture *fixture)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (fixture->view);
  return (LoomRange) { view->begin_ns, view->end_ns };
}

static LoomRange
range_of (Fixture *fixture, LoomSpanId span)
{
  LoomRange range;
  loom_timeline_get_span (loom_timeline_state_get_timeline (fixture->view), span, &range.begin_ns, &range.end_ns);
  return range;
}

static void
assert_range (LoomRange range, LoomRange wanted)
{
  g_assert_cmpint (range.begin_ns, ==, wanted.begin_ns);
  g_assert_cmpint (range.end_ns, ==, wanted.end_ns);
}

static void
assert_selected (Fixture *fixture, LoomSpanId wanted)
{
  guint n;
  const LoomSpanId *selected = loom_timeline_state_get_selected (fixture->view, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_true (loom_timeline_span_id_equal (selected[0], wanted));
}

static LoomSpanId
find (Fixture *fixture, gint64 ts_us)
{
  gint64 first_ns = loom_timeline_state_get_extent (fixture->view).begin_ns;
  for (guint i = 0; i < 2; i++)
    if (range_of (fixture, (LoomSpanId) { 0, i }).begin_ns - first_ns == (ts_us - 1) * 1000)
      return (LoomSpanId) { 0, i };
  g_assert_not_reached ();
}

/* Going to a range shows it with a margin of a quarter of its length on both sides. */
static void
test_range (Fixture *fixture, gconstpointer data)
{
  gint64 at = loom_timeline_state_get_extent (fixture->view).begin_ns + 400000;
  loom_view_navigation_go_to_range (fixture->flight, (LoomRange) { at, at + 100000 });
  assert_range (visible (fixture), (LoomRange) { at - 25000, at + 125000 });
  g_assert_true (loom_view_animator_step (fixture->flight, -1)); /* the move can be reversed in the history of views */
  g_assert_true (loom_timeline_state_is_fitted (fixture->view));
}

/* For a range at an end of the run, the view hardly extends beyond the end of the run. */
static void
test_range_at_ends (Fixture *fixture, gconstpointer data)
{
  LoomRange all = loom_timeline_state_get_extent (fixture->view);
  loom_view_navigation_go_to_range (fixture->flight, (LoomRange) { all.begin_ns, all.begin_ns + 100000 });
  LoomRange first = visible (fixture);
  assert_range (first, (LoomRange) { all.begin_ns - 150000 / 32, all.begin_ns - 150000 / 32 + 150000 });
  loom_view_navigation_go_to_range (fixture->flight, (LoomRange) { all.end_ns - 100000, all.end_ns });
  assert_range (visible (fixture), (LoomRange) { all.end_ns + 150000 / 32 - 150000, all.end_ns + 150000 / 32 });
}

/* The command that focuses the selection zooms to it. If the command is run again, or if nothing is selected, it shows
 * the whole run. */
static void
test_focus (Fixture *fixture, gconstpointer data)
{
  LoomRange all = visible (fixture), b = range_of (fixture, find (fixture, 1001));
  loom_timeline_state_select_range (fixture->view, (LoomRange) { b.begin_ns - 100000, b.begin_ns - 90000 });
  loom_view_navigation_focus_selection (fixture->flight);
  assert_range (visible (fixture), (LoomRange) { b.begin_ns - 102500, b.begin_ns - 87500 });
  loom_view_navigation_focus_selection (fixture->flight);
  assert_range (visible (fixture), all);
  loom_view_navigation_go_to_range (fixture->flight, b);
  loom_timeline_state_select_nothing (fixture->view);
  loom_view_navigation_focus_selection (fixture->flight);
  assert_range (visible (fixture), all);
}

/* Going to a span does not change the zoom, and unfolds groups that hide the span. */
static void
test_span (Fixture *fixture, gconstpointer data)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (fixture->view);
  LoomSpanId a = find (fixture, 1), b = find (fixture, 1001);
  guint row, strip;
  loom_view_navigation_go_to_range (fixture->flight, range_of (fixture, a));
  LoomRange before = visible (fixture);
  loom_row_list_fold_all (rows, TRUE);
  loom_timeline_state_rows_changed (fixture->view);
  g_assert_false (loom_row_list_find_span (rows, b, &row, &strip));
  loom_view_navigation_go_to_span (fixture->flight, b);
  g_assert_true (loom_row_list_find_span (rows, b, &row, &strip));
  assert_selected (fixture, b);
  LoomRange after = visible (fixture), span = range_of (fixture, b);
  g_assert_cmpint (after.end_ns - after.begin_ns, ==, before.end_ns - before.begin_ns);
  g_assert_cmpint (after.begin_ns, <=, span.begin_ns);
  g_assert_cmpint (after.end_ns, >=, span.end_ns);
}

/* Going to a span zooms in if the span would be too narrow to be seen; otherwise the zoom stays. */
static void
test_visible_span (Fixture *fixture, gconstpointer data)
{
  LoomSpanId b = find (fixture, 1001);
  LoomRange span = range_of (fixture, b), before = visible (fixture);
  loom_timeline_state_set_size (fixture->view, 100, 30); /* 10 µs per px: the span is 5 px wide */
  loom_view_navigation_go_to_visible_span (fixture->flight, b, 2);
  assert_range (visible (fixture), before);
  loom_view_navigation_go_to_visible_span (fixture->flight, b, 20);
  LoomRange after = visible (fixture);
  gint64 px_ns = (after.end_ns - after.begin_ns) / 100;
  g_assert_cmpint ((span.end_ns - span.begin_ns) / px_ns, >=, 19);
  g_assert_cmpint ((span.end_ns - span.begin_ns) / px_ns, <=, 21);
  g_assert_cmpint (after.begin_ns, <=, span.begin_ns);
  g_assert_cmpint (after.end_ns, >=, span.end_ns);
  assert_selected (fixture, b);
}

static void
test_row (Fixture *fixture, gconstpointer data)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (fixture->view);
  loom_timeline_state_set_size (fixture->view, 1000, 30); /* the view is lower than its rows */
  guint last = loom_row_list_get_n_rows (rows) - 1;
  g_autofree char *key = g_strdup (loom_row_list_get_row (rows, last)->key);
  loom_row_list_fold_all (rows, TRUE);
  loom_timeline_state_rows_changed (fixture->view);
  g_assert_cmpuint (loom_row_list_find (rows, key), ==, G_MAXUINT);
  loom_view_navigation_go_to_row (fixture->flight, key);
  g_assert_cmpuint (loom_row_list_find (rows, key), ==, last);
  const LoomViewport *view = loom_timeline_state_get_viewport (fixture->view);
  double top = loom_row_list_row_top (rows, last, view->scroll_px);
  g_assert_cmpfloat (top, >=, 0);
  g_assert_cmpfloat (top, <, view->height_px);
  LoomViewport before = *view;
  loom_view_navigation_go_to_row (fixture->flight, "no such row");
  g_assert_true (loom_viewport_equal (view, &before));
}

/* --- elements of panels ------------------------------------------------------------------------------------------------ */

static guint
count_selected (Fixture *fixture)
{
  guint n;
  loom_timeline_state_get_selected (fixture->view, &n);
  return n;
}

static const char *const *
marked_rows (Fixture *fixture)
{
  return loom_timeline_annotations_get_rows (loom_timeline_state_get_finding_marks (fixture->view));
}

/* A target is the place to which an element of a panel leads. If it has no spans, its range is selected; if it has one
 * span, the span is selected and the view zooms to its range. */
static void
test_show (Fixture *fixture, gconstpointer data)
{
  gint64 at = loom_timeline_state_get_extent (fixture->view).begin_ns + 400000;
  LoomNavigationTarget target = { .range = { at, at + 100000 } };
  loom_run_navigation_show (fixture->run, &target, LOOM_RUN_NAVIGATION_DEFAULT);
  assert_range (loom_timeline_state_get_range (fixture->view), target.range);
  assert_range (visible (fixture), (LoomRange) { at - 25000, at + 125000 });
  LoomSpanId b = find (fixture, 1001);
  target = (LoomNavigationTarget) { .range = range_of (fixture, b), .spans = &b, .n_spans = 1 };
  loom_run_navigation_show (fixture->run, &target, LOOM_RUN_NAVIGATION_DEFAULT);
  assert_selected (fixture, b);
  /* the span ends with the run, so its margin is only at its begin */
  assert_range (visible (fixture),
                (LoomRange) { target.range.end_ns + 75000 / 32 - 75000, target.range.end_ns + 75000 / 32 });
}

/* A target with several spans selects each of them once; the last one becomes the lead span, whose details are
 * shown. */
static void
test_show_spans (Fixture *fixture, gconstpointer data)
{
  const LoomSpanId spans[] = { find (fixture, 1), find (fixture, 1), find (fixture, 1001) };
  const LoomNavigationTarget target = { .spans = spans, .n_spans = G_N_ELEMENTS (spans) };
  LoomRange before = visible (fixture);
  loom_run_navigation_show (fixture->run, &target, LOOM_RUN_NAVIGATION_DEFAULT);
  g_assert_cmpuint (count_selected (fixture), ==, 2);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (fixture->view), spans[2]));
  assert_range (visible (fixture), before); /* without a range the view stays */
}

/* A finding with several spans selects them; the longest becomes the lead span, whose details are shown. */
static void
test_show_longest (Fixture *fixture, gconstpointer data)
{
#define WAIT(ts, dur) "{\"ph\":\"X\",\"name\":\"wait\",\"pid\":1,\"tid\":1,\"ts\":" ts ",\"dur\":" dur "}"
  g_autofree char *folder = fixture_folder (),
                  *path = fixture_file (folder, "waits.json",
                                        "[" WAIT ("0", "20") "," WAIT ("100", "80") "," WAIT ("200", "50") "]");
  LoomRunState *run = run_fixture_open (path);
  g_autoptr (GArray) marks = g_array_new (FALSE, TRUE, sizeof (LoomRuleOccurrence));
  for (guint32 i = 0; i < 3; i++) {
    const LoomRuleOccurrence mark = { .host = "", .device = "", .span = { 0, i } };
    g_array_append_val (marks, mark);
  }
  const LoomRuleResult result = { .marks = marks };
  const LoomFinding finding = { .result = &result };
  loom_run_navigation_show_finding (run, &finding);
  guint n;
  loom_timeline_state_get_selected (loom_run_state_get_view (run), &n);
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (loom_timeline_state_get_lead (loom_run_state_get_view (run)).span, ==, 1);
  run_fixture_close (run);
}

/* A target that represents all spans with a name selects them; the view stays. */
static void
test_show_same_name (Fixture *fixture, gconstpointer data)
{
  LoomSpanId one = find (fixture, 1001);
  const LoomNavigationTarget target = { .spans = &one, .n_spans = 1, .same_name = TRUE };
  loom_view_navigation_go_to_range (fixture->flight, range_of (fixture, find (fixture, 1)));
  LoomRange before = visible (fixture);
  loom_run_navigation_show (fixture->run, &target, LOOM_RUN_NAVIGATION_DEFAULT);
  assert_selected (fixture, one);
  assert_range (visible (fixture), before);
}

/* The parts of a target, such as the pieces of work that a bar sums up, are highlighted until the user selects
 * something; they are not selected. */
static void
test_show_parts (Fixture *fixture, gconstpointer data)
{
  LoomTimelineAnnotations *marks = loom_timeline_state_get_finding_marks (fixture->view);
  gint64 at = loom_timeline_state_get_extent (fixture->view).begin_ns + 400000;
  const LoomRange parts[] = { { at, at + 1000 }, { at + 50000, at + 100000 } };
  const LoomNavigationTarget target = { .range = { at, at + 100000 }, .parts = parts, .n_parts = 2 };
  LoomRange selected;
  loom_run_navigation_show (fixture->run, &target, LOOM_RUN_NAVIGATION_DEFAULT);
  g_assert_cmpuint (loom_timeline_annotations_get_n_stretches (marks), ==, 2);
  g_assert_false (loom_timeline_state_get_selected_range (fixture->view, &selected));
  assert_range (visible (fixture), (LoomRange) { at - 25000, at + 125000 });
  loom_timeline_state_select_span (fixture->view, find (fixture, 1), FALSE);
  g_assert_cmpuint (loom_timeline_annotations_get_n_stretches (marks), ==, 0);
}

/* A finding selects its spans and marks their rows until something else is selected. */
static void
test_show_finding (Fixture *fixture, gconstpointer data)
{
  const LoomSpanId a = find (fixture, 1), b = find (fixture, 1001);
  const LoomRuleOccurrence found[] = { { .host = "", .device = "", .span = a },
                                       { .host = "", .device = "", .span = b } };
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (LoomRuleOccurrence));
  const LoomRuleResult result = { .marks = g_array_append_vals (marks, found, 2) };
  const LoomFinding finding = { .result = &result,
                                .range = { range_of (fixture, a).begin_ns, range_of (fixture, b).end_ns } };
  loom_run_navigation_show_finding (fixture->run, &finding);
  g_assert_cmpuint (count_selected (fixture), ==, 2);
  g_assert_cmpuint (g_strv_length ((char **) marked_rows (fixture)), ==, 2);
  loom_timeline_state_select_nothing (fixture->view);
  g_assert_cmpuint (g_strv_length ((char **) marked_rows (fixture)), ==, 0);
}

/* Showing a finding about a rank for which other ranks wait folds all ranks, selects the range of the finding instead of
 * its span, and marks the rank and scrolls to it. */
static void
test_show_rank_that_holds_up (void)
{
  g_autofree char *folder = fixture_folder ();
  for (guint i = 0; i < 8; i++) {
    g_autofree char *name = g_strdup_printf ("rank-%u.json", i),
                    *text = g_strdup_printf ("{\"distributedInfo\":{\"rank\":%u},\"traceEvents\":" TEXT "}", i),
                    *path = fixture_file (folder, name, text);
  }
  LoomRunState *run = run_fixture_open (folder);
  LoomTimelineState *view = loom_run_state_get_view (run);
  LoomRowList *rows = loom_timeline_state_get_row_list (view);
  loom_timeline_state_set_size (view, 1000, 120);
  loom_row_list_fold_all (rows, FALSE);
  loom_timeline_state_rows_changed (view);
  const LoomRuleOccurrence found = { .host = "", .device = "", .span = { 7, 1 } };
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (LoomRuleOccurrence));
  const LoomRuleResult result = { .marks = g_array_append_vals (marks, &found, 1), .holds_up = TRUE };
  LoomRange all = loom_timeline_state_get_extent (view);
  const LoomFinding finding = { .result = &result, .range = { all.begin_ns, all.begin_ns + 500000 } };
  loom_run_navigation_show_finding (run, &finding);
  guint row, strip, n;
  g_assert_false (loom_row_list_find_span (rows, found.span, &row, &strip)); /* the rank that contains it is folded */
  loom_timeline_state_get_selected (view, &n);
  g_assert_cmpuint (n, ==, 0);
  assert_range (loom_timeline_state_get_range (view), finding.range);
  for (guint i = 0; i < loom_row_list_get_n_rows (rows); i++)
    g_assert_true (loom_row_list_get_row (rows, i)->rank < 0 || loom_row_list_get_row (rows, i)->folded);
  const char *const *marked = loom_timeline_annotations_get_rows (loom_timeline_state_get_finding_marks (view));
  g_assert_cmpstr (marked[0], ==, loom_row_list_get_row (rows, row)->key);
  double top = loom_row_list_row_top (rows, row, loom_timeline_state_get_viewport (view)->scroll_px);
  g_assert_cmpfloat (top, >=, 0);
  g_assert_cmpfloat (top + loom_row_list_get_row (rows, row)->height, <=, 120);
  run_fixture_close (run);
}

/* Showing a sample of a counter selects the time for which its value holds, moves the cursor there and unfolds its row.
 * If this time is unknown, nothing is selected. */
static void
test_show_sample (Fixture *fixture, gconstpointer data)
{
  const LoomRunNavigationFlags flags = LOOM_RUN_NAVIGATION_KEEP_PAGE;
  LoomRowList *rows = loom_timeline_state_get_row_list (fixture->view);
  const LoomTrackId track = { 0, 1 };
  const LoomRange held = range_of (fixture, find (fixture, 1001));
  guint row;
  loom_row_list_fold_all (rows, TRUE);
  loom_timeline_state_rows_changed (fixture->view);
  g_assert_false (loom_row_list_find_track (rows, track, &row));
  loom_run_navigation_show_sample (fixture->run, track, held, FALSE, flags);
  g_assert_true (loom_row_list_find_track (rows, track, &row));
  assert_range (loom_timeline_state_get_range (fixture->view), held);
  g_assert_cmpint (loom_timeline_state_get_pointer (fixture->view)->time_ns, ==, held.begin_ns);
  LoomRange before = visible (fixture);
  loom_run_navigation_show_sample (fixture->run, track, held, TRUE, flags);
  g_assert_cmpint (visible (fixture).end_ns - visible (fixture).begin_ns, <, before.end_ns - before.begin_ns);
  loom_run_navigation_show_sample (fixture->run, track, (LoomRange) { held.begin_ns, held.begin_ns }, TRUE, flags);
  g_assert_false (loom_timeline_state_get_selected_range (fixture->view, &before));
}

/* A copy of a target stays valid after the original is freed. */
static void
test_copy (void)
{
  LoomSpanId spans[] = { { 1, 2 }, { 3, 4 } };
  LoomRange part = { 5, 6 };
  char node[] = "n";
  LoomNavigationTarget target = { { 5, 9 }, spans, 2, FALSE, &part, 1, node, NULL };
  g_autoptr (LoomNavigationTarget) copy = g_boxed_copy (LOOM_TYPE_NAVIGATION_TARGET, &target);
  spans[1].span = 0;
  part.end_ns = 0;
  node[0] = 'x';
  assert_range (copy->range, (LoomRange) { 5, 9 });
  g_assert_cmpuint (copy->n_spans, ==, 2);
  g_assert_cmpuint (copy->spans[1].span, ==, 4);
  g_assert_cmpuint (copy->n_parts, ==, 1);
  g_assert_cmpint (copy->parts[0].end_ns, ==, 6);
  g_assert_cmpstr (copy->node, ==, "n");
  g_assert_null (copy->device);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  ADD ("/core/navigation/range", test_range);
  ADD ("/core/navigation/range-at-ends", test_range_at_ends);
  ADD ("/core/navigation/focus", test_focus);
  ADD ("/core/navigation/span", test_span);
  ADD ("/core/navigation/row", test_row);
  ADD ("/core/navigation/visible-span", test_visible_span);
  ADD ("/core/navigation/show", test_show);
  ADD ("/core/navigation/show-spans", test_show_spans);
  ADD ("/core/navigation/show-longest", test_show_longest);
  ADD ("/core/navigation/show-same-name", test_show_same_name);
  ADD ("/core/navigation/show-parts", test_show_parts);
  ADD ("/core/navigation/show-finding", test_show_finding);
  g_test_add_func ("/core/navigation/show-rank-that-holds-up", test_show_rank_that_holds_up);
  ADD ("/core/navigation/show-sample", test_show_sample);
  g_test_add_func ("/core/navigation/copy", test_copy);
  return run_fixture_run ();
}
