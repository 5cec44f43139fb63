/* SPDX-License-Identifier: Apache-2.0
 *
 * The actions that copy a picture of the timeline to the clipboard, or save it to a file on a worker thread.
 */
#include "loom-file-dialogs.h"
#include "loom-window-private.h"
#include "loom-worker.h"

#include <glib/gi18n.h>

static const LoomSaveFormat formats[] = { { N_ ("PNG Image"), ".png" },
                                          { N_ ("SVG Image"), ".svg" },
                                          { N_ ("PDF document"), ".pdf" } };

typedef struct {
  LoomViewSnapshot *picture;
  char *path;
} Input;

static void
input_free (Input *input)
{
  loom_view_snapshot_free (input->picture);
  g_free (input->path);
  g_free (input);
}

void
loom_window_copy_picture (LoomWindow *self)
{
  g_autoptr (LoomViewSnapshot) picture = loom_run_page_new_snapshot (loom_window_get_run_view (self));
  if (picture == NULL)
    return;
  g_autoptr (GdkTexture) texture = loom_view_snapshot_to_texture (picture);
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (GTK_WIDGET (self)), texture);
  loom_window_show_toast (self, _ ("View copied as an image"), NULL);
}

/* --- saving to a file --------------------------------------------------------------------------------------------- */

static gpointer
save_in_thread (Input *input, GCancellable *cancellable, GError **error)
{
  loom_view_snapshot_save (input->picture, input->path, error);
  return NULL;
}

static void
saved (gpointer owner, gpointer result, const GError *error, gpointer input)
{
  g_autoptr (LoomWindow) self = owner;
  const char *path = ((Input *) input)->path;
  if (!loom_window_end_saving (self))
    return;
  if (error != NULL) {
    loom_window_show_unsaved (self, path, error, _ ("Choose another location and save the image again."));
    return;
  }
  g_autofree char *name = loom_window_dup_file_markup (path);
  g_autofree char *text = g_strdup_printf (_ ("Image saved as “%s”"), name);
  loom_window_show_toast (self, text, path);
}

void
loom_window_write_picture (LoomWindow *self, const char *path)
{
  g_return_if_fail (LOOM_IS_WINDOW (self) && path != NULL);
  LoomViewSnapshot *picture =
    self->saving == NULL ? loom_run_page_new_snapshot (loom_window_get_run_view (self)) : NULL;
  if (picture == NULL)
    return;
  static const LoomWorkerKind kind = { (LoomWorkerFunc) save_in_thread, (GDestroyNotify) input_free, NULL };
  loom_window_begin_saving (self, path);
  loom_worker_run (NULL, &kind, LOOM_WORKER_INPUT (Input, picture, g_strdup (path)), saved, g_object_ref (self));
}

static void
place_chosen (const char *path, const char *choice, gpointer user_data)
{
  LoomWindow *self = user_data;
  if (self->document != NULL) /* do nothing if the tab was closed while the file dialog was open */
    loom_window_write_picture (self, path);
}

void
loom_window_save_picture (LoomWindow *self)
{
  g_autofree char *run = loom_window_dup_stem (self), *folder = loom_window_dup_folder (self);
  g_autofree char *stem = g_strconcat (run, "-view", NULL);
  const LoomSaveQuestion question = { _ ("Save Image"), stem, folder, formats, G_N_ELEMENTS (formats), NULL };
  loom_file_dialogs_save_as (GTK_WINDOW (self), &question, place_chosen, self);
}
