/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-drop-down-a11y-workaround.h"

#include <glib/gi18n.h>

static char *
dup_chosen (GtkDropDown *choice)
{
  GObject *item = gtk_drop_down_get_selected_item (choice);
  GtkExpression *expression = gtk_drop_down_get_expression (choice);
  GValue value = G_VALUE_INIT;
  if (item != NULL && GTK_IS_STRING_OBJECT (item))
    return g_strdup (gtk_string_object_get_string (GTK_STRING_OBJECT (item)));
  if (item == NULL || expression == NULL || !gtk_expression_evaluate (expression, item, &value))
    return NULL;
  char *text = g_value_dup_string (&value);
  g_value_unset (&value);
  return text;
}

static void
name_button (GtkDropDown *choice, GParamSpec *pspec, const char *name)
{
  GtkWidget *button = gtk_widget_get_first_child (GTK_WIDGET (choice));
  g_autofree char *chosen = dup_chosen (choice);
  /* Translators: the first %s is the name of a drop-down list, the second is its selected item: "Range: Visible" */
  g_autofree char *text = chosen != NULL ? g_strdup_printf (C_ ("choice", "%s: %s"), name, chosen) : g_strdup (name);
  if (button != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
free_name (gpointer name, GClosure *closure)
{
  g_free (name);
}

void
loom_drop_down_a11y_workaround_set (GtkDropDown *choice, const char *name)
{
  g_return_if_fail (GTK_IS_DROP_DOWN (choice) && name != NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_data (choice, "notify::selected-item", G_CALLBACK (name_button), g_strdup (name), free_name, 0);
  name_button (choice, NULL, name);
}
