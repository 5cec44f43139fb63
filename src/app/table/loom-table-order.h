/* SPDX-License-Identifier: Apache-2.0
 *
 * The order in which a table shows the rows of its source, and which rows its filter hides. The order is a permutation
 * of the row numbers. It can be computed on any thread, because sorting 100,000 rows takes almost a second. Immutable
 * after loom_table_order_compute(); ref-counted atomically.
 */
#pragma once

#include "loom-table-sort.h"

/* The functions with which a table reads its rows from a source. While a table uses the rows, they must not change. The
 * struct must be static. */
typedef struct {
  /* adds a reference to the rows; must be atomic, because it is called on any thread */
  gpointer (*ref) (gpointer rows);
  void (*unref) (gpointer rows);
  guint (*get_n_rows) (gpointer rows);
  /* Compares two rows by a column, in ascending order. Called on any thread. This pointer is NULL if the rows of the
   * source are already sorted. */
  int (*compare) (gpointer rows, guint a, guint b, guint column);
  /* Returns TRUE if a row passes the filter. Called on any thread. This pointer is NULL if the table has no filter. */
  gboolean (*matches) (gpointer rows, guint row, gconstpointer filter);
  /* Returns TRUE if the row `row` has equal contents in `old` and in `rows`. Called on any thread. If this pointer is
   * NULL, rows are not compared, and new rows replace all old rows. */
  gboolean (*is_same_row) (gpointer old, gpointer rows, guint row);
  /* Returns the type of the items in the list, which is a subclass of LoomTableItem. If this pointer is NULL, the type
   * is LoomTableItem. */
  GType (*get_item_type) (void);
} LoomRowSource;

typedef struct {
  const LoomRowSource *source;
  gpointer rows;  /* the rows of the source, a reference; NULL if the table has no rows */
  GBytes *filter; /* argument of matches(); NULL if all rows are shown */
  /* LoomTableSortKey: the sort keys, the primary key first; rows with equal keys keep the order of the source */
  GArray *keys;
  GArray *sorted; /* guint: all rows, sorted by the keys; NULL if rows have the order of the source */
  GArray *shown;  /* guint: the rows that pass the filter; NULL if all rows pass */
  /* positions at which the contents of the row differ from those of the row at the same position in the previous order;
   * NULL if unknown */
  GtkBitset *changed;
} LoomTableOrder;

/* Makes an order that has not been computed yet. Takes references to `rows`, `filter` and `keys`. */
LoomTableOrder *loom_table_order_new (const LoomRowSource *source, gpointer rows, GBytes *filter, GArray *keys);
LoomTableOrder *loom_table_order_ref (LoomTableOrder *order);
void loom_table_order_unref (LoomTableOrder *order);

/* Returns TRUE if computing the order takes less than about a millisecond, so that the main thread can do it. */
gboolean loom_table_order_is_quick (const LoomTableOrder *self, const LoomTableOrder *before);
/* Computes the order. Must be called once, on any thread, before other threads use the order. `before`: a computed
 * order or NULL. Takes O(n) if `before` has the same rows and keys, otherwise O(n · log n). After a cancellation, the
 * order must not be used. */
void loom_table_order_compute (LoomTableOrder *self, const LoomTableOrder *before, GCancellable *cancellable);

guint loom_table_order_get_n (const LoomTableOrder *self);
guint loom_table_order_get (const LoomTableOrder *self, guint position); /* returns the row at a position */
/* Returns the position of a row; G_MAXUINT if the filter hides the row. O(n). */
guint loom_table_order_find (const LoomTableOrder *self, guint row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTableOrder, loom_table_order_unref)
