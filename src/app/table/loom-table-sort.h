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

/* Makes a column sortable by a click on its header. Sort keys refer to it as `id`. The column's own sorter compares all
 * rows as equal. */
void loom_table_sort_add (GtkColumnViewColumn *column, guint id);

/* The sort keys of a view, LoomTableSortKey, the column clicked last first; empty: the view is not sorted. Owned.
 * `sorter` belongs to a column view whose column sorters all come from loom_table_sort_add(). */
GArray *loom_table_sort_dup_keys (GtkSorter *sorter);
