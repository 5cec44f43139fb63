/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the dialog that opens remote locations, such as S3 buckets, and the window that shows their files. A script
 * replaces the aws command.
 */
#include "groups.h"

#include "loom-location-dialog.h"

#include <glib/gstdio.h>
#include <string.h>

#define COMMAND                                                                                        \
  "#!/bin/sh\n"                                                                                        \
  "case \"$*\" in\n"                                                                                   \
  "*nobody*) echo 'no such bucket' >&2; exit 1;;\n"                                                    \
  "*list-objects-v2*) echo '{\"Contents\":[{\"Key\":\"job/a.json\",\"Size\":57,\"ETag\":\"1\"}]}';;\n" \
  "*cp*) printf '%s' '[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1000,\"dur\":5,\"pid\":1,\"tid\":1}]';;\n"  \
  "esac\n"

static gpointer
child (LoomLocationDialog *dialog, const char *name)
{
  return gtk_widget_get_template_child (GTK_WIDGET (dialog), LOOM_TYPE_LOCATION_DIALOG, name);
}

static gboolean
is_listed (gpointer dialog)
{
  return !gtk_spinner_get_spinning (child (dialog, "spinner"));
}

static void
keep (LoomLocationDialog *dialog, const char *location, char **chosen)
{
  *chosen = g_strdup (location);
}

static gboolean
is_chosen (gpointer chosen)
{
  return *(char **) chosen != NULL;
}

static const char *
list (LoomLocationDialog *dialog, const char *location)
{
  gtk_editable_set_text (child (dialog, "location"), location);
  g_signal_emit_by_name (child (dialog, "go"), "clicked");
  g_assert_true (fixture_wait (is_listed, dialog));
  return gtk_label_get_text (child (dialog, "status"));
}

static void
test_dialog (void)
{
  g_autofree char *chosen = NULL;
  LoomWindow *window = fixture_window ();
  LoomLocationDialog *dialog = loom_location_dialog_new (GTK_WINDOW (window));
  GtkWidget *go = child (dialog, "go");
  g_signal_connect (dialog, "chosen", G_CALLBACK (keep), &chosen);
  gtk_window_present (GTK_WINDOW (dialog));
  g_assert_false (gtk_widget_get_sensitive (go));
  gtk_editable_set_text (child (dialog, "location"), "a/path");
  g_assert_false (gtk_widget_get_sensitive (go)); /* a relative path cannot be opened */
  g_assert_nonnull (strstr (list (dialog, "s3://nobody/job"), "aws reports: no such bucket"));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (go)), ==, "_List Files");
  g_assert_cmpstr (list (dialog, "s3://b/job"), ==, "1 file, 57 bytes; 57 bytes to download");
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (go)), ==, "_Open");
  gtk_editable_set_text (child (dialog, "suffix"), ".txt"); /* the shown list was made for another suffix, so the button
                                                             * offers to list the files again */
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (go)), ==, "_List Files");
  g_assert_cmpstr (list (dialog, "s3://b/job"), ==, "No files match.");
  gtk_editable_set_text (child (dialog, "suffix"), ".json");
  list (dialog, "s3://b/job");
  g_assert_null (chosen);
  g_signal_emit_by_name (go, "clicked");
  g_assert_cmpstr (chosen, ==, "s3://b/job#suffix=.json");
  fixture_close (window);
}

/* The dialog accepts local paths in the forms in which users write them, such as with ~. */
static void
test_path (void)
{
  g_autofree char *chosen = NULL;
  LoomWindow *window = fixture_window ();
  LoomLocationDialog *dialog = loom_location_dialog_new (GTK_WINDOW (window));
  GtkWidget *go = child (dialog, "go");
  g_signal_connect (dialog, "chosen", G_CALLBACK (keep), &chosen);
  gtk_window_present (GTK_WINDOW (dialog));
  g_assert_true (gtk_widget_get_sensitive (child (dialog, "parts")));
  g_assert_nonnull (strstr (list (dialog, "/no/such/folder"), "/no/such/folder"));
  g_assert_null (chosen);
  g_assert_false (gtk_widget_get_sensitive (child (dialog, "parts")));
  g_assert_cmpstr (gtk_button_get_label (GTK_BUTTON (go)), ==, "_Open");
  gtk_editable_set_text (child (dialog, "location"), " ~/ ");
  g_signal_emit_by_name (go, "clicked");
  g_assert_true (fixture_wait (is_chosen, &chosen));
  g_autoptr (GFile) home = g_file_new_for_path (g_get_home_dir ()), got = g_file_new_for_path (chosen);
  g_assert_true (g_file_equal (home, got));
  fixture_close (window);
}

static gboolean
is_asked (gpointer window)
{
  return fixture_question (window) != NULL;
}

static void
open_session (LoomWindow *window)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path =
    fixture_file (folder, "theirs.traceloom", "{\"traceloom-session\":1,\"sources\":[{\"path\":\"s3://b/job\"}]}");
  loom_window_open_paths (window, (const char *const[]) { path, NULL }, FALSE);
  g_assert_true (fixture_wait (is_asked, window));
  g_assert_nonnull (strstr (loom_alert_dialog_get_body (fixture_question (window)), "s3://b/job"));
  g_assert_null (loom_document_get_timeline (loom_window_get_document (window)));
  g_assert_false (loom_document_is_loading (loom_window_get_document (window)));
}

/* Files of a session's remote locations are fetched only after the user agreed. */
static void
test_session_asks (void)
{
  LoomWindow *window = fixture_window ();
  open_session (window);
  fixture_answer (window, "cancel");
  fixture_wait_loaded (window);
  g_assert_null (loom_document_get_timeline (loom_window_get_document (window)));
  open_session (window);
  fixture_answer (window, "fetch");
  fixture_wait_loaded (window);
  LoomRun *run = loom_timeline_get_run (loom_document_get_timeline (loom_window_get_document (window)));
  g_assert_cmpstr (loom_run_get_source (run, 0)->path, ==, "s3://b/job/a.json");
  fixture_close (window);
}

void
groups_add_location (void)
{
  g_autofree char *folder = fixture_folder (), *command = fixture_file (folder, "aws", COMMAND);
  g_autofree char *path = g_strconcat (folder, ":/usr/bin:/bin", NULL);
  g_assert_cmpint (g_chmod (command, 0700), ==, 0);
  g_setenv ("PATH", path, TRUE);
  g_test_add_func ("/app/location/dialog", test_dialog);
  g_test_add_func ("/app/location/path", test_path);
  g_test_add_func ("/app/location/session-asks", test_session_asks);
}
