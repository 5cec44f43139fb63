/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets the templates of the widget classes in src/widgets. The templates are in a resource of the library, and the
 * linker keeps this resource in every program that uses one of the widgets. The functions must be called on the main
 * thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Sets the template of a class. Must be called in class_init. `file`: a name from
 * ui/traceloom-widgets.gresource.xml. */
void loom_template_set (GtkWidgetClass *klass, const char *file);
