/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports which row of a column view is under the pointer. Also highlights the row whose place on the timeline is under
 * the pointer in another widget. A factory of GTK 4.8 cannot set up the widget of a row, so rows are found by their
 * cells; the columns must be made with loom_table_column_add(). Main thread only.
 */
#pragma once

#include "loom-table-model.h"

#include <gtk/gtk.h>

/* Called when the pointer moves to another row. `position`: position of the row; G_MAXUINT if the pointer is not
 * over a row. */
typedef void (*LoomTableHovered) (gpointer owner, guint position);

/* Calls `hovered` when the pointer moves over the rows. `owner` must live longer than the view. May be called only
 * once. */
void loom_table_hover_watch (GtkColumnView *view, LoomTableHovered hovered, gpointer owner);
/* Highlights the row of the view that shows the row `row` of the model's source, and removes the highlight of all other
 * rows. G_MAXUINT: highlights no row. Must be called again after sorting and scrolling, because a view reuses the
 * widgets of rows. O(rows). */
void loom_table_hover_mark_row (GtkColumnView *view, LoomTableModel *model, guint row);

/* Stores the item of a cell. Called by loom_table_column_add(). */
void loom_table_hover_set_item (GtkWidget *cell, GtkListItem *item);
