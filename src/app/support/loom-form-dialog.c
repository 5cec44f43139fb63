/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-form-dialog.h"

#include "loom-dialog-size.h"
#include "loom-window-measure-workaround.h"

#include <glib/gi18n.h>

static GtkWidget *
new_header (const char *label, GtkButton **apply)
{
  GtkWidget *header = adw_header_bar_new (), *cancel = gtk_button_new_with_mnemonic (_ ("_Cancel"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (cancel), "window.close");
  *apply = GTK_BUTTON (gtk_button_new_with_mnemonic (label));
  gtk_widget_add_css_class (GTK_WIDGET (*apply), "suggested-action");
  adw_header_bar_set_show_end_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_set_show_start_title_buttons (ADW_HEADER_BAR (header), FALSE);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), cancel);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), GTK_WIDGET (*apply));
  return header;
}

GtkWindow *
loom_form_dialog_new (GtkWindow *parent, const char *title, GtkWidget *content, const char *label, GtkButton **apply)
{
  GtkWidget *window = loom_window_measure_workaround_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_window_set_title (GTK_WINDOW (window), title);
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_set_modal (GTK_WINDOW (window), TRUE);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (window), TRUE);
  loom_dialog_size_set (GTK_WINDOW (window), 520, -1);
  gtk_box_append (GTK_BOX (box), new_header (label, apply));
  gtk_box_append (GTK_BOX (box), content);
  adw_window_set_content (ADW_WINDOW (window), box);
  gtk_window_set_default_widget (GTK_WINDOW (window), GTK_WIDGET (*apply));
  GtkEventController *keys = gtk_shortcut_controller_new ();
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0), gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (window, keys);
  return GTK_WINDOW (window);
}

AdwEntryRow *
loom_form_dialog_add_entry (AdwPreferencesGroup *group, const char *title, const char *text)
{
  GtkWidget *row = adw_entry_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_editable_set_text (GTK_EDITABLE (row), text != NULL ? text : "");
  adw_entry_row_set_activates_default (ADW_ENTRY_ROW (row), TRUE);
  adw_preferences_group_add (group, row);
  return ADW_ENTRY_ROW (row);
}

void
loom_form_dialog_mark (AdwEntryRow *row, gboolean wrong)
{
  if (wrong)
    gtk_widget_add_css_class (GTK_WIDGET (row), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (row), "error");
  gtk_accessible_update_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_INVALID,
                               wrong ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}
