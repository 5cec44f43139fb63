/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the choices of an export, such as its layout, range and file name, and exports written by a worker: the file
 * contains what was chosen, and a failed export leaves no file.
 */
#include "run-fixture.h"

#include "loom-export-choice.h"
#include "loom-export-task.h"
#include "loom-source-commands.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static LoomRunState *run;
static LoomDocument *document;

typedef struct {
  gboolean is_done;
  GError *error;
  LoomExportResult *result;
} Written;

static void
written (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  Written *self = owner;
  self->is_done = TRUE;
  self->error = error != NULL ? g_error_copy (error) : NULL;
  self->result = result;
}

static gboolean
is_done (gpointer self)
{
  return ((const Written *) self)->is_done;
}

static void
begin_export (const LoomExportOptions *options, const char *path, Written *self)
{
  g_autoptr (LoomProgress) progress = loom_progress_new (NULL);
  *self = (Written) { FALSE, NULL, NULL };
  loom_export_task_run (document, options, path, progress, written, self);
}

/* Ends an export. Returns the sentence about events that the layout cannot represent, or NULL if the file contains all
 * events. */
static char *
end_export (Written *self, LoomExportLayout layout, GError **error)
{
  g_assert_true (fixture_wait (is_done, self));
  char *left_out = self->result != NULL ? loom_trace_export_result_describe_left_out (self->result, layout) : NULL;
  if (self->result != NULL)
    loom_trace_export_result_clear (self->result);
  g_free (self->result);
  if (self->error != NULL)
    g_propagate_error (error, self->error);
  return left_out;
}

static char *
try_export (const LoomExportOptions *options, const char *path, GError **error)
{
  Written self;
  begin_export (options, path, &self);
  return end_export (&self, options->layout, error);
}

static void
save (const LoomExportOptions *options, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *left_out = try_export (options, path, &error);
  g_assert_no_error (error);
  g_assert_null (left_out);
}

static void
assert_refused (const LoomExportOptions *options, const char *path, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (try_export (options, path, &error));
  g_assert_nonnull (error);
  if (strstr (error->message, words) == NULL)
    g_error ("“%s” is not in “%s”", words, error->message);
}

/* --- exports --------------------------------------------------------------------------------------------------------- */

static void
test_whole (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = g_build_filename (folder, "all.json", NULL);
  save (&options, path);
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  g_assert_cmpuint (fixture_count_files (folder), ==, 1);
}

/* Layouts of other tools cannot represent all events; the program's own layout can. */
static void
test_left_out (void)
{
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "composer.json", NULL);
  options.layout = LOOM_TRACE_EXPORT_COMPOSER;
  g_autofree char *left_out = try_export (&options, path, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (left_out, "cannot be stored in the layout “composer”"));
  options.layout = LOOM_TRACE_EXPORT_RANKS;
  save (&options, path);
}

/* An export never overwrites an open file, even if the target is another path to it, such as a link. */
static void
test_over_source (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *source = g_strdup (loom_run_get_source (loom_document_get_run (document), 0)->path);
  g_autofree char *folder = fixture_folder (), *before = NULL, *after = NULL;
  g_autofree char *link = g_build_filename (folder, "link.json", NULL);
  g_assert_cmpint (symlink (source, link), ==, 0);
  g_assert_true (g_file_get_contents (source, &before, NULL, NULL));
  assert_refused (&options, link, "another file");
  g_assert_true (g_file_get_contents (source, &after, NULL, NULL));
  g_assert_cmpstr (before, ==, after);
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
}

static void
assert_not_replaced (const char *path)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *before = NULL, *after = NULL;
  g_assert_true (g_file_get_contents (path, &before, NULL, NULL));
  assert_refused (&options, path, "another file");
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (before, ==, after);
}

/* An export never replaces rule files in use. */
static void
test_over_rules (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  LoomRunRules *rules = loom_run_state_get_rules (run);
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = fixture_file (folder, "team.json", "{}");
  loom_run_rules_set_files (rules, (const char *const[]) { path, NULL });
  assert_not_replaced (path);
  loom_run_rules_set_files (rules, NULL);
  save (&options, path);
}

