/* SPDX-License-Identifier: Apache-2.0
 *
 * Worst first: what failed, what was lost, what was repaired, what was left alone.
 */
#include "loom-problems-window.h"

#include "loom-problems-model.h"

#include <glib/gi18n.h>

static const char *const icons[] = { "dialog-information-symbolic", "dialog-warning-symbolic",
                                     "dialog-error-symbolic" };
static const char *const classes[] = { "dim-label", "warning", "error" };

static const char *
word_for (LoomSeverity severity)
{
  switch (severity) {
  case LOOM_SEVERITY_ERROR: return C_ ("severity", "Error");
  case LOOM_SEVERITY_WARNING: return C_ ("severity", "Warning");
  default: return C_ ("severity", "Note");
  }
}

static GtkWidget *
new_label (const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *image = gtk_image_new ();
  gtk_widget_set_valign (image, GTK_ALIGN_START);
  gtk_widget_set_margin_top (image, 3);
  gtk_box_append (GTK_BOX (texts), new_label (NULL));
  gtk_box_append (GTK_BOX (texts), new_label ("caption"));
  gtk_widget_add_css_class (gtk_widget_get_last_child (texts), "dim-label");
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (row), image);
  gtk_box_append (GTK_BOX (row), texts);
  gtk_widget_add_css_class (row, "problem-row");
  gtk_list_item_set_child (item, row);
  gtk_list_item_set_activatable (item, FALSE);
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  LoomProblemItem *problem = gtk_list_item_get_item (item);
  GtkWidget *row = gtk_list_item_get_child (item);
  GtkWidget *image = gtk_widget_get_first_child (row), *texts = gtk_widget_get_last_child (row);
  LoomSeverity severity = loom_problem_item_get_severity (problem);
  const char *class_list[] = { classes[severity], NULL };
  gtk_image_set_from_icon_name (GTK_IMAGE (image), icons[severity]);
  gtk_widget_set_css_classes (image, class_list);
  gtk_widget_set_tooltip_text (image, word_for (severity));
  gtk_accessible_update_property (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_PROPERTY_LABEL, word_for (severity), -1);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_first_child (texts)), loom_problem_item_get_message (problem));
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (texts)), loom_problem_item_get_path (problem));
}

static GtkWidget *
new_list (GListModel *model)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), NULL);
  GtkNoSelection *selection = gtk_no_selection_new (g_object_ref (model));
  GtkWidget *list = gtk_list_view_new (GTK_SELECTION_MODEL (selection), factory);
  gtk_list_view_set_show_separators (GTK_LIST_VIEW (list), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Problems"), -1);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), list);
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static GtkWidget *
new_all_well (void)
{
  GtkWidget *page = adw_status_page_new ();
  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), "emblem-ok-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (page), _ ("No Problems"));
  adw_status_page_set_description (ADW_STATUS_PAGE (page), _ ("Everything that was found could be read."));
  gtk_widget_set_vexpand (page, TRUE);
  return page;
}

static void
copy_clicked (GtkWidget *button, LoomProblemsModel *model)
{
  g_autofree char *text = loom_problems_model_dup_text (model);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (button), text);
}

static GtkWidget *
new_header (LoomProblemsModel *model)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *copy = gtk_button_new_with_mnemonic (_ ("_Copy All"));
  g_signal_connect_object (copy, "clicked", G_CALLBACK (copy_clicked), model, 0);
  gtk_widget_set_sensitive (copy, g_list_model_get_n_items (G_LIST_MODEL (model)) > 0);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), copy);
  return header;
}

static gboolean
escape_pressed (GtkWidget *window, GVariant *arguments, gpointer user_data)
{
  gtk_window_close (GTK_WINDOW (window));
  return TRUE;
}

void
loom_problems_window_present (GtkWindow *parent, LoomRun *run)
{
  g_autoptr (LoomProblemsModel) model = loom_problems_model_new (run);
  GtkWidget *window = adw_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gboolean any = g_list_model_get_n_items (G_LIST_MODEL (model)) > 0;
  gtk_box_append (GTK_BOX (box), new_header (model));
  gtk_box_append (GTK_BOX (box), any ? new_list (G_LIST_MODEL (model)) : new_all_well ());
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_set_title (GTK_WINDOW (window), _ ("Problems"));
  gtk_window_set_default_size (GTK_WINDOW (window), 640, 480);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  GtkEventController *shortcuts = gtk_shortcut_controller_new ();
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (shortcuts),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_callback_action_new (escape_pressed, NULL, NULL)));
  gtk_widget_add_controller (window, shortcuts);
  gtk_window_present (GTK_WINDOW (window));
}
