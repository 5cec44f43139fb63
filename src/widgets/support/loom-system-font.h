/* SPDX-License-Identifier: Apache-2.0
 *
 * Returns the desktop's font and text scaling, and reports when they change, for widgets that paint text themselves.
 * The functions must be called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Returns the name of the desktop's font family, owned by the caller; NULL if it is unknown. Sets `scaling` to the text
 * scaling (1: normal, 2: twice as large), limited to supported values. */
char *loom_system_font_dup_family (GtkWidget *widget, double *scaling);

/* Calls `changed` with the widget whenever the font or the text scaling changes, as long as the widget exists. */
void loom_system_font_follow (GtkWidget *widget, GCallback changed);
