/* SPDX-License-Identifier: Apache-2.0
 *
 * The actions of the window that save, rename, delete, open and share queries. They show the page Query and activate
 * the actions of this page.
 */
#include "loom-window-private.h"

static void
activate (LoomWindow *self, const char *action)
{
  loom_run_state_set_page (self->run, "query");
  GtkWidget *page = loom_run_views_get_seen (loom_run_page_get_panels (loom_window_get_run_view (self)));
  gtk_widget_activate_action (page, action, NULL);
}

static void
save_activated (LoomWindow *self)
{
  activate (self, "query.save");
}

static void
rename_activated (LoomWindow *self)
{
  activate (self, "query.rename");
}

static void
delete_activated (LoomWindow *self)
{
  activate (self, "query.delete");
}

static void
open_file_activated (LoomWindow *self)
{
  activate (self, "query.open-file");
}

static void
save_file_activated (LoomWindow *self)
{
  activate (self, "query.save-file");
}

static const LoomWindowAction actions[] = {
  { "save-query", G_CALLBACK (save_activated) },           { "rename-query", G_CALLBACK (rename_activated) },
  { "delete-query", G_CALLBACK (delete_activated) },       { "open-query-file", G_CALLBACK (open_file_activated) },
  { "save-query-file", G_CALLBACK (save_file_activated) },
};

void
loom_window_add_query_actions (LoomWindow *self)
{
  loom_window_add_action_table (self, actions, G_N_ELEMENTS (actions));
}

void
loom_window_update_query_actions (LoomWindow *self)
{
  gboolean shows = loom_document_get_timeline (self->document) != NULL;
  gboolean is_saved = loom_saved_queries_get_chosen (loom_run_state_get_saved_queries (self->run)) != NULL;
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    loom_window_enable_action (self, actions[i].name, shows);
  loom_window_enable_action (self, "rename-query", shows && is_saved);
  loom_window_enable_action (self, "delete-query", shows && is_saved);
}

void
loom_window_watch_queries (LoomWindow *self)
{
  g_signal_connect_swapped (loom_run_state_get_saved_queries (self->run), "changed",
                            G_CALLBACK (loom_window_update_query_actions), self);
}

void
loom_window_unwatch_queries (LoomWindow *self)
{
  g_signal_handlers_disconnect_by_data (loom_run_state_get_saved_queries (self->run), self);
}
