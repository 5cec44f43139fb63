/* SPDX-License-Identifier: Apache-2.0
 *
 * The tabs of a window: names, selecting, closing, dragging a tab to another window, and dropping files on a tab.
 */
#include "loom-archive-path.h"
#include "loom-crash-handler.h"
#include "loom-disambiguate.h"
#include "loom-ellipsize.h"
#include "loom-settings.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

/* Sets accessible names for the close buttons of the tabs, because libadwaita does not set any. */
static void
name_close_buttons (GtkWidget *widget)
{
  if (GTK_IS_BUTTON (widget) && gtk_widget_has_css_class (widget, "tab-close-button"))
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Close the tab"), -1);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    name_close_buttons (child);
}

char *
loom_window_dup_name_of (LoomWindow *self, LoomTab *tab)
{
  g_autofree char *name = loom_tab_dup_name (tab), *place = loom_document_dup_place (loom_tab_get_document (tab));
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < loom_window_get_n_tabs (self); i++) {
    LoomTab *other = loom_window_get_nth_tab (self, i);
    g_autofree char *other_name = loom_tab_dup_name (other);
    if (other != tab && g_str_equal (name, other_name))
      g_ptr_array_add (others, loom_document_dup_place (loom_tab_get_document (other)));
  }
  return loom_disambiguate_dup (name, place, (const char *const *) others->pdata, others->len);
}

/* Updates the names of all tabs, because after adding or removing a tab, other tabs may need a longer or shorter
 * name to be unique. */
static void
name_tabs (LoomWindow *self)
{
  for (guint i = 0; i < loom_window_get_n_tabs (self); i++) {
    LoomTab *tab = loom_window_get_nth_tab (self, i);
    AdwTabPage *page = adw_tab_view_get_page (self->tab_view, GTK_WIDGET (tab));
    g_autofree char *name = loom_window_dup_name_of (self, tab), *escaped = loom_ellipsize_markup (name);
    adw_tab_page_set_title (page, *name != '\0' ? name : _ ("New Tab"));
    adw_tab_page_set_tooltip (page, escaped);
  }
}

/* Stores the list of the window's open files for the report of a possible crash. */
static void
note_open (LoomWindow *self)
{
  g_autoptr (GString) open = g_string_new (NULL);
  for (guint i = 0; i < loom_window_get_n_tabs (self); i++) {
    const char *const *paths = loom_document_get_paths (loom_tab_get_document (loom_window_get_nth_tab (self, i)));
    for (guint k = 0; paths[k] != NULL; k++) {
      g_autofree char *shown = loom_archive_path_dup_printable (paths[k]);
      g_string_append_printf (open, "%s%s", open->len > 0 ? "\n" : "", shown);
    }
  }
  loom_crash_handler_set_open (open->str);
}

static void
tab_changed (LoomTab *tab, LoomWindow *self)
{
  AdwTabPage *page = adw_tab_view_get_page (self->tab_view, GTK_WIDGET (tab));
  LoomDocument *document = loom_tab_get_document (tab);
  gboolean reads = loom_document_is_loading (document) && !loom_document_is_quiet (document);
  gboolean ended = adw_tab_page_get_loading (page) && !reads;
  name_tabs (self);
  note_open (self);
  adw_tab_page_set_loading (page, reads);
  name_close_buttons (GTK_WIDGET (self->tab_bar));
  if (ended && tab != self->tab)
    adw_tab_page_set_needs_attention (page, TRUE);
  if (tab == self->tab)
    loom_window_show_tab (self);
  else
    /* the loaded run makes the comparison of runs possible, so enable the action for it */
    loom_window_update_actions (self);
}

static LoomTab *
selected_tab (LoomWindow *self)
{
  AdwTabPage *page = adw_tab_view_get_selected_page (self->tab_view);
  return page != NULL ? LOOM_TAB (adw_tab_page_get_child (page)) : NULL;
}

static void
selection_changed (LoomWindow *self)
{
  AdwTabPage *page = adw_tab_view_get_selected_page (self->tab_view);
  LoomTab *tab = selected_tab (self);
  if (tab == self->tab)
    return;
  loom_window_leave_tab (self);
  if (tab == NULL)
    return;
  adw_tab_page_set_needs_attention (page, FALSE);
  loom_window_take_tab (self, tab);
  loom_window_show_tab (self);
}

/* Applies a layout to a new run view: the layout of the previously selected tab; if there was no such tab, the layout
 * in the settings. */
