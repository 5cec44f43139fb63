/* SPDX-License-Identifier: Apache-2.0
 *
 * The font of the desktop and how large its text is to be, for what paints letters itself. Main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* The family, owned, NULL for none; `scaling`: 1 as text is, 2 twice as large, within what can be laid out. */
char *loom_system_font_dup_family (GtkWidget *widget, double *scaling);

/* Calls `changed` with the widget whenever one of them changes, as long as the widget lives. */
void loom_system_font_follow (GtkWidget *widget, GCallback changed);
