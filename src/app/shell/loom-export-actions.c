/* SPDX-License-Identifier: Apache-2.0
 *
 * The action that exports the timeline: the user chooses the contents and the file name; a worker thread writes the
 * file; a toast reports the result. This file also has the functions that show progress and results of other saves of
 * the window (events, reports, pictures).
 */
#include "loom-archive-path.h"
#include "loom-ellipsize.h"
#include "loom-export-task.h"
#include "loom-locale-number.h"
#include "loom-remote-location.h"
#include "loom-toasts.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

#define TOAST_S 10

/* Returns the folder of the open run. By default, files made from the run are saved in this folder. */
char *
loom_window_dup_folder (LoomWindow *self)
{
  const char *path = loom_document_get_paths (self->document)[0];
  return path != NULL && !loom_remote_location_is_remote (path) ? g_path_get_dirname (path) : NULL;
}

char *
loom_window_dup_stem (LoomWindow *self)
{
  g_autofree char *name = loom_document_dup_name (self->document);
  return *name != '\0' ? loom_archive_path_dup_stem (name) : g_strdup ("timeline");
}

static void
folder_shown (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree char *uri = user_data;
  g_autoptr (GVariant) answer = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
  if (answer != NULL)
    return;
  /* the desktop has no file manager that can open the folder of a file and select the file in it; so open only the
   * folder */
  g_autoptr (GFile) file = g_file_new_for_uri (uri);
  g_autoptr (GFile) parent = g_file_get_parent (file);
  g_autofree char *folder = parent != NULL ? g_file_get_uri (parent) : NULL;
  if (folder != NULL)
    gtk_show_uri (NULL, folder, GDK_CURRENT_TIME);
}

static void
show_in_folder (const char *path)
{
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *uri = g_filename_to_uri (absolute, NULL, NULL);
  if (bus == NULL || uri == NULL)
    return;
  const char *uris[] = { uri, NULL };
  g_dbus_connection_call (bus, "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1",
                          "org.freedesktop.FileManager1", "ShowItems", g_variant_new ("(^ass)", uris, ""), NULL,
                          G_DBUS_CALL_FLAGS_NONE, -1, NULL, folder_shown, g_strdup (uri));
}

static void
toast_clicked (AdwToast *toast, gpointer user_data)
{
  show_in_folder (g_object_get_data (G_OBJECT (toast), "loom-path"));
}

/* Shows a toast about saving; a new toast replaces the previous one. `path`: a button of the toast shows this file.
 * If `path` is NULL, the toast has no button. */
void
loom_window_show_toast (LoomWindow *self, const char *title, const char *path)
{
  gboolean fresh;
  const LoomToast words = { title, path != NULL ? _ ("Show in _Folder") : NULL, NULL, TOAST_S };
  AdwToast *toast = loom_toasts_show (G_OBJECT (self), "saved", self->toasts, &words, &fresh);
  if (fresh)
    g_signal_connect (toast, "button-clicked", G_CALLBACK (toast_clicked), NULL);
  g_object_set_data_full (G_OBJECT (toast), "loom-path", g_strdup (path), g_free);
}

/* Shows in the bar of the tab which data the exported file omits or moves, and why. A toast would be too small for
 * this text, and would disappear too soon. */
static void
tell_left_out (LoomWindow *self, const LoomExportResult *result, LoomExportLayout layout)
{
  g_autofree char *text = loom_trace_export_result_describe_left_out (result, layout);
  if (text == NULL)
    text = loom_trace_export_result_describe_moved (result, layout);
  if (text != NULL)
    loom_window_show_load_error (self, GTK_MESSAGE_INFO, text,
                                 _ ("Export with the layout “By Rank” to keep everything that is shown."), FALSE);
}

char *
loom_window_dup_file_markup (const char *path)
{
  g_autofree char *base = g_path_get_basename (path), *name = g_filename_display_name (base);
  return loom_ellipsize_markup (name);
}

void
loom_window_show_saved_events (LoomWindow *self, guint64 n, const char *path)
{
  g_autofree char *name = loom_window_dup_file_markup (path), *count = loom_locale_number_group (n);
  g_autofree char *text =
    g_strdup_printf (ngettext ("%s event saved as “%s”", "%s events saved as “%s”", n), count, name);
  loom_window_show_toast (self, text, path);
}

static void
show_saved_rows (LoomWindow *self, guint64 n, const char *path)
{
  g_autofree char *name = loom_window_dup_file_markup (path), *count = loom_locale_number_group (n);
  g_autofree char *text = g_strdup_printf (ngettext ("%s row saved as “%s”", "%s rows saved as “%s”", n), count, name);
  loom_window_show_toast (self, text, path);
}

