/* SPDX-License-Identifier: Apache-2.0 */
#include "run-fixture.h"

#include "loom-load-error.h"
#include "loom-load-task.h"
#include "loom-load.h"
#include "loom-memory-info.h"
#include "loom-problem-item.h"
#include "loom-settings.h"
#include "loom-trace-builder.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>

static LoomRun *
new_run (void)
{
  LoomRun *run = loom_run_new (NULL, 0);
  loom_run_add_ignored (run, "/x/readme.txt", "not a trace", FALSE);
  loom_run_add_ignored (run, "/x/bad.json", "no permission", TRUE);
  return run;
}

static LoomTableModel *
new_model (LoomRun *run)
{
  g_autoptr (LoomProblemList) list = loom_problem_list_new (run, NULL);
  return loom_problem_list_new_model (list, NULL);
}

static LoomProblemItem *
item_at (LoomTableModel *model, guint position)
{
  return g_list_model_get_item (G_LIST_MODEL (model), position);
}

static void
test_order (void)
{
  g_autoptr (LoomRun) run = new_run ();
  g_autoptr (LoomTableModel) model = new_model (run);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 2);
  g_autoptr (LoomProblemItem) first = item_at (model, 0);
  g_assert_cmpint (loom_problem_item_get_facts (first)->severity, ==, LOOM_SEVERITY_ERROR);
  g_assert_cmpstr (loom_problem_item_get_facts (first)->path, ==, "/x/bad.json");
  g_assert_null (item_at (model, 2));
  g_assert_cmpuint (loom_load_error_count (run), ==, 1);
}

static void
on_text (gpointer owner, gpointer text, const GError *error, gpointer copy)
{
  *(char **) owner = text;
}

static char *
text_of (LoomTableModel *model)
{
  char *text = NULL;
  loom_problem_list_write (model, on_text, &text);
  while (text == NULL)
    g_main_context_iteration (NULL, TRUE);
  return text;
}

static void
test_text (void)
{
  g_autoptr (LoomRun) run = new_run ();
  g_autoptr (LoomTableModel) model = new_model (run);
  g_autoptr (LoomProblemItem) second = item_at (model, 1);
  g_autofree char *text = text_of (model), *line = loom_problem_item_dup_text (second);
  g_assert_cmpstr (
    text, ==, "error\t/x/bad.json\tunreadable\t1\t\tno permission\ninfo\t/x/readme.txt\tignored\t1\t\tnot a trace\n");
  g_assert_cmpstr (line, ==, "info\t/x/readme.txt\tignored\t1\t\tnot a trace\n");
}

static void
sort_by (LoomTableModel *model, LoomProblemColumn column, gboolean descending)
{
  loom_table_model_sort (model, &(LoomTableSortKey) { column, descending }, column != LOOM_N_PROBLEM_COLUMNS);
}

static void
set_filter (LoomTableModel *model, guint severities, const char *words, const char *const *paths)
{
  loom_table_model_take_filter (model, loom_problem_list_new_filter (severities, words, paths));
}

static void
assert_name (LoomTableModel *model, guint position, const char *expected)
{
  g_autoptr (LoomProblemItem) item = item_at (model, position);
  g_autofree char *name = loom_problem_item_dup_name (item);
  g_assert_cmpstr (name, ==, expected);
}

/* --- a run with problems of all kinds --- */

/* Returns the file names and problem codes of the shown rows as text. */
static char *
draw (LoomTableModel *model)
{
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (model)); i++) {
    g_autoptr (LoomProblemItem) item = item_at (model, i);
    g_autofree char *name = loom_problem_item_dup_name (item);
    g_string_append_printf (out, "%s%s:%s", i > 0 ? " " : "", name, loom_problem_item_get_facts (item)->code);
  }
  return g_string_free (out, FALSE);
}

static void
assert_shown (LoomTableModel *model, const char *expected)
{
  g_autofree char *shown = draw (model);
  g_assert_cmpstr (shown, ==, expected);
}

