/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-lazy-menu.h"

static void
make (GtkMenuButton *button, gpointer model)
{
  if (gtk_menu_button_get_menu_model (button) == NULL)
    gtk_menu_button_set_menu_model (button, model);
}

void
loom_lazy_menu_set (GtkMenuButton *button, GMenuModel *model)
{
  g_return_if_fail (GTK_IS_MENU_BUTTON (button) && G_IS_MENU_MODEL (model));
  gtk_menu_button_set_create_popup_func (button, make, g_object_ref (model), g_object_unref);
}
