/* SPDX-License-Identifier: Apache-2.0
 *
 * The view as a picture: into the clipboard, or into a file written in a worker.
 */
#include "loom-choosers.h"
#include "loom-shown-text.h"
#include "loom-view-picture.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

static const LoomSaveFormat formats[] = { { N_ ("Picture (PNG)"), ".png" }, { N_ ("Drawing (SVG)"), ".svg" }, { N_ ("PDF document"), ".pdf" } };

typedef struct {
  LoomViewPicture *picture;
  char *path;
} Job;

static void
job_free (Job *job)
{
  loom_view_picture_free (job->picture);
  g_free (job->path);
  g_free (job);
}

/* NULL: nothing is shown. */
static LoomViewPicture *
take (LoomWindow *self)
{
  LoomTimelineView *view = loom_run_view_get_timeline_view (loom_window_get_run_view (self));
  if (loom_view_state_get_timeline (loom_timeline_view_get_state (view)) == NULL)
    return NULL;
  return loom_view_picture_new (loom_timeline_view_get_scene (view), GTK_WIDGET (view), loom_timeline_view_get_header_width (view));
}

void
loom_window_copy_picture (LoomWindow *self)
{
  g_autoptr (LoomViewPicture) picture = take (self);
  if (picture == NULL)
    return;
  g_autoptr (GdkTexture) texture = loom_view_picture_to_texture (picture);
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (GTK_WIDGET (self)), texture);
  loom_window_show_toast (self, _ ("The view was copied as a picture"), NULL);
}

/* --- files ----------------------------------------------------------------------------------------------------------- */

static void
save_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Job *job = task_data;
  GError *error = NULL;
  if (loom_view_picture_save (job->picture, job->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (LoomWindow) self = user_data;
  g_autoptr (GError) error = NULL;
  const Job *job = g_task_get_task_data (G_TASK (result));
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error);
  if (!loom_window_end_saving (self))
    return;
  if (!done) {
    loom_window_show_unsaved (self, job->path, error, _ ("Choose another place and save the picture again."));
    return;
  }
  g_autofree char *base = g_path_get_basename (job->path), *name = g_filename_display_name (base);
  g_autofree char *escaped = loom_shown_text_dup_markup (name);
  g_autofree char *text = g_strdup_printf (_ ("Picture saved in “%s”"), escaped);
  loom_window_show_toast (self, text, job->path);
}

void
loom_window_write_picture (LoomWindow *self, const char *path)
{
  g_return_if_fail (LOOM_IS_WINDOW (self) && path != NULL);
  LoomViewPicture *picture = self->saving == NULL ? take (self) : NULL;
  if (picture == NULL)
    return;
  Job *job = g_new (Job, 1);
  *job = (Job) { picture, g_strdup (path) };
  loom_window_begin_saving (self, path);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, saved, g_object_ref (self));
  g_task_set_task_data (task, job, (GDestroyNotify) job_free);
  g_task_run_in_thread (task, save_in_thread);
}

static void
place_chosen (const char *path, const char *choice, gpointer user_data)
{
  LoomWindow *self = user_data;
  if (self->document != NULL) /* else closed meanwhile */
    loom_window_write_picture (self, path);
}

void
loom_window_save_picture (LoomWindow *self)
{
  g_autofree char *run = loom_window_dup_stem (self), *folder = loom_window_dup_folder (self);
  g_autofree char *stem = g_strconcat (run, "-view", NULL);
  const LoomSaveQuestion question = { _ ("Save Picture"), stem, folder, formats, G_N_ELEMENTS (formats), NULL };
  loom_choose_save_as (GTK_WINDOW (self), &question, place_chosen, self);
}