static LoomRun *
new_full_run (void)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  static const char *const paths[] = { "/x/rank10.json", "/x/rank9.json" };
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++) {
    LoomSource *source = loom_source_new (paths[i]);
    loom_import_log_add_n (source->log, LOOM_SEVERITY_WARNING, "orphan-end", 70 - 10 * i, 5 + i,
                           "An end without a begin");
    if (i == 0)
      loom_import_log_add (source->log, LOOM_SEVERITY_ERROR, "truncated", 99, "The file ends within an event");
    loom_import_log_add (source->log, LOOM_SEVERITY_INFO, "größe", LOOM_OFFSET_NONE, "Größe unbekannt");
    loom_trace_builder_add_source (builder, source, loom_trace_builder_add_clock (builder));
  }
  g_autoptr (LoomTrace) trace = loom_trace_builder_freeze (builder, 1, NULL);
  return loom_run_new (&trace, 1);
}

static void
test_sort (void)
{
  g_autoptr (LoomRun) run = new_full_run ();
  g_autoptr (LoomTableModel) model = new_model (run);
  assert_shown (
    model, "rank10.json:truncated rank10.json:orphan-end rank9.json:orphan-end rank10.json:größe rank9.json:größe");
  sort_by (model, LOOM_PROBLEM_FILE, FALSE);
  assert_shown (
    model, "rank9.json:orphan-end rank9.json:größe rank10.json:truncated rank10.json:orphan-end rank10.json:größe");
  sort_by (model, LOOM_PROBLEM_COUNT, TRUE);
  assert_shown (
    model, "rank9.json:orphan-end rank10.json:orphan-end rank10.json:truncated rank10.json:größe rank9.json:größe");
  sort_by (model, LOOM_PROBLEM_OFFSET, FALSE); /* problems without an offset come first */
  assert_shown (
    model, "rank10.json:größe rank9.json:größe rank9.json:orphan-end rank10.json:orphan-end rank10.json:truncated");
  sort_by (model, LOOM_N_PROBLEM_COLUMNS, FALSE);
  assert_shown (
    model, "rank10.json:truncated rank10.json:orphan-end rank9.json:orphan-end rank10.json:größe rank9.json:größe");
}

static void
test_filter (void)
{
  const char *paths[] = { "/x/rank9.json", NULL };
  const guint all = G_MAXUINT;
  g_autoptr (LoomRun) run = new_full_run ();
  g_autoptr (LoomTableModel) model = new_model (run);
  set_filter (model, 1 << LOOM_SEVERITY_ERROR, NULL, NULL);
  assert_shown (model, "rank10.json:truncated");
  set_filter (model, all, "ORPHAN rank10", NULL);
  assert_shown (model, "rank10.json:orphan-end");
  set_filter (model, all, "grÖße", NULL);
  assert_shown (model, "rank10.json:größe rank9.json:größe");
  set_filter (model, all, "  within  an ", NULL);
  assert_shown (model, "rank10.json:truncated");
  set_filter (model, all, "", paths);
  assert_shown (model, "rank9.json:orphan-end rank9.json:größe");
  g_assert_cmpuint (loom_problem_list_count (loom_table_model_get_rows (model), LOOM_SEVERITY_ERROR, paths), ==, 0);
  g_assert_cmpuint (loom_problem_list_count (loom_table_model_get_rows (model), LOOM_SEVERITY_WARNING, paths), ==, 1);
  set_filter (model, all, "nothing says this", NULL);
  assert_shown (model, "");
  g_assert_cmpuint (loom_problem_list_get_n (loom_table_model_get_rows (model)), ==, 5);
}

/* --- the problems of folders ----------------------------------------------------------------------------------------- */

#define EVENT "{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}"
#define BROKEN "{\"ph\":\"X\",\"a\":[}}"
#define CUT "[" EVENT ",\n{\"ph\":\"X\",\"na"

static LoomTableModel *
load_model (const char *folder)
{
  g_autoptr (LoomProgress) progress = loom_progress_new (NULL);
  LoomLoadOptions options = { 0 };
  g_autoptr (LoomRun) run =
    loom_load_paths ((const char *const[]) { folder, NULL }, &options, progress, NULL, NULL, NULL);
  return new_model (run);
}

/* Returns the table model of a folder with two problems in one file, one in another file, and a file that is not a
 * trace. */