void
loom_window_show_unsaved (LoomWindow *self, const char *path, const GError *error, const char *advice)
{
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    loom_window_show_toast (self, _ ("Saving was canceled; nothing was written"), NULL);
    return;
  }
  if (loom_toasts_get_shown (G_OBJECT (self), "saved") != NULL) /* replace the toast about the previous save */
    loom_window_show_toast (self, _ ("Saving failed; nothing was written"), NULL);
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_filename_display_name (base);
  g_autofree char *text = strstr (error->message, name) != NULL
                            ? g_strdup (error->message)
                            : g_strdup_printf (_ ("“%s” could not be saved: %s"), name, error->message);
  loom_window_show_load_error (self, GTK_MESSAGE_ERROR, text, advice, FALSE);
}

static void
begin_task (LoomWindow *self, const char *label, LoomProgressKind kind, const char *reason)
{
  loom_tab_hide_load_error (self->tab);
  self->saving_cancellable = g_cancellable_new ();
  self->saving = loom_progress_new (self->saving_cancellable);
  self->saving_reads = kind == LOOM_PROGRESS_KIND_RANGE;
  loom_progress_set_label (self->saving, label);
  loom_progress_bar_follow (self->save_bar, self->saving, kind);
  loom_window_update_actions (self);
  self->unseen_saving = loom_task_notification_begin (GTK_WINDOW (self), reason);
}

void
loom_window_begin_saving (LoomWindow *self, const char *path)
{
  begin_task (self, path, LOOM_PROGRESS_KIND_SAVING, _ ("A file is being saved"));
}

void
loom_window_begin_reading (LoomWindow *self, const char *label)
{
  begin_task (self, label, LOOM_PROGRESS_KIND_RANGE, _ ("Events are being read"));
}

gboolean
loom_window_end_saving (LoomWindow *self)
{
  g_clear_pointer (&self->saving, loom_progress_unref);
  g_clear_object (&self->saving_cancellable);
  if (self->document == NULL)
    return FALSE;
  g_autofree char *name = loom_document_dup_name (self->document);
  loom_task_notification_end (g_steal_pointer (&self->unseen_saving),
                              self->saving_reads ? _ ("Reading finished") : _ ("Saving finished"), name);
  loom_progress_bar_follow (self->save_bar, NULL, LOOM_PROGRESS_KIND_SAVING);
  loom_window_update_actions (self);
  loom_window_writing_ended (self);
  return TRUE;
}

static void
saved (gpointer owner, gpointer written, const GError *error, gpointer input)
{
  g_autoptr (LoomWindow) self = owner;
  g_autofree LoomExportResult *result = written;
  if (loom_window_end_saving (self)) {
    if (result != NULL && loom_export_task_is_database (input)) {
      show_saved_rows (self, result->n_events, result->path);
    } else if (result != NULL) {
      loom_window_show_saved_events (self, result->n_events, result->path);
      tell_left_out (self, result, loom_export_task_get_layout (input));
    } else
      loom_window_show_unsaved (self, loom_export_task_get_path (input), error,
                                _ ("Choose another location and export again."));
  }
  if (result != NULL)
    loom_trace_export_result_clear (result);
}

void
loom_window_save (LoomWindow *self, const LoomExportOptions *options, const char *path)
{
  g_return_if_fail (LOOM_IS_WINDOW (self) && loom_document_get_timeline (self->document) != NULL);
  if (self->saving != NULL)
    return;
  loom_window_begin_saving (self, path);
  loom_export_task_run (self->document, options, path, self->saving, saved, g_object_ref (self));
}

void
loom_window_save_database (LoomWindow *self, const char *path)
{
  g_return_if_fail (LOOM_IS_WINDOW (self) && loom_document_get_timeline (self->document) != NULL);
  if (self->saving != NULL)
    return;
  loom_window_begin_saving (self, path);
  loom_export_task_run_database (self->document, path, self->saving, saved, g_object_ref (self));
}

static void
place_chosen (LoomWindow *self, const char *path, LoomExportDialog *dialog)
{
  LoomExportOptions options;
  g_autofree char *problem = NULL;
  if (loom_export_dialog_get_choice (dialog)->is_database)
    loom_window_save_database (self, path);
  else if (loom_export_choice_get_options (loom_export_dialog_get_choice (dialog), &options, &problem))
    loom_window_save (self, &options, path);
}

LoomExportDialog *
loom_window_new_export_dialog (LoomWindow *self)
{
  g_autofree char *name = loom_window_dup_stem (self), *folder = loom_window_dup_folder (self);
  LoomExportDialog *dialog =
    loom_export_dialog_new (GTK_WINDOW (self), loom_export_choice_new (self->state, name), folder);
  g_signal_connect_object (dialog, "chosen", G_CALLBACK (place_chosen), self, G_CONNECT_SWAPPED);
  return dialog;
}

void
loom_window_export (LoomWindow *self)
{
  if (loom_document_get_timeline (self->document) == NULL)
    return;
  gtk_window_present (GTK_WINDOW (loom_window_new_export_dialog (self)));
}
