/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests sessions (files with the view, marks and edits of a run): saving and opening them, restoring them
 * automatically, and offering them again after the program crashed.
 */
#include "kept-sessions.h"
#include "run-fixture.h"

#include "loom-session-autosave.h"
#include "loom-settings.h"
#include "loom-source-commands.h"

#include <glib/gstdio.h>

static guint
count_rows (LoomRunSession *session)
{
  return loom_row_list_get_n_rows (loom_timeline_state_get_row_list (run_fixture_view (session)));
}

static void
fold_all (LoomRunSession *session)
{
  loom_row_list_fold_all (loom_timeline_state_get_row_list (run_fixture_view (session)), TRUE);
  loom_timeline_state_rows_changed (run_fixture_view (session));
}

static void
set_look (LoomRunSession *session, LoomColorBy color_by, gboolean all_flows)
{
  loom_timeline_state_set_look (run_fixture_view (session), (LoomSpanColorMode) { color_by, all_flows });
}

/* Shows the second quarter of the run, adds a mark and folds every row; returns the view. */
static LoomViewport
arrange (LoomRunSession *session)
{
  LoomTimelineState *state = run_fixture_view (session);
  LoomRange extent = loom_timeline_state_get_extent (state);
  gint64 quarter_ns = (extent.end_ns - extent.begin_ns) / 4;
  LoomViewport view = *loom_timeline_state_get_viewport (state);
  view.begin_ns = extent.begin_ns + quarter_ns;
  view.end_ns = view.begin_ns + quarter_ns;
  loom_timeline_state_set_viewport (state, &view);
  loom_timeline_state_select_range (state, (LoomRange) { view.begin_ns + 3000, view.begin_ns + 9000 });
  loom_timeline_state_toggle_mark (state, view.begin_ns + 1000, FALSE);
  loom_timeline_state_toggle_mark (state, view.begin_ns + 2000, TRUE); /* temporary marks are not saved */
  fold_all (session);
  return *loom_timeline_state_get_viewport (state);
}

/* Dismisses the finding of a rule with a note. */
static void
dismiss (LoomRunSession *session, const char *rule, const char *note)
{
  g_autoptr (GHashTable) dismissed = g_hash_table_new (g_str_hash, g_str_equal);
  g_hash_table_replace (dismissed, (gpointer) rule, (gpointer) note);
  loom_run_rules_set_dismissed (loom_run_state_get_rules (loom_run_session_get_run_state (session)), dismissed);
}

static GHashTable *
get_dismissed (LoomRunSession *session)
{
  return loom_run_rules_get_dismissed (loom_run_state_get_rules (loom_run_session_get_run_state (session)));
}

static void
assert_view (LoomRunSession *session, const LoomViewport *expected)
{
  LoomViewport view = *loom_timeline_state_get_viewport (run_fixture_view (session));
  g_assert_cmpint (view.begin_ns, ==, expected->begin_ns);
  g_assert_cmpint (view.end_ns, ==, expected->end_ns);
}

/* Asserts the selection made by arrange(). */
static void
assert_selection (LoomRunSession *session, const LoomViewport *view)
{
  LoomRange range = loom_timeline_state_get_range (run_fixture_view (session));
  g_assert_cmpint (range.begin_ns, ==, view->begin_ns + 3000);
  g_assert_cmpint (range.end_ns, ==, view->begin_ns + 9000);
}

static gboolean
selects_nothing (LoomRunSession *session)
{
  LoomRange range = loom_timeline_state_get_range (run_fixture_view (session));
  return range.end_ns <= range.begin_ns;
}

