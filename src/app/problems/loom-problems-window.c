/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-problems-window.h"

#include "loom-deferred-present.h"
#include "loom-dialog-size.h"
#include "loom-window-measure-workaround.h"

#include <glib/gi18n.h>

#define VIEW_KEY "loom-problems-view"

static gboolean
escape_pressed (GtkWidget *window, GVariant *arguments, gpointer user_data)
{
  gtk_window_close (GTK_WINDOW (window));
  return GDK_EVENT_STOP;
}

static gboolean
find_pressed (GtkWidget *window, GVariant *arguments, gpointer view)
{
  loom_problems_view_search (view);
  return GDK_EVENT_STOP;
}

static void
add_key (GtkWidget *window, guint keyval, GdkModifierType modifiers, GtkShortcutFunc pressed, gpointer user_data)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (keyval, modifiers), gtk_callback_action_new (pressed, user_data, NULL)));
  gtk_widget_add_controller (window, keys);
}

static GtkWidget *
new_header (LoomProblemsView *view)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *copy = gtk_button_new_with_mnemonic (_ ("_Copy All"));
  gtk_widget_set_tooltip_text (copy, _ ("Copy all shown problems as text"));
  gtk_widget_set_visible (copy, loom_problems_view_has_any (view));
  g_signal_connect_object (copy, "clicked", G_CALLBACK (loom_problems_view_copy_all), view, G_CONNECT_SWAPPED);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), copy);
  return header;
}

GtkWindow *
loom_problems_window_present (GtkWindow *parent, LoomRun *run, const LoomSourceOverrides *names,
                              const char *const *paths)
{
  GtkWidget *window = loom_window_measure_workaround_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *view = loom_problems_view_new (run, names, paths);
  gtk_widget_set_vexpand (view, TRUE);
  gtk_box_append (GTK_BOX (box), new_header (LOOM_PROBLEMS_VIEW (view)));
  gtk_box_append (GTK_BOX (box), view);
  adw_window_set_content (ADW_WINDOW (window), box);
  g_object_set_data (G_OBJECT (window), VIEW_KEY, view);
  gtk_window_set_title (GTK_WINDOW (window), _ ("Problems"));
  loom_dialog_size_set (GTK_WINDOW (window), 1080, 600);
  gtk_widget_set_name (window, "LoomProblemsWindow"); /* loom-help-topic.h */
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_application (GTK_WINDOW (window), gtk_window_get_application (parent));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  add_key (window, GDK_KEY_Escape, 0, escape_pressed, NULL);
  add_key (window, GDK_KEY_f, GDK_CONTROL_MASK, find_pressed, view);
  loom_deferred_present_present (GTK_WINDOW (window));
  loom_problems_view_start (LOOM_PROBLEMS_VIEW (view));
  return GTK_WINDOW (window);
}

LoomProblemsView *
loom_problems_window_get_view (GtkWindow *window)
{
  return g_object_get_data (G_OBJECT (window), VIEW_KEY);
}
