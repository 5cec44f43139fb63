/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests exports and reports in the window: the dialog, the messages after success and failure, cancelling, and closing
 * the window while a file is written.
 */
#include "groups.h"

#include "loom-toasts.h"
#include "loom-window-private.h"

#include <string.h>

static LoomWindow *window;
static const LoomReportOptions whole = { .numbers = LOOM_NUMBER_CONVENTION_INTENDED };

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

static gboolean
is_saved (gpointer unused)
{
  return !loom_run_session_is_unsaved (loom_tab_get_session (loom_window_get_tab (window)));
}

static void
assert_not_replaced (const char *path)
{
  const LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  g_autofree char *before = NULL, *after = NULL;
  g_assert_true (g_file_get_contents (path, &before, NULL, NULL));
  save (&options, path);
  g_assert_nonnull (loom_tab_get_load_error (loom_window_get_tab (window)));
  g_assert_nonnull (strstr (loom_tab_get_load_error (loom_window_get_tab (window)), "another file"));
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

/* An export over the file of the open session is refused. Saving the session to another file makes that file the
 * session, and the export may then replace the old one. */
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
  g_assert_null (loom_tab_get_load_error (loom_window_get_tab (window)));
}

static gpointer
export_part (LoomExportDialog *dialog, const char *name)
{
  return gtk_widget_get_template_child (GTK_WIDGET (dialog), LOOM_TYPE_EXPORT_DIALOG, name);
}

static void
assert_name (LoomExportDialog *dialog, const char *name, gboolean compress)
{
  g_assert_cmpstr (gtk_editable_get_text (export_part (dialog, "name")), ==, name);
  g_assert_cmpint (gtk_switch_get_active (export_part (dialog, "compress")), ==, compress);
}

static void
on_chosen (LoomExportDialog *dialog, const char *path, gpointer user_data)
{
  char **chosen = user_data;
  g_free (*chosen);
  *chosen = g_strdup (path);
}

/* The ending of the file name and the compression switch stay consistent, whichever of the two the user changes. */
static void
test_name_and_switch (void)
{
  LoomExportDialog *dialog = g_object_ref_sink (loom_window_new_export_dialog (window));
  GtkEditable *name = export_part (dialog, "name");
  GtkSwitch *compress = export_part (dialog, "compress");
  g_autofree char *chosen = NULL, *folder = fixture_folder (), *path = g_build_filename (folder, "typed.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_signal_connect (dialog, "chosen", G_CALLBACK (on_chosen), &chosen);
  assert_name (dialog, "sample-merged.json.gz", TRUE);
  gtk_switch_set_active (compress, FALSE);
  assert_name (dialog, "sample-merged.json", FALSE);
  adw_combo_row_set_selected (export_part (dialog, "layout"), LOOM_TRACE_EXPORT_COMPOSER);
  assert_name (dialog, "sample-composer.json", FALSE);
  gtk_editable_set_text (name, "mine.json.gz");
  assert_name (dialog, "mine.json.gz", TRUE);
  gtk_editable_set_text (name, "mine.json");
  assert_name (dialog, "mine.json", FALSE);
  gtk_editable_set_text (name, "mine"); /* this name has no ending; compressing the file appends one */
  assert_name (dialog, "mine", FALSE);
  gtk_switch_set_active (compress, TRUE);
  assert_name (dialog, "mine", TRUE);
  /* a name that the user has typed does not change with the layout */
  adw_combo_row_set_selected (export_part (dialog, "layout"), LOOM_TRACE_EXPORT_RANKS);
  assert_name (dialog, "mine", TRUE);
  loom_export_dialog_choose (dialog, file); /* typed in the file chooser */
  g_assert_cmpstr (chosen, ==, path);
  g_object_unref (dialog);
  g_assert_true (fixture_wait (has_saved, NULL));
}

/* A database contains the whole run and is not compressed, so the dialog disables these choices. */
static void
test_database (void)
{
  LoomExportDialog *dialog = loom_window_new_export_dialog (window);
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "typed", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  adw_combo_row_set_selected (export_part (dialog, "layout"), LOOM_TRACE_EXPORT_PERFETTO + 1);
  assert_name (dialog, "sample-merged.sqlite", TRUE);
  g_assert_false (gtk_widget_get_sensitive (export_part (dialog, "range")) ||
                  gtk_widget_get_sensitive (export_part (dialog, "compress_row")));
  loom_export_dialog_choose (dialog, file);
  g_assert_nonnull (window->saving);
  g_assert_true (fixture_wait (has_saved, NULL));
  const char *told = adw_toast_get_title (loom_toasts_get_shown (G_OBJECT (window), "saved"));
  g_assert_true (g_str_has_suffix (told, " rows saved as “typed.sqlite”"));
  g_assert_cmpuint (count_files (folder), ==, 1);
}

/* The window names events that the chosen layout cannot represent; the message disappears after an export that contains
 * all events. */
static void
check_left_out (const char *path)
{
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  options.layout = LOOM_TRACE_EXPORT_COMPOSER;
  save (&options, path);
  g_autofree char *told = g_strdup (loom_tab_get_load_error (loom_window_get_tab (window)));
  g_assert_nonnull (told);
  g_assert_nonnull (strstr (told, "cannot be stored in the layout “composer”"));
  g_assert_nonnull (strstr (told, "“By Rank”"));
  options.layout = LOOM_TRACE_EXPORT_RANKS;
  save (&options, path);
  g_assert_null (loom_tab_get_load_error (loom_window_get_tab (window)));
}

/* When an export fails, the message about the success of an earlier export disappears, because users would think that
 * it is about the failed one. */
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
  g_autofree char *sentence = g_strdup (loom_tab_get_load_error (loom_window_get_tab (window)));
  g_assert_true (g_str_has_suffix (sentence, ". Choose another location and export again."));
  check_left_out (good);
}

