/* SPDX-License-Identifier: Apache-2.0
 *
 * Sessions of a window: opened like any other file, saved on request, kept by themselves from one time to the next.
 */
#include "loom-choosers.h"
#include "loom-location.h"
#include "loom-session-state.h"
#include "loom-settings.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

/* --- what was kept comes back -------------------------------------------------------------------------------------- */

static void
drop_pending (LoomWindow *self)
{
  g_clear_pointer (&self->pending.session, loom_session_free);
  self->pending.is_applied = self->pending.is_placed = FALSE;
}

static void
await (LoomWindow *self, LoomSession *session, gboolean own)
{
  drop_pending (self);
  self->pending.session = session;
  self->pending.is_own = own;
}

static void
offer_afresh (LoomWindow *self)
{
  AdwToast *toast = adw_toast_new (_ ("Shown as you left it"));
  adw_toast_set_button_label (toast, _ ("Show _Everything"));
  adw_toast_set_action_name (toast, "win.forget-view");
  adw_toast_overlay_add_toast (self->toasts, toast);
}

/* While files arrive the view is cut to what is there: it is set again until somebody moves. */
static void
place_view (LoomWindow *self)
{
  LoomViewState *state = loom_timeline_view_get_state (loom_run_view_get_timeline_view (self->run_view));
  if (self->pending.is_placed && !loom_viewport_equal (loom_view_state_get_viewport (state), &self->pending.placed))
    return;
  self->pending.is_placed = loom_session_state_show_view (self->pending.session, self->run_view);
  self->pending.placed = *loom_view_state_get_viewport (state);
}

void
loom_window_follow_session (LoomWindow *self)
{
  LoomSession *session = self->pending.session;
  if (session == NULL || loom_document_get_timeline (self->document) == NULL)
    return;
  if (!self->pending.is_applied) {
    loom_session_state_apply (session, self->run_view);
    if (!self->pending.is_own && (session->has_view || session->marks->len > 0 || session->rows != NULL))
      offer_afresh (self);
    self->pending.is_applied = TRUE;
  }
  place_view (self);
  if (!loom_document_is_loading (self->document))
    drop_pending (self);
}

static void
forget_view_activated (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LoomWindow *self = window;
  drop_pending (self);
  loom_session_state_forget (self->run_view);
}

/* --- opening ------------------------------------------------------------------------------------------------------- */

static void
open_paths (LoomWindow *self, const char *const *paths)
{
  loom_document_open (self->document, paths);
  if (self->pending.session != NULL && !loom_source_edits_is_empty (self->pending.session->sources))
    loom_document_set_source_edits (self->document, self->pending.session->sources);
  if (self->pending.session != NULL)
    loom_document_set_clock_edits (self->document, self->pending.session->clocks);
  loom_autosave_start (self->autosave, paths);
}

void
loom_window_open_run (LoomWindow *self, const char *const *paths)
{
  loom_autosave_stop (self->autosave);
  g_clear_pointer (&self->session_path, g_free);
  await (self, loom_settings_get_boolean (LOOM_SETTING_RESTORE) ? loom_autosave_find (paths) : NULL, FALSE);
  open_paths (self, paths);
}

static void
open_read (LoomWindow *self, LoomSession *session, const char *path)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_copy (session->paths, (GCopyFunc) (void (*) (void)) g_strdup, NULL);
  g_ptr_array_add (paths, NULL);
  loom_autosave_stop (self->autosave);
  g_free (self->session_path);
  self->session_path = loom_autosave_is_own (path) ? NULL : g_strdup (path);
  loom_autosave_forget_lost (path);
  await (self, session, TRUE);
  open_paths (self, (const char *const *) paths->pdata);
  g_strfreev ((char **) g_ptr_array_free (g_steal_pointer (&paths), FALSE));
}

static void
add_read (LoomWindow *self, LoomSession *session)
{
  g_ptr_array_add (session->paths, NULL);
  loom_document_add (self->document, (const char *const *) session->paths->pdata);
  loom_session_free (session);
}

void
loom_window_open_session (LoomWindow *self, const char *path, gboolean add)
{
  g_autoptr (GError) error = NULL;
  LoomSession *session = loom_session_read (path, &error);
  if (session == NULL)
    loom_window_show_trouble (self, GTK_MESSAGE_ERROR, error->message, NULL, FALSE);
  else if (session->paths->len == 0) {
    loom_window_show_trouble (self, GTK_MESSAGE_ERROR, _ ("The session holds no files"), NULL, FALSE);
    loom_session_free (session);
  } else if (add)
    add_read (self, session);
  else
    open_read (self, session, path);
}

/* --- saving -------------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomSession *session;
  char *path;
} Writing;

static void
writing_free (Writing *writing)
{
  loom_session_free (writing->session);
  g_free (writing->path);
  g_free (writing);
}

static void
write_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Writing *writing = data;
  GError *error = NULL;
  if (loom_session_write (writing->session, writing->path, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  LoomWindow *self = LOOM_WINDOW (source);
  const Writing *writing = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error);
  if (self->document == NULL) /* closed meanwhile */
    return;
  if (!done) {
    loom_window_show_trouble (self, GTK_MESSAGE_ERROR, error->message, _ ("Choose another place and save again."), FALSE);
    return;
  }
  g_free (self->session_path);
  self->session_path = g_strdup (writing->path);
  g_autofree char *base = g_path_get_basename (writing->path);
  g_autofree char *name = g_filename_display_name (base);
  g_autofree char *escaped = g_markup_escape_text (name, -1);
  g_autofree char *text = g_strdup_printf (_ ("Session saved in “%s”"), escaped);
  adw_toast_overlay_add_toast (self->toasts, adw_toast_new (text));
}

void
loom_window_save_session (LoomWindow *self, const char *path)
{
  g_return_if_fail (LOOM_IS_WINDOW (self) && path != NULL);
  Writing *writing = g_new (Writing, 1);
  *writing = (Writing) { loom_session_state_collect (self->document, self->run_view), g_strdup (path) };
  g_autoptr (GTask) task = g_task_new (self, NULL, written, NULL);
  g_task_set_task_data (task, writing, (GDestroyNotify) writing_free);
  g_task_run_in_thread (task, write_in_thread);
}

static void
place_chosen (GFile **files, guint n_files, gpointer window)
{
  g_autofree char *path = g_file_get_path (files[0]);
  if (path != NULL)
    loom_window_save_session (window, path);
}

static void
save_session_as_activated (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LoomWindow *self = window;
  const char *first = loom_document_get_paths (self->document)[0];
  g_autofree char *folder = first != NULL && !loom_location_is_remote (first) ? g_path_get_dirname (first) : NULL;
  g_autofree char *name = loom_document_dup_name (self->document);
  g_autofree char *proposal = g_strconcat (name, LOOM_SESSION_SUFFIX, NULL);
  loom_choose_save (window, _ ("Save Session"), proposal, folder, place_chosen, window);
}

static void
save_session_activated (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LoomWindow *self = window;
  if (self->session_path == NULL) {
    save_session_as_activated (action, parameter, window);
    return;
  }
  g_autofree char *path = g_strdup (self->session_path);
  loom_window_save_session (self, path);
}

static const GActionEntry actions[] = {
  { "save-session", save_session_activated },
  { "save-session-as", save_session_as_activated },
  { "forget-view", forget_view_activated },
};

void
loom_window_add_session_actions (LoomWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}

void
loom_window_update_session_actions (LoomWindow *self)
{
  gboolean shows = loom_document_get_timeline (self->document) != NULL;
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    g_simple_action_set_enabled (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), actions[i].name)), shows);
}
