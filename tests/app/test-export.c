/* SPDX-License-Identifier: Apache-2.0
 *
 * Export from the window: what the dialog asks for is what is written; what cannot be written leaves nothing behind.
 */
#include "fixture.h"

#include "loom-export-task.h"
#include "loom-source-commands.h"
#include "loom-toasts.h"
#include "loom-window-private.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static LoomWindow *window;

static gboolean
has_saved (gpointer data)
{
  return window->saving == NULL;
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
save (const LoomExportOptions *options, const char *path)
{
  loom_window_save (window, options, path);
  g_assert_true (fixture_wait (has_saved, NULL));
}

static void
test_whole (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = g_build_filename (folder, "all.json", NULL);
  save (&options, path);
  g_assert_null (loom_window_get_load_error (window));
  g_assert_true (g_file_test (path, G_FILE_TEST_IS_REGULAR));
  g_assert_cmpuint (count_files (folder), ==, 1);
}

/* What has no place in a layout is told; a layout that keeps everything takes it away. */
static void
test_left_out (void)
{
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = g_build_filename (folder, "composer.json", NULL);
  options.layout = LOOM_TRACE_EXPORT_COMPOSER;
  save (&options, path);
  g_autofree char *told = g_strdup (loom_window_get_load_error (window));
  g_assert_nonnull (told);
  g_assert_nonnull (strstr (told, "have no place in the layout “composer”"));
  g_assert_nonnull (strstr (told, "“By rank”"));
  options.layout = LOOM_TRACE_EXPORT_RANKS;
  save (&options, path);
  g_assert_null (loom_window_get_load_error (window));
}

static gboolean
is_saved (gpointer unused)
{
  return !loom_run_session_is_unsaved (loom_tab_get_session (loom_window_get_tab (window)));
}

/* The export does not replace a file that is open, under whatever name. */
static void
test_over_source (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *source = g_strdup (loom_run_get_source (loom_document_get_run (window->document), 0)->path);
  g_autofree char *folder = fixture_folder (), *before = NULL, *after = NULL;
  g_autofree char *link = g_build_filename (folder, "link.json", NULL);
  g_assert_cmpint (symlink (source, link), ==, 0);
  g_assert_true (g_file_get_contents (source, &before, NULL, NULL));
  save (&options, link);
  g_assert_nonnull (strstr (loom_window_get_load_error (window), "another file"));
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
  save (&options, path);
  g_assert_nonnull (loom_window_get_load_error (window));
  g_assert_nonnull (strstr (loom_window_get_load_error (window), "another file"));
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (before, ==, after);
}

static gboolean
has_session (gpointer path)
{
  return g_strcmp0 (loom_run_session_get_path (loom_tab_get_session (loom_window_get_tab (window))), path) == 0;
}

static void
save_session (const char *path)
{
  loom_run_session_save (loom_tab_get_session (loom_window_get_tab (window)), path);
  g_assert_true (fixture_wait (has_session, (gpointer) path));
}

/* The export does not replace the session that is open; saving it does, and another file is the session then. */
static void
test_over_session (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *folder = fixture_folder (), *text = NULL;
  g_autofree char *path = g_build_filename (folder, "mine.traceloom", NULL),
                  *next = g_build_filename (folder, "next.traceloom", NULL);
  save_session (path);
  assert_not_replaced (path);
  loom_timeline_state_add_mark (fixture_state (window), 5, "a new mark");
  g_assert_true (loom_run_session_is_unsaved (loom_tab_get_session (loom_window_get_tab (window))));
  loom_run_session_save (loom_tab_get_session (loom_window_get_tab (window)), path);
  g_assert_true (fixture_wait (is_saved, NULL));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "a new mark"));
  save_session (next);
  save (&options, path);
  g_assert_null (loom_window_get_load_error (window));
}

/* Nor the rules that are evaluated with the run, as long as they are. */
static void
test_over_rules (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  LoomRunRules *rules = loom_run_state_get_rules (loom_window_get_run_state (window));
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = fixture_file (folder, "team.json", "{}");
  loom_run_rules_set_files (rules, (const char *const[]) { path, NULL });
  assert_not_replaced (path);
  loom_run_rules_set_files (rules, NULL);
  save (&options, path);
  g_assert_null (loom_window_get_load_error (window));
}

static guint64
spans_of (const char *path)
{
  LoomWindow *other = fixture_window ();
  fixture_open (other, path);
  guint64 n = loom_document_count_spans (loom_window_get_document (other));
  fixture_close (other);
  return n;
}

