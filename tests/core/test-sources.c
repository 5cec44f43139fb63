/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the commands that remove, mute and describe sources, or show only some sources (solo): their effect on the run,
 * their undo steps, and what a session saves of them. Also tests how long names of sources are shortened.
 */
#include "run-fixture.h"

#include "loom-common-affixes.h"
#include "loom-session-file.h"
#include "loom-session-state.h"
#include "loom-source-commands.h"

#include <glib/gstdio.h>

typedef struct {
  LoomRunState *run;
  LoomDocument *document;
  char *folder, *a, *b; /* `a` contains two spans, `b` three */
} Fixture;

static char *
write_file (const char *folder, const char *name, guint n, guint pid)
{
  g_autoptr (GString) text = g_string_new ("[\n");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "{\"ph\":\"X\",\"pid\":%u,\"tid\":1,\"ts\":%u,\"dur\":500,\"name\":\"n%u\"},\n", pid,
                            i * 1000, i);
  return fixture_file (folder, name, text->str);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = fixture_folder ();
  fixture->a = write_file (fixture->folder, "part-4.json", 2, 1);
  fixture->b = write_file (fixture->folder, "part-5.json", 3, 2);
  fixture->run = run_fixture_open (fixture->folder);
  loom_run_state_set_follows_files (fixture->run, FALSE);
  fixture->document = loom_run_state_get_document (fixture->run);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 5);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  run_fixture_close (fixture->run);
  g_free (fixture->folder);
  g_free (fixture->a);
  g_free (fixture->b);
}

static void
assert_spans (Fixture *fixture, guint64 n)
{
  run_fixture_wait_loaded (fixture->run);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, n);
}

static void
undo (Fixture *fixture)
{
  g_assert_true (loom_undo_stack_back (loom_document_get_undo (fixture->document)));
  run_fixture_wait_loaded (fixture->run);
}

static void
redo (Fixture *fixture)
{
  g_assert_true (loom_undo_stack_forward (loom_document_get_undo (fixture->document)));
  run_fixture_wait_loaded (fixture->run);
}

static void
remove_source (Fixture *fixture, const char *path)
{
  loom_source_commands_remove (fixture->document, (const char *const[]) { path, NULL });
  run_fixture_wait_loaded (fixture->run);
}

static guint
count_shown (Fixture *fixture)
{
  LoomRowList *rows = loom_timeline_state_get_row_list (loom_run_state_get_view (fixture->run));
  guint n = 0;
  for (guint i = 0; i < loom_row_list_get_n_rows (rows); i++)
    n += loom_row_list_get_row (rows, i)->kind == LOOM_ROW_SPANS;
  return n;
}

/* Covers documented rows: ../README.md §sources a source is removed | every change of a source can be undone */
static void
test_remove (Fixture *fixture, gconstpointer data)
{
  LoomTrace *kept = loom_run_get_trace (loom_document_get_run (fixture->document), 1);
  remove_source (fixture, fixture->a);
  assert_spans (fixture, 3);
  /* the remaining trace is the same object, so it was not read again */
  g_assert_true (loom_run_get_trace (loom_document_get_run (fixture->document), 0) == kept);
  loom_document_reload (fixture->document);
  assert_spans (fixture, 3);
  undo (fixture);
  assert_spans (fixture, 5);
  redo (fixture);
  assert_spans (fixture, 3);
  loom_source_commands_bring_back (fixture->document);
  assert_spans (fixture, 5);
  g_assert_cmpuint (loom_source_commands_count_removed (fixture->document), ==, 0);
}

/* Covers documented rows: ../README.md §sources only one source is shown | a source is muted | every change of a source can be undone */
static void
test_mute_and_solo (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpuint (count_shown (fixture), ==, 2);
  loom_source_commands_set_muted (fixture->document, (const char *const[]) { fixture->a, NULL }, TRUE);
  g_assert_cmpuint (count_shown (fixture), ==, 1);
  undo (fixture);
  g_assert_cmpuint (count_shown (fixture), ==, 2);
  loom_source_commands_set_solo (fixture->document, (const char *const[]) { fixture->b, NULL });
  g_assert_cmpuint (count_shown (fixture), ==, 1);
  g_autofree char *other = write_file (fixture->folder, "part-6.json", 1, 3);
  loom_document_reload (fixture->document); /* the reload finds a new file, which stays hidden, because only one source
                                             * is to be shown (solo) */
  assert_spans (fixture, 6);
  g_assert_cmpuint (count_shown (fixture), ==, 1);
  loom_source_commands_show_all (fixture->document);
  g_assert_cmpuint (count_shown (fixture), ==, 3);
}

