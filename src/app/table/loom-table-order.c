/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-table-order.h"

#include <string.h>

/* maximum number of rows that are sorted on the main thread; sorting 100,000 rows would take almost a second */
#define QUICK_ROWS 1000
#define LOOK_EVERY 1024 /* number of rows between two checks of the cancellable */

LoomTableOrder *
loom_table_order_new (const LoomRowSource *source, gpointer rows, GBytes *filter, GArray *keys)
{
  LoomTableOrder *order = g_atomic_rc_box_new0 (LoomTableOrder);
  order->source = source;
  order->rows = rows != NULL ? source->ref (rows) : NULL;
  order->filter = filter != NULL ? g_bytes_ref (filter) : NULL;
  order->keys = g_array_ref (keys);
  return order;
}

LoomTableOrder *
loom_table_order_ref (LoomTableOrder *order)
{
  return g_atomic_rc_box_acquire (order);
}

static void
clear (gpointer data)
{
  LoomTableOrder *order = data;
  g_clear_pointer (&order->rows, order->source->unref);
  g_clear_pointer (&order->filter, g_bytes_unref);
  g_clear_pointer (&order->keys, g_array_unref);
  g_clear_pointer (&order->sorted, g_array_unref);
  g_clear_pointer (&order->shown, g_array_unref);
  g_clear_pointer (&order->changed, gtk_bitset_unref);
}

void
loom_table_order_unref (LoomTableOrder *order)
{
  g_atomic_rc_box_release_full (order, clear);
}

static guint
count_rows (const LoomTableOrder *self)
{
  return self->rows != NULL ? self->source->get_n_rows (self->rows) : 0;
}

gboolean
loom_table_order_is_quick (const LoomTableOrder *self, const LoomTableOrder *before)
{
  gboolean compares = self->source->is_same_row != NULL && before->rows != NULL;
  return count_rows (self) <= QUICK_ROWS || (self->keys->len == 0 && self->filter == NULL && !compares);
}

/* --- sorting ------------------------------------------------------------------------------------------------------ */

typedef struct {
  const LoomTableOrder *order;
  GCancellable *cancellable;
} Comparison;

/* Compares two rows by the sort keys. After a cancellation, all rows compare as equal, so that sorting ends quickly. */
static gint
compare_rows (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Comparison *comparison = user_data;
  const LoomTableOrder *self = comparison->order;
  guint x = *(const guint *) a, y = *(const guint *) b;
  if (g_cancellable_is_cancelled (comparison->cancellable))
    return 0;
  for (guint i = 0; i < self->keys->len; i++) {
    const LoomTableSortKey *key = &g_array_index (self->keys, LoomTableSortKey, i);
    int order = self->source->compare (self->rows, x, y, key->column);
    if (order != 0)
      return key->descending ? -order : order;
  }
  return (x > y) - (x < y);
}

static GArray *
sort (const LoomTableOrder *self, GCancellable *cancellable)
{
  guint n = count_rows (self);
  Comparison comparison = { self, cancellable };
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (guint), n);
  for (guint i = 0; i < n; i++)
    g_array_append_val (sorted, i);
  g_array_sort_with_data (sorted, compare_rows, &comparison);
  return sorted;
}

static GArray *
filter (const LoomTableOrder *self, GCancellable *cancellable)
{
  gconstpointer wanted = g_bytes_get_data (self->filter, NULL);
  GArray *shown = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < count_rows (self); i++) {
    guint row = self->sorted != NULL ? g_array_index (self->sorted, guint, i) : i;
    if (i % LOOK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      break;
    if (self->source->matches (self->rows, row, wanted))
      g_array_append_val (shown, row);
  }
  return shown;
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

static gboolean
has_same_keys (const LoomTableOrder *a, const LoomTableOrder *b)
{
  return a->keys->len == b->keys->len &&
         (a->keys->len == 0 || memcmp (a->keys->data, b->keys->data, a->keys->len * sizeof (LoomTableSortKey)) == 0);
}

static gboolean
has_same_positions (const LoomTableOrder *a, const LoomTableOrder *b)
{
  guint n = loom_table_order_get_n (a);
  gboolean same = n == loom_table_order_get_n (b);
  for (guint i = 0; same && i < n; i++)
    same = loom_table_order_get (a, i) == loom_table_order_get (b, i);
  return same;
}

/* Returns the positions of the rows whose contents have changed since the order `before` was computed. Views then
 * update only these rows, because making the widgets of all cells takes long. Returns NULL if a row has another
 * position than in `before`, or if the source cannot compare rows. */
static GtkBitset *
find_changed (const LoomTableOrder *self, const LoomTableOrder *before)
{
  if (self->source->is_same_row == NULL || self->rows == NULL || before->rows == NULL ||
      !has_same_positions (self, before))
    return NULL;
  GtkBitset *changed = gtk_bitset_new_empty ();
  for (guint i = 0; i < loom_table_order_get_n (self); i++)
    if (!self->source->is_same_row (before->rows, self->rows, loom_table_order_get (self, i)))
      gtk_bitset_add (changed, i);
  return changed;
}

void
loom_table_order_compute (LoomTableOrder *self, const LoomTableOrder *before, GCancellable *cancellable)
{
  g_return_if_fail (self->sorted == NULL && self->shown == NULL);
  if (self->rows == before->rows && before->sorted != NULL && has_same_keys (self, before))
    self->sorted = g_array_ref (before->sorted);
  else if (self->keys->len > 0)
    self->sorted = sort (self, cancellable);
  if (self->filter != NULL)
    self->shown = filter (self, cancellable);
  if (!g_cancellable_is_cancelled (cancellable))
    self->changed = find_changed (self, before);
}

/* --- positions ---------------------------------------------------------------------------------------------------- */

guint
loom_table_order_get_n (const LoomTableOrder *self)
{
  return self->shown != NULL ? self->shown->len : count_rows (self);
}

guint
loom_table_order_get (const LoomTableOrder *self, guint position)
{
  const GArray *order = self->shown != NULL ? self->shown : self->sorted;
  g_return_val_if_fail (position < loom_table_order_get_n (self), 0);
  return order != NULL ? g_array_index (order, guint, position) : position;
}

guint
loom_table_order_find (const LoomTableOrder *self, guint row)
{
  for (guint i = 0; i < loom_table_order_get_n (self); i++)
    if (loom_table_order_get (self, i) == row)
      return i;
  return G_MAXUINT;
}
