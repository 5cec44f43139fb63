/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-template.h"

#include "loom-widgets-resources.h"

void
loom_template_set (GtkWidgetClass *klass, const char *file)
{
  g_autofree char *path = g_strconcat ("/io/github/traceloom/Traceloom/", file, NULL);
  loom_widgets_get_resource (); /* this reference to the resource makes the linker keep it */
  gtk_widget_class_set_template_from_resource (klass, path);
}
