/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-window.h"

#include "loom-bounded-text.h"
#include "loom-crash-dialog.h"
#include "loom-ellipsize.h"
#include "loom-lazy-menu.h"
#include "loom-recent-runs.h"
#include "loom-settings.h"
#include "loom-window-measure-workaround.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

#define MAX_RECENT 8
#define MAX_PLACE 32 /* maximum number of characters of a folder's path in the list of recent runs */

G_DEFINE_FINAL_TYPE (LoomWindow, loom_window, ADW_TYPE_APPLICATION_WINDOW)

static void
fill_recent_menu (LoomWindow *self)
{
  g_autoptr (GPtrArray) list = loom_recent_runs_list (MAX_RECENT);
  g_menu_remove_all (self->recent_menu);
  for (guint i = 0; i < list->len; i++) {
    const LoomRecentRuns *recent = list->pdata[i];
    g_autoptr (GMenuItem) item = g_menu_item_new (NULL, NULL);
    /* double the underscores in file names, because a single underscore would mark a mnemonic */
    g_autofree char *place = loom_ellipsize_head (recent->place, MAX_PLACE);
    g_autofree char *text = g_strdup_printf ("%s — %s", recent->name, place);
    g_auto (GStrv) parts = g_strsplit (text, "_", -1);
    g_autofree char *label = g_strjoinv ("__", parts);
    g_menu_item_set_label (item, label);
    g_menu_item_set_action_and_target (item, "win.open-recent", "s", recent->uri);
    g_menu_append_item (self->recent_menu, item);
  }
}

static void
show_title (LoomWindow *self)
{
  g_autofree char *name = loom_tab_dup_name (self->tab), *title = loom_tab_dup_title (self->tab),
                  *subtitle = loom_tab_dup_subtitle (self->tab);
  g_autofree char *window_title = g_strdup_printf ("Traceloom – %s", name);
  gboolean shows = loom_document_get_timeline (self->document) != NULL;
  adw_view_switcher_title_set_title (self->title, shows ? title : "Traceloom");
  adw_view_switcher_title_set_subtitle (self->title, subtitle);
  loom_bounded_text_set_label (self->run_name, title);
  loom_bounded_text_set_tip (GTK_WIDGET (self->run_name), title);
  gtk_window_set_title (GTK_WINDOW (self), shows ? window_title : "Traceloom");
}

void
loom_window_show_tab (LoomWindow *self)
{
  show_title (self);
  loom_drop_overlay_set_can_add (self->drop_hint, g_str_equal (loom_tab_get_page (self->tab), "run"));
  loom_window_fit_header (self);
  loom_window_update_actions (self);
}

void
loom_window_leave_tab (LoomWindow *self)
{
  if (self->tab == NULL)
    return;
  if (self->run_view != NULL) {
    g_set_weak_pointer (&self->left_view, self->run_view);
    loom_window_drop_tab_actions (self);
    g_binding_unbind (self->search_binding); /* disconnects the search button from the previously selected tab */
    g_clear_object (&self->search_binding);
    loom_window_leave_views (self);
  }
  self->tab = NULL;
  self->document = NULL;
  self->run = NULL;
  self->state = NULL;
  self->run_view = NULL;
}

void
loom_window_take_tab (LoomWindow *self, LoomTab *tab)
{
  self->tab = tab;
  self->document = loom_tab_get_document (tab);
  self->run = loom_tab_get_run_state (tab);
  self->state = loom_run_state_get_view (self->run);
  if (loom_tab_has_run_view (tab))
    loom_window_take_run_view (self);
}

void
loom_window_take_run_view (LoomWindow *self)
{
  self->run_view = loom_tab_get_run_view (self->tab);
  self->search_binding =
    g_object_ref (g_object_bind_property (loom_run_state_get_search (self->run), "open", self->search_button, "active",
                                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE));
  loom_window_take_views (self);
  loom_window_add_tab_actions (self);
}

void
loom_window_show_load_error (LoomWindow *self, GtkMessageType type, const char *title, const char *body,
                             gboolean has_details)
{
  if (self->tab != NULL)
    loom_tab_show_load_error (self->tab, type, title, body, has_details);
}

static void
cancel_saving (LoomWindow *self)
{
  g_cancellable_cancel (self->saving_cancellable);
}