static gboolean
is_written (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
assert_look (LoomRunSession *session, LoomColorBy color_by, gboolean all_flows)
{
  LoomSpanColorMode look = loom_timeline_state_get_look (run_fixture_view (session));
  g_assert_cmpuint (look.color_by, ==, color_by);
  g_assert_cmpint (look.all_flows, ==, all_flows);
}

static LoomPathDisplay *
get_path (LoomRunSession *session)
{
  return loom_run_state_get_path (loom_run_session_get_run_state (session));
}

static void
test_save_and_open (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = g_build_filename (folder, "mine.traceloom", NULL);
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, fixture_sample ());
  guint n_rows = count_rows (session);
  LoomViewport view = arrange (session);
  guint n_folded = count_rows (session);
  dismiss (session, "Dataloader", "as it should be");
  assert_look (session, LOOM_COLOR_BY_NAME, FALSE);
  set_look (session, LOOM_COLOR_BY_DURATION, TRUE);
  assert_look (session, LOOM_COLOR_BY_DURATION, TRUE);
  loom_path_display_set_shown (get_path (session), TRUE);
  g_assert_cmpuint (n_folded, <, n_rows);
  loom_run_session_save (session, path);
  g_assert_true (fixture_wait (is_written, path));
  run_fixture_session_close (session);

  session = run_fixture_session ();
  run_fixture_session_open (session, path);
  assert_view (session, &view);
  assert_selection (session, &view);
  g_assert_false (loom_run_session_is_unsaved (session));
  loom_timeline_state_select_nothing (run_fixture_view (session));
  g_assert_false (loom_run_session_is_unsaved (session)); /* changes of the view need no saving */
  g_assert_cmpuint (run_fixture_count_marks (run_fixture_view (session)), ==, 1);
  assert_look (session, LOOM_COLOR_BY_DURATION, TRUE);
  g_assert_true (loom_path_display_get_shown (get_path (session)));
  g_assert_cmpstr (g_hash_table_lookup (get_dismissed (session), "Dataloader"), ==, "as it should be");
  g_assert_cmpuint (count_rows (session), ==, n_folded);
  const char *const *paths = loom_document_get_paths (run_fixture_document (session));
  g_assert_cmpstr (paths[0], ==, fixture_sample ());
  g_assert_null (paths[1]);
  run_fixture_session_close (session);
}

static LoomRangeScope
get_scope (LoomRunSession *session)
{
  return loom_analysis_context_get_scope (loom_run_state_get_analysis (loom_run_session_get_run_state (session)));
}

static LoomQueryState *
get_query (LoomRunSession *session)
{
  return loom_run_state_get_query (loom_run_session_get_run_state (session));
}

/* A session stores the text of the query, but does not run it when it opens; the next run begins with the suggested
 * query. */
static void
test_query (void)
{
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "a.traceloom", NULL);
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, fixture_sample ());
  g_autofree char *first = g_strdup (loom_query_state_get_text (get_query (session)));
  g_assert_null (loom_query_state_dup_own_text (get_query (session)));
  loom_query_state_set_text (get_query (session), "SELECT 1\n");
  loom_run_session_save (session, path);
  g_assert_true (fixture_wait (is_written, path));
  run_fixture_session_close (session);

  session = run_fixture_session ();
  run_fixture_session_open (session, path);
  g_assert_cmpstr (loom_query_state_get_text (get_query (session)), ==, "SELECT 1\n");
  g_assert_false (loom_query_state_is_running (get_query (session)));
  g_assert_null (loom_query_state_get_answer (get_query (session)));
  g_assert_false (loom_run_session_is_unsaved (session));
  run_fixture_session_open (session, fixture_sample ());
  g_assert_cmpstr (loom_query_state_get_text (get_query (session)), ==, first);
  run_fixture_session_close (session);
}

