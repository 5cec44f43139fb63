/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns by which a view is sorted, for models that sort their rows themselves: GtkSortListModel would make an object
 * of every row, and GtkColumnViewSorter reports its primary column only from GTK 4.10 on. Main thread.
 */
#pragma once

#include <gtk/gtk.h>

typedef struct {
  guint column;
  gboolean descending;
} LoomTableSortKey;

/* Lets a person sort by the column, which is reported as `id`. The column's sorter itself orders nothing. */
void loom_table_sort_add (GtkColumnViewColumn *column, guint id);

/* The sort keys of a view, LoomTableSortKey, the column clicked last first; empty: the view is not sorted. Owned.
 * `sorter` belongs to a column view whose column sorters all come from loom_table_sort_add(). */
GArray *loom_table_sort_dup_keys (GtkSorter *sorter);
