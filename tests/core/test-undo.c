/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests undo and redo of moves of the view and of edits of rows and marks. tests/app/test-undo.c tests the keys.
 */
#include "run-fixture.h"

#include "loom-view-commands.h"

#include <math.h>

#define REST_US 1100000 /* pause that ends an undo step of view moves */
#define EDIT_US 550000  /* pause that ends an undo step of edits */

static gint64 now_us = 10 * G_USEC_PER_SEC;

static gint64
get_now (void)
{
  return now_us;
}

typedef struct {
  LoomRunSession *session;
  LoomTimelineState *view;
  LoomViewAnimator *flight;
  LoomRowList *rows;
  LoomUndoStack *undo;
} Fixture;

/* Opens a run with two threads and a counter. */
static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = fixture_file (folder, "run.json",
                                        "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":1000},"
                                        "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":100,\"dur\":500},"
                                        "{\"ph\":\"C\",\"name\":\"load\",\"pid\":1,\"ts\":10,\"args\":{\"value\":3}}]");
  fixture->session = run_fixture_session ();
  run_fixture_session_open (fixture->session, path);
  LoomRunState *run = loom_run_session_get_run_state (fixture->session);
  fixture->view = loom_run_state_get_view (run);
  fixture->flight = loom_run_state_get_flight (run);
  fixture->rows = loom_timeline_state_get_row_list (fixture->view);
  fixture->undo = loom_document_get_undo (loom_run_state_get_document (run));
  now_us += REST_US;
  loom_undo_stack_clear (fixture->undo);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  run_fixture_session_close (fixture->session);
}

static LoomViewport
view_of (Fixture *fixture)
{
  return *loom_timeline_state_get_viewport (fixture->view);
}

static void
assert_view (Fixture *fixture, LoomViewport wanted)
{
  LoomViewport now = view_of (fixture);
  g_assert_true (loom_viewport_equal (&now, &wanted));
}

/* An edit between two moves of the view prevents that they become one undo step, even without a pause. */
static void
test_edit_between (Fixture *fixture, gconstpointer data)
{
  LoomViewport all = view_of (fixture);
  loom_view_animator_zoom (fixture->flight, 300, 0.5);
  LoomViewport first = view_of (fixture);
  loom_timeline_state_toggle_mark (fixture->view, first.begin_ns + 100, FALSE);
  loom_view_animator_zoom (fixture->flight, 300, 0.5);
  g_assert_cmpuint (run_fixture_count_marks (fixture->view), ==, 1);
  g_assert_true (loom_undo_stack_back (fixture->undo));
  assert_view (fixture, first);
  g_assert_cmpuint (run_fixture_count_marks (fixture->view), ==, 1);
  g_assert_true (loom_undo_stack_back (fixture->undo));
  g_assert_cmpuint (run_fixture_count_marks (fixture->view), ==, 0);
  assert_view (fixture, first);
  g_assert_true (loom_undo_stack_back (fixture->undo));
  assert_view (fixture, all);
  g_assert_true (loom_undo_stack_forward (fixture->undo) && loom_undo_stack_forward (fixture->undo));
  g_assert_cmpuint (run_fixture_count_marks (fixture->view), ==, 1);
}

/* Changes of the view not made by the user, such as by resizing the window or by a new timeline, are not undo steps. */
static void
test_by_itself (Fixture *fixture, gconstpointer data)
{
  g_autoptr (LoomTimeline) timeline = loom_timeline_ref (loom_timeline_state_get_timeline (fixture->view));
  LoomViewport view = view_of (fixture);
  view.end_ns -= (view.end_ns - view.begin_ns) / 2;
  /* restoring a session and following a growing file set the view in this way, too */
  loom_timeline_state_set_viewport (fixture->view, &view);
  loom_timeline_state_set_size (fixture->view, view.width_px - 100, view.height_px);
  loom_timeline_state_set_timeline (fixture->view, timeline);
  loom_timeline_state_set_size (fixture->view, view.width_px, view.height_px);
  g_assert_null (loom_undo_stack_get_back (fixture->undo));
}

