/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-window.h"

#include "loom-load-watch.h"
#include "loom-recent.h"
#include "loom-settings.h"
#include "loom-shorten.h"
#include "loom-trouble.h"
#include "loom-window-private.h"
#include "loom-words.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_RECENT 8
#define MAX_PLACE 32 /* letters */

G_DEFINE_FINAL_TYPE (LoomWindow, loom_window, ADW_TYPE_APPLICATION_WINDOW)

static void
fill_recent_menu (LoomWindow *self)
{
  g_autoptr (GPtrArray) list = loom_recent_list (MAX_RECENT);
  g_menu_remove_all (self->recent_menu);
  for (guint i = 0; i < list->len; i++) {
    const LoomRecent *recent = list->pdata[i];
    g_autoptr (GMenuItem) item = g_menu_item_new (NULL, NULL);
    /* An underscore in a file's name is no mnemonic. */
    g_autofree char *place = loom_shorten_head (recent->place, MAX_PLACE);
    g_autofree char *text = g_strdup_printf ("%s — %s", recent->name, place);
    g_auto (GStrv) parts = g_strsplit (text, "_", -1);
    g_autofree char *label = g_strjoinv ("__", parts);
    g_menu_item_set_label (item, label);
    g_menu_item_set_action_and_target (item, "win.open-recent", "s", recent->uri);
    g_menu_append_item (self->recent_menu, item);
  }
}

/* Python profiles that do not say when they were taken. */
static void
show_title_without_time (LoomWindow *self, const char *name, guint n_sources)
{
  g_autofree char *subtitle = g_strdup_printf (ngettext ("%u source without times", "%u sources without times", n_sources), n_sources);
  g_autofree char *window_title = g_strdup_printf ("Traceloom – %s", name);
  adw_window_title_set_title (self->title, name);
  adw_window_title_set_subtitle (self->title, subtitle);
  gtk_window_set_title (GTK_WINDOW (self), window_title);
}

static void
show_title (LoomWindow *self)
{
  g_autofree char *name = loom_document_dup_name (self->document);
  LoomTimeline *timeline = loom_document_get_timeline (self->document);
  LoomRange extent;
  if (timeline != NULL && !loom_timeline_get_extent (timeline, &extent)) {
    show_title_without_time (self, name, loom_run_get_n_sources (loom_timeline_get_run (timeline)));
    return;
  }
  if (timeline == NULL) {
    adw_window_title_set_title (self->title, "Traceloom");
    adw_window_title_set_subtitle (self->title, "");
    gtk_window_set_title (GTK_WINDOW (self), "Traceloom");
    return;
  }
  guint n_ranks = loom_document_count_ranks (self->document);
  g_autofree char *ranks = g_strdup_printf (ngettext ("%u rank", "%u ranks", n_ranks), n_ranks);
  g_autofree char *title = n_ranks > 0 ? g_strdup_printf ("%s · %s", name, ranks) : g_strdup (name);
  guint64 n_spans = loom_document_count_spans (self->document);
  g_autofree char *count = loom_words_number (n_spans);
  g_autofree char *spans = g_strdup_printf (ngettext ("%s span", "%s spans", n_spans), count);
  g_autofree char *duration = loom_time_format_duration (extent.end_ns - extent.begin_ns);
  g_autofree char *subtitle = g_strdup_printf ("%s · %s", spans, duration);
  g_autofree char *window_title = g_strdup_printf ("Traceloom – %s", name);
  adw_window_title_set_title (self->title, title);
  adw_window_title_set_subtitle (self->title, subtitle);
  gtk_window_set_title (GTK_WINDOW (self), window_title);
}

static const char *
page_for (LoomWindow *self)
{
  if (loom_document_get_timeline (self->document) != NULL)
    return "run";
  if (loom_document_is_loading (self->document))
    return "reading";
  return loom_document_get_paths (self->document)[0] != NULL && !loom_document_was_cancelled (self->document)
           ? "nothing"
           : "empty";
}

static void
show_page (LoomWindow *self)
{
  const char *page = page_for (self), *before = gtk_stack_get_visible_child_name (self->pages);
  gboolean run = g_str_equal (page, "run");
  /* A fade would paint the timeline twice per frame, just when it is new. */
  gtk_stack_set_visible_child_full (self->pages, page,
                                    run ? GTK_STACK_TRANSITION_TYPE_NONE : GTK_STACK_TRANSITION_TYPE_CROSSFADE);
  gtk_spinner_set_spinning (self->spinner, g_str_equal (page, "reading"));
  loom_drop_hint_set_can_add (self->drop_hint, run);
  if (run && g_strcmp0 (before, page) != 0)
    gtk_widget_grab_focus (GTK_WIDGET (loom_run_view_get_timeline_view (self->run_view)));
  GtkWidget *parts[] = { self->sources_button, self->add_button, self->search_button, self->export_button,
                         self->panel_button };
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    gtk_widget_set_visible (parts[i], run);
}

