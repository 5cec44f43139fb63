/* SPDX-License-Identifier: Apache-2.0
 *
 * Tooltips of list cells, created when a tooltip is about to be shown. gtk_widget_set_tooltip_text() queries the
 * pointer position from the display server and waits for the answer, which would block the window for seconds when a
 * list binds some thousand cells. Called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

/* Returns the tooltip for the item that is currently bound; owned by the caller. If the result is NULL or "", or if the
 * cell shows this text in full, no tooltip is shown. `part`: the value given to loom_cell_tooltip_add(), usually a
 * column. */
typedef char *(*LoomCellTooltip) (GtkListItem *item, guint part);

/* Gives a cell a tooltip, whose text `dup_text` returns. Must be called by a factory's "setup" handler; `cell` is the
 * item's child or inside it. */
void loom_cell_tooltip_add (GtkWidget *cell, GtkListItem *item, LoomCellTooltip dup_text, guint part);