/* What was written opens again with the same number of spans. */
static void
test_again (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = g_build_filename (folder, "all.json.gz", NULL);
  save (&options, path);
  g_assert_cmpuint (spans_of (path), ==, loom_document_count_spans (window->document));
}

/* A name given to a source stands in the file, also when it is taken back while the file is written. */
static void
test_names (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  const char *paths[] = { loom_run_get_source (loom_document_get_run (window->document), 0)->path, NULL };
  g_autofree char *folder = fixture_folder (), *text = NULL;
  g_autofree char *path = g_build_filename (folder, "named.json", NULL);
  loom_source_commands_describe (window->document, paths, LOOM_SOURCE_NAME, "the first of all", -1, NULL);
  loom_window_save (window, &options, path);
  loom_undo_stack_back (loom_document_get_undo (window->document));
  g_assert_true (fixture_wait (has_saved, NULL));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_regex_match_simple ("\\{\"name\":\"(rank \\d+ · )?the first of all", text, 0,
                                       0)); /* a process name may begin with its rank */
  g_clear_pointer (&text, g_free);
  save (&options, path);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_null (strstr (text, "the first of all"));
}

static void
test_selected_range (void)
{
  LoomTimelineState *state = fixture_state (window);
  LoomRange extent = loom_timeline_state_get_extent (state);
  gint64 third = (extent.end_ns - extent.begin_ns) / 3;
  loom_timeline_state_select_range (state, (LoomRange) { extent.begin_ns + third, extent.begin_ns + 2 * third });
  LoomExportDialog *dialog = loom_window_new_export_dialog (window);
  g_object_ref_sink (dialog);
  LoomExportOptions options;
  g_autofree char *problem = NULL;
  /* A selected range is what the dialog proposes. */
  g_assert_true (loom_export_dialog_get_options (dialog, &options, &problem));
  g_assert_true (options.has_range);
  g_assert_cmpint (options.range.begin_ns, ==, extent.begin_ns + third);
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_object_unref (dialog);
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = g_build_filename (folder, "part.json", NULL);
  save (&options, path);
  guint64 n = spans_of (path);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <, loom_document_count_spans (window->document));
}

static void
test_steps (void)
{
  LoomTimelineState *state = fixture_state (window);
  gint64 first, last;
  fixture_wait_facts (window);
  g_assert_true (loom_steps_get_numbers (loom_timeline_state_get_steps (state), &first, &last));
  LoomExportDialog *dialog = g_object_ref_sink (loom_window_new_export_dialog (window));
  LoomExportOptions options;
  g_autofree char *problem = NULL;
  loom_export_dialog_set_range (dialog, LOOM_EXPORT_STEPS);
  loom_export_dialog_set_layout (dialog, LOOM_TRACE_EXPORT_SMDEBUG);
  loom_export_dialog_set_steps (dialog, first + 1, first + 2);
  g_assert_true (loom_export_dialog_get_options (dialog, &options, &problem));
  g_assert_cmpint (options.layout, ==, LOOM_TRACE_EXPORT_SMDEBUG);
  g_assert_cmpint (options.range.end_ns, >, options.range.begin_ns);
  loom_export_dialog_set_steps (dialog, first + 2, first + 1);
  g_assert_false (loom_export_dialog_get_options (dialog, &options, &problem));
  g_assert_nonnull (problem);
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_object_unref (dialog);
}

static void
assert_path (const char *given, gboolean compress, const char *expected)
{
  g_autofree char *path = loom_export_task_dup_path (given, compress);
  g_assert_cmpstr (path, ==, expected);
}

static void
test_ending (void)
{
  assert_path ("/a/run", FALSE, "/a/run.json");
  assert_path ("/a/run", TRUE, "/a/run.json.gz");
  assert_path ("/a/run.v2", TRUE, "/a/run.v2.json.gz");
  assert_path ("/a/run.json", TRUE, "/a/run.json");
  assert_path ("/a/run.json.gz", FALSE, "/a/run.json.gz");
}

static void
assert_name (LoomExportDialog *dialog, const char *name, gboolean compress)
{
  g_assert_cmpstr (gtk_editable_get_text (loom_export_dialog_get_name (dialog)), ==, name);
  g_assert_cmpint (gtk_switch_get_active (loom_export_dialog_get_compress (dialog)), ==, compress);
}

static void
on_chosen (LoomExportDialog *dialog, const char *path, gpointer user_data)
{
  char **chosen = user_data;
  g_free (*chosen);
  *chosen = g_strdup (path);
}

