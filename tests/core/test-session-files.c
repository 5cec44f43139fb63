/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests session files that are opened or added to a run: a broken session file, files that are added while a session is
 * being read, and changes that need no saving.
 */
#include "kept-sessions.h"
#include "run-fixture.h"

#include "loom-session-autosave.h"
#include "loom-settings.h"
#include "loom-source-commands.h"

#include <glib/gstdio.h>

/* Adding a session file to a run adds its files and does not change the view. */
static void
test_add (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *other =
    fixture_file (folder, "one.json", "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  g_autofree char *path =
    fixture_file (folder, "s.traceloom",
                  "{\"traceloom-session\":1,\"sources\":[{\"path\":\"one.json\"}],\"marks\":[{\"time_ns\":1}]}");
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, fixture_sample ());
  guint n_sources = loom_run_get_n_sources (loom_document_get_run (run_fixture_document (session)));
  loom_run_session_open_paths (session, (const char *const[]) { path, NULL }, TRUE);
  run_fixture_session_wait (session);
  g_assert_cmpuint (loom_run_get_n_sources (loom_document_get_run (run_fixture_document (session))), ==, n_sources + 1);
  g_assert_cmpuint (run_fixture_count_marks (run_fixture_view (session)), ==, 0);
  run_fixture_session_close (session);
}

static void
note_failed (LoomRunSession *session, const char *what, const char *advice, GString *failed)
{
  g_string_printf (failed, "%s|%s", what, advice);
}

static void
test_broken (void)
{
  g_autoptr (GString) failed = g_string_new (NULL);
  g_autofree char *folder = fixture_folder ();
  g_autofree char *broken = fixture_file (folder, "s.traceloom", "{\"traceloom-session\":1,\"sources\":[");
  g_autofree char *empty = fixture_file (folder, "t.traceloom", "{\"traceloom-session\":1}");
  LoomRunSession *session = run_fixture_session ();
  g_signal_connect (session, "failed", G_CALLBACK (note_failed), failed);
  run_fixture_session_open (session, broken);
  g_assert_nonnull (strstr (failed->str, "s.traceloom"));
  g_assert_true (g_str_has_suffix (failed->str, "|Open the files themselves, or another session."));
  g_assert_cmpstr (loom_run_session_get_stage (session), ==, "empty");
  run_fixture_session_open (session, empty);
  g_assert_cmpstr (failed->str, ==, "The session contains no files|Open the files themselves, or another session.");
  run_fixture_session_close (session);
}

/* Files added while a session is being read are added to the session's files. */
static void
test_add_early (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *one =
    fixture_file (folder, "one.json", "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  g_autofree char *two =
    fixture_file (folder, "two.json", "[{\"ph\":\"X\",\"name\":\"b\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  g_autofree char *path =
    fixture_file (folder, "s.traceloom", "{\"traceloom-session\":1,\"sources\":[{\"path\":\"one.json\"}]}");
  LoomRunSession *session = run_fixture_session ();
  loom_run_session_open_paths (session, (const char *const[]) { path, NULL }, FALSE);
  loom_run_session_open_paths (session, (const char *const[]) { two, NULL }, TRUE);
  run_fixture_session_wait (session);
  g_assert_cmpuint (loom_run_get_n_sources (loom_document_get_run (run_fixture_document (session))), ==, 2);
  run_fixture_session_close (session);
}

/* While the program looks for the saved session of a run, a broken session file is opened: the run stays open, and its
 * session is saved. */
static void
test_broken_early (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *one =
    fixture_file (folder, "one.json", "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  g_autofree char *broken = fixture_file (folder, "s.traceloom", "{\"traceloom-session\":1,\"sources\":[");
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, TRUE);
  LoomRunSession *session = run_fixture_session ();
  loom_run_session_open_paths (session, (const char *const[]) { one, NULL }, FALSE);
  loom_run_session_open_paths (session, (const char *const[]) { broken, NULL }, FALSE);
  run_fixture_session_wait (session);
  loom_timeline_state_add_mark (run_fixture_view (session), 3000, "here");
  run_fixture_session_close (session);
  loom_session_autosave_flush ();
  session = run_fixture_session ();
  run_fixture_session_open (session, one);
  g_assert_cmpuint (run_fixture_count_marks (run_fixture_view (session)), ==, 1);
  run_fixture_session_close (session);
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, FALSE);
}

/* Moves of the view, edits that were undone, and edits of a run without a session file count as nothing to save. */
static void
test_nothing_to_save (void)
{
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "mine.traceloom", NULL),
                  *one = fixture_file (folder, "one.json", RUN_FIXTURE_TRACE);
  LoomRunSession *session = run_fixture_session ();
  LoomRunState *run = loom_run_session_get_run_state (session);
  run_fixture_session_open (session, one);
  loom_run_session_save (session, path);
  while (loom_run_session_get_path (session) == NULL)
    fixture_spin (1);
  LoomViewport view = *loom_timeline_state_get_viewport (run_fixture_view (session));
  view.end_ns -= (view.end_ns - view.begin_ns) / 2;
  loom_timeline_state_set_viewport (run_fixture_view (session), &view);
  loom_run_state_set_page (run, "events");
  loom_timeline_state_add_mark (run_fixture_view (session), 3000, "look here");
  g_assert_true (loom_run_session_is_unsaved (session));
  loom_undo_stack_back (loom_document_get_undo (run_fixture_document (session)));
  g_assert_false (loom_run_session_is_unsaved (session));
  run_fixture_session_close (session);
  session = run_fixture_session ();
  run_fixture_session_open (session, path);
  g_assert_false (loom_run_session_is_unsaved (session));
  run_fixture_session_open (session, one);
  loom_timeline_state_add_mark (run_fixture_view (session), 3000, "look here");
  g_assert_false (loom_run_session_is_unsaved (session));
  run_fixture_session_close (session);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, FALSE); /* each test case must open the run as if for the first
                                                            * time */
  g_test_add_func ("/core/session-files/add", test_add);
  g_test_add_func ("/core/session-files/broken", test_broken);
  g_test_add_func ("/core/session-files/add-early", test_add_early);
  g_test_add_func ("/core/session-files/broken-early", test_broken_early);
  g_test_add_func ("/core/session-files/nothing-to-save", test_nothing_to_save);
  return run_fixture_run ();
}
