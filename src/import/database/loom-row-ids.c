/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds rows by the value of a column with ids, if this column is not the row id of SQLite. The interface is described
 * in loom-row-ids.h.
 */
#include "loom-row-ids.h"

typedef struct {
  gint64 id, row_id;
} Pair;

struct _LoomRowIds {
  GArray *pairs; /* Pair elements: the id and the row id of each row, sorted by `id`, then by `row_id` */
};

static int
compare_pairs (gconstpointer a, gconstpointer b)
{
  const Pair *x = a, *y = b;
  if (x->id != y->id)
    return x->id < y->id ? -1 : 1;
  return x->row_id < y->row_id ? -1 : x->row_id > y->row_id;
}

LoomRowIds *
loom_row_ids_new (LoomDatabase *database, const char *table, const char *column)
{
  if (loom_database_is_row_id (database, table, column))
    return NULL;
  LoomRowIds *self = g_new0 (LoomRowIds, 1);
  self->pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  sqlite3_stmt *row = loom_database_select (database, table, (const char *const[]) { column, NULL }, NULL);
  while (row != NULL && loom_database_step (database, row) == SQLITE_ROW) {
    const Pair pair = { sqlite3_column_int64 (row, 1), sqlite3_column_int64 (row, 0) };
    if (sqlite3_column_type (row, 1) != SQLITE_NULL)
      g_array_append_val (self->pairs, pair);
  }
  sqlite3_finalize (row);
  g_array_sort (self->pairs, compare_pairs);
  return self;
}

void
loom_row_ids_free (LoomRowIds *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->pairs);
  g_free (self);
}

gboolean
loom_row_ids_find (const LoomRowIds *self, gint64 id, gint64 *row_id)
{
  *row_id = id;
  if (self == NULL)
    return TRUE;
  guint low = 0, high = self->pairs->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (self->pairs, Pair, middle).id < id)
      low = middle + 1;
    else
      high = middle;
  }
  const Pair *found = low < self->pairs->len ? &g_array_index (self->pairs, Pair, low) : NULL;
  if (found == NULL || found->id != id)
    return FALSE;
  *row_id = found->row_id;
  return TRUE;
}

gint64
loom_row_ids_of_row (sqlite3_stmt *row, int column)
{
  return sqlite3_column_int64 (row, sqlite3_column_type (row, column) != SQLITE_NULL ? column : 0);
}
