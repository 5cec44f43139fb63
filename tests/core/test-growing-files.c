/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests reloading of files that grew or changed: the old run stays visible until everything has been read again, and it
 * also stays if reading fails.
 */
#include "loom-document.h"
#include "loom-load-error.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#define EVENT "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"a\"},\n"

typedef struct {
  char *folder, *path;
  LoomDocument *document;
  guint n_changes, n_empty; /* number of changes of the timeline, and how many of them left it empty */
} Fixture;

static void
timeline_changed (LoomDocument *document, Fixture *fixture)
{
  fixture->n_changes++;
  fixture->n_empty += loom_document_get_timeline (document) == NULL;
}

static void
wait_for (LoomDocument *document)
{
  while (loom_document_is_loading (document))
    g_main_context_iteration (NULL, TRUE);
}

static void
append (const char *path, const char *text)
{
  FILE *file = g_fopen (path, "a");
  g_assert_cmpint (fputs (text, file), >=, 0);
  fclose (file);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("loom-reload-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "a.json", NULL);
  append (fixture->path, "[\n" EVENT);
  fixture->document = loom_document_new ();
  loom_document_reload (fixture->document); /* no file is open, so there is nothing to reload */
  g_assert_false (loom_document_is_loading (fixture->document));
  loom_document_open (fixture->document, (const char *const[]) { fixture->path, NULL });
  wait_for (fixture->document);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 1);
  g_signal_connect (fixture->document, "timeline-changed", G_CALLBACK (timeline_changed), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_object_unref (fixture->document);
  g_unlink (fixture->path);
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
}

static void
test_grown (Fixture *fixture, gconstpointer data)
{
  append (fixture->path, EVENT EVENT);
  loom_document_reload (fixture->document);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 1); /* the old run is still shown */
  wait_for (fixture->document);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 3);
  g_assert_cmpuint (loom_run_get_n_traces (loom_document_get_run (fixture->document)), ==, 1);
  g_assert_cmpuint (fixture->n_changes, ==, 1);
  g_assert_cmpuint (fixture->n_empty, ==, 0);
  g_assert_null (loom_document_get_paths (fixture->document)[1]);
}

static void
test_gone (Fixture *fixture, gconstpointer data)
{
  g_unlink (fixture->path);
  loom_document_reload (fixture->document);
  wait_for (fixture->document);
  g_assert_nonnull (loom_document_get_error (fixture->document));
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 1);
  g_assert_cmpuint (fixture->n_changes, ==, 0);
}

/* The folder of the run still exists, but is empty now: the old run stays visible, with an error. */
static void
test_folder_emptied (Fixture *fixture, gconstpointer data)
{
  loom_document_open (fixture->document, (const char *const[]) { fixture->folder, NULL });
  wait_for (fixture->document);
  fixture->n_changes = fixture->n_empty = 0;
  g_unlink (fixture->path);
  loom_document_reload (fixture->document);
  wait_for (fixture->document);
  const GError *error = loom_document_get_error (fixture->document);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "still shown"));
  LoomLoadError trouble;
  loom_load_error_find (fixture->document, &trouble);
  g_assert_cmpstr (trouble.body, ==, "Restore the missing files and press F5, or open them from their new location.");
  loom_load_error_clear (&trouble);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 1);
  g_assert_cmpuint (fixture->n_changes, ==, 0);
  append (fixture->path, "[\n" EVENT EVENT);
  loom_document_reload (fixture->document);
  wait_for (fixture->document);
  g_assert_no_error (loom_document_get_error (fixture->document));
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 2);
}

/* A reload that starts during the first load and is cancelled leaves an incomplete run, and the document says that it
 * was cancelled, unless the reload ended first. The next reload reads the whole file. */
static void
test_stopped_early (Fixture *fixture, gconstpointer data)
{
  loom_document_open (fixture->document, (const char *const[]) { fixture->path, NULL });
  g_assert_true (loom_document_is_loading (fixture->document));
  loom_document_reload (fixture->document);
  loom_document_cancel (fixture->document);
  wait_for (fixture->document);
  g_assert_true (loom_document_was_cancelled (fixture->document) || loom_document_count_spans (fixture->document) == 1);
  if (loom_document_was_cancelled (fixture->document))
    g_test_message ("was stopped");
  loom_document_reload (fixture->document);
  wait_for (fixture->document);
  g_assert_false (loom_document_was_cancelled (fixture->document));
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 1);
}