static guint64
spans_of (const char *path)
{
  LoomRunState *other = run_fixture_open (path);
  guint64 n = loom_document_count_spans (loom_run_state_get_document (other));
  run_fixture_close (other);
  return n;
}

/* A file that was exported and opened again has the same number of spans. */
static void
test_again (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = g_build_filename (folder, "all.json.gz", NULL);
  save (&options, path);
  g_assert_cmpuint (spans_of (path), ==, loom_document_count_spans (document));
}

/* The exported file contains the name that the source had when the export was requested, even if the user undoes naming
 * it during the export. */
static void
test_names (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  const char *paths[] = { loom_run_get_source (loom_document_get_run (document), 0)->path, NULL };
  g_autofree char *folder = fixture_folder (), *text = NULL;
  g_autofree char *path = g_build_filename (folder, "named.json", NULL);
  loom_source_commands_describe (document, paths, LOOM_SOURCE_NAME, "the first of all", -1, NULL);
  Written self;
  begin_export (&options, path, &self);
  loom_undo_stack_back (loom_document_get_undo (document));
  g_assert_null (end_export (&self, options.layout, NULL));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_regex_match_simple ("\\{\"name\":\"(rank \\d+ · )?the first of all", text, 0,
                                       0)); /* the name of a process may begin with the rank */
  g_clear_pointer (&text, g_free);
  save (&options, path);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_null (strstr (text, "the first of all"));
}

/* A selected range is the default range of an export, and only its events are written. */
static void
test_selected_range (void)
{
  LoomTimelineState *state = loom_run_state_get_view (run);
  LoomRange extent = loom_timeline_state_get_extent (state);
  gint64 third = (extent.end_ns - extent.begin_ns) / 3;
  loom_timeline_state_select_range (state, (LoomRange) { extent.begin_ns + third, extent.begin_ns + 2 * third });
  g_autoptr (LoomExportChoice) choice = loom_export_choice_new (state, "sample");
  LoomExportOptions options;
  g_autofree char *problem = NULL;
  g_assert_true (loom_export_choice_get_options (choice, &options, &problem));
  g_assert_true (options.has_range);
  g_assert_cmpint (options.range.begin_ns, ==, extent.begin_ns + third);
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "part.json", NULL);
  save (&options, path);
  guint64 n = spans_of (path);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <, loom_document_count_spans (document));
}

static gboolean
has_summaries (gpointer unused)
{
  return loom_run_state_has_summaries (run);
}

static void
test_steps (void)
{
  LoomTimelineState *state = loom_run_state_get_view (run);
  gint64 first, last;
  g_assert_true (fixture_wait (has_summaries, NULL));
  g_assert_true (loom_steps_get_numbers (loom_timeline_state_get_steps (state), &first, &last));
  g_autoptr (LoomExportChoice) choice = loom_export_choice_new (state, "sample");
  LoomExportOptions options;
  g_autofree char *problem = NULL;
  choice->range = LOOM_EXPORT_STEPS;
  loom_export_choice_set_layout (choice, LOOM_TRACE_EXPORT_SMDEBUG);
  choice->first_step = first + 1, choice->last_step = first + 2;
  g_assert_true (loom_export_choice_get_options (choice, &options, &problem));
  g_assert_cmpint (options.layout, ==, LOOM_TRACE_EXPORT_SMDEBUG);
  g_assert_cmpint (options.range.end_ns, >, options.range.begin_ns);
  choice->first_step = first + 2, choice->last_step = first + 1;
  g_assert_false (loom_export_choice_get_options (choice, &options, &problem));
  g_assert_nonnull (problem);
}

static LoomRange
get_typed_range (LoomExportChoice *choice, const char *from, const char *to)
{
  LoomExportOptions options;
  g_autofree char *problem = NULL;
  loom_export_choice_set_times (choice, from, to);
  if (!loom_export_choice_get_options (choice, &options, &problem))
    g_error ("%s to %s: %s", from, to, problem);
  g_assert_true (options.has_range);
  return options.range;
}

static void
assert_typed_wrong (LoomExportChoice *choice, const char *from, const char *to, const char *words)
{
  LoomExportOptions options;
  g_autofree char *problem = NULL;
  loom_export_choice_set_times (choice, from, to);
  g_assert_false (loom_export_choice_get_options (choice, &options, &problem));
  g_assert_cmpstr (problem, ==, words);
}

