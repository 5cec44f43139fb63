/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the columns by which the user has sorted a GtkColumnView. This is needed by models that sort their rows
 * themselves. (Such models exist because GtkSortListModel would make an object for each row.) GtkColumnViewSorter is
 * not used: GTK versions before 4.10 do not report its sort columns, and later versions report only the primary one.
 * Called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

typedef struct {
  guint column;
  gboolean descending;
} LoomTableSortKey;

/* Makes a column sortable by a click on its header. `id`: the number of the column in sort keys
 * (LoomTableSortKey.column). The sorter of the column does not compare rows; it only records that it was called.
 * loom_table_sort_dup_keys() uses this record. */
void loom_table_sort_add (GtkColumnViewColumn *column, guint id);

/* Returns the sort keys of a view (LoomTableSortKey); the first one is the column that the user clicked last. Empty
 * if the view is not sorted. `sorter`: sorter of a column view; all columns of the view must have been passed to
 * loom_table_sort_add(). Owned by the caller. */
GArray *loom_table_sort_dup_keys (GtkSorter *sorter);
