/* SPDX-License-Identifier: Apache-2.0
 *
 * Names the rows of GtkColumnView and GtkListView for assistive technologies. GTK 4.8 has no property for the name of a
 * row (GtkListItem:accessible-label and GtkColumnViewRow came with 4.12), and screen readers say "GtkListItemWidget".
 * Called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Gives a row the texts of its cells as its name whenever it gets the focus, in all windows from now on. Call it once. */
void loom_row_name_workaround_install (void);
