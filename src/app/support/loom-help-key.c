/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-help-key.h"

static gboolean
show_help (GtkWidget *dialog, GVariant *args, gpointer user_data)
{
  GApplication *application = g_application_get_default ();
  if (application == NULL)
    return FALSE;
  g_action_group_activate_action (G_ACTION_GROUP (application), "help", NULL);
  return TRUE;
}

void
loom_help_key_add (GtkWindow *dialog)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();
  gtk_shortcut_controller_add_shortcut (
    GTK_SHORTCUT_CONTROLLER (keys),
    gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_F1, 0), gtk_callback_action_new (show_help, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (dialog), keys);
}
