/* SPDX-License-Identifier: Apache-2.0
 *
 * A list model of the rows of a source: sorted by the sorter of a column view, filtered, and with a selection. The
 * order is an array of row numbers and the selection is a bitset; a row becomes an object only while it is visible,
 * whereas GtkMultiSelection would keep an object for each selected row. More than 1,000 rows are sorted and filtered in
 * a worker; until it ends the previous rows are shown. Called on the main thread.
 *
 * Signals: "updated" when the rows, the order or the filter shown have changed; "chosen" when the user changed the
 * selection; "selection-changed" on every change of the selection.
 */
#pragma once

#include "loom-table-order.h"

#define LOOM_TYPE_TABLE_ITEM (loom_table_item_get_type ())
G_DECLARE_DERIVABLE_TYPE (LoomTableItem, loom_table_item, LOOM, TABLE_ITEM, GObject)

struct _LoomTableItemClass {
  GObjectClass parent_class;
};

gpointer loom_table_model_item_get_rows (LoomTableItem *self); /* returns the rows of the model, borrowed */
guint loom_table_model_item_get_row (LoomTableItem *self);     /* returns the index of the row in the source */

#define LOOM_TYPE_TABLE_MODEL (loom_table_model_get_type ())
G_DECLARE_FINAL_TYPE (LoomTableModel, loom_table_model, LOOM, TABLE_MODEL, GObject)

/* Makes a model. `sorter`: sorter of the column view, see loom-table-sort.h; NULL: rows keep the order of the source.
 * `at_once`: TRUE if the list has all rows from the start; FALSE if rows are added step by step, see
 * loom-incremental-rows.h. */
LoomTableModel *loom_table_model_new (const LoomRowSource *source, GtkSorter *sorter, gboolean at_once);
/* Sets the rows, to which it takes a reference; NULL: no rows. Clears the selection, except for rows whose contents
 * have not changed. */
void loom_table_model_set_rows (LoomTableModel *self, gpointer rows);
/* Returns the rows that are shown. If other rows have been set and a worker is sorting them, the previous rows are
 * still shown. Borrowed, may be NULL. */
gpointer loom_table_model_get_rows (LoomTableModel *self);
/* Returns TRUE while rows that were set are not shown yet: positions and row numbers then refer to the previous
 * rows. */
gboolean loom_table_model_is_old (LoomTableModel *self);
/* Sorts by the keys, as if the user had clicked on the columns. */
void loom_table_model_sort (LoomTableModel *self, const LoomTableSortKey *keys, guint n);
/* Sets the filter, and takes ownership of it. Its data are passed to matches() of the source. NULL: all rows pass. */
void loom_table_model_take_filter (LoomTableModel *self, GBytes *filter);
/* Sets a text as the filter; "": all rows pass. The text is case-folded before it is passed to matches() of the
 * source. */
void loom_table_model_set_filter (LoomTableModel *self, const char *text);
/* Returns TRUE while a worker sorts or filters. */
gboolean loom_table_model_is_working (LoomTableModel *self);

/* loom_table_model_get_n_rows() returns the number of rows that pass the filter. The GListModel may have fewer rows,
 * because rows are added step by step. loom_table_model_want_all() starts adding all of them, in the next iterations of
 * the main loop. */
guint loom_table_model_get_n_rows (LoomTableModel *self);
void loom_table_model_want_all (LoomTableModel *self);
/* Returns the position of a row of the source. Adds the row to the list if necessary. G_MAXUINT: the filter hides the
 * row. */
guint loom_table_model_show_row (LoomTableModel *self, guint row);
/* Returns the index in the source of the row at a position. */
guint loom_table_model_get_row (LoomTableModel *self, guint position);

/* Selects these positions and no others; takes ownership of `selected`. */
void loom_table_model_take_selected (LoomTableModel *self, GtkBitset *selected);
guint64 loom_table_model_get_n_selected (LoomTableModel *self);
/* Returns the position that the user selected last; G_MAXUINT: no row is selected, or the rows have changed since. */
guint loom_table_model_get_lead (LoomTableModel *self);
