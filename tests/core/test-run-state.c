/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the state of an open run without a window: animated moves of the view, undo, the visibility of the details
 * below the timeline, and what a session saves.
 */
#include "loom-load.h"
#include "loom-session-state.h"
#include "loom-view-commands.h"

#include <glib/gstdio.h>

#define TEXT \
  "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":50},{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":50}]"

typedef struct {
  char *folder, *path;
  LoomRunState *run;
  LoomTimelineState *view;
  LoomViewAnimator *flight;
} Fixture;

static void
wait_for (LoomDocument *document)
{
  while (loom_document_is_loading (document))
    g_main_context_iteration (NULL, TRUE);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (LoomDocument) document = loom_document_new ();
  fixture->run = loom_run_state_new (document);
  fixture->view = loom_run_state_get_view (fixture->run);
  fixture->flight = loom_run_state_get_flight (fixture->run);
  fixture->folder = g_dir_make_tmp ("loom-run-state-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "a.json", NULL);
  g_assert_true (g_file_set_contents (fixture->path, TEXT, -1, NULL));
  loom_document_open (document, (const char *const[]) { fixture->path, NULL });
  wait_for (document);
  loom_timeline_state_set_size (fixture->view, 1000, 400);
  loom_timeline_state_set_timeline (fixture->view, loom_document_get_timeline (document));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->run);
  g_unlink (fixture->path);
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
}

static LoomViewport
view_of (Fixture *fixture, gint64 begin_ns, gint64 end_ns)
{
  LoomViewport view = *loom_timeline_state_get_viewport (fixture->view);
  loom_viewport_fit_range (&view, loom_timeline_state_get_extent (fixture->view), (LoomRange) { begin_ns, end_ns }, 0);
  return view;
}

static void
assert_at (Fixture *fixture, const LoomViewport *wanted)
{
  g_assert_true (loom_viewport_equal (loom_timeline_state_get_viewport (fixture->view), wanted));
}

/* --- animation of the view --- */

static gboolean
yes (gpointer screen)
{
  return TRUE;
}

static void
count (gpointer screen)
{
  (*(guint *) screen)++;
}

static void
test_jump_without_screen (Fixture *fixture, gconstpointer data)
{
  LoomViewport there = view_of (fixture, 11000, 21000);
  loom_view_animator_go_to (fixture->flight, &there);
  assert_at (fixture, &there);
  g_assert_false (loom_view_animator_is_moving (fixture->flight));
}

static void
test_jump_on_screen (Fixture *fixture, gconstpointer data)
{
  static const LoomViewAnimatorScreen calls = { yes, yes, count };
  LoomViewport here = *loom_timeline_state_get_viewport (fixture->view), there = view_of (fixture, 11000, 21000);
  guint n_starts = 0;
  loom_view_animator_set_screen (fixture->flight, &calls, &n_starts);
  loom_view_animator_go_to (fixture->flight, &there);
  g_assert_cmpuint (n_starts, ==, 1);
  assert_at (fixture, &here); /* the animation has not drawn a frame, so the view has not moved */
  LoomViewport target = loom_view_animator_get_target (fixture->flight);
  g_assert_true (loom_viewport_equal (&target, &there));
  while (loom_view_animator_advance (fixture->flight, 16000))
    ;
  assert_at (fixture, &there);
}

/* --- undo ------------------------------------------------------------------------------------------------------------ */

static guint
count_marks (Fixture *fixture)
{
  guint n;
  loom_timeline_state_get_marks (fixture->view, &n);
  return n;
}

static void
test_undo (Fixture *fixture, gconstpointer data)
{
  LoomUndoStack *undo = loom_document_get_undo (loom_run_state_get_document (fixture->run));
  LoomRowList *outline = loom_timeline_state_get_row_list (fixture->view);
  LoomViewport all = *loom_timeline_state_get_viewport (fixture->view), there = view_of (fixture, 11000, 21000);
  loom_timeline_state_add_mark (fixture->view, 12000, "here");
  loom_undo_stack_seal (undo);
  loom_timeline_state_set_row_filter (fixture->view, "No such Row");
  loom_view_animator_go_to (fixture->flight, &there);
  g_assert_true (loom_undo_stack_back (undo));
  assert_at (fixture, &all);
  g_assert_cmpstr (loom_row_list_get_filter (outline), ==, "No such Row");
  g_assert_true (loom_undo_stack_back (undo));
  g_assert_cmpstr (loom_row_list_get_filter (outline), ==, "");
  g_assert_cmpuint (count_marks (fixture), ==, 1);
  g_assert_true (loom_undo_stack_back (undo));
  g_assert_cmpuint (count_marks (fixture), ==, 0);
  g_assert_true (loom_undo_stack_forward (undo) && loom_undo_stack_forward (undo));
  g_assert_cmpuint (count_marks (fixture), ==, 1);
  g_assert_cmpstr (loom_row_list_get_filter (outline), ==, "No such Row");
}

/* --- the details below the timeline ------------------------------------------------------------------------------------ */

static const LoomSpanId first = { 0, 0 };

/* The first selection opens the panel of details below the timeline. The panel stays open when nothing is selected, so
 * that the tracks keep their height. */
static void
test_details (Fixture *fixture, gconstpointer data)
{
  g_assert_false (loom_run_state_get_shows_details (fixture->run));
  g_assert_true (loom_run_state_get_wants_details (fixture->run));
  loom_timeline_state_select_nothing (fixture->view);
  g_assert_false (loom_run_state_get_shows_details (fixture->run));
  loom_timeline_state_select_span (fixture->view, first, FALSE);
  g_assert_true (loom_run_state_get_shows_details (fixture->run));
  loom_timeline_state_select_nothing (fixture->view);
  g_assert_true (loom_run_state_get_shows_details (fixture->run));
}

static void
test_details_of_range (Fixture *fixture, gconstpointer data)
{
  loom_timeline_state_select_range (fixture->view, (LoomRange) { 12000, 13000 });
  g_assert_true (loom_run_state_get_shows_details (fixture->run));
}

/* While a range is dragged, the details stay closed, because a drag that zooms removes its range at the end. They open
 * when a drag ends with a selected range. */
static void
test_details_of_drag (Fixture *fixture, gconstpointer data)
{
  loom_timeline_state_drag_range (fixture->view, (LoomRange) { 12000, 13000 });
  g_assert_false (loom_run_state_get_shows_details (fixture->run));
  loom_timeline_state_make_range (fixture->view, (LoomRange) { 12000, 13000 });
  g_assert_true (loom_run_state_get_shows_details (fixture->run));
}

/* Details that the user closed stay closed until the user opens them or one of the pages in them. */
static void
test_closed_details (Fixture *fixture, gconstpointer data)
{
  loom_timeline_state_select_span (fixture->view, first, FALSE);
  loom_run_state_set_shows_details (fixture->run, FALSE);
  g_assert_false (loom_run_state_get_wants_details (fixture->run));
  loom_timeline_state_select_range (fixture->view, (LoomRange) { 12000, 13000 });
  g_assert_false (loom_run_state_get_shows_details (fixture->run));
  loom_run_state_open_page (fixture->run, "clocks"); /* the page "clocks" is in another view than the details */
  g_assert_false (loom_run_state_get_shows_details (fixture->run));
  loom_run_state_open_page (fixture->run, "found");
  g_assert_true (loom_run_state_get_shows_details (fixture->run));
  g_assert_true (loom_run_state_get_wants_details (fixture->run));
}

/* The setting that a new window reads only says whether a selection opens the details; it does not open them itself. */
static void
test_wanted_details (Fixture *fixture, gconstpointer data)
{
  loom_run_state_set_wants_details (fixture->run, TRUE);
  g_assert_false (loom_run_state_get_shows_details (fixture->run));
  loom_run_state_set_wants_details (fixture->run, FALSE);
  loom_timeline_state_select_span (fixture->view, first, FALSE);
  g_assert_false (loom_run_state_get_shows_details (fixture->run));
  loom_run_state_set_wants_details (fixture->run, TRUE);
  g_assert_true (loom_run_state_get_shows_details (fixture->run));
  loom_run_state_set_wants_details (fixture->run, FALSE);
  g_assert_false (loom_run_state_get_shows_details (fixture->run));
}

/* When the details open and would cover the row of the selected span, the row is scrolled into view. This move is not
 * an undo step. */
static void
test_covered_span (Fixture *fixture, gconstpointer data)
{
  const LoomSpanId last = { 0, 1 };
  guint row, strip, n_moves = loom_timeline_state_get_n_moves (fixture->view);
  LoomRowList *rows = loom_timeline_state_get_row_list (fixture->view);
  LoomUndoStack *undo = loom_document_get_undo (loom_run_state_get_document (fixture->run));
  double height_px = loom_row_list_get_height (rows);
  loom_timeline_state_set_size (fixture->view, 1000, height_px);
  loom_timeline_state_select_span (fixture->view, last, FALSE);
  g_assert_cmpfloat (loom_timeline_state_get_viewport (fixture->view)->scroll_px, ==, 0);
  loom_timeline_state_set_size (fixture->view, 1000, height_px - LOOM_STRIP_PX);
  const LoomViewport *view = loom_timeline_state_get_viewport (fixture->view);
  g_assert_true (loom_row_list_find_span (rows, last, &row, &strip));
  double top = loom_row_list_row_top (rows, row, view->scroll_px);
  g_assert_cmpfloat (top, >=, 0);
  g_assert_cmpfloat (top + LOOM_STRIP_PX, <=, view->height_px);
  g_assert_cmpuint (loom_timeline_state_get_n_moves (fixture->view), ==, n_moves + 1);
  g_assert_null (loom_undo_stack_get_back (undo));
}

/* --- the session ------------------------------------------------------------------------------------------------------ */

static void
test_session (Fixture *fixture, gconstpointer data)
{
  static const char *const all[] = { "selection", "python", NULL }, *const few[] = { "selection", NULL };
  LoomRunRules *rules = loom_run_state_get_rules (fixture->run);
  LoomViewport there = view_of (fixture, 11000, 21000);
  loom_view_animator_go_to (fixture->flight, &there);
  loom_timeline_state_add_mark (fixture->view, 12000, "here");
  loom_run_rules_dismiss (rules, "Dataloader", "known");
  loom_run_rules_add_file (rules, "/rules.json");
  loom_run_state_set_pages (fixture->run, all);
  loom_run_state_set_page (fixture->run, "python");
  g_autoptr (LoomSession) session = loom_session_state_collect (fixture->run);
  loom_session_state_forget (fixture->run);
  g_assert_cmpuint (count_marks (fixture), ==, 0);
  g_assert_null (loom_run_rules_get_files (rules)[0]);
  g_assert_cmpuint (g_hash_table_size (loom_run_rules_get_dismissed (rules)), ==, 0);
  loom_run_state_set_page (fixture->run, "selection");
  loom_run_state_set_pages (fixture->run, few);
  loom_session_state_apply (session, fixture->run);
  g_assert_true (loom_session_state_show_view (session, fixture->run));
  assert_at (fixture, &there);
  g_assert_cmpuint (count_marks (fixture), ==, 1);
  g_assert_cmpstr (loom_run_rules_get_files (rules)[0], ==, "/rules.json");
  g_assert_cmpstr (g_hash_table_lookup (loom_run_rules_get_dismissed (rules), "Dataloader"), ==, "known");
  g_assert_false (loom_session_state_show_page (session, fixture->run)); /* the page is not available yet, but may
                                                                          * become available later */
  loom_run_state_set_pages (fixture->run, all);
  g_assert_true (loom_session_state_show_page (session, fixture->run));
  g_assert_cmpstr (loom_run_state_get_page (fixture->run), ==, "python");
}

/* If the saved session of a run is found only after the user has selected a range and chosen the range of the panels,
 * the session does not replace the user's choices. */
static void
test_late_session (Fixture *fixture, gconstpointer data)
{
  const LoomRange kept = { 12000, 13000 }, chosen = { 14000, 19000 };
  LoomAnalysisContext *analysis = loom_run_state_get_analysis (fixture->run);
  loom_timeline_state_select_range (fixture->view, kept);
  loom_analysis_context_set_scope (analysis, LOOM_RANGE_SCOPE_SELECTION);
  g_autoptr (LoomSession) session = loom_session_state_collect (fixture->run);
  loom_session_state_forget (fixture->run);
  loom_timeline_state_select_range (fixture->view, chosen);
  loom_analysis_context_set_scope (analysis, LOOM_RANGE_SCOPE_VISIBLE);
  loom_session_state_apply (session, fixture->run);
  g_assert_cmpint (loom_timeline_state_get_range (fixture->view).begin_ns, ==, chosen.begin_ns);
  g_assert_cmpint (loom_analysis_context_get_scope (analysis), ==, LOOM_RANGE_SCOPE_VISIBLE);
  loom_session_state_forget (fixture->run);
  loom_timeline_state_select_span (fixture->view, (LoomSpanId) { 0, 1 }, FALSE);
  loom_session_state_apply (session, fixture->run);
  g_assert_cmpuint (loom_timeline_state_get_lead (fixture->view).span, ==, 1);
  g_assert_cmpint (loom_analysis_context_get_scope (analysis), ==, LOOM_RANGE_SCOPE_SELECTION);
  loom_session_state_forget (fixture->run);
  loom_session_state_apply (session, fixture->run);
  g_assert_cmpint (loom_timeline_state_get_range (fixture->view).begin_ns, ==, kept.begin_ns);
}

/* Adding a rule file that is already in the list emits notify::files, so that the file is read again; setting an equal
 * list emits nothing. */
static void
test_rule_files (void)
{
  static const char *const one[] = { "/a.json", NULL };
  g_autoptr (LoomRunRules) rules = loom_run_rules_new ();
  guint n = 0;
  g_signal_connect_swapped (rules, "notify::files", G_CALLBACK (count), &n);
  loom_run_rules_add_file (rules, "/a.json");
  loom_run_rules_add_file (rules, "/a.json");
  g_assert_cmpuint (n, ==, 2);
  g_assert_true (g_strv_equal (loom_run_rules_get_files (rules), one));
  loom_run_rules_set_files (rules, one);
  g_assert_cmpuint (n, ==, 2);
  loom_run_rules_remove_file (rules, "/a.json");
  g_assert_cmpuint (n, ==, 3);
  g_assert_null (loom_run_rules_get_files (rules)[0]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  ADD ("/core/run-state/late-session", test_late_session);
  ADD ("/core/run-state/jump-without-screen", test_jump_without_screen);
  ADD ("/core/run-state/jump-on-screen", test_jump_on_screen);
  ADD ("/core/run-state/undo", test_undo);
  ADD ("/core/run-state/details", test_details);
  ADD ("/core/run-state/details-of-range", test_details_of_range);
  ADD ("/core/run-state/details-of-drag", test_details_of_drag);
  ADD ("/core/run-state/closed-details", test_closed_details);
  ADD ("/core/run-state/wanted-details", test_wanted_details);
  ADD ("/core/run-state/covered-span", test_covered_span);
  ADD ("/core/run-state/session", test_session);
  g_test_add_func ("/core/run-state/rule-files", test_rule_files);
  return g_test_run ();
}
