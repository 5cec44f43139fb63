/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests opening files and folders: the runs that are shown, messages about unreadable files, adding files, cancelling a
 * load.
 */
#include "run-fixture.h"

#include "loom-load-error.h"
#include "loom-sentence.h"
#include "loom-settings.h"
#include "loom-source-commands.h"
#include "loom-thread-priority.h"
#include "loom-timing.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define EVENT(name, ts) "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" ts ",\"dur\":5}"
#define N_FILES 600
#define N_EVENTS 500 /* number of events per file */

/* Returns TRUE if the last load ended with an error of that kind whose message contains `words`. */
static gboolean
says (LoomRunSession *session, LoomLoadErrorKind kind, const char *words)
{
  LoomLoadError error;
  loom_load_error_find (run_fixture_document (session), &error);
  g_autofree char *text =
    error.kind != LOOM_LOAD_ERROR_NONE ? loom_sentence_dup_advised (error.title, error.body) : NULL;
  g_test_message ("%s", text != NULL ? text : "no error");
  gboolean found = error.kind == kind && (words == NULL || strstr (text, words) != NULL);
  loom_load_error_clear (&error);
  return found;
}

static void
test_sample (void)
{
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, fixture_sample ());
  g_assert_cmpstr (loom_run_session_get_stage (session), ==, "run");
  g_assert_true (says (session, LOOM_LOAD_ERROR_NONE, NULL));
  g_assert_cmpuint (loom_document_count_ranks (run_fixture_document (session)), ==, 4);
  g_assert_cmpuint (loom_document_count_spans (run_fixture_document (session)), >, 1000);
  g_autofree char *name = loom_document_dup_name (run_fixture_document (session));
  g_assert_nonnull (strstr (name, "sample"));
  g_assert_cmpuint (loom_row_list_get_n_rows (loom_timeline_state_get_row_list (run_fixture_view (session))), >, 10);
  run_fixture_session_close (session);
}

static void
assert_nothing (const char *path, const char *words)
{
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, path);
  g_assert_cmpstr (loom_run_session_get_stage (session), ==, "nothing");
  g_assert_true (says (session, LOOM_LOAD_ERROR_NOTHING, words));
  run_fixture_session_close (session);
}

static void
test_empty_folder (void)
{
  g_autofree char *folder = fixture_folder ();
  assert_nothing (folder, "folder the profiler writes to");
}

static void
test_no_traces (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *file = fixture_file (folder, "notes.txt", "nothing to see\n");
  assert_nothing (folder, "1 file was checked");
}

static void
test_nothing_to_draw (void)
{
  static const char *const texts[] = {
    "[]", "{\"traceEvents\":[]}", "[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"a\"}}]"
  };
  g_autofree char *folder = fixture_folder ();
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree char *file = fixture_file (folder, "empty.json", texts[i]);
    assert_nothing (file, "no spans");
  }
}

static void
test_garbage (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *file = fixture_file (folder, "garbage.json", "\x01\x02\x03 no JSON at all");
  assert_nothing (folder, "garbage.json");
}

static void
test_not_there (void)
{
  assert_nothing ("/nonexistent/traceloom/run", "The file or folder is not in /nonexistent/traceloom.");
}

static void
test_unreadable (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *inner = g_build_filename (folder, "locked", NULL);
  if (geteuid () == 0) {
    g_test_skip ("root reads everything");
    return;
  }
  g_assert_cmpint (g_mkdir (inner, 0), ==, 0);
  assert_nothing (inner, "locked");
  g_chmod (inner, 0700);
}

static void
test_partly (void)
{
  LoomRunSession *session = run_fixture_session ();
  g_autofree char *folder = fixture_folder ();
  g_autofree char *good = fixture_file (folder, "good.json", "[" EVENT ("a", "1") "]");
  g_autofree char *bad = fixture_file (folder, "bad.json", "\x01\x02 no JSON");
  run_fixture_session_open (session, folder);
  g_assert_cmpstr (loom_run_session_get_stage (session), ==, "run");
  g_assert_true (says (session, LOOM_LOAD_ERROR_PARTLY, "bad.json"));
  run_fixture_session_close (session);
}

static void
test_truncated (void)
{
  LoomRunSession *session = run_fixture_session ();
  g_autofree char *folder = fixture_folder ();
  g_autofree char *file =
    fixture_file (folder, "cut.json", "{\"traceEvents\":[" EVENT ("a", "1") "," EVENT ("b", "9") ",{\"ph\":\"X\",\"na");
  run_fixture_session_open (session, folder);
  g_assert_cmpstr (loom_run_session_get_stage (session), ==, "run");
  g_assert_cmpuint (loom_document_count_spans (run_fixture_document (session)), ==, 2);
  g_assert_true (says (session, LOOM_LOAD_ERROR_PARTLY, "cut.json"));
  run_fixture_session_close (session);
}

