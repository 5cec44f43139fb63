/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-table-model.h"

#include "loom-incremental-rows.h"

#include <string.h>

struct _LoomTableItem {
  GObject parent;
  const LoomRowSource *source;
  gpointer rows;
  guint row;
};

G_DEFINE_FINAL_TYPE (LoomTableItem, loom_table_item, G_TYPE_OBJECT)

static void
item_finalize (GObject *object)
{
  LoomTableItem *self = LOOM_TABLE_ITEM (object);
  if (self->rows != NULL)
    self->source->unref (self->rows);
  G_OBJECT_CLASS (loom_table_item_parent_class)->finalize (object);
}

static void
loom_table_item_class_init (LoomTableItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = item_finalize;
}

static void
loom_table_item_init (LoomTableItem *self)
{
}

static LoomTableItem *
item_new (const LoomRowSource *source, gpointer rows, guint row)
{
  LoomTableItem *self = g_object_new (LOOM_TYPE_TABLE_ITEM, NULL);
  self->source = source;
  self->rows = source->ref (rows);
  self->row = row;
  return self;
}

gpointer
loom_table_model_item_get_rows (LoomTableItem *self)
{
  return self->rows;
}

guint
loom_table_model_item_get_row (LoomTableItem *self)
{
  return self->row;
}

/* --- the list -------------------------------------------------------------------------------------------------------- */

struct _LoomTableModel {
  GObject parent;
  const LoomRowSource *source;
  GtkSorter *sorter;
  gpointer rows; /* NULL: none */
  char *needle;  /* folded */
  GArray *order; /* guint: the rows that pass the filter in the order shown */
  LoomIncrementalRows supply;
};

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (LoomTableModel, loom_table_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static GType
get_item_type (GListModel *list)
{
  return LOOM_TYPE_TABLE_ITEM;
}

static guint
get_n_items (GListModel *list)
{
  return LOOM_TABLE_MODEL (list)->supply.n_shown;
}

static gpointer
get_item (GListModel *list, guint position)
{
  LoomTableModel *self = LOOM_TABLE_MODEL (list);
  return position < self->order->len ? item_new (self->source, self->rows, g_array_index (self->order, guint, position))
                                     : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

typedef struct {
  GtkSorter *sorter;
  LoomTableItem *a, *b; /* set to the rows that are compared */
} Comparison;

static gint
compare_rows (gconstpointer a, gconstpointer b, gpointer user_data)
{
  Comparison *comparison = user_data;
  comparison->a->row = *(const guint *) a;
  comparison->b->row = *(const guint *) b;
  GtkOrdering order = gtk_sorter_compare (comparison->sorter, comparison->a, comparison->b);
  return order != GTK_ORDERING_EQUAL
           ? (gint) order
           : (comparison->a->row > comparison->b->row) - (comparison->a->row < comparison->b->row);
}

static void
sort_rows (LoomTableModel *self)
{
  if (self->order->len < 2)
    return;
  Comparison comparison = { self->sorter, item_new (self->source, self->rows, 0),
                            item_new (self->source, self->rows, 0) };
  g_array_sort_with_data (self->order, compare_rows, &comparison);
  g_object_unref (comparison.a);
  g_object_unref (comparison.b);
}

static void
fill (LoomTableModel *self)
{
  g_array_set_size (self->order, 0);
  for (guint i = 0; self->rows != NULL && i < self->source->get_n_rows (self->rows); i++)
    if (self->source->matches (self->rows, i, self->needle))
      g_array_append_val (self->order, i);
  sort_rows (self);
}

static void
refresh (LoomTableModel *self)
{
  fill (self);
  loom_incremental_rows_reset (&self->supply, self->order->len);
}

/* Reports only the rows that differ where all have the positions they had: a widget for every cell takes its time. */
static void
report_changes (LoomTableModel *self, gpointer old, const GArray *before)
{
  guint n = self->order->len;
  if (self->source->is_same_row == NULL || old == NULL || self->rows == NULL || before->len != n ||
      (n > 0 && memcmp (before->data, self->order->data, n * sizeof (guint)) != 0)) {
    loom_incremental_rows_reset (&self->supply, n);
    return;
  }
  GtkBitset *changed = gtk_bitset_new_empty ();
  for (guint i = 0; i < n; i++)
    if (!self->source->is_same_row (old, self->rows, g_array_index (self->order, guint, i)))
      gtk_bitset_add (changed, i);
  loom_incremental_rows_refresh (&self->supply, changed);
}

static void
dispose (GObject *object)
{
  LoomTableModel *self = LOOM_TABLE_MODEL (object);
  if (self->sorter != NULL)
    g_signal_handlers_disconnect_by_data (self->sorter, self);
  g_clear_object (&self->sorter);
  loom_incremental_rows_clear (&self->supply);
  G_OBJECT_CLASS (loom_table_model_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  LoomTableModel *self = LOOM_TABLE_MODEL (object);
  if (self->rows != NULL)
    self->source->unref (self->rows);
  g_array_unref (self->order);
  g_free (self->needle);
  G_OBJECT_CLASS (loom_table_model_parent_class)->finalize (object);
}

static void
loom_table_model_class_init (LoomTableModelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
loom_table_model_init (LoomTableModel *self)
{
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->needle = g_strdup ("");
  loom_incremental_rows_init (&self->supply, G_LIST_MODEL (self));
}

LoomTableModel *
loom_table_model_new (const LoomRowSource *source, GtkSorter *sorter, gboolean at_once)
{
  LoomTableModel *self = g_object_new (LOOM_TYPE_TABLE_MODEL, NULL);
  self->source = source;
  self->supply.at_once = at_once;
  self->sorter = g_object_ref (sorter);
  g_signal_connect_swapped (sorter, "changed", G_CALLBACK (refresh), self);
  return self;
}

void
loom_table_model_set_rows (LoomTableModel *self, gpointer rows)
{
  g_return_if_fail (LOOM_IS_TABLE_MODEL (self));
  gpointer old = self->rows;
  g_autoptr (GArray) before = g_array_copy (self->order);
  self->rows = rows != NULL ? self->source->ref (rows) : NULL;
  fill (self);
  report_changes (self, old, before);
  if (old != NULL)
    self->source->unref (old);
}

gpointer
loom_table_model_get_rows (LoomTableModel *self)
{
  return self->rows;
}

void
loom_table_model_set_filter (LoomTableModel *self, const char *text)
{
  g_return_if_fail (LOOM_IS_TABLE_MODEL (self));
  g_autofree char *needle = g_utf8_casefold (text, -1);
  if (strcmp (needle, self->needle) == 0)
    return; /* the rows need not be made anew */
  g_free (self->needle);
  self->needle = g_steal_pointer (&needle);
  refresh (self);
}

guint
loom_table_model_get_n_rows (LoomTableModel *self)
{
  return self->order->len;
}

guint
loom_table_model_show_row (LoomTableModel *self, guint row)
{
  g_return_val_if_fail (LOOM_IS_TABLE_MODEL (self), G_MAXUINT);
  for (guint i = 0; i < self->order->len; i++)
    if (g_array_index (self->order, guint, i) == row) {
      if (i >= self->supply.n_shown)
        loom_incremental_rows_show_all (&self->supply);
      return i;
    }
  return G_MAXUINT;
}

guint
loom_table_model_get_row (LoomTableModel *self, guint position)
{
  g_return_val_if_fail (position < self->order->len, 0);
  return g_array_index (self->order, guint, position);
}
