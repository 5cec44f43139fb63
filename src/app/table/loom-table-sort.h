/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the columns by which a column view is sorted, for models that sort their rows themselves. GtkSortListModel would
 * make an object for each row; GtkColumnViewSorter reports its primary column only since GTK 4.10. Called on the main
 * thread.
 */
#pragma once

#include <gtk/gtk.h>

typedef struct {
  guint column;
  gboolean descending;
} LoomTableSortKey;

/* Makes a column sortable by a click on its header; `id` becomes its name in sort keys. The column's own sorter
 * compares all rows as equal. */
void loom_table_sort_add (GtkColumnViewColumn *column, guint id);

/* Returns the sort keys of a view (LoomTableSortKey), first the column that was clicked last; empty: the view is not
 * sorted. Owned. `sorter`: sorter of a column view whose columns were all passed to loom_table_sort_add(). */
GArray *loom_table_sort_dup_keys (GtkSorter *sorter);