/* A session restores the range chosen for the panels; a run without a session begins with the whole run. */
static void
test_scope (void)
{
  g_autofree char *folder = fixture_folder ();
  for (LoomRangeScope scope = 0; scope < LOOM_N_RANGE_SCOPES; scope++) {
    g_autofree char *name = g_strdup_printf ("%d.traceloom", scope), *path = g_build_filename (folder, name, NULL);
    LoomRunSession *session = run_fixture_session ();
    run_fixture_session_open (session, fixture_sample ());
    LoomViewport view = arrange (session);
    loom_analysis_context_set_scope (loom_run_state_get_analysis (loom_run_session_get_run_state (session)), scope);
    loom_run_session_save (session, path);
    g_assert_true (fixture_wait (is_written, path));
    run_fixture_session_close (session);

    session = run_fixture_session ();
    run_fixture_session_open (session, path);
    g_assert_cmpint (get_scope (session), ==, scope);
    LoomRange asked =
      loom_analysis_context_get_asked_range (loom_run_state_get_analysis (loom_run_session_get_run_state (session)));
    if (scope == LOOM_RANGE_SCOPE_SELECTION)
      g_assert_cmpint (asked.begin_ns, ==, view.begin_ns + 3000);
    g_assert_false (loom_run_session_is_unsaved (session));
    loom_analysis_context_set_scope (loom_run_state_get_analysis (loom_run_session_get_run_state (session)),
                                     scope == LOOM_RANGE_SCOPE_ALL ? LOOM_RANGE_SCOPE_VISIBLE : LOOM_RANGE_SCOPE_ALL);
    g_assert_false (loom_run_session_is_unsaved (session)); /* changes of the range need no saving */
    loom_analysis_context_set_scope (loom_run_state_get_analysis (loom_run_session_get_run_state (session)), scope);
    run_fixture_session_open (session, fixture_sample ());
    g_assert_cmpint (get_scope (session), ==, LOOM_RANGE_SCOPE_ALL);
    run_fixture_session_close (session);
  }
}

/* Sessions without a range, or with an unknown one, use the whole run. */
static void
test_unknown_scope (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *one =
    fixture_file (folder, "one.json", "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  static const char *const members[] = { "", ",\"range\":\"week\"", ",\"range\":3" };
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, one);
  for (guint i = 0; i < G_N_ELEMENTS (members); i++) {
    g_autofree char *text =
      g_strdup_printf ("{\"traceloom-session\":1,\"sources\":[{\"path\":\"one.json\"}]%s}", members[i]);
    g_autofree char *path = fixture_file (folder, "s.traceloom", text);
    loom_analysis_context_set_scope (loom_run_state_get_analysis (loom_run_session_get_run_state (session)),
                                     LOOM_RANGE_SCOPE_VISIBLE);
    run_fixture_session_open (session, path);
    g_assert_cmpint (get_scope (session), ==, LOOM_RANGE_SCOPE_ALL);
  }
  run_fixture_session_close (session);
}

static LoomViewport
leave_arranged (void)
{
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, fixture_sample ());
  LoomViewport view = arrange (session);
  run_fixture_session_close (session);
  loom_session_autosave_flush ();
  return view;
}

static void
test_kept (void)
{
  LoomViewport view = leave_arranged (); /* saves this session in place of the one that an earlier test case saved for
                                          * the sample run */
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, TRUE);
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, fixture_sample ());
  assert_view (session, &view);
  assert_selection (session, &view);
  g_assert_cmpuint (run_fixture_count_marks (run_fixture_view (session)), ==, 1);
  guint n_folded = count_rows (session);
  loom_run_session_forget_view (session);
  g_assert_true (loom_timeline_state_is_fitted (run_fixture_view (session)));
  g_assert_cmpuint (run_fixture_count_marks (run_fixture_view (session)), ==, 0);
  g_assert_true (selects_nothing (session));
  g_assert_cmpuint (count_rows (session), >, n_folded);
  run_fixture_session_close (session);
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, FALSE);
}

static void
count (guint *n)
{
  ++*n;
}

/* A message about fitted clocks is shown when a run is opened for the first time. It is not shown again unless the fit
 * changed. */
static void
test_told_once (void)
{
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, TRUE);
  loom_session_autosave_flush ();
  g_autofree char *path = g_build_filename (fixture_sample (), "llama-8b", NULL);
  for (guint i = 0; i < 2; i++) {
    LoomRunSession *session = run_fixture_session ();
    guint n = 0;
    g_signal_connect_swapped (session, "clocks-fitted", G_CALLBACK (count), &n);
    run_fixture_session_open (session, path);
    g_assert_cmpuint (n, ==, i == 0);
    run_fixture_session_close (session);
    loom_session_autosave_flush ();
  }
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, FALSE);
}