static void
files_dropped (LoomWindow *self, GdkFileList *list, gboolean add)
{
  loom_window_open_list (self->tab, list, add);
}

static void
save_settings (LoomWindow *self)
{
  int width, height;
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  loom_settings_set_boolean (LOOM_SETTING_MAXIMIZED, gtk_window_is_maximized (GTK_WINDOW (self)));
  if (!gtk_window_is_maximized (GTK_WINDOW (self)) && width > 0 && height > 0) {
    loom_settings_set_int (LOOM_SETTING_WIDTH, width);
    loom_settings_set_int (LOOM_SETTING_HEIGHT, height);
  }
  if (self->run_view == NULL)
    return;
  loom_settings_set_boolean (LOOM_SETTING_SHOW_SOURCES, loom_run_state_get_shows_sidebar (self->run));
  loom_settings_set_boolean (LOOM_SETTING_SHOW_PANEL, loom_run_state_get_wants_details (self->run));
  if (loom_run_page_get_panel_height (self->run_view) > 0)
    loom_settings_set_int (LOOM_SETTING_PANEL_HEIGHT, loom_run_page_get_panel_height (self->run_view));
}

static void
close_tabs (LoomWindow *self)
{
  for (guint i = 0; i < loom_window_get_n_tabs (self); i++)
    loom_run_session_close (loom_tab_get_session (loom_window_get_nth_tab (self, i)));
}

static gboolean
close_request (GtkWindow *window)
{
  if (loom_window_asks_editors (LOOM_WINDOW (window)) || loom_window_asks_to_close (LOOM_WINDOW (window), FALSE))
    return TRUE;
  save_settings (LOOM_WINDOW (window));
  close_tabs (LOOM_WINDOW (window));
  return GTK_WINDOW_CLASS (loom_window_parent_class)->close_request (window);
}

static void
loom_window_dispose (GObject *object)
{
  LoomWindow *self = LOOM_WINDOW (object);
  loom_window_forget_editors (self);
  loom_window_forget_closing (self);
  loom_window_forget_header (self);
  if (self->tab_view != NULL) {
    g_signal_handlers_disconnect_by_data (self->tab_view, self);
    close_tabs (self);
    loom_window_leave_tab (self);
    self->tab_view = NULL;
  }
  loom_task_notification_end (g_steal_pointer (&self->unseen_saving), NULL, NULL);
  if (self->saving_cancellable != NULL)
    g_cancellable_cancel (self->saving_cancellable);
  g_clear_weak_pointer (&self->left_view);
  g_clear_object (&self->recent_menu);
  g_clear_object (&self->saving_cancellable);
  g_clear_pointer (&self->saving, loom_progress_unref);
  G_OBJECT_CLASS (loom_window_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *klass)
{
  gtk_widget_class_bind_template_child (klass, LoomWindow, toasts);
  gtk_widget_class_bind_template_child (klass, LoomWindow, header);
  gtk_widget_class_bind_template_child (klass, LoomWindow, title);
  gtk_widget_class_bind_template_child (klass, LoomWindow, open_button);
  gtk_widget_class_bind_template_child (klass, LoomWindow, sources_button);
  gtk_widget_class_bind_template_child (klass, LoomWindow, run_name);
  gtk_widget_class_bind_template_child (klass, LoomWindow, add_button);
  gtk_widget_class_bind_template_child (klass, LoomWindow, menu_button);
  gtk_widget_class_bind_template_child (klass, LoomWindow, search_button);
  gtk_widget_class_bind_template_child (klass, LoomWindow, export_button);
  gtk_widget_class_bind_template_child (klass, LoomWindow, panel_button);
  gtk_widget_class_bind_template_child (klass, LoomWindow, save_bar);
  gtk_widget_class_bind_template_child (klass, LoomWindow, tab_view);
  gtk_widget_class_bind_template_child (klass, LoomWindow, tab_bar);
  gtk_widget_class_bind_template_child (klass, LoomWindow, drop_hint);
  gtk_widget_class_bind_template_child (klass, LoomWindow, open_menu);
  gtk_widget_class_bind_template_child (klass, LoomWindow, add_menu);
  gtk_widget_class_bind_template_child (klass, LoomWindow, primary_menu);
  gtk_widget_class_bind_template_child (klass, LoomWindow, view_button);
  gtk_widget_class_bind_template_child (klass, LoomWindow, view_menu);
}

static void
loom_window_class_init (LoomWindowClass *klass)
{
  g_type_ensure (LOOM_TYPE_PROGRESS_BAR);
  g_type_ensure (LOOM_TYPE_DROP_OVERLAY);
  loom_window_measure_workaround_install (GTK_WIDGET_CLASS (klass));
  G_OBJECT_CLASS (klass)->dispose = loom_window_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = close_request;
  gtk_widget_class_set_template_from_resource (GTK_WIDGET_CLASS (klass),
                                               "/io/github/traceloom/Traceloom/loom-window.ui");
  bind_children (GTK_WIDGET_CLASS (klass));
}

static void
restore_size (LoomWindow *self)
{
  gtk_window_set_default_size (GTK_WINDOW (self), loom_settings_get_int (LOOM_SETTING_WIDTH),
                               loom_settings_get_int (LOOM_SETTING_HEIGHT));
  if (loom_settings_get_boolean (LOOM_SETTING_MAXIMIZED))
    gtk_window_maximize (GTK_WINDOW (self));
}

/* Sets the menu of the split button to open files, and the accessible name of its arrow, because GTK sets none. */
static void
set_open_menu (LoomWindow *self)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->open_button)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_MENU_BUTTON (child)) {
      gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ ("Files and recent runs"), -1);
      loom_lazy_menu_set (GTK_MENU_BUTTON (child), self->open_menu);
    }
}

