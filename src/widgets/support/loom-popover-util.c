/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-popover-util.h"

static gboolean
unparent_later (gpointer popover)
{
  if (gtk_widget_get_parent (popover) != NULL)
    gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

/* Destroys the popover, but not at once, because the action that the user chose runs after the popover has closed. */
static void
closed (GtkWidget *popover)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, unparent_later, g_object_ref (popover), g_object_unref);
}

void
loom_popover_util_show (GtkWidget *popover, GtkWidget *widget, double x, double y)
{
  gtk_widget_set_parent (popover, widget);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  g_signal_connect (popover, "closed", G_CALLBACK (closed), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
}

static gboolean
shows_popover (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_POPOVER (child) && gtk_widget_get_mapped (child))
      return TRUE;
  return FALSE;
}

gboolean
loom_popover_util_is_open (GtkWidget *widget)
{
  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    if (shows_popover (widget))
      return TRUE;
  return FALSE;
}
