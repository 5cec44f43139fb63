/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions of a window that save a session and reset the view of the selected tab. They call functions of
 * loom-run-session.c.
 */
#include "loom-file-dialogs.h"
#include "loom-remote-location.h"
#include "loom-session-file.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

static void
forget_view_activated (LoomWindow *self)
{
  loom_run_session_forget_view (loom_tab_get_session (self->tab));
}

static void
place_chosen (GFile **files, guint n_files, gpointer window)
{
  g_autofree char *path = g_file_get_path (files[0]);
  LoomWindow *self = window;
  if (path != NULL && self->tab != NULL)
    loom_run_session_save (loom_tab_get_session (self->tab), path);
}

static void
save_session_as_activated (LoomWindow *self)
{
  const char *first = loom_document_get_paths (self->document)[0];
  g_autofree char *folder =
    first != NULL && !loom_remote_location_is_remote (first) ? g_path_get_dirname (first) : NULL;
  g_autofree char *name = loom_window_dup_stem (self);
  g_autofree char *proposal = g_strconcat (name, LOOM_SESSION_SUFFIX, NULL);
  loom_file_dialogs_save (GTK_WINDOW (self), _ ("Save Session"), proposal, folder, place_chosen, self);
}

static void
save_session_activated (LoomWindow *self, GVariant *parameter)
{
  g_autofree char *path = g_strdup (loom_run_session_get_path (loom_tab_get_session (self->tab)));
  if (path != NULL)
    loom_run_session_save (loom_tab_get_session (self->tab), path);
  else
    save_session_as_activated (self);
}

static const LoomWindowAction actions[] = {
  { "save-session", G_CALLBACK (save_session_activated) },
  { "save-session-as", G_CALLBACK (save_session_as_activated) },
  { "forget-view", G_CALLBACK (forget_view_activated) },
};

void
loom_window_add_session_actions (LoomWindow *self)
{
  loom_window_add_action_table (self, actions, G_N_ELEMENTS (actions));
}

void
loom_window_update_session_actions (LoomWindow *self)
{
  gboolean shows = loom_document_get_timeline (self->document) != NULL;
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    loom_window_enable_action (self, actions[i].name, shows);
}
