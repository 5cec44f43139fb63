/* SPDX-License-Identifier: Apache-2.0
 *
 * Sessions, as actions of a window. What they do is in loom-tab-session.c.
 */
#include "loom-file-dialogs.h"
#include "loom-remote-location.h"
#include "loom-session-file.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

static void
forget_view_activated (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LoomWindow *self = window;
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
save_session_as_activated (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LoomWindow *self = window;
  const char *first = loom_document_get_paths (self->document)[0];
  g_autofree char *folder =
    first != NULL && !loom_remote_location_is_remote (first) ? g_path_get_dirname (first) : NULL;
  g_autofree char *name = loom_window_dup_stem (self);
  g_autofree char *proposal = g_strconcat (name, LOOM_SESSION_SUFFIX, NULL);
  loom_file_dialogs_save (window, _ ("Save Session"), proposal, folder, place_chosen, window);
}

static void
save_session_activated (GSimpleAction *action, GVariant *parameter, gpointer window)
{
  LoomWindow *self = window;
  g_autofree char *path = g_strdup (loom_run_session_get_path (loom_tab_get_session (self->tab)));
  if (path != NULL)
    loom_run_session_save (loom_tab_get_session (self->tab), path);
  else
    save_session_as_activated (action, parameter, window);
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
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), actions[i].name)),
                                 shows);
}