static void
set_menus (LoomWindow *self)
{
  self->recent_menu = g_menu_new ();
  g_menu_append_section (G_MENU (self->open_menu), _ ("Recent"), G_MENU_MODEL (self->recent_menu));
  set_open_menu (self);
  loom_lazy_menu_set (GTK_MENU_BUTTON (self->add_button), self->add_menu);
  loom_lazy_menu_set (self->menu_button, self->primary_menu);
  loom_lazy_menu_set (self->view_button, self->view_menu);
}

static void
loom_window_init (LoomWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  set_menus (self);
  g_signal_connect_swapped (self->save_bar, "cancel", G_CALLBACK (cancel_saving), self);
  g_signal_connect_swapped (self->drop_hint, "dropped", G_CALLBACK (files_dropped), self);
  loom_window_add_actions (self);
  loom_window_watch_header (self);
  loom_window_watch_tabs (self);
  loom_drop_overlay_watch (self->drop_hint, GTK_WIDGET (self));
  restore_size (self);
  fill_recent_menu (self);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (fill_recent_menu), self,
                           G_CONNECT_SWAPPED);
}

LoomWindow *
loom_window_new_without_tab (LoomApplication *application)
{
  return g_object_new (LOOM_TYPE_WINDOW, "application", application, NULL);
}

LoomWindow *
loom_window_new (LoomApplication *application)
{
  LoomWindow *self = loom_window_new_without_tab (application);
  loom_window_add_tab (self, TRUE);
  loom_crash_dialog_offer (GTK_APPLICATION (application), G_OBJECT (self), self->toasts);
  return self;
}

gboolean
loom_window_is_empty (LoomWindow *self)
{
  return self->tab != NULL && loom_run_session_is_empty (loom_tab_get_session (self->tab));
}

void
loom_window_open_paths (LoomWindow *self, const char *const *paths, gboolean add)
{
  g_return_if_fail (LOOM_IS_WINDOW (self) && self->tab != NULL);
  loom_tab_open_paths (self->tab, paths, add);
}

void
loom_window_open_files (LoomWindow *self, GFile **files, guint n_files, gboolean add)
{
  g_return_if_fail (LOOM_IS_WINDOW (self));
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < n_files; i++) {
    char *path = g_file_get_path (files[i]);
    g_ptr_array_add (paths, path != NULL ? path : g_file_get_uri (files[i]));
  }
  g_ptr_array_add (paths, NULL);
  loom_window_open_paths (self, (const char *const *) paths->pdata, add);
}

LoomDocument *
loom_window_get_document (LoomWindow *self)
{
  return self->document;
}

LoomRunState *
loom_window_get_run_state (LoomWindow *self)
{
  return self->run;
}

LoomRunPage *
loom_window_get_run_view (LoomWindow *self)
{
  return self->tab != NULL ? loom_tab_get_run_view (self->tab) : NULL;
}