static LoomTableModel *
load_broken (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *cut = fixture_file (folder, "rank0.json", CUT);
  g_autofree char *trailing = fixture_file (folder, "rank1.json", "[" EVENT "] rubbish");
  g_autofree char *other = fixture_file (folder, "notes.txt", "nothing to see\n");
  return load_model (folder);
}

/* Returns the table model of a folder with errors, warnings and a note. */
static LoomTableModel *
load_all_kinds (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *cut = fixture_file (folder, "rank0.json", CUT);
  g_autofree char *broken =
    fixture_file (folder, "rank1.json", "[" EVENT "," BROKEN "," EVENT "," BROKEN "," EVENT "]");
  g_autofree char *empty = fixture_file (folder, "w_2.pt.trace.json", "{\"schemaVersion\": 1, \"devicePro");
  g_autofree char *other = fixture_file (folder, "notes.txt", "nothing to see\n");
  return load_model (folder);
}

static void
assert_files (LoomTableModel *model, const char *expected)
{
  g_autoptr (GString) shown = g_string_new (NULL);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (model)); i++) {
    g_autoptr (LoomProblemItem) item = item_at (model, i);
    g_autofree char *name = loom_problem_item_dup_name (item);
    g_string_append_printf (shown, "%s%s", i > 0 ? " " : "", name);
  }
  g_assert_cmpstr (shown->str, ==, expected);
}

static void
test_sort_files (void)
{
  g_autoptr (LoomTableModel) model = load_broken ();
  assert_files (model, "rank0.json rank0.json rank1.json notes.txt");
  sort_by (model, LOOM_PROBLEM_FILE, FALSE);
  assert_files (model, "notes.txt rank0.json rank0.json rank1.json");
  sort_by (model, LOOM_PROBLEM_FILE, TRUE);
  assert_files (model, "rank1.json rank0.json rank0.json notes.txt");
  sort_by (model, LOOM_N_PROBLEM_COLUMNS, FALSE);
  assert_files (model, "rank0.json rank0.json rank1.json notes.txt");
}

/* Errors come first, then warnings, then notes; within a severity in the order of the files. */
static void
test_severities (void)
{
  const guint error = 1 << LOOM_SEVERITY_ERROR, warning = 1 << LOOM_SEVERITY_WARNING, note = 1 << LOOM_SEVERITY_INFO;
  g_autoptr (LoomTableModel) model = load_all_kinds ();
  const LoomProblemList *list = loom_table_model_get_rows (model);
  assert_files (model, "w_2.pt.trace.json rank1.json rank0.json rank0.json notes.txt");
  g_assert_cmpuint (loom_problem_list_count (list, LOOM_SEVERITY_ERROR, NULL), ==, 2);
  g_assert_cmpuint (loom_problem_list_count (list, LOOM_SEVERITY_WARNING, NULL), ==, 2);
  g_assert_cmpuint (loom_problem_list_count (list, LOOM_SEVERITY_INFO, NULL), ==, 1);
  set_filter (model, warning | note, NULL, NULL);
  assert_files (model, "rank0.json rank0.json notes.txt");
  set_filter (model, note, NULL, NULL);
  assert_files (model, "notes.txt");
  set_filter (model, error | note, NULL, NULL);
  sort_by (model, LOOM_PROBLEM_SEVERITY, FALSE);
  assert_files (model, "notes.txt w_2.pt.trace.json rank1.json");
  sort_by (model, LOOM_PROBLEM_SEVERITY, TRUE);
  assert_files (model, "w_2.pt.trace.json rank1.json notes.txt");
  sort_by (model, LOOM_PROBLEM_COUNT, TRUE);
  assert_files (model, "rank1.json w_2.pt.trace.json notes.txt");
  sort_by (model, LOOM_PROBLEM_OFFSET, FALSE);
  assert_files (model, "w_2.pt.trace.json notes.txt rank1.json");
}

static void
assert_found (LoomTableModel *model, const char *words, const char *expected)
{
  set_filter (model, G_MAXUINT, words, NULL);
  assert_files (model, expected);
}

/* The filter searches the file name, the sentence and the code of each problem; a row is shown only if it contains all
 * words. */
