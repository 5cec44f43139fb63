/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that shows a LoomResultTable. A click on the title of a column sorts the rows by this column; a text filters
 * the rows. The selected rows, or all shown rows if no row is selected, can be copied as TSV or saved as CSV. Called on
 * the main thread.
 *
 * Signals: "row-activated" (guint row of the table) by a double click or Enter; "row-hovered" (guint row; G_MAXUINT: no
 * row is hovered any more) when the pointer, or the focus with the arrow keys, moves to another row; "save-requested"
 * when the user wants a file, so that the handler asks for a file name and saves loom_table_view_dup_csv();
 * "selection-changed" when other rows are selected.
 */
#pragma once

#include "loom-result-table.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_TABLE_VIEW (loom_table_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomTableView, loom_table_view, LOOM, TABLE_VIEW, GtkBox)

GtkWidget *loom_table_view_new (void);
/* Sets the table; takes a reference. Columns without values are not shown. The sort order and the filter that the user
 * chose are kept if the same columns are shown as before. */
void loom_table_view_set_table (LoomTableView *self, LoomResultTable *table);
LoomResultTable *loom_table_view_get_table (LoomTableView *self); /* returns a borrowed object */
/* Sets how the height of the view is determined. `fills` TRUE: the view takes all available height, and its rows
 * scroll; FALSE: the view is as high as its rows, but not higher than twenty rows. */
void loom_table_view_set_fills (LoomTableView *self, gboolean fills);
/* Shows or hides the line above the columns, with the title, the filter and the buttons; it is shown at first. */
void loom_table_view_set_head_shown (LoomTableView *self, gboolean is_shown);
void loom_table_view_set_filter (LoomTableView *self, const char *text);
/* loom_table_view_get_selected() returns the first selected row of the table; G_MAXUINT: no row is selected.
 * loom_table_view_select() has no effect if the filter hides the row. */
guint loom_table_view_get_selected (LoomTableView *self);
void loom_table_view_select (LoomTableView *self, guint row);
void loom_table_view_unselect (LoomTableView *self);
/* Highlights a row of the table, because another widget shows the same span, rank or time and the pointer is over it
 * there. The row is neither selected nor scrolled to. G_MAXUINT: no row is highlighted. Setting a table removes the
 * highlight. O(rows). */
void loom_table_view_set_highlighted (LoomTableView *self, guint row);
guint loom_table_view_get_highlighted (LoomTableView *self);
guint loom_table_view_get_n_shown (LoomTableView *self);

/* Returns the numbers (guint) of the selected rows or, if no row is selected, of all shown rows, in the order shown.
 * Owned by the caller. O(rows). */
GArray *loom_table_view_list_rows (LoomTableView *self);
/* The next two functions return the rows of loom_table_view_list_rows() as text. Owned. */
char *loom_table_view_dup_tsv (LoomTableView *self);
char *loom_table_view_dup_csv (LoomTableView *self);
