/* SPDX-License-Identifier: Apache-2.0
 *
 * The order in which a table shows the rows of its source, and which rows its filter hides: a permutation of the row
 * numbers. Sorting 100,000 rows takes almost a second, so any thread can compute an order. Immutable after
 * loom_table_order_compute(); ref-counted atomically.
 */
#pragma once

#include "loom-table-sort.h"

/* How a table reads its rows from a source. The rows must not change while the table uses them. The struct must be
 * static. */
typedef struct {
  gpointer (*ref) (gpointer rows); /* takes a reference to the rows; must be atomic, so that any thread can call it */
  void (*unref) (gpointer rows);
  guint (*get_n_rows) (gpointer rows);
  /* Compares two rows by a column, ascending; any thread. NULL: the rows of the source already have the order in which
   * they are shown. */
  int (*compare) (gpointer rows, guint a, guint b, guint column);
  /* Returns TRUE if a row passes the filter; any thread. NULL: the table has no filter. */
  gboolean (*matches) (gpointer rows, guint row, gconstpointer filter);
  /* Returns TRUE if a row has the same contents in `old` and in `rows`; any thread. NULL: rows are never compared, and
   * new rows replace all old ones. */
  gboolean (*is_same_row) (gpointer old, gpointer rows, guint row);
  /* Returns the type of the list's items, a subclass of LoomTableItem; NULL: LoomTableItem. */
  GType (*get_item_type) (void);
} LoomRowSource;

typedef struct {
  const LoomRowSource *source;
  gpointer rows;      /* the rows of the source, owned; NULL: the table has no rows */
  GBytes *filter;     /* passed to matches(); NULL: all rows are shown */
  GArray *keys;       /* LoomTableSortKey, the most important one first; equal rows keep the order of the source */
  GArray *sorted;     /* guint: all rows, sorted by the keys; NULL: they keep the order of the source */
  GArray *shown;      /* guint: the rows that pass the filter; NULL: all of `sorted` */
  GtkBitset *changed; /* positions whose contents differ from those in the previous order; NULL: all may differ */
} LoomTableOrder;

/* Makes an order that has not been computed yet. Takes references. */
LoomTableOrder *loom_table_order_new (const LoomRowSource *source, gpointer rows, GBytes *filter, GArray *keys);
LoomTableOrder *loom_table_order_ref (LoomTableOrder *order);
void loom_table_order_unref (LoomTableOrder *order);

/* Returns TRUE if computing the order takes less than about a millisecond, so that the main thread can do it. */
gboolean loom_table_order_is_quick (const LoomTableOrder *self, const LoomTableOrder *before);
/* Computes the order; to be called once, by any thread, before the order is shared. O(n · log n); O(n) if `before` has
 * the same rows and keys. When cancelled, the order must not be used. */
void loom_table_order_compute (LoomTableOrder *self, const LoomTableOrder *before, GCancellable *cancellable);

guint loom_table_order_get_n (const LoomTableOrder *self);
guint loom_table_order_get (const LoomTableOrder *self, guint position); /* returns the row at a position */
/* Returns the position of a row; G_MAXUINT: the filter hides the row. O(n). */
guint loom_table_order_find (const LoomTableOrder *self, guint row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTableOrder, loom_table_order_unref)
