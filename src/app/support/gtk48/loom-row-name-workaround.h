/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets accessible names for the rows of GtkColumnView and GtkListView. GTK 4.8 has no property for the name of a row
 * (GtkListItem:accessible-label and GtkColumnViewRow need 4.12), so screen readers say "GtkListItemWidget". Called on
 * the main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* From now on, in all windows: when a row gets the focus, its accessible name is set to the texts of its cells. May
 * be called only once. */
void loom_row_name_workaround_install (void);