static void
test_not_restored (void)
{
  leave_arranged ();
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, fixture_sample ());
  g_assert_true (loom_timeline_state_is_fitted (run_fixture_view (session)));
  g_assert_cmpuint (run_fixture_count_marks (run_fixture_view (session)), ==, 0);
  run_fixture_session_close (session);
}

/* Creates files as after a crash: a saved session, and a lock file that no process holds. */
static char *
make_lost (void)
{
  loom_session_autosave_flush ();
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "traceloom", "sessions", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = g_dir_read_name (dir);
  g_assert_true (g_str_has_suffix (name, ".traceloom"));
  g_assert_null (g_dir_read_name (dir)); /* closing a run removes its lock file */
  g_autofree char *lock = g_strconcat (folder, G_DIR_SEPARATOR_S, name, ".open", NULL);
  g_assert_true (g_file_set_contents (lock, "", 0, NULL));
  return g_build_filename (folder, name, NULL);
}

static void
test_lost (void)
{
  LoomViewport view = leave_arranged ();
  g_autofree char *path = make_lost ();
  g_assert_cmpuint (kept_sessions_count_lost (), ==, 1);
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, path);
  assert_view (session, &view);
  g_assert_cmpuint (kept_sessions_count_lost (), ==, 0); /* the reopened session holds the lock now */
  run_fixture_session_close (session);
  g_assert_cmpuint (kept_sessions_count_lost (), ==, 0);
}

/* The session of an open run is not offered as crashed; the session of a killed process is offered. */
static void
test_held (void)
{
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, fixture_sample ());
  g_assert_cmpuint (kept_sessions_count_lost (), ==, 0);
  run_fixture_session_close (session);
  g_autofree char *path = make_lost ();
  loom_session_autosave_forget_lost (path);
  g_assert_cmpuint (kept_sessions_count_lost (), ==, 0);
}

/* Dismissed findings and rule files of a session do not apply to the next run that is opened. */
static void
test_next_run (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *one =
    fixture_file (folder, "one.json", "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  g_autofree char *two =
    fixture_file (folder, "two.json", "[{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  g_autofree char *rules = fixture_file (folder, "rules.json", "{}");
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, one);
  LoomRunRules *own = loom_run_state_get_rules (loom_run_session_get_run_state (session));
  dismiss (session, "Dataloader", "as it should be");
  loom_run_rules_set_files (own, (const char *const[]) { rules, NULL });
  run_fixture_session_open (session, two);
  g_assert_cmpuint (g_hash_table_size (get_dismissed (session)), ==, 0);
  g_assert_null (loom_run_rules_get_files (own)[0]);
  run_fixture_session_close (session);
}

/* A trace with two threads and a counter. All runs of this text have the same row keys, so edits of one run could be
 * applied to another. */
static const char alike[] = "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5},"
                            "{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":2,\"ts\":1,\"dur\":5},"
                            "{\"ph\":\"C\",\"name\":\"load\",\"pid\":1,\"ts\":2,\"args\":{\"value\":3}}]";

/* Edits rows and colours: hides a row, draws the counter over the spans, marks the row of the
 * counter as a finding does, folds the other rows, filters the rows and changes the colours of
 * spans. */
static void
arrange_rows (LoomRunSession *session)
{
  LoomTimelineState *state = run_fixture_view (session);
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  g_autofree char *counter = g_strdup (loom_row_list_get_first_counter (outline));
  g_autofree char *last = g_strdup (loom_row_list_get_row (outline, loom_row_list_get_n_rows (outline) - 1)->key);
  loom_row_list_set_overlay (outline, counter, TRUE);
  loom_row_list_set_hidden (outline, last, TRUE);
  loom_timeline_annotations_set_rows (loom_timeline_state_get_finding_marks (state),
                                      (const char *const[]) { counter, NULL });
  loom_timeline_state_rows_changed (state);
  fold_all (session);
  set_look (session, LOOM_COLOR_BY_DURATION, FALSE);
  loom_timeline_state_set_row_filter (state, "load");
}

static void
assert_untouched_rows (LoomRunSession *session, guint n_rows)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (run_fixture_view (session));
  g_autoptr (GVariant) rows = loom_row_list_save (outline);
  g_assert_cmpuint (g_variant_n_children (rows), ==, 0);
  g_assert_false (loom_row_list_is_filtered (outline));
  g_assert_null (
    loom_timeline_annotations_get_rows (loom_timeline_state_get_finding_marks (run_fixture_view (session)))[0]);
  g_assert_cmpuint (loom_row_list_get_n_hidden (outline), ==, 0);
  g_assert_cmpuint (count_rows (session), ==, n_rows);
  assert_look (session, LOOM_COLOR_BY_NAME, FALSE);
}

