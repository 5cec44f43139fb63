/* SPDX-License-Identifier: Apache-2.0
 *
 * Looks up texts in a table to which rows of other tables refer by id. The interface is described in loom-row-names.h.
 */
#include "loom-row-names.h"

#include "loom-int64-hash.h"
#include "loom-json-slice.h"
#include "loom-limits.h"
#include "loom-row-ids.h"

#define N_RECENT 256 /* number of entries of the cache; a power of two */

struct _LoomRowNames {
  LoomDatabase *database; /* borrowed */
  LoomRowIds *ids;        /* finds the row ids of texts by their ids; NULL: ids and row ids are equal */
  sqlite3_stmt *find; /* query for the text of the row with a given id; NULL: the database does not have the table */
  /* id that was looked up before → its text, encoded as JSON without quotes; NULL: the table does not have the id */
  GHashTable *known;
  /* [id modulo N_RECENT] → the text that was looked up last for an id with this remainder, borrowed from `known`; a
   * small cache, because a lookup in the hash table takes longer */
  struct {
    gint64 id;
    const char *text; /* NULL: unknown */
  } recent[N_RECENT];
};

LoomRowNames *
loom_row_names_new (LoomDatabase *database, const char *table, const char *column)
{
  LoomRowNames *self = g_new0 (LoomRowNames, 1);
  self->database = database;
  self->ids = loom_row_ids_new (database, table, "id");
  self->find = loom_database_select (database, table, (const char *const[]) { column, NULL }, NULL);
  self->known = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, g_free);
  return self;
}

void
loom_row_names_free (LoomRowNames *self)
{
  if (self == NULL)
    return;
  sqlite3_finalize (self->find);
  loom_row_ids_free (self->ids);
  g_hash_table_unref (self->known);
  g_free (self);
}

void
loom_row_names_append_escaped (GString *out, const char *text, gsize length)
{
  gsize at = out->len;
  loom_json_slice_append_string (out, text, MIN (length, LOOM_LIMIT_NAME_BYTES));
  g_string_erase (out, (gssize) at, 1); /* removes the opening quotation mark; the next line truncates the text before
                                         * the closing one */
  g_string_truncate (out, out->len - 1);
}

char *
loom_row_names_dup_column (sqlite3_stmt *row, int column)
{
  GString *text = g_string_new (NULL);
  const char *bytes = (const char *) sqlite3_column_text (row, column);
  if (bytes != NULL)
    loom_row_names_append_escaped (text, bytes, (gsize) sqlite3_column_bytes (row, column));
  return g_string_free (text, FALSE);
}

static char *
read_text (LoomRowNames *self, gint64 id)
{
  gint64 row_id;
  if (self->find == NULL || !loom_row_ids_find (self->ids, id, &row_id))
    return NULL;
  sqlite3_reset (self->find);
  sqlite3_bind_int64 (self->find, 1, row_id);
  gboolean is_there = loom_database_step (self->database, self->find) == SQLITE_ROW &&
                      sqlite3_column_int64 (self->find, 0) == row_id &&
                      sqlite3_column_type (self->find, 1) != SQLITE_NULL;
  return is_there ? loom_row_names_dup_column (self->find, 1) : NULL;
}

static const char *
look_up (LoomRowNames *self, gint64 id)
{
  gpointer known;
  if (g_hash_table_lookup_extended (self->known, &id, NULL, &known))
    return known;
  char *text = read_text (self, id);
  g_hash_table_insert (self->known, g_memdup2 (&id, sizeof id), text);
  return text;
}

const char *
loom_row_names_get (LoomRowNames *self, gint64 id)
{
  guint slot = (guint) ((guint64) id % N_RECENT);
  if (self->recent[slot].text == NULL || self->recent[slot].id != id) {
    self->recent[slot].text = look_up (self, id);
    self->recent[slot].id = id;
  }
  return self->recent[slot].text;
}