void
loom_window_show_trouble (LoomWindow *self, GtkMessageType type, const char *title, const char *body,
                          gboolean has_details)
{
  g_autofree char *sentence = loom_trouble_dup_sentence (title);
  g_autofree char *text =
    body != NULL && *body != '\0' ? g_strdup_printf ("%s %s", sentence, body) : g_strdup (sentence);
  gtk_label_set_text (self->trouble_label, text);
  gtk_info_bar_set_message_type (self->trouble_bar, type);
  gtk_widget_set_visible (self->trouble_details, has_details);
  gtk_info_bar_set_revealed (self->trouble_bar, TRUE);
}

static void
hide_trouble (LoomWindow *self)
{
  gtk_info_bar_set_revealed (self->trouble_bar, FALSE);
}

static void
show_trouble (LoomWindow *self)
{
  LoomTrouble trouble;
  loom_trouble_find (self->document, &trouble);
  if (trouble.kind == LOOM_TROUBLE_NOTHING) {
    g_autofree char *body = trouble.body != NULL ? g_markup_escape_text (trouble.body, -1) : NULL;
    adw_status_page_set_title (self->nothing, trouble.title);
    adw_status_page_set_description (self->nothing, body);
    gtk_widget_set_visible (self->nothing_details, trouble.has_details);
  } else if (trouble.kind == LOOM_TROUBLE_PARTLY)
    loom_window_show_trouble (self, GTK_MESSAGE_WARNING, trouble.title, trouble.body, trouble.has_details);
  loom_trouble_clear (&trouble);
}

static void
timeline_changed (LoomWindow *self)
{
  if (loom_document_get_timeline (self->document) == NULL)
    self->n_announced = self->n_refused = 0;
  show_title (self);
  show_page (self);
  loom_window_follow_session (self);
  loom_window_update_actions (self);
}

static void
remember (LoomWindow *self)
{
  const char *session[] = { self->session_path, NULL };
  loom_recent_add (self->session_path != NULL ? session : loom_document_get_paths (self->document));
}

static void
tell_loaded (LoomWindow *self)
{
  g_autofree char *name = loom_document_dup_name (self->document);
  gboolean shows = loom_document_get_timeline (self->document) != NULL;
  loom_unseen_end (g_steal_pointer (&self->unseen_loading), shows ? _ ("Run loaded") : _ ("Nothing could be loaded"), name);
}

static void
loading_changed (LoomWindow *self)
{
  gboolean loading = loom_document_is_loading (self->document);
  if (loom_document_is_quiet (self->document)) {
    loom_window_update_actions (self);
    return;
  }
  loom_load_bar_follow (self->load_bar, loom_document_get_progress (self->document), LOOM_WORK_READING);
  if (loading) {
    hide_trouble (self);
    if (self->unseen_loading == NULL)
      self->unseen_loading = loom_unseen_begin (GTK_WINDOW (self), NULL);
  } else {
    tell_loaded (self);
    show_trouble (self);
    if (loom_document_get_timeline (self->document) != NULL)
      remember (self);
    loom_window_follow_session (self);
    loom_window_announce_fit (self);
  }
  show_page (self);
  loom_window_update_actions (self);
}

static void
cancel_loading (LoomWindow *self)
{
  loom_document_cancel (self->document);
}

static void
cancel_saving (LoomWindow *self)
{
  g_cancellable_cancel (self->saving_cancellable);
}

static void
files_dropped (LoomWindow *self, GdkFileList *list, gboolean add)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  g_autoptr (GSList) items = gdk_file_list_get_files (list);
  for (GSList *l = items; l != NULL; l = l->next)
    g_ptr_array_add (files, l->data);
  loom_window_open_files (self, (GFile **) files->pdata, files->len, add);
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
  loom_settings_set_boolean (LOOM_SETTING_SHOW_SOURCES, loom_run_view_get_show_sources (self->run_view));
  loom_settings_set_boolean (LOOM_SETTING_SHOW_PANEL, loom_run_view_get_show_panel (self->run_view));
  if (loom_run_view_get_panel_height (self->run_view) > 0)
    loom_settings_set_int (LOOM_SETTING_PANEL_HEIGHT, loom_run_view_get_panel_height (self->run_view));
}