/* Saves the session and returns its text. */
static char *
save_text (LoomRunSession *session, const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "saved.traceloom", NULL);
  char *text;
  g_unlink (path);
  loom_run_session_save (session, path);
  g_assert_true (fixture_wait (is_written, path));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

/* Edits of rows do not carry over to the next run opened in the same tab, from files or from a session. */
static void
test_next_rows (void)
{
  g_autofree char *folder = fixture_folder (), *one = fixture_file (folder, "one.json", alike),
                  *two = fixture_file (folder, "two.json", alike);
  g_autofree char *file =
    fixture_file (folder, "s.traceloom", "{\"traceloom-session\":1,\"sources\":[{\"path\":\"two.json\"}]}");
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, one);
  guint n_rows = count_rows (session);
  const char *const next[] = { two, file };
  for (guint i = 0; i < G_N_ELEMENTS (next); i++) {
    arrange_rows (session);
    loom_path_display_set_shown (get_path (session), TRUE);
    g_assert_cmpuint (count_rows (session), <, n_rows);
    run_fixture_session_open (session, next[i]);
    assert_untouched_rows (session, n_rows);
    g_autofree char *text = save_text (session, folder);
    g_assert_null (strstr (text, "\"rows\""));
    g_assert_null (strstr (text, "\"colors\""));
    g_assert_null (strstr (text, "\"critical_path\""));
  }
  run_fixture_session_close (session);
}

/* Edits of sources do not carry over when the file is opened again, and the list of sources is updated. */
static void
test_next_sources (void)
{
  g_autofree char *folder = fixture_folder (), *one = fixture_file (folder, "one.json", alike);
  LoomRunSession *session = run_fixture_session ();
  LoomDocument *document = run_fixture_document (session);
  guint n = 0;
  run_fixture_session_open (session, one);
  loom_source_commands_set_muted (document, (const char *const[]) { one, NULL }, TRUE);
  g_assert_false (loom_timeline_state_shows_all (run_fixture_view (session)));
  g_signal_connect_swapped (document, "sources-edited", G_CALLBACK (count), &n);
  run_fixture_session_open (session, one);
  g_signal_handlers_disconnect_by_data (document, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_true (loom_timeline_state_shows_all (run_fixture_view (session)));
  g_assert_false (loom_source_overrides_hides_any (loom_document_get_source_edits (document)));
  run_fixture_session_close (session);
}

/* A session that the first tab saved and still shows is opened in two more tabs. Both tabs restore the view and the
 * selection of the session, although the size of a tab's view is set before the tab has a run. */
static void
test_in_new_tab (void)
{
  g_autofree char *folder = fixture_folder (), *one = fixture_file (folder, "one.json", alike);
  g_autofree char *path = g_build_filename (folder, "mine.traceloom", NULL);
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, fixture_sample ());
  LoomViewport view = arrange (session);
  loom_run_session_save (session, path);
  g_assert_true (fixture_wait (is_written, path));
  LoomRunSession *later[2];
  for (guint i = 0; i < 2; i++) {
    later[i] = run_fixture_session ();
    run_fixture_session_open (later[i], path);
    assert_view (later[i], &view);
    assert_selection (later[i], &view);
  }
  for (guint i = 0; i < 2; i++)
    run_fixture_session_close (later[i]);
  run_fixture_session_close (session);
}

