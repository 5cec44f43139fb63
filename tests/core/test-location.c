/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests remote locations, such as S3 buckets, opened directly or through a session file. A script replaces the aws
 * command.
 */
#include "run-fixture.h"

#include <glib/gstdio.h>

#define COMMAND                                                                                        \
  "#!/bin/sh\n"                                                                                        \
  "case \"$*\" in\n"                                                                                   \
  "*nobody*) echo 'no such bucket' >&2; exit 1;;\n"                                                    \
  "*list-objects-v2*) echo '{\"Contents\":[{\"Key\":\"job/a.json\",\"Size\":57,\"ETag\":\"1\"}]}';;\n" \
  "*cp*) printf '%s' '[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1000,\"dur\":5,\"pid\":1,\"tid\":1}]';;\n"  \
  "esac\n"

static void
assert_fetched (LoomRunSession *session)
{
  LoomRun *run = loom_timeline_get_run (loom_document_get_timeline (run_fixture_document (session)));
  g_assert_cmpuint (loom_run_get_n_sources (run), ==, 1);
  g_assert_cmpstr (loom_run_get_source (run, 0)->path, ==, "s3://b/job/a.json");
}

static void
test_open (void)
{
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, "s3://b/job#suffix=.json");
  assert_fetched (session);
  run_fixture_session_close (session);
}

typedef struct {
  /* first location in the question whether remote locations may be fetched; NULL: the question was
   * not asked */
  char *location;
  guint number;
} Question;

static void
note_question (LoomRunSession *session, const char *const *locations, guint number, Question *question)
{
  g_free (question->location);
  question->location = g_strdup (locations[0]);
  question->number = number;
}

static gboolean
is_asked (gpointer question)
{
  return ((Question *) question)->location != NULL;
}

static void
begin (LoomRunSession *session, Question *question)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path =
    fixture_file (folder, "theirs.traceloom", "{\"traceloom-session\":1,\"sources\":[{\"path\":\"s3://b/job\"}]}");
  g_clear_pointer (&question->location, g_free);
  loom_run_session_open_paths (session, (const char *const[]) { path, NULL }, FALSE);
}

static void
begin_and_wait (LoomRunSession *session, Question *question)
{
  begin (session, question);
  g_assert_true (fixture_wait (is_asked, question));
  g_assert_cmpstr (question->location, ==, "s3://b/job");
  g_assert_null (loom_document_get_timeline (run_fixture_document (session)));
  g_assert_false (loom_document_is_loading (run_fixture_document (session)));
}

/* Remote locations of a session are fetched only after the user agreed; answers to earlier questions are ignored. */
static void
test_session_asks (void)
{
  Question question = { NULL, 0 };
  LoomRunSession *session = run_fixture_session ();
  g_signal_connect (session, "asks-locations", G_CALLBACK (note_question), &question);
  begin_and_wait (session, &question);
  loom_run_session_answer_locations (session, question.number, FALSE);
  run_fixture_session_wait (session);
  g_assert_null (loom_document_get_timeline (run_fixture_document (session)));
  guint earlier = question.number;
  begin_and_wait (session, &question);
  loom_run_session_answer_locations (session, earlier, TRUE);
  g_assert_true (loom_run_session_is_opening (session));
  loom_run_session_answer_locations (session, question.number, TRUE);
  run_fixture_session_wait (session);
  assert_fetched (session);
  g_free (question.location);
  run_fixture_session_close (session);
}

static gboolean
has_opened (gpointer session)
{
  return !loom_run_session_is_opening (session);
}

/* If a tab is closed while its session file is read, no question is asked and nothing is opened. */
static void
test_session_closed (void)
{
  Question question = { NULL, 0 };
  LoomRunSession *session = run_fixture_session ();
  g_signal_connect (session, "asks-locations", G_CALLBACK (note_question), &question);
  begin (session, &question);
  g_assert_true (loom_run_session_is_opening (session));
  loom_run_session_close (session);
  g_assert_true (fixture_wait (has_opened, session));
  fixture_spin (200);
  g_assert_false (is_asked (&question));
  run_fixture_session_close (session);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_autofree char *folder = fixture_folder (), *command = fixture_file (folder, "aws", COMMAND);
  g_autofree char *path = g_strconcat (folder, ":/usr/bin:/bin", NULL);
  g_assert_cmpint (g_chmod (command, 0700), ==, 0);
  g_setenv ("PATH", path, TRUE);
  g_test_add_func ("/core/location/open", test_open);
  g_test_add_func ("/core/location/session-asks", test_session_asks);
  g_test_add_func ("/core/location/session-closed", test_session_closed);
  return run_fixture_run ();
}