static guint
count_sources (LoomRunSession *session)
{
  return loom_run_get_n_sources (loom_document_get_run (run_fixture_document (session)));
}

static void
test_add (void)
{
  LoomRunSession *session = run_fixture_session ();
  g_autofree char *folder = fixture_folder ();
  g_autofree char *one = fixture_file (folder, "one.json", "[" EVENT ("a", "1") "]");
  g_autofree char *two = fixture_file (folder, "two.json", "[" EVENT ("b", "5") "]");
  const char *added[] = { two, NULL };
  run_fixture_session_open (session, one);
  loom_timeline_state_select_span (run_fixture_view (session), (LoomSpanId) { 0, 0 }, FALSE);
  loom_run_session_open_paths (session, added, TRUE);
  run_fixture_session_wait (session);
  g_assert_cmpuint (count_sources (session), ==, 2);
  g_assert_false (loom_timeline_span_id_is_none (loom_timeline_state_get_lead (run_fixture_view (session))));
  run_fixture_session_open (session, one);
  g_assert_cmpuint (count_sources (session), ==, 1);
  g_assert_true (loom_timeline_span_id_is_none (loom_timeline_state_get_lead (run_fixture_view (session))));
  run_fixture_session_close (session);
}

static void
test_cancel (void)
{
  LoomRunSession *session = run_fixture_session ();
  const char *paths[] = { fixture_sample (), NULL };
  loom_run_session_open_paths (session, paths, FALSE);
  loom_document_cancel (run_fixture_document (session));
  run_fixture_session_wait (session);
  /* the load is cancelled at an arbitrary moment, so the session shows either the sources that were read before or
   * nothing */
  if (loom_document_get_timeline (run_fixture_document (session)) == NULL)
    g_assert_cmpstr (loom_run_session_get_stage (session), ==, "empty");
  else
    g_assert_cmpstr (loom_run_session_get_stage (session), ==, "run");
  run_fixture_session_close (session);
}

static void
test_isolate (void)
{
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, fixture_sample ());
  LoomRowList *outline = loom_timeline_state_get_row_list (run_fixture_view (session));
  guint all = loom_row_list_get_n_rows (outline);
  LoomRange extent = loom_timeline_state_get_extent (run_fixture_view (session));
  guint64 n_spans = loom_timing_of_range (run_fixture_view (session), extent).count;
  const LoomSource *first = loom_run_get_source (loom_document_get_run (run_fixture_document (session)), 0);
  const char *paths[] = { first->path, NULL };
  loom_source_commands_set_solo (run_fixture_document (session), paths);
  g_assert_cmpuint (loom_row_list_get_n_rows (outline), <, all);
  g_assert_cmpuint (loom_row_list_get_n_rows (outline), >, 0);
  g_assert_cmpuint (loom_timing_of_range (run_fixture_view (session), extent).count, <=, first->n_spans);
  loom_timeline_state_select_range (run_fixture_view (session), extent);
  fixture_spin (300);
  loom_source_commands_set_solo (run_fixture_document (session), NULL);
  g_assert_cmpuint (loom_timing_of_range (run_fixture_view (session), extent).count, ==, n_spans);
  g_assert_cmpuint (loom_row_list_get_n_rows (outline), ==, all);
  run_fixture_session_close (session);
}

static char *
many_files (void)
{
  char *folder = fixture_folder ();
  for (guint i = 0; i < N_FILES; i++) {
    g_autoptr (GString) text = g_string_new ("[");
    for (guint k = 0; k < N_EVENTS; k++)
      g_string_append_printf (text, "%s{\"ph\":\"X\",\"name\":\"f%u\",\"pid\":%u,\"tid\":1,\"ts\":%u,\"dur\":5}",
                              k > 0 ? "," : "", k % 7, i, k * 10);
    g_string_append_c (text, ']');
    g_autofree char *name = g_strdup_printf ("rank-%03u.json", i);
    g_free (fixture_file (folder, name, text->str));
  }
  return folder;
}

typedef struct {
  LoomRunSession *session;
  guint n_first;
} Growing;

static gboolean
has_grown (gpointer data)
{
  const Growing *growing = data;
  return count_sources (growing->session) > growing->n_first ||
         !loom_document_is_loading (run_fixture_document (growing->session));
}