static void
dress (LoomWindow *self, LoomRunState *run, LoomRunPage *view)
{
  LoomRunPage *like = self->run_view != NULL ? self->run_view : self->left_view;
  LoomRunState *other = like != NULL ? loom_run_page_get_run_state (like) : NULL;
  loom_run_state_set_shows_sidebar (run, other != NULL ? loom_run_state_get_shows_sidebar (other)
                                                       : loom_settings_get_boolean (LOOM_SETTING_SHOW_SOURCES));
  loom_run_state_set_wants_details (run, other != NULL ? loom_run_state_get_wants_details (other)
                                                       : loom_settings_get_boolean (LOOM_SETTING_SHOW_PANEL));
  loom_run_page_set_panel_height (view, like != NULL && loom_run_page_get_panel_height (like) > 0
                                          ? loom_run_page_get_panel_height (like)
                                          : loom_settings_get_int (LOOM_SETTING_PANEL_HEIGHT));
}

static void
run_view_made (LoomTab *tab, LoomWindow *self)
{
  dress (self, loom_tab_get_run_state (tab), loom_tab_get_run_view (tab));
  if (tab == self->tab)
    loom_window_take_run_view (self);
}

static void
page_attached (LoomWindow *self, AdwTabPage *page)
{
  GtkWidget *tab = adw_tab_page_get_child (page);
  g_signal_connect_object (tab, "changed", G_CALLBACK (tab_changed), self, 0);
  g_signal_connect_object (tab, "run-view-made", G_CALLBACK (run_view_made), self, 0);
}

static void
page_detached (LoomWindow *self, AdwTabPage *page)
{
  GtkWidget *tab = adw_tab_page_get_child (page);
  g_signal_handlers_disconnect_by_func (tab, tab_changed, self);
  g_signal_handlers_disconnect_by_func (tab, run_view_made, self);
  if (self->tab == LOOM_TAB (tab))
    loom_window_leave_tab (self);
  loom_window_editors_leave_run (self, loom_tab_get_run_state (LOOM_TAB (tab)));
  loom_window_update_actions (self);
}

/* Called when the user closes a tab. If it is the last tab, closes the window. */
static gboolean
close_page (LoomWindow *self, AdwTabPage *page)
{
  LoomTab *tab = LOOM_TAB (adw_tab_page_get_child (page));
  gboolean last = adw_tab_view_get_n_pages (self->tab_view) == 1, closes = !last && !loom_window_asks_tab (self, tab);
  if (closes)
    loom_run_session_close (loom_tab_get_session (tab));
  adw_tab_view_close_page_finish (self->tab_view, page, closes);
  if (last)
    gtk_window_close (GTK_WINDOW (self));
  return GDK_EVENT_STOP;
}

/* Makes a window for a tab that the user drags out of this window. */
static AdwTabView *
create_window (LoomWindow *self)
{
  LoomWindow *window = loom_window_new_without_tab (LOOM_APPLICATION (gtk_window_get_application (GTK_WINDOW (self))));
  gtk_window_present (GTK_WINDOW (window));
  return window->tab_view;
}

LoomTab *
loom_window_add_tab (LoomWindow *self, gboolean select)
{
  g_return_val_if_fail (LOOM_IS_WINDOW (self), NULL);
  LoomTab *tab = loom_tab_new ();
  loom_window_apply_settings_to (loom_tab_get_run_state (tab));
  AdwTabPage *page = adw_tab_view_append (self->tab_view, GTK_WIDGET (tab));
  tab_changed (tab, self);
  if (select)
    adw_tab_view_set_selected_page (self->tab_view, page);
  return tab;
}

LoomTab *
loom_window_get_tab (LoomWindow *self)
{
  return self->tab;
}

guint
loom_window_get_n_tabs (LoomWindow *self)
{
  return (guint) adw_tab_view_get_n_pages (self->tab_view);
}

LoomTab *
loom_window_get_nth_tab (LoomWindow *self, guint n)
{
  return LOOM_TAB (adw_tab_page_get_child (adw_tab_view_get_nth_page (self->tab_view, (int) n)));
}

/* --- files that are dropped --------------------------------------------------------------------------------------- */

void
loom_window_open_list (LoomTab *tab, GdkFileList *list, gboolean add)
{
  g_autoptr (GSList) files = gdk_file_list_get_files (list);
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  for (GSList *l = files; l != NULL; l = l->next) {
    char *path = g_file_get_path (l->data);
    g_ptr_array_add (paths, path != NULL ? path : g_file_get_uri (l->data));
  }
  g_ptr_array_add (paths, NULL);
  loom_tab_open_paths (tab, (const char *const *) paths->pdata, add);
}