static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  append (fixture->path, EVENT);
  loom_document_reload (fixture->document);
  g_autoptr (LoomProgress) progress = loom_progress_ref (loom_document_get_progress (fixture->document));
  loom_document_cancel (fixture->document);
  g_assert_true (loom_progress_is_cancelled (progress));
  wait_for (fixture->document);
  g_assert_false (loom_document_was_cancelled (fixture->document)); /* the shown run is complete: it is the run from
                                                                     * before the reload */
  guint n = (guint) loom_document_count_spans (fixture->document);
  g_assert_true (n == 1 || n == 2); /* the load may have finished before it was cancelled */
  g_assert_cmpuint (fixture->n_empty, ==, 0);
}

static void
append_to_many (Fixture *fixture, guint n, const char *text)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("%s/many-%u.json", fixture->folder, i);
    append (name, text);
  }
}

static void
remove_many (Fixture *fixture, guint n)
{
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("%s/many-%u.json", fixture->folder, i);
    g_unlink (name);
  }
}

/* A cancelled reload of many files shows either all old or all new contents, never a mixture. */
static void
test_stopped_halfway (Fixture *fixture, gconstpointer data)
{
  const guint n_files = 300;
  append_to_many (fixture, n_files, "[\n" EVENT);
  loom_document_open (fixture->document, (const char *const[]) { fixture->folder, NULL });
  wait_for (fixture->document);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, n_files + 1);
  append_to_many (fixture, n_files, EVENT);
  loom_document_reload (fixture->document);
  while (loom_document_is_loading (fixture->document) &&
         loom_progress_get_done (loom_document_get_progress (fixture->document)) == 0)
    g_main_context_iteration (NULL, FALSE);
  loom_document_cancel (fixture->document);
  wait_for (fixture->document);
  guint n = (guint) loom_document_count_spans (fixture->document);
  if (n != n_files + 1 && n != 2 * n_files + 1)
    g_error ("%u spans, of %u before and %u now", n, n_files + 1, 2 * n_files + 1);
  remove_many (fixture, n_files);
}

/* A file that is added during a reload is loaded after the reload has ended. */
static void
test_add (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "b.json", NULL);
  append (other, "[" EVENT);
  append (fixture->path, EVENT);
  loom_document_reload (fixture->document);
  loom_document_add (fixture->document, (const char *const[]) { other, NULL });
  wait_for (fixture->document);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 3);
  loom_document_reload (fixture->document);
  wait_for (fixture->document);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 3);
  g_unlink (other);
}

/* If a file is waiting to be added when a reload begins, it is read only once. */
static void
test_add_then_reload (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "b.json", NULL);
  append (other, "[" EVENT);
  loom_document_reload (fixture->document);
  loom_document_add (fixture->document, (const char *const[]) { other, NULL });
  loom_document_reload (fixture->document);
  wait_for (fixture->document);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 2);
  g_unlink (other);
}

/* loom_document_follow() reads new files but keeps the traces of unchanged files, and emits no "timeline-changed" if no
 * file changed. */
static void
test_follow (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "b.json", NULL);
  loom_document_open (fixture->document, (const char *const[]) { fixture->folder, NULL });
  g_assert_false (loom_document_follow (fixture->document));
  wait_for (fixture->document);
  fixture->n_changes = 0;
  LoomTrace *first = loom_run_get_trace (loom_document_get_run (fixture->document), 0);
  g_assert_true (loom_document_follow (fixture->document));
  g_assert_true (loom_document_is_quiet (fixture->document));
  wait_for (fixture->document);
  g_assert_cmpuint (fixture->n_changes, ==, 0);
  append (other, "[" EVENT);
  g_assert_true (loom_document_follow (fixture->document));
  wait_for (fixture->document);
  LoomRun *run = loom_document_get_run (fixture->document);
  g_assert_cmpuint (loom_run_get_n_traces (run), ==, 2);
  g_assert_true (loom_run_get_trace (run, 0) == first);
  g_assert_cmpuint (fixture->n_changes, ==, 1);
  loom_document_reload_sources (fixture->document, (const char *const[]) { fixture->path, NULL });
  LoomTrace *second = loom_run_get_trace (run, 1);
  wait_for (fixture->document);
  run = loom_document_get_run (fixture->document);
  g_assert_true (loom_run_get_trace (run, 0) != first);
  g_assert_true (loom_run_get_trace (run, 1) == second);
  g_unlink (other);
}