/* Times that the user types count from the start of the run, as on the ruler. At first they are the begin and end of
 * the view. */
static void
test_times (void)
{
  LoomTimelineState *state = loom_run_state_get_view (run);
  gint64 origin = loom_timeline_get_start (loom_timeline_state_get_timeline (state));
  LoomRange extent = loom_timeline_state_get_extent (state), range;
  g_autoptr (LoomExportChoice) choice = loom_export_choice_new (state, "sample");
  choice->range = LOOM_EXPORT_TIMES;
  range = get_typed_range (choice, choice->from, choice->to);
  g_assert_cmpint (range.begin_ns, ==, loom_timeline_state_get_viewport (state)->begin_ns);
  g_assert_cmpint (range.end_ns, ==, loom_timeline_state_get_viewport (state)->end_ns);
  range = get_typed_range (choice, "250ms", "0:12.5");
  g_assert_cmpint (range.begin_ns, ==, origin + 250 * LOOM_NS_PER_MS);
  g_assert_cmpint (range.end_ns, ==, origin + 12500 * LOOM_NS_PER_MS);
  range = get_typed_range (choice, " ", "20");
  g_assert_cmpint (range.begin_ns, ==, extent.begin_ns);
  g_assert_cmpint (range.end_ns, ==, origin + 20 * LOOM_NS_PER_S);
  g_assert_cmpint (get_typed_range (choice, "0", "").end_ns, ==, extent.end_ns);
  assert_typed_wrong (choice, "2 s", "1 s", "The range ends before it begins.");
  assert_typed_wrong (choice, "2 s", "later", "“later” is not a time such as 1.5 s, 250 ms or 1:02.5.");
}

static void
test_endings (void)
{
  LoomTimelineState *state = loom_run_state_get_view (run);
  g_autoptr (LoomExportChoice) choice = loom_export_choice_new (state, "sample");
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "part.json", NULL), *problem = NULL,
                  *all = loom_export_choice_dup_source_words (choice);
  LoomExportOptions options;
  g_assert_cmpstr (all, ==, "All of 29 files");
  loom_export_choice_set_endings (choice, " algo-1.trace.json.gz ,, .none");
  g_autofree char *one = loom_export_choice_dup_source_words (choice);
  g_assert_cmpstr (one, ==, "1 of 29 files");
  g_assert_true (loom_export_choice_get_options (choice, &options, &problem));
  save (&options, path);
  guint64 n = spans_of (path);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <, loom_document_count_spans (document));
  loom_export_choice_set_endings (choice, ".none");
  g_assert_false (loom_export_choice_get_options (choice, &options, &problem));
  loom_export_choice_set_endings (choice, " , ");
  g_assert_null (choice->sources);
}

static void
assert_path_in (LoomExportLayout layout, const char *given, gboolean compress, const char *expected)
{
  g_autofree char *path = loom_export_choice_dup_path (given, layout, compress);
  g_assert_cmpstr (path, ==, expected);
}

static void
assert_path (const char *given, gboolean compress, const char *expected)
{
  assert_path_in (LOOM_TRACE_EXPORT_RANKS, given, compress, expected);
}

static void
test_ending (void)
{
  assert_path ("/a/run", FALSE, "/a/run.json");
  assert_path ("/a/run", TRUE, "/a/run.json.gz");
  assert_path ("/a/run.v2", TRUE, "/a/run.v2.json.gz");
  assert_path ("/a/run.json", TRUE, "/a/run.json");
  assert_path ("/a/run.json.gz", FALSE, "/a/run.json.gz");
  assert_path ("/a/run.trace", TRUE, "/a/run.trace");
  assert_path ("/a/run.gz", FALSE, "/a/run.gz");
  assert_path_in (LOOM_TRACE_EXPORT_PERFETTO, "/a/run", TRUE, "/a/run.pftrace.gz");
  assert_path_in (LOOM_TRACE_EXPORT_PERFETTO, "/a/run.pftrace", TRUE, "/a/run.pftrace");
  assert_path_in (LOOM_TRACE_EXPORT_PERFETTO, "/a/run.perfetto-trace.gz", FALSE, "/a/run.perfetto-trace.gz");
}