static void
test_words (void)
{
  g_autoptr (LoomTableModel) model = load_all_kinds ();
  assert_found (model, "cannot be read", "rank1.json");
  assert_found (model, "BROKEN-event", "rank1.json");
  /* each search has several words, because the path of the temporary folder may contain any single letter */
  assert_found (model, "json nk0", "rank0.json rank0.json");
  assert_found (model, "rank1 truncated", "");
  assert_found (model, "rank1", "rank1.json");
  g_autoptr (LoomProblemItem) item = item_at (model, 0);
  g_autofree char *place = loom_problem_item_dup_place (item);
  if (!g_str_has_suffix (place, "rank1.json · 2 times, first at byte 54"))
    g_error ("the place is “%s”", place);
  g_assert_nonnull (strstr (loom_problem_item_get_facts (item)->message, "cannot be read"));
}

static void
wait_until_worked (LoomTableModel *model)
{
  while (loom_table_model_is_working (model))
    g_main_context_iteration (NULL, TRUE);
}

/* 100,000 rows are sorted and filtered in a worker while the main loop keeps running; of several requests the last one
 * wins. */
static void
test_many (void)
{
  const guint n = 100000;
  g_autoptr (LoomRun) run = loom_run_new (NULL, 0);
  for (guint i = 0; i < n; i++) {
    g_autofree char *path = g_strdup_printf ("/runs/llama-8b/profiler-output/framework/rank%u.json", i * 7919 % n);
    loom_run_add_ignored (run, path, "It is no trace of a kind that can be shown", i % 3 == 0);
  }
  g_autoptr (LoomTableModel) model = new_model (run);
  gint64 begun_us = g_get_monotonic_time ();
  sort_by (model, LOOM_PROBLEM_FILE, TRUE);
  gint64 asked_us = g_get_monotonic_time ();
  g_assert_true (loom_table_model_is_working (model));
  /* the rows keep their old order until the worker has sorted them */
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, n);
  wait_until_worked (model);
  gint64 sorted_us = g_get_monotonic_time ();
  set_filter (model, G_MAXUINT, "nothing says this", NULL);
  set_filter (model, G_MAXUINT, "rank9999 kind", NULL);
  wait_until_worked (model);
  gint64 filtered_us = g_get_monotonic_time ();
  g_test_message ("asked in %.1f ms, sorted in %.1f ms, filtered in %.1f ms", (double) (asked_us - begun_us) / 1000,
                  (double) (sorted_us - begun_us) / 1000, (double) (filtered_us - sorted_us) / 1000);
  /* the matching rows are rank9999 and rank99990 … rank99999 */
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 11);
  assert_name (model, 0, "rank99999.json");
  g_assert_cmpint (filtered_us - begun_us, <, 5 * G_USEC_PER_SEC);
}

/* The user's name of a source is shown before its file name, is searched, and sorts the rows. */
static void
test_given_names (void)
{
  g_autofree char *folder = g_dir_make_tmp ("loom-problems-XXXXXX", NULL);
  g_autofree char *first = g_build_filename (folder, "a.json", NULL),
                  *second = g_build_filename (folder, "b.json", NULL);
  static const char text[] =
    "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"a\"},\n{\"ph\":\"X\",\"na";
  g_assert_true (g_file_set_contents (first, text, -1, NULL) && g_file_set_contents (second, text, -1, NULL));
  g_autoptr (LoomProgress) progress = loom_progress_new (NULL);
  LoomLoadOptions options = { 0 };
  g_autoptr (LoomRun) run =
    loom_load_paths ((const char *const[]) { folder, NULL }, &options, progress, NULL, NULL, NULL);
  g_autoptr (LoomSourceOverrides) names = loom_source_overrides_new ();
  loom_source_overrides_change (names, first)->name = g_strdup ("~ the slow one");
  g_autoptr (LoomProblemList) list = loom_problem_list_new (run, names);
  g_autoptr (LoomTableModel) model = loom_problem_list_new_model (list, NULL);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (model));
  sort_by (model, LOOM_PROBLEM_FILE, TRUE);
  assert_name (model, 0, "~ the slow one · a.json");
  assert_name (model, n - 1, "b.json");
  set_filter (model, G_MAXUINT, "SLOW", NULL);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, n / 2);
  g_remove (first), g_remove (second), g_rmdir (folder);
}