/* If the only source that is shown (solo) is removed, the other sources are shown again. */
static void
test_remove_solo (Fixture *fixture, gconstpointer data)
{
  loom_source_commands_set_solo (fixture->document, (const char *const[]) { fixture->a, NULL });
  remove_source (fixture, fixture->a);
  g_assert_cmpuint (count_shown (fixture), ==, 1);
  loom_source_commands_bring_back (fixture->document);
  assert_spans (fixture, 5);
  g_assert_cmpuint (count_shown (fixture), ==, 2);
}

/* The trace of a deleted file stays in the run until the user removes its source. */
static void
test_remove_gone (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (g_unlink (fixture->a), ==, 0);
  loom_document_follow (fixture->document);
  assert_spans (fixture, 5);
  remove_source (fixture, fixture->a);
  assert_spans (fixture, 3);
}

/* Removing all sources shows an empty run without an error. */
static void
test_remove_all (Fixture *fixture, gconstpointer data)
{
  remove_source (fixture, fixture->a);
  remove_source (fixture, fixture->b);
  assert_spans (fixture, 0);
  g_assert_no_error (loom_document_get_error (fixture->document));
  undo (fixture);
  assert_spans (fixture, 3);
  redo (fixture);
  loom_source_commands_bring_back (fixture->document);
  assert_spans (fixture, 5);
}

/* Covers documented rows: ../README.md §sources every change of a source is saved in the session */
static void
test_session (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "s.traceloom", NULL);
  loom_source_commands_set_pattern (fixture->document, "part-(?<rank>\\d+)");
  run_fixture_wait_loaded (fixture->run);
  remove_source (fixture, fixture->a);
  loom_source_commands_describe (fixture->document, (const char *const[]) { fixture->b, NULL }, LOOM_SOURCE_NAME,
                                 "second", -1, NULL);
  loom_source_commands_set_muted (fixture->document, (const char *const[]) { fixture->b, NULL }, TRUE);
  g_autoptr (LoomSession) session = loom_session_state_collect (fixture->run);
  g_assert_true (loom_session_file_write (session, path, NULL));
  LoomRunSession *again = run_fixture_session ();
  run_fixture_session_open (again, path);
  LoomDocument *document = run_fixture_document (again);
  g_assert_cmpuint (loom_document_count_spans (document), ==, 3);
  g_assert_true (loom_source_overrides_equal (loom_document_get_source_edits (document),
                                              loom_document_get_source_edits (fixture->document)));
  g_assert_cmpint (loom_run_get_source (loom_document_get_run (document), 0)->rank, ==, 5);
  run_fixture_session_close (again);
}

/* Long names of several sources are shortened by leaving out the words that all of them share at the begin and at the
 * end. Short names and the name of a single source are not shortened. */
static void
test_shared_ends (void)
{
  static const struct {
    const char *names[3], *shown[3];
  } cases[] = {
    { { "dlrm_kineto_job_41_worker_0.pt.trace.json", "dlrm_kineto_job_41_worker_12.pt.trace.json" },
      { "…41_worker_0.pt.trace…", "…41_worker_12.pt.trace…" } },
    { { "host_may_2023_step_17000_of_it.pt.trace.json", "host_june_2023_step_9_of_it.pt.trace.json" },
      { "…may_2023_step_17000_of…", "…june_2023_step_9_of_it…" } },
    { { "part-4.json", "part-5.json" }, { "part-4.json", "part-5.json" } },
    { { "the_only_one_with_a_name_so_long.json" }, { "the_only_one_with_a_name_so_long.json" } },
    { { "abcdefghijklmnopqrstuvwxyz1", "abcdefghijklmnopqrstuvwxyz2", "other" },
      { "abcdefghijklmnopqrstuvwxyz1", "abcdefghijklmnopqrstuvwxyz2", "other" } },
    { { "größe_der_schritte_ä_und_so_weiter", "größe_der_schritte_ö_und_so_weiter" },
      { "…schritte_ä_und_so…", "…schritte_ö_und_so…" } },
    { { "the same name of many letters", "the same name of many letters" },
      { "the same name of many letters", "the same name of many letters" } },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint n = 0;
    while (n < 3 && cases[i].names[n] != NULL)
      n++;
    LoomCommonAffixes ends = loom_common_affixes_find (cases[i].names, n);
    for (guint k = 0; k < n; k++) {
      g_autofree char *shown = loom_common_affixes_cut (ends, cases[i].names[k], 24);
      g_assert_cmpstr (shown, ==, cases[i].shown[k]);
    }
  }
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*test) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/core/sources/remove", test_remove },           { "/core/sources/mute-and-solo", test_mute_and_solo },
    { "/core/sources/remove-gone", test_remove_gone }, { "/core/sources/remove-all", test_remove_all },
    { "/core/sources/session", test_session },         { "/core/sources/remove-solo", test_remove_solo },
  };
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/sources/shared-ends", test_shared_ends);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Fixture, NULL, set_up, tests[i].test, tear_down);
  return run_fixture_run ();
}