static gboolean
close_request (GtkWindow *window)
{
  if (loom_window_asks_editors (LOOM_WINDOW (window)))
    return TRUE;
  save_settings (LOOM_WINDOW (window));
  loom_autosave_stop (LOOM_WINDOW (window)->autosave);
  return GTK_WINDOW_CLASS (loom_window_parent_class)->close_request (window);
}

static void
loom_window_dispose (GObject *object)
{
  LoomWindow *self = LOOM_WINDOW (object);
  loom_window_forget_editors (self);
  g_clear_pointer (&self->autosave, loom_autosave_free);
  g_clear_pointer (&self->follow, loom_follow_free);
  g_clear_pointer (&self->pending.session, loom_session_free);
  loom_unseen_end (g_steal_pointer (&self->unseen_saving), NULL, NULL);
  loom_unseen_end (g_steal_pointer (&self->unseen_loading), NULL, NULL);
  g_clear_pointer (&self->session_path, g_free);
  if (self->document != NULL) {
    g_signal_handlers_disconnect_by_data (self->document, self);
    loom_document_cancel (self->document);
  }
  if (self->saving_cancellable != NULL)
    g_cancellable_cancel (self->saving_cancellable);
  g_clear_object (&self->document);
  g_clear_object (&self->recent_menu);
  g_clear_object (&self->saving_cancellable);
  g_clear_pointer (&self->saving, loom_progress_unref);
  G_OBJECT_CLASS (loom_window_parent_class)->dispose (object);
}

static void
bind_children (GtkWidgetClass *klass)
{
  gtk_widget_class_bind_template_child (klass, LoomWindow, toasts);
  gtk_widget_class_bind_template_child (klass, LoomWindow, title);
  gtk_widget_class_bind_template_child (klass, LoomWindow, open_button);
  gtk_widget_class_bind_template_child (klass, LoomWindow, sources_button);
  gtk_widget_class_bind_template_child (klass, LoomWindow, add_button);
  gtk_widget_class_bind_template_child (klass, LoomWindow, search_button);
  gtk_widget_class_bind_template_child (klass, LoomWindow, export_button);
  gtk_widget_class_bind_template_child (klass, LoomWindow, panel_button);
  gtk_widget_class_bind_template_child (klass, LoomWindow, load_bar);
  gtk_widget_class_bind_template_child (klass, LoomWindow, save_bar);
  gtk_widget_class_bind_template_child (klass, LoomWindow, trouble_bar);
  gtk_widget_class_bind_template_child (klass, LoomWindow, trouble_label);
  gtk_widget_class_bind_template_child (klass, LoomWindow, trouble_details);
  gtk_widget_class_bind_template_child (klass, LoomWindow, trouble_close);
  gtk_widget_class_bind_template_child (klass, LoomWindow, pages);
  gtk_widget_class_bind_template_child (klass, LoomWindow, welcome);
  gtk_widget_class_bind_template_child (klass, LoomWindow, spinner);
  gtk_widget_class_bind_template_child (klass, LoomWindow, nothing);
  gtk_widget_class_bind_template_child (klass, LoomWindow, nothing_details);
  gtk_widget_class_bind_template_child (klass, LoomWindow, run_view);
  gtk_widget_class_bind_template_child (klass, LoomWindow, drop_hint);
  gtk_widget_class_bind_template_child (klass, LoomWindow, open_menu);
}

static void
loom_window_class_init (LoomWindowClass *klass)
{
  g_type_ensure (LOOM_TYPE_LOAD_BAR);
  g_type_ensure (LOOM_TYPE_WELCOME);
  g_type_ensure (LOOM_TYPE_RUN_VIEW);
  g_type_ensure (LOOM_TYPE_DROP_HINT);
  G_OBJECT_CLASS (klass)->dispose = loom_window_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = close_request;
  gtk_widget_class_set_template_from_resource (GTK_WIDGET_CLASS (klass),
                                               "/io/github/traceloom/Traceloom/loom-window.ui");
  bind_children (GTK_WIDGET_CLASS (klass));
}

static void
restore_settings (LoomWindow *self)
{
  gtk_window_set_default_size (GTK_WINDOW (self), loom_settings_get_int (LOOM_SETTING_WIDTH),
                               loom_settings_get_int (LOOM_SETTING_HEIGHT));
  if (loom_settings_get_boolean (LOOM_SETTING_MAXIMIZED))
    gtk_window_maximize (GTK_WINDOW (self));
  loom_run_view_set_show_sources (self->run_view, loom_settings_get_boolean (LOOM_SETTING_SHOW_SOURCES));
  loom_run_view_set_show_panel (self->run_view, loom_settings_get_boolean (LOOM_SETTING_SHOW_PANEL));
  loom_run_view_set_panel_height (self->run_view, loom_settings_get_int (LOOM_SETTING_PANEL_HEIGHT));
}

