/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-menu-tooltip.h"

#include <gtk/gtk.h>

#define HIDDEN "loom-menu-tooltip" /* a popover stores a GPtrArray of the widgets with hidden tooltips under this key */

/* Hides the tooltips of the popover's ancestors. Keeps the tooltip of the window, because it is needed for labels
 * outside of the menu. */
static void
hide (GtkWidget *popover)
{
  GPtrArray *hidden = g_ptr_array_new_with_free_func (g_object_unref);
  for (GtkWidget *widget = gtk_widget_get_parent (popover); widget != NULL && !GTK_IS_ROOT (widget);
       widget = gtk_widget_get_parent (widget)) {
    if (!gtk_widget_get_has_tooltip (widget))
      continue;
    g_ptr_array_add (hidden, g_object_ref (widget));
    gtk_widget_set_has_tooltip (widget, FALSE);
    gtk_widget_trigger_tooltip_query (widget); /* removes the tooltip if it is shown */
  }
  g_object_set_data_full (G_OBJECT (popover), HIDDEN, hidden, (GDestroyNotify) g_ptr_array_unref);
}

static void
restore (GtkWidget *popover)
{
  GPtrArray *hidden = g_object_get_data (G_OBJECT (popover), HIDDEN);
  for (guint i = 0; hidden != NULL && i < hidden->len; i++)
    gtk_widget_set_has_tooltip (hidden->pdata[i], TRUE);
  g_object_set_data (G_OBJECT (popover), HIDDEN, NULL);
}

/* Returns the object that emitted a signal if it is a popover that closes on a click outside of it; otherwise NULL.
 * `values`: the arguments of the emission hook. */
static GtkWidget *
get_popover (const GValue *values)
{
  gpointer widget = g_value_get_object (&values[0]);
  return GTK_IS_POPOVER (widget) && gtk_popover_get_autohide (widget) ? widget : NULL;
}

static gboolean
mapped (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GtkWidget *popover = get_popover (values);
  if (popover != NULL)
    hide (popover);
  return G_SOURCE_CONTINUE;
}

static gboolean
unmapped (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GtkWidget *popover = get_popover (values);
  if (popover != NULL)
    restore (popover);
  return G_SOURCE_CONTINUE;
}

void
loom_menu_tooltip_install (void)
{
  g_type_class_unref (g_type_class_ref (GTK_TYPE_WIDGET)); /* makes the signals */
  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, mapped, NULL, NULL);
  g_signal_add_emission_hook (g_signal_lookup ("unmap", GTK_TYPE_WIDGET), 0, unmapped, NULL, NULL);
}