#define SMALLER_PX 100
/* Maximum number of attempts until the files of a run arrive one after another, which depends on the scheduling of
 * threads. */
#define MOST_OPENED 10

typedef struct {
  LoomRunSession *session;
  gboolean resized;
  LoomViewport placed; /* the view after all files were read */
} Resizing;

/* Resizes the view after the first files have arrived, as the layout of the window does during a load. */
static void
resize (Resizing *self)
{
  LoomViewport view = *loom_timeline_state_get_viewport (run_fixture_view (self->session));
  LoomDocument *document = run_fixture_document (self->session);
  if (self->resized || !loom_document_is_loading (document) || loom_document_get_timeline (document) == NULL)
    return;
  self->resized = TRUE;
  loom_timeline_state_set_size (run_fixture_view (self->session), view.width_px + 4 * SMALLER_PX,
                                view.height_px + SMALLER_PX);
  view = *loom_timeline_state_get_viewport (run_fixture_view (self->session));
  loom_timeline_state_set_size (run_fixture_view (self->session), view.width_px - SMALLER_PX, view.height_px);
}

static void
note_placed (Resizing *self)
{
  if (!loom_document_is_loading (run_fixture_document (self->session)))
    self->placed = *loom_timeline_state_get_viewport (run_fixture_view (self->session));
}

/* Resizing the view while files arrive is not a move by the user, so the saved view is still restored. */
static void
test_resized (void)
{
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "mine.traceloom", NULL);
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, fixture_sample ());
  LoomViewport view = arrange (session);
  loom_run_session_save (session, path);
  g_assert_true (fixture_wait (is_written, path));
  run_fixture_session_close (session);
  session = run_fixture_session ();
  Resizing resizing = { .session = session };
  LoomDocument *document = run_fixture_document (session);
  g_signal_connect_data (document, "timeline-changed", G_CALLBACK (resize), &resizing, NULL,
                         G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_data (document, "loading-changed", G_CALLBACK (note_placed), &resizing, NULL,
                         G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  for (guint i = 0; i < MOST_OPENED && !resizing.resized; i++)
    run_fixture_session_open (session, path);
  g_signal_handlers_disconnect_by_data (document, &resizing);
  if (resizing.resized) {
    g_assert_cmpint (resizing.placed.begin_ns, ==, view.begin_ns);
    g_assert_cmpint (resizing.placed.end_ns, ==, view.end_ns);
  } else
    g_test_skip ("all files arrived at once");
  run_fixture_session_close (session);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, FALSE); /* each test case must open the run as if for the first
                                                            * time */
  g_test_add_func ("/core/run-session/save-and-open", test_save_and_open);
  g_test_add_func ("/core/run-session/kept", test_kept);
  g_test_add_func ("/core/run-session/query", test_query);
  g_test_add_func ("/core/run-session/not-restored", test_not_restored);
  g_test_add_func ("/core/run-session/lost", test_lost);
  g_test_add_func ("/core/run-session/held", test_held);
  /* these cases run last, because they save sessions that affect other cases */
  g_test_add_func ("/core/run-session/next-run", test_next_run);
  g_test_add_func ("/core/run-session/next-rows", test_next_rows);
  g_test_add_func ("/core/run-session/next-sources", test_next_sources);
  g_test_add_func ("/core/run-session/scope", test_scope);
  g_test_add_func ("/core/run-session/unknown-scope", test_unknown_scope);
  g_test_add_func ("/core/run-session/in-new-tab", test_in_new_tab);
  g_test_add_func ("/core/run-session/resized", test_resized);
  g_test_add_func ("/core/run-session/told-once", test_told_once);
  return run_fixture_run ();
}