/* --- reports --------------------------------------------------------------------------------------------------------- */

static void
save_report (const LoomReportOptions *options, const char *path)
{
  loom_window_write_report (window, options, path);
  g_assert_nonnull (window->saving);
  g_assert_false (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "save-report"));
  g_assert_true (fixture_wait (has_saved, NULL));
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (window), "save-report"));
}

/* The message after saving a report names the file. */
static void
test_report_saved (void)
{
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "run.html", NULL);
  save_report (&whole, path);
  g_assert_null (loom_tab_get_load_error (loom_window_get_tab (window)));
  g_assert_nonnull (strstr (adw_toast_get_title (loom_toasts_get_shown (G_OBJECT (window), "saved")), "run.html"));
  g_autofree char *file = fixture_file (folder, "file", "x"), *bad = g_build_filename (file, "run.html", NULL);
  save_report (&whole, bad);
  g_assert_nonnull (strstr (loom_tab_get_load_error (loom_window_get_tab (window)), "run.html"));
  g_assert_true (g_str_has_suffix (loom_tab_get_load_error (loom_window_get_tab (window)),
                                   ". Choose another location and save the report again."));
}

/* Cancelling a report keeps the earlier file and leaves no partial file. */
static void
test_report_cancelled (void)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "run.html", "the report before"),
                  *text = NULL;
  loom_window_write_report (window, &whole, path);
  g_signal_emit_by_name (window->save_bar, "cancel");
  g_assert_true (fixture_wait (has_saved, NULL));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "the report before");
  g_assert_cmpuint (count_files (folder), ==, 1);
  /* the file was not written, so the toast offers no button that shows it */
  g_assert_null (adw_toast_get_button_label (loom_toasts_get_shown (G_OBJECT (window), "saved")));
}

/* Closing a window while it writes a report is safe; the report is complete or absent. */
static void
test_report_closed (void)
{
  LoomWindow *other = fixture_window ();
  g_autofree char *folder = fixture_folder (), *path = g_build_filename (folder, "run.html", NULL);
  fixture_open (other, fixture_sample ());
  loom_window_write_report (other, &whole, path);
  fixture_close (other);
  g_autofree char *text = NULL;
  g_assert_cmpuint (count_files (folder), ==, g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (text == NULL || g_str_has_suffix (g_strchomp (text), "</html>"));
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/export/over-session", test_over_session);
  g_test_add_func ("/app/export/name-and-switch", test_name_and_switch);
  g_test_add_func ("/app/export/database", test_database);
  g_test_add_func ("/app/export/toast-follows", test_toast_follows);
  g_test_add_func ("/app/export/report-saved", test_report_saved);
  g_test_add_func ("/app/export/report-cancelled", test_report_cancelled);
  g_test_add_func ("/app/export/report-closed", test_report_closed);
  groups_add_read_range ();
  window = fixture_window ();
  fixture_open (window, fixture_sample ());
  return fixture_run ();
}