/* The name and the switch never say different things, whichever was touched last. */
static void
test_name_and_switch (void)
{
  LoomExportDialog *dialog = g_object_ref_sink (loom_window_new_export_dialog (window));
  GtkEditable *name = loom_export_dialog_get_name (dialog);
  GtkSwitch *compress = loom_export_dialog_get_compress (dialog);
  g_autofree char *chosen = NULL, *folder = fixture_folder (), *path = g_build_filename (folder, "typed.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_signal_connect (dialog, "chosen", G_CALLBACK (on_chosen), &chosen);
  assert_name (dialog, "sample-merged.json.gz", TRUE);
  gtk_switch_set_active (compress, FALSE);
  assert_name (dialog, "sample-merged.json", FALSE);
  loom_export_dialog_set_layout (dialog, LOOM_TRACE_EXPORT_COMPOSER);
  assert_name (dialog, "sample-composer.json", FALSE);
  gtk_editable_set_text (name, "mine.json.gz");
  assert_name (dialog, "mine.json.gz", TRUE);
  gtk_editable_set_text (name, "mine.json");
  assert_name (dialog, "mine.json", FALSE);
  gtk_editable_set_text (name, "mine"); /* says nothing: the switch completes it */
  assert_name (dialog, "mine", FALSE);
  gtk_switch_set_active (compress, TRUE);
  assert_name (dialog, "mine", TRUE);
  loom_export_dialog_set_layout (dialog, LOOM_TRACE_EXPORT_RANKS); /* a name of one's own stays */
  assert_name (dialog, "mine", TRUE);
  loom_export_dialog_choose (dialog, file); /* typed in the chooser */
  g_assert_cmpstr (chosen, ==, path);
  g_object_unref (dialog);
  g_assert_true (fixture_wait (has_saved, NULL));
}

/* A place below a file is one that even root cannot write to. */
static void
test_no_such_place (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *folder = fixture_folder ();
  g_autofree char *file = fixture_file (folder, "file", "x");
  g_autofree char *path = g_build_filename (file, "out.json", NULL);
  save (&options, path);
  g_assert_nonnull (loom_window_get_load_error (window));
  g_assert_nonnull (strstr (loom_window_get_load_error (window), "out.json"));
  g_assert_cmpuint (count_files (folder), ==, 1);
}

/* A success that is still told of when the next export fails would be taken for that one's. */
static void
test_toast_follows (void)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *folder = fixture_folder ();
  g_autofree char *file = fixture_file (folder, "file", "x");
  g_autofree char *good = g_build_filename (folder, "out.json", NULL), *bad = g_build_filename (file, "out.json", NULL);
  save (&options, good);
  g_assert_nonnull (strstr (adw_toast_get_title (loom_toasts_get_shown (G_OBJECT (window), "saved")), "out.json"));
  save (&options, bad);
  g_assert_nonnull (strstr (adw_toast_get_title (loom_toasts_get_shown (G_OBJECT (window), "saved")), "failed"));
  g_assert_null (adw_toast_get_button_label (loom_toasts_get_shown (G_OBJECT (window), "saved")));
  g_autofree char *sentence = g_strdup (loom_window_get_load_error (window));
  g_assert_true (g_str_has_suffix (sentence, ". Choose another place and export again."));
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
  save (&options, path);
  g_assert_nonnull (loom_window_get_load_error (window));
  g_assert_nonnull (strstr (loom_window_get_load_error (window), "out.json"));
  g_assert_cmpuint (count_files (folder), ==, 0);
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
  save (&options, path);
  /* Whether the link was replaced or written through: nothing half written is left beside it. */
  g_assert_cmpuint (count_files (folder), ==, 1);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/export/whole", test_whole);
  g_test_add_func ("/app/export/left-out", test_left_out);
  g_test_add_func ("/app/export/over-source", test_over_source);
  g_test_add_func ("/app/export/over-session", test_over_session);
  g_test_add_func ("/app/export/over-rules", test_over_rules);
  g_test_add_func ("/app/export/again", test_again);
  g_test_add_func ("/app/export/names", test_names);
  g_test_add_func ("/app/export/selected", test_selected_range);
  g_test_add_func ("/app/export/steps", test_steps);
  g_test_add_func ("/app/export/ending", test_ending);
  g_test_add_func ("/app/export/name-and-switch", test_name_and_switch);
  g_test_add_func ("/app/export/no-such-place", test_no_such_place);
  g_test_add_func ("/app/export/toast-follows", test_toast_follows);
  g_test_add_func ("/app/export/read-only", test_read_only);
  g_test_add_func ("/app/export/full-disk", test_full_disk);
  window = fixture_window ();
  fixture_open (window, fixture_sample ());
  return fixture_run ();
}