/* A worker reads the text of the file at the place of a problem; copies of the problem contain this text. */
static void
test_excerpt (void)
{
  g_autofree char *folder = g_dir_make_tmp ("loom-problems-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.json", NULL);
  static const char text[] =
    "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"a\"},\n{\"ph\":\"X\",\"na";
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_autoptr (LoomProgress) progress = loom_progress_new (NULL);
  LoomLoadOptions options = { 0 };
  g_autoptr (LoomRun) run =
    loom_load_paths ((const char *const[]) { path, NULL }, &options, progress, NULL, NULL, NULL);
  g_autoptr (LoomTableModel) model = new_model (run);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), >, 0);
  g_autoptr (LoomProblemItem) item = item_at (model, 0);
  g_assert_cmpuint (loom_problem_item_get_facts (item)->offset, !=, LOOM_OFFSET_NONE);
  g_assert_null (loom_problem_item_get_excerpt (item, NULL));
  loom_problem_item_load_excerpt (item);
  while (loom_problem_item_get_excerpt (item, NULL) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_test_message ("%s: %s", loom_problem_item_get_facts (item)->message, loom_problem_item_get_excerpt (item, NULL));
  g_assert_nonnull (strstr (loom_problem_item_get_excerpt (item, NULL), "{\"ph\":\"X\",\"na"));
  g_autofree char *copied = text_of (model);
  g_assert_nonnull (strstr (copied, loom_problem_item_get_excerpt (item, NULL)));
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_none (void)
{
  g_autoptr (LoomTableModel) model = new_model (NULL);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 0);
}

static void
on_finished (LoomLoadTask *job, gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
}

/* If the setting leaves no memory for a load, the window reports it like other errors. */
static void
test_memory_budget (void)
{
  static const char event[] = "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"a\"}]";
  gsize n = 8 * 1024 * 1024; /* the test itself allocates more memory than the budget before the load begins */
  g_autofree char *held = g_malloc (n), *folder = g_dir_make_tmp ("loom-problems-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.json", NULL);
  gboolean finished = FALSE;
  memset (held, 1, n);
  if (loom_memory_info_get_anonymous () == 0) {
    g_test_skip ("the kernel does not say how much memory is used");
    return;
  }
  g_assert_true (g_file_set_contents (path, event, -1, NULL));
  loom_settings_set_int (LOOM_SETTING_MEMORY_BUDGET, 1);
  g_autoptr (LoomLoadTask) job = loom_load_task_new ((const char *const[]) { path, NULL }, NULL, NULL, NULL, NULL);
  loom_settings_set_int (LOOM_SETTING_MEMORY_BUDGET, 0);
  g_signal_connect (job, "finished", G_CALLBACK (on_finished), &finished);
  loom_load_task_start (job);
  while (!finished)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (loom_load_task_get_error (job));
  g_autoptr (LoomTableModel) model = new_model (loom_load_task_get_run (job));
  g_autofree char *text = text_of (model);
  g_assert_true (g_str_has_prefix (text, "error\t"));
  g_assert_nonnull (strstr (text, "a.json"));
  g_assert_nonnull (strstr (text, "memory budget"));
  g_assert_cmpuint (loom_load_error_count (loom_load_task_get_run (job)), ==, 1);
  g_assert_cmpint (held[n - 1], ==, 1);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/app/problems/order", test_order);
  g_test_add_func ("/app/problems/text", test_text);
  g_test_add_func ("/app/problems/none", test_none);
  g_test_add_func ("/app/problems/sort", test_sort);
  g_test_add_func ("/app/problems/filter", test_filter);
  g_test_add_func ("/app/problems/sort-files", test_sort_files);
  g_test_add_func ("/app/problems/severities", test_severities);
  g_test_add_func ("/app/problems/words", test_words);
  g_test_add_func ("/app/problems/many", test_many);
  g_test_add_func ("/app/problems/given-names", test_given_names);
  g_test_add_func ("/app/problems/excerpt", test_excerpt);
  g_test_add_func ("/app/problems/memory-budget", test_memory_budget);
  return run_fixture_run ();
}