/* If the file name has the ending of another format, the ending of the chosen format is appended, because the old
 * ending would be misleading. */
static void
test_ending_of_another_layout (void)
{
  assert_path ("/a/run.pftrace", FALSE, "/a/run.pftrace.json");
  assert_path ("/a/run.pftrace", TRUE, "/a/run.pftrace.json.gz");
  assert_path ("/a/run.pftrace.gz", FALSE, "/a/run.pftrace.json.gz");
  assert_path ("/a/run.perfetto-trace", FALSE, "/a/run.perfetto-trace.json");
  assert_path_in (LOOM_TRACE_EXPORT_COMPOSER, "/a/run.pftrace", FALSE, "/a/run.pftrace.json");
  assert_path_in (LOOM_TRACE_EXPORT_PERFETTO, "/a/run.json", FALSE, "/a/run.json.pftrace");
  assert_path_in (LOOM_TRACE_EXPORT_PERFETTO, "/a/run.json.gz", TRUE, "/a/run.json.pftrace.gz");
  assert_path_in (LOOM_TRACE_EXPORT_PERFETTO, "/a/run.trace", FALSE, "/a/run.trace.pftrace");
}

static void
assert_name (const LoomExportChoice *choice, const char *name, gboolean compress)
{
  g_assert_cmpstr (choice->name, ==, name);
  g_assert_cmpint (choice->compress, ==, compress);
}

/* The ending of the file name and the compression switch are always consistent, whichever of the two was changed
 * last. */
static void
test_name_and_compression (void)
{
  g_autoptr (LoomExportChoice) choice = loom_export_choice_new (loom_run_state_get_view (run), "sample");
  assert_name (choice, "sample-merged.json.gz", TRUE);
  loom_export_choice_set_compress (choice, FALSE);
  assert_name (choice, "sample-merged.json", FALSE);
  loom_export_choice_set_layout (choice, LOOM_TRACE_EXPORT_COMPOSER);
  assert_name (choice, "sample-composer.json", FALSE);
  loom_export_choice_set_layout (choice, LOOM_TRACE_EXPORT_PERFETTO);
  assert_name (choice, "sample-merged.pftrace", FALSE);
  loom_export_choice_set_compress (choice, TRUE);
  assert_name (choice, "sample-merged.pftrace.gz", TRUE);
  loom_export_choice_set_name (choice, "mine.json.gz");
  assert_name (choice, "mine.json.gz", TRUE);
  loom_export_choice_set_name (choice, "mine.json");
  assert_name (choice, "mine.json", FALSE);
  loom_export_choice_set_name (choice, "mine"); /* a name without an ending does not change the compression */
  assert_name (choice, "mine", FALSE);
  loom_export_choice_set_compress (choice, TRUE);
  assert_name (choice, "mine", TRUE);
  /* a name typed by the user does not change with the layout */
  loom_export_choice_set_layout (choice, LOOM_TRACE_EXPORT_RANKS);
  assert_name (choice, "mine", TRUE);
  /* a name with the ending of another layout sets the compression, too */
  loom_export_choice_set_name (choice, "mine.pftrace.gz");
  assert_name (choice, "mine.pftrace.gz", TRUE);
  loom_export_choice_set_compress (choice, FALSE);
  assert_name (choice, "mine.pftrace", FALSE);
}

static void
assert_target (const LoomExportChoice *choice, const char *path, const char *expected)
{
  g_autofree char *target = loom_export_choice_dup_target (choice, path);
  g_assert_cmpstr (target, ==, expected);
}

/* The name of a database has an ending of SQLite, and neither it nor the switch changes the compression. */
static void
test_name_of_database (void)
{
  LoomExportOptions options;
  g_autofree char *problem = NULL;
  g_autoptr (LoomExportChoice) choice = loom_export_choice_new (loom_run_state_get_view (run), "sample");
  choice->range = LOOM_EXPORT_VISIBLE;
  loom_export_choice_set_database (choice);
  assert_name (choice, "sample-merged.sqlite", TRUE);
  g_assert_true (loom_export_choice_get_options (choice, &options, &problem));
  g_assert_false (options.has_range);
  assert_target (choice, "/a/run", "/a/run.sqlite");
  assert_target (choice, "/a/run.db", "/a/run.db");
  assert_target (choice, "/a/run.json.gz", "/a/run.json.sqlite");
  loom_export_choice_set_layout (choice, LOOM_TRACE_EXPORT_RANKS);
  assert_name (choice, "sample-merged.json.gz", TRUE);
  assert_target (choice, "/a/run.sqlite", "/a/run.sqlite.json.gz");
  loom_export_choice_set_database (choice);
  loom_export_choice_set_name (choice, "mine.db");
  assert_name (choice, "mine.db", TRUE);
}

