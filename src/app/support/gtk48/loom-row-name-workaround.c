/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-row-name-workaround.h"

#include <string.h>

/* if the accessible name of a row has more bytes than this, no more texts of cells are appended to the name */
#define MAX_CHARS 1000

static const char *
text_of (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    return gtk_label_get_text (GTK_LABEL (widget));
  return GTK_IS_INSCRIPTION (widget) ? gtk_inscription_get_text (GTK_INSCRIPTION (widget)) : NULL;
}

static void
append_texts (GString *name, GtkWidget *widget)
{
  const char *text = text_of (widget);
  if (!gtk_widget_get_visible (widget) || name->len > MAX_CHARS)
    return;
  if (text != NULL && *text != '\0')
    g_string_append_printf (name, "%s%s", name->len > 0 ? ", " : "", text);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    append_texts (name, child);
}

static void
focus_changed (GtkWindow *window)
{
  GtkWidget *focus = gtk_window_get_focus (window);
  if (focus == NULL || strcmp (G_OBJECT_TYPE_NAME (focus), "GtkListItemWidget") != 0)
    return;
  g_autoptr (GString) name = g_string_new (NULL);
  append_texts (name, focus);
  gtk_accessible_update_property (GTK_ACCESSIBLE (focus), GTK_ACCESSIBLE_PROPERTY_LABEL, name->str, -1);
}

static void
windows_changed (GListModel *windows, guint position, guint n_removed, guint n_added)
{
  for (guint i = position; i < position + n_added; i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);
    g_signal_connect (window, "notify::focus-widget", G_CALLBACK (focus_changed), NULL);
  }
}

void
loom_row_name_workaround_install (void)
{
  GListModel *windows = gtk_window_get_toplevels ();
  g_signal_connect (windows, "items-changed", G_CALLBACK (windows_changed), NULL);
  windows_changed (windows, 0, 0, g_list_model_get_n_items (windows));
}
