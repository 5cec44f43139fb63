/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-table-model.h"

#include "loom-row-supply.h"

#include <math.h>
#include <string.h>

struct _LoomTableItem {
  GObject parent;
  LoomTable *table;
  guint row;
};

G_DEFINE_FINAL_TYPE (LoomTableItem, loom_table_item, G_TYPE_OBJECT)

static void
item_finalize (GObject *object)
{
  loom_table_unref (LOOM_TABLE_ITEM (object)->table);
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
item_new (LoomTable *table, guint row)
{
  LoomTableItem *self = g_object_new (LOOM_TYPE_TABLE_ITEM, NULL);
  self->table = loom_table_ref (table);
  self->row = row;
  return self;
}

LoomTable *
loom_table_item_get_table (LoomTableItem *self)
{
  return self->table;
}

guint
loom_table_item_get_row (LoomTableItem *self)
{
  return self->row;
}

/* --- the list -------------------------------------------------------------------------------------------------------- */

struct _LoomTableModel {
  GObject parent;
  GtkSorter *sorter;
  LoomTable *table;
  char *needle; /* folded */
  GArray *rows; /* guint: rows of the table in the order shown */
  LoomRowSupply supply;
};

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (LoomTableModel, loom_table_model, G_TYPE_OBJECT, G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

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
  return position < self->rows->len ? item_new (self->table, g_array_index (self->rows, guint, position)) : NULL;
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
  return order != GTK_ORDERING_EQUAL ? (gint) order : (comparison->a->row > comparison->b->row) - (comparison->a->row < comparison->b->row);
}

static void
sort_rows (LoomTableModel *self)
{
  if (self->rows->len < 2)
    return;
  Comparison comparison = { self->sorter, item_new (self->table, 0), item_new (self->table, 0) };
  g_array_sort_with_data (self->rows, compare_rows, &comparison);
  g_object_unref (comparison.a);
  g_object_unref (comparison.b);
}

static void
fill (LoomTableModel *self)
{
  g_array_set_size (self->rows, 0);
  for (guint i = 0; self->table != NULL && i < loom_table_get_n_rows (self->table); i++)
    if (loom_table_matches (self->table, i, self->needle))
      g_array_append_val (self->rows, i);
  sort_rows (self);
}

static void
refresh (LoomTableModel *self)
{
  fill (self);
  loom_row_supply_reset (&self->supply, self->rows->len);
}

/* --- what another table changes --------------------------------------------------------------------------------------- */

/* Units of rows are not compared: such tables are taken as different. */
static gboolean
has_same_row (const LoomTable *a, const LoomTable *b, guint row)
{
  for (guint i = 0; i < loom_table_get_n_columns (a); i++) {
    double x = loom_table_is_number (a, i) ? loom_table_get_number (a, row, i) : 0, y = loom_table_is_number (b, i) ? loom_table_get_number (b, row, i) : 0;
    const char *unit = loom_table_get_column (a, i)->unit;
    if (g_strcmp0 (unit, "row") == 0 || !(x == y || (isnan (x) && isnan (y))) ||
        (!loom_table_is_number (a, i) && g_strcmp0 (loom_table_get_text (a, row, i), loom_table_get_text (b, row, i)) != 0))
      return FALSE;
  }
  return TRUE;
}

/* Only the rows that became different, where all stand where they stood: a widget for every cell takes its time. */
static void
tell_changes (LoomTableModel *self, const LoomTable *old, const GArray *before)
{
  guint n = self->rows->len;
  gboolean moved = old == NULL || self->table == NULL || before->len != n || loom_table_get_n_columns (old) != loom_table_get_n_columns (self->table) ||
                   (n > 0 && memcmp (before->data, self->rows->data, n * sizeof (guint)) != 0);
  if (moved) {
    loom_row_supply_reset (&self->supply, n);
    return;
  }
  GtkBitset *changed = gtk_bitset_new_empty ();
  for (guint i = 0; i < n; i++)
    if (!has_same_row (old, self->table, g_array_index (self->rows, guint, i)))
      gtk_bitset_add (changed, i);
  loom_row_supply_refresh (&self->supply, changed);
}

static void
dispose (GObject *object)
{
  LoomTableModel *self = LOOM_TABLE_MODEL (object);
  if (self->sorter != NULL)
    g_signal_handlers_disconnect_by_data (self->sorter, self);
  g_clear_object (&self->sorter);
  loom_row_supply_clear (&self->supply);
  G_OBJECT_CLASS (loom_table_model_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  LoomTableModel *self = LOOM_TABLE_MODEL (object);
  loom_table_unref (self->table);
  g_array_unref (self->rows);
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
  self->rows = g_array_new (FALSE, FALSE, sizeof (guint));
  self->needle = g_strdup ("");
  loom_row_supply_init (&self->supply, G_LIST_MODEL (self));
}

LoomTableModel *
loom_table_model_new (GtkSorter *sorter)
{
  LoomTableModel *self = g_object_new (LOOM_TYPE_TABLE_MODEL, NULL);
  self->sorter = g_object_ref (sorter);
  g_signal_connect_swapped (sorter, "changed", G_CALLBACK (refresh), self);
  return self;
}

void
loom_table_model_set_table (LoomTableModel *self, LoomTable *table)
{
  g_return_if_fail (LOOM_IS_TABLE_MODEL (self));
  LoomTable *old = self->table;
  g_autoptr (GArray) before = g_array_copy (self->rows);
  self->table = table != NULL ? loom_table_ref (table) : NULL;
  fill (self);
  tell_changes (self, old, before);
  loom_table_unref (old);
}

LoomTable *
loom_table_model_get_table (LoomTableModel *self)
{
  return self->table;
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
  return self->rows->len;
}

guint
loom_table_model_show_row (LoomTableModel *self, guint row)
{
  g_return_val_if_fail (LOOM_IS_TABLE_MODEL (self), G_MAXUINT);
  for (guint i = 0; i < self->rows->len; i++)
    if (g_array_index (self->rows, guint, i) == row) {
      if (i >= self->supply.n_shown)
        loom_row_supply_show_all (&self->supply);
      return i;
    }
  return G_MAXUINT;
}

guint
loom_table_model_get_row (LoomTableModel *self, guint position)
{
  g_return_val_if_fail (position < self->rows->len, 0);
  return g_array_index (self->rows, guint, position);
}
