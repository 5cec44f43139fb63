/* SPDX-License-Identifier: Apache-2.0
 *
 * The desktop's font and text scaling, for widgets that paint text themselves. Called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Returns the font family, owned by the caller, or NULL. `scaling` is set to the text scaling (1: normal, 2: twice as
 * large), clamped to supported values. */
char *loom_system_font_dup_family (GtkWidget *widget, double *scaling);

/* Calls `changed` with the widget whenever font or scaling change, during the lifetime of the widget. */
void loom_system_font_follow (GtkWidget *widget, GCallback changed);
