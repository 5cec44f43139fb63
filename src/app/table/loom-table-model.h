/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of a source as a list: sorted by the column view's sorter, filtered, and selected. The order is an array of row
 * numbers and the selection a bitset; a row becomes an object only while it is shown (GtkMultiSelection would keep one of
 * each that is selected). More than 1,000 rows are sorted and filtered in a worker; those before stay until it is done.
 * Main thread.
 *
 * Signals: "updated" when other rows, another order or another filter are shown; "chosen" when a person selected other
 * rows, "selection-changed" on every change.
 */
#pragma once

#include "loom-table-order.h"

G_BEGIN_DECLS

#define LOOM_TYPE_TABLE_ITEM (loom_table_item_get_type ())
G_DECLARE_DERIVABLE_TYPE (LoomTableItem, loom_table_item, LOOM, TABLE_ITEM, GObject)

struct _LoomTableItemClass {
  GObjectClass parent_class;
};

gpointer loom_table_model_item_get_rows (LoomTableItem *self); /* borrowed */
guint loom_table_model_item_get_row (LoomTableItem *self);     /* of the source */

#define LOOM_TYPE_TABLE_MODEL (loom_table_model_get_type ())
G_DECLARE_FINAL_TYPE (LoomTableModel, loom_table_model, LOOM, TABLE_MODEL, GObject)

/* `sorter`: of the column view, see loom-table-sort.h; NULL: the rows stand as in the source. `at_once`: the list counts all
 * rows from the start; else see loom-incremental-rows.h. */
LoomTableModel *loom_table_model_new (const LoomRowSource *source, GtkSorter *sorter, gboolean at_once);
/* A reference is taken; NULL: empty. None is selected, or those that show the same as before stay selected. */
void loom_table_model_set_rows (LoomTableModel *self, gpointer rows);
/* Those that are shown: not those set last while a worker sorts them. Borrowed, may be NULL. */
gpointer loom_table_model_get_rows (LoomTableModel *self);
/* Others were set last: positions and row numbers are not theirs yet. */
gboolean loom_table_model_is_old (LoomTableModel *self);
/* By LoomTableSortKey, as a click on a column does. */
void loom_table_model_sort (LoomTableModel *self, const LoomTableSortKey *keys, guint n);
/* The data of `filter` are what the source's matches() gets; taken over, NULL: all rows. */
void loom_table_model_take_filter (LoomTableModel *self, GBytes *filter);
/* The same with the text from g_utf8_casefold(); "": all rows. */
void loom_table_model_set_filter (LoomTableModel *self, const char *text);
/* A worker is sorting or filtering. */
gboolean loom_table_model_is_working (LoomTableModel *self);

/* All that pass the filter. As a list it counts no more than were shown so far; all from the turns of the main loop on
 * that follow loom_table_model_want_all(). */
guint loom_table_model_get_n_rows (LoomTableModel *self);
void loom_table_model_want_all (LoomTableModel *self);
/* The position of a row of the source, which is there from now on; G_MAXUINT: it does not pass the filter. */
guint loom_table_model_show_row (LoomTableModel *self, guint row);
/* The row of the source at a position. */
guint loom_table_model_get_row (LoomTableModel *self, guint position);

/* Selects these positions and no others; taken over. */
void loom_table_model_take_selected (LoomTableModel *self, GtkBitset *selected);
guint64 loom_table_model_get_n_selected (LoomTableModel *self);
/* The position that a person selected last, as far as that can be known; G_MAXUINT: none. */
guint loom_table_model_get_lead (LoomTableModel *self);

G_END_DECLS
