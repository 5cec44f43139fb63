/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-template.h"

#include "loom-widgets-resources.h"

void
loom_template_set (GtkWidgetClass *klass, const char *file)
{
  g_autofree char *path = g_strconcat ("/io/github/traceloom/Traceloom/", file, NULL);
  loom_widgets_get_resource (); /* call a function of the resource, so that the linker keeps it */
  gtk_widget_class_set_template_from_resource (klass, path);
}