/* A rewritten file of equal size is recognised by its modification time. */
static void
test_follow_rewritten (Fixture *fixture, gconstpointer data)
{
  LoomTrace *first = loom_run_get_trace (loom_document_get_run (fixture->document), 0);
  FILE *file = g_fopen (fixture->path, "w");
  g_assert_cmpint (fputs ("[\n{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"b\"},\n", file), >=, 0);
  fclose (file);
  struct timespec times[2] = { { .tv_sec = 2000000000 }, { .tv_sec = 2000000000 } };
  g_assert_cmpint (utimensat (AT_FDCWD, fixture->path, times, 0), ==, 0);
  g_assert_true (loom_document_follow (fixture->document));
  wait_for (fixture->document);
  const LoomTrace *now = loom_run_get_trace (loom_document_get_run (fixture->document), 0);
  g_assert_true (now != first);
  g_assert_cmpstr (loom_trace_get_name (now, loom_trace_get_spans (now)->name_id[0])->text, ==, "b");
}

/* A renamed file is not read again; the trace of a deleted file stays visible. */
static void
test_follow_gone (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "b.json", NULL);
  loom_document_open (fixture->document, (const char *const[]) { fixture->folder, NULL });
  wait_for (fixture->document);
  g_assert_cmpint (g_rename (fixture->path, other), ==, 0);
  loom_document_follow (fixture->document);
  wait_for (fixture->document);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 1);
  g_assert_cmpstr (loom_run_get_source (loom_document_get_run (fixture->document), 0)->path, ==, other);
  g_unlink (other);
  loom_document_follow (fixture->document);
  wait_for (fixture->document);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 1);
  g_assert_cmpuint (loom_run_get_n_ignored (loom_document_get_run (fixture->document)), ==, 1);
  g_assert_no_error (loom_document_get_error (fixture->document));
}

/* If a file is compressed while the program follows it, its events are not loaded twice. */
static void
test_follow_compressed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *packed = g_strconcat (fixture->path, ".gz", NULL);
  const char *command[] = { "gzip", fixture->path, NULL };
  loom_document_open (fixture->document, (const char *const[]) { fixture->folder, NULL });
  wait_for (fixture->document);
  g_assert_true (g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
  loom_document_follow (fixture->document);
  wait_for (fixture->document);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 1);
  g_assert_cmpstr (loom_run_get_source (loom_document_get_run (fixture->document), 0)->path, ==, packed);
}

/* The trace of a deleted file also stays if only this file is reloaded. */
static void
test_source_gone (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "b.json", NULL);
  append (other, "[\n" EVENT EVENT);
  loom_document_open (fixture->document, (const char *const[]) { fixture->folder, NULL });
  wait_for (fixture->document);
  g_unlink (other);
  loom_document_reload_sources (fixture->document, (const char *const[]) { other, NULL });
  wait_for (fixture->document);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 3);
}

static void
set_removed (LoomDocument *document, const char *path)
{
  g_autoptr (LoomSourceOverrides) edits = loom_source_overrides_new ();
  loom_source_overrides_change (edits, path)->removed = TRUE;
  loom_document_set_source_edits (document, edits);
}

static void
count (LoomDocument *document, guint *n)
{
  ++*n;
}

/* Editing sources during the first load restarts the load. Files that are added meanwhile are included, and each file
 * is read once. */
static void
test_edits_early (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "b.json", NULL);
  guint n_told = 0;
  append (other, "[\n" EVENT);
  loom_document_open (fixture->document, (const char *const[]) { fixture->path, NULL });
  loom_document_add (fixture->document, (const char *const[]) { other, NULL });
  g_signal_connect (fixture->document, "loading-changed", G_CALLBACK (count), &n_told);
  set_removed (fixture->document, "/nowhere/c.json");
  g_assert_cmpuint (n_told, ==, 1);
  wait_for (fixture->document);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, 2);
  g_signal_handlers_disconnect_by_data (fixture->document, &n_told);
  g_unlink (other);
}

