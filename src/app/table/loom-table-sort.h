/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds out by which columns the user has sorted a GtkColumnView, for models that sort their rows themselves. Such
 * models exist because GtkSortListModel would make an object for each row. GtkColumnViewSorter is not used: it reports
 * its sort column only from GTK 4.10 on, and only the primary one. Called on the main thread.
 */
#pragma once

#include <gtk/gtk.h>

typedef struct {
  guint column;
  gboolean descending;
} LoomTableSortKey;

/* Makes a column sortable by a click on its header. `id`: LoomTableSortKey.column of sort keys for this column. The
 * column's own sorter does not compare the contents of rows; it only tells loom_table_sort_dup_keys() that it was
 * called. */
void loom_table_sort_add (GtkColumnViewColumn *column, guint id);

/* Returns the sort keys of a view (LoomTableSortKey), first the column that was clicked last; empty: the view is not
 * sorted. Owned. `sorter`: sorter of a column view whose columns were all passed to loom_table_sort_add(). */
GArray *loom_table_sort_dup_keys (GtkSorter *sorter);
