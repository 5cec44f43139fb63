/* SPDX-License-Identifier: Apache-2.0
 *
 * Tooltips of list cells. Their texts are made only when a tooltip is about to be shown. gtk_widget_set_tooltip_text()
 * is not used, because it asks the display server for the pointer position and waits for the answer; when a list binds
 * some thousand cells, the window would be blocked for seconds. Called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Returns the text of a cell's tooltip, owned by the caller. `item`: the list item, whose current row the cell
 * shows. `part`: the argument of loom_cell_tooltip_add(), usually a column. No tooltip is shown if the result is
 * NULL or "", or if the cell already shows the whole text. */
typedef char *(*LoomCellTooltip) (GtkListItem *item, guint part);

/* Adds a tooltip to a cell; `dup_text` returns its text. Must be called in the "setup" handler of a factory. `cell`
 * is the child of the item, or a descendant of the child. */
void loom_cell_tooltip_add (GtkWidget *cell, GtkListItem *item, LoomCellTooltip dup_text, guint part);
