/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports the row of a column view that is under the pointer, and highlights the row whose place on the timeline is
 * hovered in another widget. GTK 4.8 has no widgets for rows that a factory could set up, so rows are found by their
 * cells, whose columns must be made with loom_table_column_add(). Main thread only.
 */
#pragma once

#include "loom-table-model.h"

#include <gtk/gtk.h>

/* Called when the pointer moves to another row. `position`: position of the row; G_MAXUINT: the pointer is not over a
 * row. */
typedef void (*LoomTableHovered) (gpointer owner, guint position);

/* Watches the pointer over the rows; `owner` must outlive the view. Call it once. */
void loom_table_hover_watch (GtkColumnView *view, LoomTableHovered hovered, gpointer owner);
/* Highlights the row of the view that shows row `row` of the model's source, and no other row; G_MAXUINT: highlights
 * none. Must be called again after the order changed or the view was scrolled, because views reuse the widgets of rows.
 * O(rows). */
void loom_table_hover_mark_row (GtkColumnView *view, LoomTableModel *model, guint row);

/* Records the item of a cell; called by loom_table_column_add(). */
void loom_table_hover_set_item (GtkWidget *cell, GtkListItem *item);
