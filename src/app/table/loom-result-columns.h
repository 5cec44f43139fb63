/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of a GtkColumnView that shows a LoomResultTable through a LoomTableModel: text, numbers, bars, sentences.
 * Main thread only.
 */
#pragma once

#include "loom-result-table.h"
#include "loom-table-model.h"

typedef struct _LoomResultColumns LoomResultColumns;

/* Makes a LoomResultColumns for a view, which is borrowed; it must be freed after the view has been disposed.
 * loom_result_columns_replace() adds the columns. */
LoomResultColumns *loom_result_columns_new (GtkColumnView *view);
void loom_result_columns_free (LoomResultColumns *self);

/* Replaces the columns of the view by those of the table, and sets the table's own sort order, because removing columns
 * changes the order by which the view sorts. The model must have no rows. O(columns). */
void loom_result_columns_replace (LoomResultColumns *self, LoomResultTable *table);
/* Return the menu of the columns that are hidden at first, and its actions, for a group named "columns". The menu has
 * no items if no column is hidden. Borrowed, valid until the columns are replaced. */
GMenuModel *loom_result_columns_get_menu (LoomResultColumns *self);
GActionGroup *loom_result_columns_get_actions (LoomResultColumns *self);
/* Hides the last columns, in the order of the view, while the columns need more than `width_px`, and shows them again
 * when there is room. The first column and the column by which the table is sorted at first stay. The menu offers the
 * hidden columns; when the user shows one, it and all other visible columns stay. Must be called when the width of the
 * view or of its columns has changed, outside of layout. Returns TRUE if a column was hidden or shown.
 * O(columns²). */
gboolean loom_result_columns_fit (LoomResultColumns *self, int width_px);
/* Sets the minimum widths of the columns of text to fit their texts, of which only those of the first rows are read.
 * Also finds the names of rows that must not be shortened because another name would then look the same. Keeps a
 * reference to the table. O(columns + characters of the first column). */
void loom_result_columns_measure (LoomResultColumns *self, LoomResultTable *table);

/* Returns TRUE if the columns of `b` look like those of `a`, so that they need not be replaced. Both may be NULL. */
gboolean loom_result_columns_are_same (LoomResultTable *a, LoomResultTable *b);
/* Returns TRUE if the table has a single column of text: its rows are sentences, which wrap. */
gboolean loom_result_columns_are_of_sentences (LoomResultTable *table);