/* Called when files are dropped on a tab. Adds the files to the run of the tab. */
static gboolean
dropped_on_tab (LoomWindow *self, AdwTabPage *page, const GValue *value)
{
  if (!G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST) || g_value_get_boxed (value) == NULL)
    return FALSE;
  adw_tab_view_set_selected_page (self->tab_view, page);
  loom_window_open_list (LOOM_TAB (adw_tab_page_get_child (page)), g_value_get_boxed (value), TRUE);
  return TRUE;
}

/* Called when files are dropped on the tab bar beside the tabs. Opens the files in a new tab. */
static gboolean
dropped_on_bar (LoomWindow *self, const GValue *value)
{
  if (!G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST) || g_value_get_boxed (value) == NULL)
    return FALSE;
  loom_window_open_list (loom_window_add_tab (self, TRUE), g_value_get_boxed (value), FALSE);
  return TRUE;
}

/* Shows the tab bar while the user drags files over the window, so that files can be dropped on it. */
static void
drag_changed (LoomWindow *self)
{
  gboolean dragged = loom_drop_overlay_is_shown (self->drop_hint);
  adw_tab_bar_set_autohide (self->tab_bar, !dragged || loom_run_session_is_empty (loom_tab_get_session (self->tab)));
}

static void
watch_drops (LoomWindow *self)
{
  GType types[] = { GDK_TYPE_FILE_LIST };
  adw_tab_bar_setup_extra_drop_target (self->tab_bar, GDK_ACTION_COPY, types, G_N_ELEMENTS (types));
  g_signal_connect_swapped (self->tab_bar, "extra-drag-drop", G_CALLBACK (dropped_on_tab), self);
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect_swapped (target, "drop", G_CALLBACK (dropped_on_bar), self);
  gtk_widget_add_controller (GTK_WIDGET (self->tab_bar), GTK_EVENT_CONTROLLER (target));
  g_signal_connect_swapped (self->drop_hint, "shown-changed", G_CALLBACK (drag_changed), self);
}

/* --- actions ------------------------------------------------------------------------------------------------------ */

static void
new_tab_activated (LoomWindow *self)
{
  loom_window_add_tab (self, TRUE);
}

static void
close_tab_activated (LoomWindow *self)
{
  adw_tab_view_close_page (self->tab_view, adw_tab_view_get_selected_page (self->tab_view));
}

static void
previous_tab_activated (LoomWindow *self)
{
  adw_tab_view_select_previous_page (self->tab_view);
}

static void
next_tab_activated (LoomWindow *self)
{
  adw_tab_view_select_next_page (self->tab_view);
}

static void
lost_listed (gpointer window, gpointer list, const GError *error, gpointer input)
{
  g_autoptr (LoomWindow) self = window;
  g_autoptr (GPtrArray) lost = list;
  for (guint i = 0; self->tab != NULL && i < lost->len; i++) {
    LoomTab *tab =
      loom_run_session_is_empty (loom_tab_get_session (self->tab)) ? self->tab : loom_window_add_tab (self, FALSE);
    loom_tab_open_paths (tab, (const char *const[]) { ((const LoomCrashedSession *) lost->pdata[i])->path, NULL },
                         FALSE);
  }
}

/* Opens all runs that were open when the program crashed; each run gets a tab. */
static void
restore_lost_activated (LoomWindow *self)
{
  loom_session_autosave_list_lost_async (lost_listed, g_object_ref (self));
}

static const LoomWindowAction actions[] = {
  { "new-tab", G_CALLBACK (new_tab_activated) },           { "close-tab", G_CALLBACK (close_tab_activated) },
  { "previous-tab", G_CALLBACK (previous_tab_activated) }, { "next-tab", G_CALLBACK (next_tab_activated) },
  { "restore-lost", G_CALLBACK (restore_lost_activated) },
};

void
loom_window_watch_tabs (LoomWindow *self)
{
  loom_window_add_action_table (self, actions, G_N_ELEMENTS (actions));
  g_signal_connect_swapped (self->tab_view, "notify::selected-page", G_CALLBACK (selection_changed), self);
  g_signal_connect_swapped (self->tab_view, "page-attached", G_CALLBACK (page_attached), self);
  g_signal_connect_swapped (self->tab_view, "page-detached", G_CALLBACK (page_detached), self);
  g_signal_connect_swapped (self->tab_view, "close-page", G_CALLBACK (close_page), self);
  g_signal_connect_swapped (self->tab_view, "create-window", G_CALLBACK (create_window), self);
  watch_drops (self);
}
