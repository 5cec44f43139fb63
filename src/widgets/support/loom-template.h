/* SPDX-License-Identifier: Apache-2.0
 *
 * Templates of the widgets of this layer. They are in a resource of the library, which is linked with every widget.
 * Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

/* Sets the template of a class; call it in class_init. `file`: a name from ui/traceloom-widgets.gresource.xml. */
void loom_template_set (GtkWidgetClass *klass, const char *file);