/* If edits of sources have caused a reload, cancelling the load also cancels this reload. */
static void
test_edits_stopped (Fixture *fixture, gconstpointer data)
{
  const guint n_files = 300;
  append_to_many (fixture, n_files, "[\n" EVENT);
  loom_document_open (fixture->document, (const char *const[]) { fixture->folder, NULL });
  while (loom_document_is_loading (fixture->document) && loom_document_get_run (fixture->document) == NULL)
    g_main_context_iteration (NULL, FALSE);
  if (loom_document_is_loading (fixture->document)) {
    set_removed (fixture->document, fixture->path);
    loom_document_cancel (fixture->document);
    wait_for (fixture->document);
    g_assert_true (loom_document_was_cancelled (fixture->document) ||
                   loom_document_count_spans (fixture->document) == n_files + 1);
  }
  remove_many (fixture, n_files);
}

/* --- undo of adding files --- */

static void
add_file (Fixture *fixture, const char *path)
{
  append (path, "[\n" EVENT EVENT);
  loom_document_add (fixture->document, (const char *const[]) { path, NULL });
}

static void
assert_open (Fixture *fixture, guint n_paths, guint n_spans)
{
  wait_for (fixture->document);
  g_assert_cmpuint (g_strv_length ((GStrv) loom_document_get_paths (fixture->document)), ==, n_paths);
  g_assert_cmpuint (loom_document_count_spans (fixture->document), ==, n_spans);
}

/* Adding files is a named undo step; undoing it does not reload the other files. */
static void
test_undo_add (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "b.json", NULL);
  LoomUndoStack *undo = loom_document_get_undo (fixture->document);
  LoomTrace *kept = loom_run_get_trace (loom_document_get_run (fixture->document), 0);
  g_assert_null (loom_undo_stack_get_back (undo));
  add_file (fixture, other);
  assert_open (fixture, 2, 3);
  g_assert_cmpstr (loom_undo_stack_get_back (undo), ==, "Add Files");
  g_assert_true (loom_undo_stack_back (undo));
  assert_open (fixture, 1, 1);
  g_assert_true (loom_run_get_trace (loom_document_get_run (fixture->document), 0) == kept);
  g_autofree char *name = loom_document_dup_name (fixture->document);
  g_assert_cmpstr (name, ==, "a.json");
  g_assert_true (loom_undo_stack_forward (undo));
  assert_open (fixture, 2, 3);
  g_assert_cmpuint (fixture->n_empty, ==, 0); /* the run stayed visible all the time */
  g_unlink (other);
}

/* Tests undoing the addition of files before they were read, and before the first load has finished. */
static void
test_undo_add_early (Fixture *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->folder, "b.json", NULL),
                  *third = g_build_filename (fixture->folder, "c.json", NULL);
  add_file (fixture, other);
  add_file (fixture, third); /* this addition waits until the previous one is loaded */
  g_assert_true (loom_undo_stack_back (loom_document_get_undo (fixture->document)));
  assert_open (fixture, 2, 3);
  loom_document_open (fixture->document, (const char *const[]) { fixture->path, NULL });
  g_assert_null (loom_undo_stack_get_back (loom_document_get_undo (fixture->document)));
  loom_document_add (fixture->document, (const char *const[]) { other, NULL });
  g_assert_true (loom_undo_stack_back (loom_document_get_undo (fixture->document)));
  assert_open (fixture, 1, 1);
  g_unlink (other);
  g_unlink (third);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*test) (Fixture *fixture, gconstpointer data);
  } tests[] = {
    { "/core/growing-files/grown", test_grown },
    { "/core/growing-files/gone", test_gone },
    { "/core/growing-files/follow-compressed", test_follow_compressed },
    { "/core/growing-files/folder-emptied", test_folder_emptied },
    { "/core/growing-files/stopped-early", test_stopped_early },
    { "/core/growing-files/stopped", test_stopped },
    { "/core/growing-files/add", test_add },
    { "/core/growing-files/stopped-halfway", test_stopped_halfway },
    { "/core/growing-files/add-then-reload", test_add_then_reload },
    { "/core/growing-files/follow", test_follow },
    { "/core/growing-files/follow-rewritten", test_follow_rewritten },
    { "/core/growing-files/follow-gone", test_follow_gone },
    { "/core/growing-files/source-gone", test_source_gone },
    { "/core/growing-files/edits-early", test_edits_early },
    { "/core/growing-files/edits-stopped", test_edits_stopped },
    { "/core/growing-files/undo-add", test_undo_add },
    { "/core/growing-files/undo-add-early", test_undo_add_early },
  };
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Fixture, NULL, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
