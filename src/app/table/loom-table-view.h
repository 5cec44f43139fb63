/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that shows a LoomResultTable. A click on the title of a column sorts the rows by this column; a filter text
 * selects rows. The user can copy rows as TSV or save them as CSV: the selected rows or, if no row is selected, all
 * shown rows. Called on the main thread.
 *
 * Signals: "row-activated" (guint row of the table) by a double click or Enter; "row-hovered" (guint row; G_MAXUINT for
 * no row) when the pointer, or the focus by an arrow key, moves to another row; "save-requested" when the user wants to
 * save the rows: the handler shows a file dialog and saves the text of loom_table_view_dup_csv(); "selection-changed"
 * when the selection has changed.
 */
#pragma once

#include "loom-result-table.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_TABLE_VIEW (loom_table_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomTableView, loom_table_view, LOOM, TABLE_VIEW, GtkBox)

GtkWidget *loom_table_view_new (void);
/* Sets the table; takes a reference. Columns without values are not shown. If the new table has the same columns,
 * keeps the sort order and the filter that the user chose. */
void loom_table_view_set_table (LoomTableView *self, LoomResultTable *table);
LoomResultTable *loom_table_view_get_table (LoomTableView *self); /* returns a borrowed object */
/* Sets how the height of the view is determined. If `fills` is TRUE, the view takes all available height, and its rows
 * scroll. If it is FALSE, the view is as high as its rows, but not higher than twenty rows. */
void loom_table_view_set_fills (LoomTableView *self, gboolean fills);
/* Shows or hides the line above the columns with the title, the filter and the buttons. It is shown by default. */
void loom_table_view_set_head_shown (LoomTableView *self, gboolean is_shown);
void loom_table_view_set_filter (LoomTableView *self, const char *text);
/* loom_table_view_get_selected() returns the index of the first selected row; G_MAXUINT if no row is selected.
 * loom_table_view_select() selects a row; does nothing if the filter hides the row. */
guint loom_table_view_get_selected (LoomTableView *self);
void loom_table_view_select (LoomTableView *self, guint row);
void loom_table_view_unselect (LoomTableView *self);
/* Highlights a row of the table, because the pointer is over the same span, rank or time in another widget. Does not
 * select the row, and does not scroll to it. G_MAXUINT removes the highlight; setting a table removes it, too.
 * O(rows). */
void loom_table_view_set_highlighted (LoomTableView *self, guint row);
guint loom_table_view_get_highlighted (LoomTableView *self);
guint loom_table_view_get_n_shown (LoomTableView *self);

/* Returns the indices (guint) of the selected rows, in the displayed order; if no row is selected, those of all
 * shown rows. Owned by the caller. O(rows). */
GArray *loom_table_view_list_rows (LoomTableView *self);
/* The next two functions return the rows of loom_table_view_list_rows() as text. Owned by the caller. */
char *loom_table_view_dup_tsv (LoomTableView *self);
char *loom_table_view_dup_csv (LoomTableView *self);
