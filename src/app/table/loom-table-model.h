/* SPDX-License-Identifier: Apache-2.0
 *
 * A list model of the rows of a source. It is sorted by the sorter of a column view, filtered, and has a selection. The
 * order is an array of row numbers, and the selection is a bitset. An object exists only for visible rows, while
 * GtkMultiSelection would keep an object for each selected row. More than 1,000 rows are sorted and filtered on a
 * worker thread; the previous rows are shown until it ends. Called on the main thread.
 *
 * Signals: "updated" when the shown rows, their order or the filter have changed; "chosen" when the user changed the
 * selection; "selection-changed" on every change of the selection.
 */
#pragma once

#include "loom-table-order.h"

#define LOOM_TYPE_TABLE_ITEM (loom_table_item_get_type ())
G_DECLARE_DERIVABLE_TYPE (LoomTableItem, loom_table_item, LOOM, TABLE_ITEM, GObject)

struct _LoomTableItemClass {
  GObjectClass parent_class;
};

/* returns the rows of the source to which the item belongs; borrowed */
gpointer loom_table_model_item_get_rows (LoomTableItem *self);
guint loom_table_model_item_get_row (LoomTableItem *self); /* returns the index of the row in the source */

#define LOOM_TYPE_TABLE_MODEL (loom_table_model_get_type ())
G_DECLARE_FINAL_TYPE (LoomTableModel, loom_table_model, LOOM, TABLE_MODEL, GObject)

/* Makes a model. `sorter`: sorter of the column view, see loom-table-sort.h; NULL if rows have the order of the
 * source. `at_once`: TRUE if all rows are added at once; FALSE if they are added in steps, see
 * loom-incremental-rows.h. */
LoomTableModel *loom_table_model_new (const LoomRowSource *source, GtkSorter *sorter, gboolean at_once);
/* Sets the rows and takes a reference to them. NULL: there are no rows. After this, a row stays selected only if its
 * contents have not changed. */
void loom_table_model_set_rows (LoomTableModel *self, gpointer rows);
/* Returns the shown rows, borrowed; may be NULL. While a worker thread sorts new rows, these are the previous rows. */
gpointer loom_table_model_get_rows (LoomTableModel *self);
/* Returns TRUE while new rows are being sorted. Positions and row numbers then refer to the previous rows, which are
 * still shown. */
gboolean loom_table_model_is_old (LoomTableModel *self);
/* Sorts by the keys, with the same effect as clicks on the column headers. */
void loom_table_model_sort (LoomTableModel *self, const LoomTableSortKey *keys, guint n);
/* Sets the filter; takes ownership of it. Its data are an argument of the source's matches(). With NULL, all rows
 * pass. */
void loom_table_model_take_filter (LoomTableModel *self, GBytes *filter);
/* Sets a text as the filter. The case-folded text is an argument of the source's matches(). With "", all rows pass. */
void loom_table_model_set_filter (LoomTableModel *self, const char *text);
/* Returns TRUE while a worker thread sorts or filters the rows. */
gboolean loom_table_model_is_working (LoomTableModel *self);

/* loom_table_model_get_n_rows() returns the number of rows that pass the filter. The GListModel may have fewer rows,
 * because rows are added in steps. loom_table_model_want_all() adds all rows over the next iterations of the main
 * loop. */
guint loom_table_model_get_n_rows (LoomTableModel *self);
void loom_table_model_want_all (LoomTableModel *self);
/* Returns the position of a row of the source; adds the row to the list if it has not been added yet. Returns
 * G_MAXUINT if the filter hides the row. */
guint loom_table_model_show_row (LoomTableModel *self, guint row);
/* Returns the row at a position of the list, as the index of the row in the source. */
guint loom_table_model_get_row (LoomTableModel *self, guint position);

/* Selects the rows at these positions and no others; takes ownership of `selected`. */
void loom_table_model_take_selected (LoomTableModel *self, GtkBitset *selected);
guint64 loom_table_model_get_n_selected (LoomTableModel *self);
/* Returns the position of the row that the user selected last; G_MAXUINT if no row is selected, or if the rows have
 * changed after the selection. */
guint loom_table_model_get_lead (LoomTableModel *self);
