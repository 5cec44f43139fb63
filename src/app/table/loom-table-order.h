/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rows of a source a table shows, and in which order: a permutation, computed in any thread. Immutable once it is
 * computed; ref-counted atomically.
 */
#pragma once

#include "loom-table-sort.h"

G_BEGIN_DECLS

/* The functions by which a table reads its rows, which are immutable. Static storage. */
typedef struct {
  gpointer (*ref) (gpointer rows); /* atomic */
  void (*unref) (gpointer rows);
  guint (*get_n_rows) (gpointer rows);
  /* Ascending; any thread. NULL: the rows come in the order in which they are shown. */
  int (*compare) (gpointer rows, guint a, guint b, guint column);
  /* Whether a row passes a filter; any thread. NULL: there is none. */
  gboolean (*matches) (gpointer rows, guint row, gconstpointer filter);
  /* Whether a row shows the same in both; any thread. NULL: a change of rows replaces all of them. */
  gboolean (*is_same_row) (gpointer old, gpointer rows, guint row);
  /* Of the objects of rows, a subclass of LoomTableItem; NULL: LoomTableItem. */
  GType (*get_item_type) (void);
} LoomRowSource;

typedef struct {
  const LoomRowSource *source;
  gpointer rows;      /* NULL: none */
  GBytes *filter;     /* NULL: all rows */
  GArray *keys;       /* LoomTableSortKey, the first decides; equal rows stand as in the source */
  GArray *sorted;     /* guint: all rows by the keys; NULL: as in the source */
  GArray *shown;      /* guint: those that pass the filter; NULL: as in `sorted` */
  GtkBitset *changed; /* positions that show something else than before; NULL: all of them may */
} LoomTableOrder;

/* References are taken. To be computed. */
LoomTableOrder *loom_table_order_new (const LoomRowSource *source, gpointer rows, GBytes *filter, GArray *keys);
LoomTableOrder *loom_table_order_ref (LoomTableOrder *order);
void loom_table_order_unref (LoomTableOrder *order);

/* Whether computing it takes less than about a millisecond: the main thread need not leave it to a worker. */
gboolean loom_table_order_is_quick (const LoomTableOrder *self, const LoomTableOrder *before);
/* Any thread, once, before the order is shared: O(n · log n), or O(n) when `before` has the same rows and keys. Leaves it
 * unusable when cancelled. */
void loom_table_order_compute (LoomTableOrder *self, const LoomTableOrder *before, GCancellable *cancellable);

guint loom_table_order_get_n (const LoomTableOrder *self);
guint loom_table_order_get (const LoomTableOrder *self, guint position); /* the row there */
/* The position of a row; G_MAXUINT: it is not shown. O(n). */
guint loom_table_order_find (const LoomTableOrder *self, guint row);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomTableOrder, loom_table_order_unref)

G_END_DECLS
