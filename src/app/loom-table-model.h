/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of a result table as a list: sorted by the column view's sorter, filtered by a text. Rows become objects only
 * while they are shown. Main thread.
 */
#pragma once

#include "loom-table.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_TABLE_ITEM (loom_table_item_get_type ())
G_DECLARE_FINAL_TYPE (LoomTableItem, loom_table_item, LOOM, TABLE_ITEM, GObject)

LoomTable *loom_table_item_get_table (LoomTableItem *item);
guint loom_table_item_get_row (LoomTableItem *item);

#define LOOM_TYPE_TABLE_MODEL (loom_table_model_get_type ())
G_DECLARE_FINAL_TYPE (LoomTableModel, loom_table_model, LOOM, TABLE_MODEL, GObject)

LoomTableModel *loom_table_model_new (GtkSorter *sorter);
/* A reference is taken; NULL: empty. */
void loom_table_model_set_table (LoomTableModel *model, LoomTable *table);
LoomTable *loom_table_model_get_table (LoomTableModel *model);
void loom_table_model_set_filter (LoomTableModel *model, const char *text);
/* All that pass the filter. As a list it counts no more than were shown so far: loom-row-supply.h. */
guint loom_table_model_get_n_rows (LoomTableModel *model);
/* The position of a row of the table, which is there from now on; G_MAXUINT: it does not pass the filter. */
guint loom_table_model_show_row (LoomTableModel *model, guint row);
/* The row of the table at a position. */
guint loom_table_model_get_row (LoomTableModel *model, guint position);

G_END_DECLS
