/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-analysis-window.h"

#include "loom-pane-focus.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#define WIDTH_PX 1200
#define HEIGHT_PX 800

static void
add_close_key (GtkWidget *window)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_w, GDK_CONTROL_MASK), gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, keys);
}

/* Adds one action of the main window to the window. Inserting the whole action group would keep the main window
 * alive. */
static void
add_action (GtkWidget *window, GActionMap *main_window)
{
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();
  GAction *plan = g_action_map_lookup_action (main_window, "profile-range");
  if (plan != NULL)
    g_action_map_add_action (G_ACTION_MAP (actions), plan);
  loom_pane_focus_add_actions (G_ACTION_MAP (actions), window);
  gtk_widget_insert_action_group (window, "win", G_ACTION_GROUP (actions));
}

GtkWindow *
loom_analysis_window_new (LoomAnalysisView *view, GtkWidget *main_window)
{
  GtkWidget *window = adw_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0),
            *header = adw_header_bar_new ();
  g_autofree char *title = g_strdup_printf (
    /* Translators: title of the window with the analysis; %s is the title of the main window */ _ ("Analysis – %s"),
    gtk_window_get_title (GTK_WINDOW (main_window)));
  gtk_window_set_title (GTK_WINDOW (window), title);
  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH_PX, HEIGHT_PX);
  gtk_window_set_application (GTK_WINDOW (window), gtk_window_get_application (GTK_WINDOW (main_window)));
  add_action (window, G_ACTION_MAP (main_window));
  add_close_key (window);
  loom_analysis_view_set_detached (view, TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (view), TRUE);
  gtk_widget_add_css_class (header, LOOM_PANE_FOCUS_CLASS);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (view));
  adw_window_set_content (ADW_WINDOW (window), box);
  return GTK_WINDOW (window);
}

const char *
loom_analysis_window_get_page (GtkWindow *window)
{
  GtkWidget *content = ADW_IS_WINDOW (window) ? adw_window_get_content (ADW_WINDOW (window)) : NULL,
            *view = content != NULL ? gtk_widget_get_last_child (content) : NULL;
  return LOOM_IS_ANALYSIS_VIEW (view) ? loom_analysis_view_get_page (LOOM_ANALYSIS_VIEW (view)) : NULL;
}

void
loom_analysis_window_present (GtkWindow *window, const char *page)
{
  GtkWidget *view = gtk_widget_get_last_child (adw_window_get_content (ADW_WINDOW (window)));
  loom_analysis_view_set_page (LOOM_ANALYSIS_VIEW (view), page);
  gtk_window_present (window);
}
