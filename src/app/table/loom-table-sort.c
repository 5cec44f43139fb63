/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-table-sort.h"

/* LoomTableSortKey: the sort keys that loom_table_sort_dup_keys() has found so far. For their columns, compare()
 * returns 0, so that the sorter continues with the next column. */
static const GArray *known;
/* the first column, except those in `known`, that the sorter compared; G_MAXUINT if there is none */
static guint compared;

static int
compare (gconstpointer a, gconstpointer b, gpointer id)
{
  for (guint i = 0; i < known->len; i++)
    if (g_array_index (known, LoomTableSortKey, i).column == GPOINTER_TO_UINT (id))
      return GTK_ORDERING_EQUAL;
  if (compared == G_MAXUINT)
    compared = GPOINTER_TO_UINT (id);
  return GTK_ORDERING_SMALLER;
}

void
loom_table_sort_add (GtkColumnViewColumn *column, guint id)
{
  g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare, GUINT_TO_POINTER (id), NULL));
  gtk_column_view_column_set_sorter (column, sorter);
}

/* Returns the columns by which the sorter sorts. GTK has no function for this, but a sorter compares two rows column by
 * column until they differ. If a comparison treats all columns found so far as equal, the next column that the sorter
 * compares is the next sort column. */
GArray *
loom_table_sort_dup_keys (GtkSorter *sorter)
{
  g_autoptr (GObject) one = g_object_new (G_TYPE_OBJECT, NULL), other = g_object_new (G_TYPE_OBJECT, NULL);
  GArray *keys = g_array_new (FALSE, FALSE, sizeof (LoomTableSortKey));
  for (known = keys;;) {
    compared = G_MAXUINT;
    GtkOrdering order = gtk_sorter_compare (sorter, one, other);
    if (compared == G_MAXUINT)
      return keys;
    LoomTableSortKey key = { compared, order == GTK_ORDERING_LARGER };
    g_array_append_val (keys, key);
  }
}