/* If adding files is cancelled, the open run stays, and so do the sources that were already added. */
static void
test_stopped_addition (void)
{
  LoomRunSession *session = run_fixture_session ();
  g_autofree char *folder = many_files ();
  const char *paths[] = { folder, NULL };
  run_fixture_session_open (session, fixture_sample ());
  LoomDocument *document = run_fixture_document (session);
  Growing growing = { session, count_sources (session) };
  g_autofree char *first = g_strdup (loom_run_get_source (loom_document_get_run (document), 0)->path);
  loom_run_session_open_paths (session, paths, TRUE);
  g_assert_true (fixture_wait (has_grown, &growing));
  guint n_grown = count_sources (session);
  loom_document_cancel (document);
  run_fixture_session_wait (session);
  g_assert_cmpuint (n_grown, >, growing.n_first);
  g_assert_cmpuint (count_sources (session), >=, n_grown);
  g_assert_cmpuint (count_sources (session), <=, growing.n_first + N_FILES);
  g_assert_cmpstr (loom_run_get_source (loom_document_get_run (document), 0)->path, ==, first);
  g_assert_true (loom_timeline_get_run (loom_document_get_timeline (document)) == loom_document_get_run (document));
  run_fixture_session_close (session);
}

static void
look_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_task_return_boolean (task, loom_thread_priority_is_on ());
}

static void
looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(int *) user_data = g_task_propagate_boolean (G_TASK (result), NULL);
}

static gboolean
is_known (gpointer data)
{
  return *(int *) data >= 0;
}

static char *
write_at (const char *folder, const char *name, gint64 seconds)
{
  g_autofree char *text =
    g_strdup_printf ("{\"schemaVersion\":1,\"baseTimeNanoseconds\":%" G_GINT64_FORMAT "000000000,\"traceEvents\":["
                     "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":5,\"dur\":9000000,\"name\":\"op\"}]}",
                     seconds);
  return fixture_file (folder, name, text);
}

static void
keep (LoomRunSession *session, const char *text, char **told)
{
  g_assert_null (*told); /* the problem is reported only once */
  *told = g_strdup (text);
}

/* Files recorded many hours apart are reported; files of one job that was profiled several times are not. */
static void
test_days_apart (void)
{
  const gint64 start = 1700000000, hour = 3600;
  static const struct {
    gint64 hours;
    const char *says;
  } cases[] = { { 1, NULL }, { 13, "13 hours" }, { 24 * 400, "400 days" } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *folder = fixture_folder (), *told = NULL;
    g_autofree char *first = write_at (folder, "a.pt.trace.json", start);
    g_autofree char *second = write_at (folder, "b.pt.trace.json", start + cases[i].hours * hour + 60);
    LoomRunSession *session = run_fixture_session ();
    g_signal_connect (session, "runs-differ", G_CALLBACK (keep), &told);
    run_fixture_session_open (session, folder);
    if (cases[i].says == NULL)
      g_assert_null (told);
    else
      g_assert_true (told != NULL && strstr (told, cases[i].says) != NULL && strstr (told, "in tabs") != NULL);
    run_fixture_session_close (session);
  }
}

/* Threads that load files have background priority; later tasks in the same thread pool have normal priority. */
static void
test_priority (void)
{
  if (loom_thread_priority_is_on ()) {
    g_test_skip ("the test itself has a low priority");
    return;
  }
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, fixture_sample ());
  g_assert_false (loom_thread_priority_is_on ());
  for (guint i = 0; i < 16; i++) {
    int in_background = -1;
    g_autoptr (GTask) task = g_task_new (NULL, NULL, looked, &in_background);
    g_task_run_in_thread (task, look_in_thread);
    g_assert_true (fixture_wait (is_known, &in_background));
    g_assert_cmpint (in_background, ==, FALSE);
  }
  run_fixture_session_close (session);
}

static void
check_nothing (const char *path, const char *title, const char *what)
{
  LoomLoadError error;
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, path);
  loom_load_error_find (run_fixture_document (session), &error);
  g_assert_cmpstr (error.title, ==, title);
  g_assert_nonnull (strstr (error.body, what));
  loom_load_error_clear (&error);
  run_fixture_session_close (session);
}

