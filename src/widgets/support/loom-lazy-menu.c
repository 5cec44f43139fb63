/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-lazy-menu.h"

/* If the menu still has the focus, moves it to the button. After an item of a submenu was activated, GTK (seen in 4.8)
 * leaves the focus on this item: it is hidden, and key presses do not reach the window any more. */
static void
on_closed (GtkPopover *menu, GtkWidget *button)
{
  GtkRoot *root = gtk_widget_get_root (button);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  if (focus == NULL || gtk_widget_is_ancestor (focus, GTK_WIDGET (menu)))
    gtk_widget_grab_focus (button);
}

static void
make (GtkMenuButton *button, gpointer model)
{
  if (gtk_menu_button_get_menu_model (button) != NULL)
    return;
  gtk_menu_button_set_menu_model (button, model);
  g_signal_connect_object (gtk_menu_button_get_popover (button), "closed", G_CALLBACK (on_closed), button,
                           G_CONNECT_AFTER);
}

void
loom_lazy_menu_set (GtkMenuButton *button, GMenuModel *model)
{
  g_return_if_fail (GTK_IS_MENU_BUTTON (button) && G_IS_MENU_MODEL (model));
  gtk_menu_button_set_create_popup_func (button, make, g_object_ref (model), g_object_unref);
}
