/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of a GtkColumnView that shows a LoomResultTable through a LoomTableModel. Columns contain text, numbers,
 * bars or sentences. Main thread only.
 */
#pragma once

#include "loom-result-table.h"
#include "loom-table-model.h"

typedef struct _LoomResultColumns LoomResultColumns;

/* Makes the columns of a view, which is borrowed. loom_result_columns_replace() adds them to the view. Free the
 * result after the view has been disposed of. */
LoomResultColumns *loom_result_columns_new (GtkColumnView *view);
void loom_result_columns_free (LoomResultColumns *self);

/* Replaces the columns of the view by those of the table. Sorts by the default order of the table, because removing
 * columns has changed the sort order. The model must have no rows. O(columns). */
void loom_result_columns_replace (LoomResultColumns *self, LoomResultTable *table);
/* The next two functions return the menu of the columns that are hidden by default, and the actions of this menu.
 * The actions must be inserted as a group named "columns". The menu is empty if no column is hidden. Both are
 * borrowed, and valid until the columns are replaced. */
GMenuModel *loom_result_columns_get_menu (LoomResultColumns *self);
GActionGroup *loom_result_columns_get_actions (LoomResultColumns *self);
/* If the columns need more than `width_px`, hides columns, beginning with the last one in the view. If there is enough
 * space, shows them again. The first column and the column by which the table is sorted by default are never hidden.
 * The menu has items to show hidden columns. After the user has shown a column, this function hides no visible column
 * any more. Must be called when the width of the view or of its columns has changed, but not during layout. Returns
 * TRUE if a column was hidden or shown. O(columns²). */
gboolean loom_result_columns_fit (LoomResultColumns *self, int width_px);
/* Sets the minimum widths of text columns according to their texts; reads only the texts of the first rows. Also finds
 * the names of rows that must not be shortened, because another name has the same short form. Holds a reference to the
 * table. O(columns + characters of the first column). */
void loom_result_columns_measure (LoomResultColumns *self, LoomResultTable *table);

/* Returns TRUE if the columns of both tables look the same, so that they don't have to be replaced. Both may be
 * NULL. */
gboolean loom_result_columns_are_same (LoomResultTable *a, LoomResultTable *b);
/* Returns TRUE if the table has a single column of text. Its rows are then sentences, which wrap. */
gboolean loom_result_columns_are_of_sentences (LoomResultTable *table);