/* The arrow of a split button has no name of its own. */
static void
name_open_menu (LoomWindow *self)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->open_button)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_MENU_BUTTON (child))
      gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ ("Files and recent runs"), -1);
}

static void
spell_keys (GtkWidget *widget)
{
  const char *text = GTK_IS_LABEL (widget) ? gtk_label_get_text (GTK_LABEL (widget)) : "";
  if (g_str_equal (text, "Page_Up"))
    gtk_label_set_text (GTK_LABEL (widget), C_ ("key", "Page Up"));
  else if (g_str_equal (text, "Page_Down"))
    gtk_label_set_text (GTK_LABEL (widget), C_ ("key", "Page Down"));
  else if (g_str_has_prefix (text, "Shift") && g_str_has_suffix (text, "L") && strlen (text) <= strlen ("Shift") + 4)
    gtk_label_set_text (GTK_LABEL (widget), C_ ("key", "Shift")); /* either one; GTK knows the left one by name */
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    spell_keys (child);
}

/* GTK shows the names of some keys as its code has them. */
static void
spell_shortcuts (LoomWindow *self)
{
  GtkShortcutsWindow *help = gtk_application_window_get_help_overlay (GTK_APPLICATION_WINDOW (self));
  if (help != NULL)
    spell_keys (GTK_WIDGET (help));
}

static void
connect_parts (LoomWindow *self)
{
  g_signal_connect_swapped (self->document, "timeline-changed", G_CALLBACK (timeline_changed), self);
  g_signal_connect_swapped (self->document, "loading-changed", G_CALLBACK (loading_changed), self);
  g_signal_connect_swapped (self->document, "sources-edited", G_CALLBACK (loom_window_update_actions), self);
  g_signal_connect_swapped (self->load_bar, "cancel", G_CALLBACK (cancel_loading), self);
  g_signal_connect_swapped (self->save_bar, "cancel", G_CALLBACK (cancel_saving), self);
  g_signal_connect_swapped (self->trouble_close, "clicked", G_CALLBACK (hide_trouble), self);
  g_signal_connect_swapped (self->drop_hint, "dropped", G_CALLBACK (files_dropped), self);
  g_signal_connect (self, "map", G_CALLBACK (spell_shortcuts), NULL);
  g_object_bind_property (loom_run_view_get_search_bar (self->run_view), "open", self->search_button, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
}

static void
loom_window_init (LoomWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->document = loom_document_new ();
  self->recent_menu = g_menu_new ();
  g_menu_append_section (G_MENU (self->open_menu), _ ("Recent"), G_MENU_MODEL (self->recent_menu));
  loom_run_view_set_document (self->run_view, self->document);
  self->autosave = loom_autosave_new (self->document, self->run_view);
  self->follow = loom_follow_new (self->document);
  connect_parts (self);
  loom_load_watch_start (GTK_WIDGET (self), self->document);
  loom_window_add_actions (self);
  loom_drop_hint_watch (self->drop_hint, GTK_WIDGET (self));
  loom_timeline_view_listen (loom_run_view_get_timeline_view (self->run_view), GTK_WIDGET (self));
  name_open_menu (self);
  restore_settings (self);
  fill_recent_menu (self);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (fill_recent_menu), self,
                           G_CONNECT_SWAPPED);
  show_page (self);
}

LoomWindow *
loom_window_new (LoomApplication *application)
{
  return g_object_new (LOOM_TYPE_WINDOW, "application", application, NULL);
}

gboolean
loom_window_is_empty (LoomWindow *self)
{
  return loom_document_get_timeline (self->document) == NULL && !loom_document_is_loading (self->document);
}

void
loom_window_open_paths (LoomWindow *self, const char *const *paths, gboolean add)
{
  g_return_if_fail (LOOM_IS_WINDOW (self));
  if (paths[0] == NULL)
    return;
  add = add && !loom_window_is_empty (self);
  if (paths[1] == NULL && loom_session_is_session (paths[0]))
    loom_window_open_session (self, paths[0], add);
  else if (add)
    loom_document_add (self->document, paths);
  else
    loom_window_open_run (self, paths);
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

LoomRunView *
loom_window_get_run_view (LoomWindow *self)
{
  return self->run_view;
}

const char *
loom_window_get_page (LoomWindow *self)
{
  return gtk_stack_get_visible_child_name (self->pages);
}

const char *
loom_window_get_trouble (LoomWindow *self)
{
  return gtk_info_bar_get_revealed (self->trouble_bar) ? gtk_label_get_text (self->trouble_label) : NULL;
}

const char *
loom_window_get_nothing (LoomWindow *self)
{
  return adw_status_page_get_description (self->nothing);
}
