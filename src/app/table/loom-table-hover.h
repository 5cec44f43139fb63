/* SPDX-License-Identifier: Apache-2.0
 *
 * The row of a column view under the pointer, and a row that is highlighted because its place is hovered elsewhere.
 * GTK 4.8 has no row widgets to bind to: rows are found by their cells, whose columns loom_table_column_add() made. Main
 * thread only.
 */
#pragma once

#include "loom-table-model.h"

#include <gtk/gtk.h>

/* Called when the pointer is over another row, with its position, or G_MAXUINT when it is over none. */
typedef void (*LoomTableHovered) (gpointer owner, guint position);

/* Watches the pointer over the rows; `owner` must outlive the view. Call it once. */
void loom_table_hover_watch (GtkColumnView *view, LoomTableHovered hovered, gpointer owner);
/* Highlights a row of the model's source, and no other; G_MAXUINT: none. Views reuse the widgets of rows: call it again
 * after the order changed or the view was scrolled. O(rows). */
void loom_table_hover_mark_row (GtkColumnView *view, LoomTableModel *model, guint row);

/* For loom_table_column_add(): records the item of a cell. */
void loom_table_hover_set_item (GtkWidget *cell, GtkListItem *item);
