/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-table-sort.h"

/* The first column that a view's sorter compared by. */
static guint compared_first;

static int
compare (gconstpointer a, gconstpointer b, gpointer id)
{
  if (compared_first == G_MAXUINT)
    compared_first = GPOINTER_TO_UINT (id);
  return GTK_ORDERING_SMALLER;
}

void
loom_table_sort_add (GtkColumnViewColumn *column, guint id)
{
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare, GUINT_TO_POINTER (id), NULL));
  gtk_column_view_column_set_sorter (column, sorter);
}

gboolean
loom_table_sort_get (GtkColumnView *view, guint *id, gboolean *descending)
{
  g_autoptr (GObject) one = g_object_new (G_TYPE_OBJECT, NULL), other = g_object_new (G_TYPE_OBJECT, NULL);
  compared_first = G_MAXUINT;
  GtkOrdering order = gtk_sorter_compare (gtk_column_view_get_sorter (view), one, other);
  *id = compared_first;
  *descending = compared_first != G_MAXUINT && order == GTK_ORDERING_LARGER;
  return compared_first != G_MAXUINT;
}