static void
test_hide (Fixture *fixture, gconstpointer data)
{
  guint all = loom_row_list_get_n_rows (fixture->rows);
  g_autofree char *key = g_strdup (loom_row_list_get_row (fixture->rows, all - 1)->key);
  loom_row_list_set_hidden (fixture->rows, key, TRUE);
  loom_timeline_state_rows_changed (fixture->view);
  g_assert_cmpuint (loom_row_list_get_n_hidden (fixture->rows), ==, 1);
  g_assert_true (loom_undo_stack_back (fixture->undo));
  g_assert_cmpuint (loom_row_list_get_n_rows (fixture->rows), ==, all);
  g_assert_cmpuint (loom_row_list_get_n_hidden (fixture->rows), ==, 0);
  g_assert_true (loom_undo_stack_forward (fixture->undo));
  g_assert_cmpuint (loom_row_list_get_n_hidden (fixture->rows), ==, 1);
}

static double
height_of (Fixture *fixture, const char *key)
{
  for (guint i = 0; i < loom_row_list_get_n_rows (fixture->rows); i++)
    if (g_str_equal (loom_row_list_get_row (fixture->rows, i)->key, key))
      return loom_row_list_get_row (fixture->rows, i)->height;
  g_assert_not_reached ();
}

/* Dragging the height of a plot makes many small edits, which become one undo step. */
static void
test_height (Fixture *fixture, gconstpointer data)
{
  g_autofree char *key = g_strdup (loom_row_list_get_first_counter (fixture->rows));
  double height = height_of (fixture, key);
  for (guint i = 1; i <= 30; i++) {
    loom_row_list_set_row_height (fixture->rows, key, height + i);
    loom_timeline_state_rows_changed (fixture->view);
    now_us += 1000;
  }
  g_assert_cmpfloat (height_of (fixture, key), >, height + 20);
  now_us += EDIT_US;
  loom_row_list_set_row_height (fixture->rows, key, height + 50);
  loom_timeline_state_rows_changed (fixture->view);
  g_assert_true (loom_undo_stack_back (fixture->undo));
  g_assert_cmpfloat (fabs (height_of (fixture, key) - height - 30), <, 0.5);
  g_assert_true (loom_undo_stack_back (fixture->undo));
  g_assert_cmpfloat (fabs (height_of (fixture, key) - height), <, 0.5);
  g_assert_false (loom_undo_stack_back (fixture->undo));
}

static guint
row_of (Fixture *fixture, const char *name)
{
  LoomRunState *run = loom_run_session_get_run_state (fixture->session);
  guint row, strip;
  g_assert_true (loom_row_list_find_span (fixture->rows, run_fixture_find_span (run, name, 0), &row, &strip));
  return row;
}

/* Reordering rows and, after a pause, changing the height of a plot are two undo steps. */
static void
test_order_and_height (Fixture *fixture, gconstpointer data)
{
  guint first = row_of (fixture, "a"), second = row_of (fixture, "b");
  g_autofree char *upper = g_strdup (loom_row_list_get_row (fixture->rows, first)->key),
                  *lower = g_strdup (loom_row_list_get_row (fixture->rows, second)->key),
                  *plot = g_strdup (loom_row_list_get_first_counter (fixture->rows));
  double height = height_of (fixture, plot);
  g_assert_true (loom_row_list_move (fixture->rows, lower, upper));
  loom_timeline_state_rows_changed (fixture->view);
  g_assert_cmpuint (row_of (fixture, "b"), <, row_of (fixture, "a"));
  now_us += EDIT_US;
  loom_row_list_set_row_height (fixture->rows, plot, height + 32);
  loom_timeline_state_rows_changed (fixture->view);
  g_assert_true (loom_undo_stack_back (fixture->undo));
  g_assert_cmpfloat (fabs (height_of (fixture, plot) - height), <, 0.5);
  g_assert_cmpuint (row_of (fixture, "b"), <, row_of (fixture, "a"));
  g_assert_true (loom_undo_stack_back (fixture->undo));
  g_assert_cmpuint (row_of (fixture, "a"), ==, first);
  g_assert_cmpuint (row_of (fixture, "b"), ==, second);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*run) (Fixture *fixture, gconstpointer data);
  } cases[] = {
    { "edit-between", test_edit_between },
    { "by-itself", test_by_itself },
    { "hide", test_hide },
    { "height", test_height },
    { "order-and-height", test_order_and_height },
  };
  run_fixture_init (&argc, &argv);
  loom_view_commands_set_clock (get_now);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strconcat ("/core/undo/", cases[i].name, NULL);
    g_test_add (path, Fixture, NULL, set_up, cases[i].run, tear_down);
  }
  return run_fixture_run ();
}
