/* SPDX-License-Identifier: Apache-2.0
 *
 * The column by which a view is sorted, for models that sort their rows themselves: GtkSortListModel would make an object
 * of every row, and GtkColumnViewSorter reports its primary column only from GTK 4.10 on. Main thread.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Lets a person sort by the column, which is reported as `id`. The sorter orders nothing itself. */
void loom_table_sort_add (GtkColumnViewColumn *column, guint id);

/* FALSE: the view is not sorted, `id` is G_MAXUINT and `descending` FALSE. All columns with a sorter must be from
 * loom_table_sort_add(). */
gboolean loom_table_sort_get (GtkColumnView *view, guint *id, gboolean *descending);

G_END_DECLS
