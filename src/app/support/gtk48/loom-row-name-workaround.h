/* SPDX-License-Identifier: Apache-2.0
 *
 * Names the rows of GtkColumnView and GtkListView for assistive technologies. GTK 4.8 has no property for the name of a
 * row (GtkListItem:accessible-label and GtkColumnViewRow came with 4.12), and screen readers say "GtkListItemWidget".
 * Called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* From now on, in all windows: when a row gets the focus, the texts of its cells become its accessible name. Call
 * once. */
void loom_row_name_workaround_install (void);