/* If the opened file does not exist, the message says what the user can do, instead of "No such file or directory". */
static void
test_gone (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *session =
    fixture_file (folder, "moved.traceloom",
                  "{\"traceloom-session\": 1, \"sources\": [{\"path\": \"a.json\"}, {\"path\": \"b.json\"}]}");
  g_autofree char *empty = fixture_file (folder, "zero.json", "");
  g_autofree char *base = g_path_get_basename (folder), *gone = g_strdup_printf ("Files of “%s” Are Missing", base);
  check_nothing (session, gone, "Restore the files");
  check_nothing (empty, "“zero.json” Is Empty", "The file is empty.");
  g_autofree char *nowhere = g_build_filename (folder, "nowhere.json", NULL);
  g_autofree char *bare = fixture_file (folder, "bare.json", "{\"schemaVersion\": 1, \"traceEvents\": []}");
  check_nothing (bare, "“bare.json” Is Empty",
                 "instants. Record again with the profiler enabled, or open other files.");
  check_nothing (nowhere, "“nowhere.json” Not Found", "open it from its new location");
}

/* If some files of a session are missing, the rest is shown, with a message that says what to do. */
static void
test_partly_gone (void)
{
  static const struct {
    const char *sources, *says;
  } cases[] = {
    { "{\"path\": \"a.json\"}, {\"path\": \"there.json\"}",
      "“a.json” does not exist. Restore the missing files and press F5, or open them from their new location. Everything else is shown." },
    { "{\"path\": \"there.json\"}, {\"path\": \"a.json\"}, {\"path\": \"b.json\"}",
      "2 files are missing: a.json, b.json. Restore the missing files and press F5" },
    { "{\"path\": \"loop.json\"}, {\"path\": \"there.json\"}",
      "loop.json: a link that leads back to itself. Everything else is shown." },
    { "{\"path\": \"a\"}, {\"path\": \"b\"}, {\"path\": \"c\"}, {\"path\": \"d\"}, {\"path\": \"there.json\"}",
      "4 files are missing: a, b, c, …. Restore" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *folder = fixture_folder (),
                    *text = g_strdup_printf ("{\"traceloom-session\": 1, \"sources\": [%s]}", cases[i].sources);
    g_autofree char *there = fixture_file (
      folder, "there.json", "[{\"ph\": \"X\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 9}]");
    g_autofree char *path = fixture_file (folder, "partly.traceloom", text),
                    *loop = g_build_filename (folder, "loop.json", NULL);
    g_assert_no_errno (symlink ("loop.json", loop));
    LoomRunSession *session = run_fixture_session ();
    run_fixture_session_open (session, path);
    LoomLoadError error;
    loom_load_error_find (run_fixture_document (session), &error);
    g_autofree char *trouble = loom_sentence_dup_advised (error.title, error.body);
    loom_load_error_clear (&error);
    g_test_message ("%s: %s", there, trouble);
    g_assert_true (trouble != NULL && g_str_has_prefix (trouble, cases[i].says));
    g_assert_cmpuint (loom_run_get_n_sources (loom_document_get_run (run_fixture_document (session))), ==, 1);
    run_fixture_session_close (session);
  }
}

/* Loading respects the memory limit: with a limit below the program's own use nothing is read. */
static void
test_memory_limit (void)
{
  LoomRunSession *session = run_fixture_session ();
  LoomDocument *document = run_fixture_document (session);
  loom_settings_set_int (LOOM_SETTING_MEMORY_BUDGET, 1);
  run_fixture_session_open (session, fixture_sample ());
  g_assert_cmpuint (loom_document_count_spans (document), ==, 0);
  loom_settings_set_int (LOOM_SETTING_MEMORY_BUDGET, 0);
  run_fixture_session_open (session, fixture_sample ());
  g_assert_cmpuint (loom_document_count_spans (document), >, 0);
  run_fixture_session_close (session);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/loading/sample", test_sample);
  g_test_add_func ("/core/loading/empty-folder", test_empty_folder);
  g_test_add_func ("/core/loading/no-traces", test_no_traces);
  g_test_add_func ("/core/loading/nothing-to-draw", test_nothing_to_draw);
  g_test_add_func ("/core/loading/garbage", test_garbage);
  g_test_add_func ("/core/loading/not-there", test_not_there);
  g_test_add_func ("/core/loading/unreadable", test_unreadable);
  g_test_add_func ("/core/loading/partly", test_partly);
  g_test_add_func ("/core/loading/truncated", test_truncated);
  g_test_add_func ("/core/loading/add", test_add);
  g_test_add_func ("/core/loading/cancel", test_cancel);
  g_test_add_func ("/core/loading/isolate", test_isolate);
  g_test_add_func ("/core/loading/stopped-addition", test_stopped_addition);
  g_test_add_func ("/core/loading/priority", test_priority);
  g_test_add_func ("/core/loading/gone", test_gone);
  g_test_add_func ("/core/loading/days-apart", test_days_apart);
  g_test_add_func ("/core/loading/partly-gone", test_partly_gone);
  g_test_add_func ("/core/loading/memory-limit", test_memory_limit);
  return run_fixture_run ();
}
