/* SPDX-License-Identifier: Apache-2.0
 *
 * Tooltips of the cells of a list, made when one is shown. gtk_widget_set_tooltip_text() queries the position of the pointer from
 * the display server and waits for the answer, so that a list that binds some thousand cells at once blocked the window for
 * seconds. Main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Returns the tooltip for the item that is bound now, owned by the caller. NULL, empty, or a text that the cell
 * shows whole: no tooltip. `part` is the value given to loom_cell_tooltip_add(), a column. */
typedef char *(*LoomCellTooltip) (GtkListItem *item, guint part);

/* Call from a factory's "setup": `cell` is the item's child or a descendant of it. */
void loom_cell_tooltip_add (GtkWidget *cell, GtkListItem *item, LoomCellTooltip dup_text, guint part);
