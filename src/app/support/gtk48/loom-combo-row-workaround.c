/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-combo-row-workaround.h"

static void
set_up (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  gtk_list_item_set_child (item, gtk_label_new (NULL));
}

static void
bind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkStringObject *chosen = gtk_list_item_get_item (item);
  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)), gtk_string_object_get_string (chosen));
}

void
loom_combo_row_workaround_set (AdwComboRow *row)
{
  g_return_if_fail (ADW_IS_COMBO_ROW (row));
  g_autoptr (GtkListItemFactory) whole = gtk_signal_list_item_factory_new ();
  g_signal_connect (whole, "setup", G_CALLBACK (set_up), NULL);
  g_signal_connect (whole, "bind", G_CALLBACK (bind), NULL);
  adw_combo_row_set_list_factory (row, adw_combo_row_get_factory (row));
  adw_combo_row_set_factory (row, whole);
}
