/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-view-switcher-a11y-workaround.h"

void
loom_view_switcher_a11y_workaround_set (GtkWidget *widget, const char *name)
{
  if (ADW_IS_VIEW_SWITCHER (widget))
    gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    loom_view_switcher_a11y_workaround_set (child, name);
}