/* Exports the run to an SQLite file. If `cancel` is TRUE, the export is cancelled directly after its start. Returns the
 * number of rows. */
static guint64
save_database (const char *path, gboolean cancel, GError **error)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (LoomProgress) progress = loom_progress_new (cancellable);
  Written self = { FALSE, NULL, NULL };
  loom_export_task_run_database (document, path, progress, written, &self);
  if (cancel)
    g_cancellable_cancel (cancellable);
  g_assert_true (fixture_wait (is_done, &self));
  guint64 n = self.result != NULL ? self.result->n_events : 0;
  end_export (&self, LOOM_TRACE_EXPORT_RANKS, error);
  return n;
}

static void
test_database (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "run.sqlite", NULL), *text = NULL;
  save_database (path, TRUE, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (fixture_count_files (folder), ==, 0);
  g_clear_error (&error);
  g_assert_cmpuint (save_database (path, FALSE, &error), >, 1000);
  g_assert_no_error (error);
  g_assert_cmpuint (fixture_count_files (folder), ==, 1);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "SQLite format 3");
}

/* The target path uses a regular file as if it were a folder, so that not even root can write there. */
static void
test_no_such_place (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *folder = fixture_folder ();
  g_autofree char *file = fixture_file (folder, "file", "x");
  g_autofree char *path = g_build_filename (file, "out.json", NULL);
  assert_refused (&options, path, "out.json");
  g_assert_cmpuint (fixture_count_files (folder), ==, 1);
}

static void
test_read_only (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = g_build_filename (folder, "out.json", NULL);
  if (geteuid () == 0) {
    g_test_skip ("root writes everywhere");
    return;
  }
  g_chmod (folder, 0500);
  assert_refused (&options, path, "out.json");
  g_assert_cmpuint (fixture_count_files (folder), ==, 0);
  g_chmod (folder, 0700);
}

static void
test_full_disk (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS)) {
    g_test_skip ("no /dev/full");
    return;
  }
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = g_build_filename (folder, "full.json", NULL);
  g_assert_cmpint (symlink ("/dev/full", path), ==, 0);
  g_autoptr (GError) error = NULL;
  g_free (try_export (&options, path, &error));
  /* the export may replace the link or write to its target; no partial file may be left beside it */
  g_assert_cmpuint (fixture_count_files (folder), ==, 1);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/export/whole", test_whole);
  g_test_add_func ("/core/export/left-out", test_left_out);
  g_test_add_func ("/core/export/over-source", test_over_source);
  g_test_add_func ("/core/export/over-rules", test_over_rules);
  g_test_add_func ("/core/export/again", test_again);
  g_test_add_func ("/core/export/names", test_names);
  g_test_add_func ("/core/export/selected", test_selected_range);
  g_test_add_func ("/core/export/steps", test_steps);
  g_test_add_func ("/core/export/times", test_times);
  g_test_add_func ("/core/export/endings", test_endings);
  g_test_add_func ("/core/export/ending", test_ending);
  g_test_add_func ("/core/export/ending-of-another-layout", test_ending_of_another_layout);
  g_test_add_func ("/core/export/name-and-compression", test_name_and_compression);
  g_test_add_func ("/core/export/name-of-database", test_name_of_database);
  g_test_add_func ("/core/export/database", test_database);
  g_test_add_func ("/core/export/no-such-place", test_no_such_place);
  g_test_add_func ("/core/export/read-only", test_read_only);
  g_test_add_func ("/core/export/full-disk", test_full_disk);
  run = run_fixture_open (fixture_sample ());
  document = loom_run_state_get_document (run);
  int status = g_test_run ();
  run_fixture_close (run);
  run_fixture_remove_folders ();
  return status;
}
