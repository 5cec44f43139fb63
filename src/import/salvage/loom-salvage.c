/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads an SQLite database that is cut off or damaged. The interface is described in loom-salvage.h.
 */
#include "loom-salvage.h"

#include "loom-error.h"

#include <glib/gi18n.h>
#include <string.h>

#define LOCK_BYTE (1024u * 1024 * 1024) /* the page that contains this offset is used for locks, not for data */
#define MOST_NAMES 5

struct _LoomSalvage {
  LoomSalvageVfs *vfs;
  LoomSalvageReport report;
};

/* --- tables ------------------------------------------------------------------------------------------------------- */

/* Returns the kinds of values that a column with the declared type `type` has. Like SQLite, uses the first element of
 * `parts` whose text occurs in the type. */
static guint8
find_kinds (const char *type)
{
  static const struct {
    const char *part;
    guint8 kinds;
  } parts[] = { { "INT", LOOM_VALUE_INTEGER },
                { "CHAR", LOOM_VALUE_TEXT },
                { "CLOB", LOOM_VALUE_TEXT },
                { "TEXT", LOOM_VALUE_TEXT },
                { "BLOB", LOOM_VALUE_INTEGER | LOOM_VALUE_REAL | LOOM_VALUE_TEXT | LOOM_VALUE_BLOB },
                { "REAL", LOOM_VALUE_INTEGER | LOOM_VALUE_REAL },
                { "FLOA", LOOM_VALUE_INTEGER | LOOM_VALUE_REAL },
                { "DOUB", LOOM_VALUE_INTEGER | LOOM_VALUE_REAL } };
  g_autofree char *upper = g_ascii_strup (type != NULL && *type != '\0' ? type : "BLOB", -1);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (upper, parts[i].part) != NULL)
      return parts[i].kinds;
  return LOOM_VALUE_INTEGER | LOOM_VALUE_REAL | LOOM_VALUE_TEXT;
}

enum { NAME, ROOT, TYPE, NOT_NULL, IS_KEY, N_KEYS, HAS_DESC };

/* Returns the kinds of values in one column of a table. `row`: result row that describes the column
 * (describe_tables()). A column that is the row id has NULL in each stored row. */
static guint8
describe_column (sqlite3_stmt *row)
{
  const char *type = (const char *) sqlite3_column_text (row, TYPE);
  gboolean is_row_id = sqlite3_column_int (row, IS_KEY) != 0 && sqlite3_column_int (row, N_KEYS) == 1 && type != NULL &&
                       g_ascii_strcasecmp (type, "INTEGER") == 0;
  if (is_row_id)
    return LOOM_VALUE_NULL | (sqlite3_column_int (row, HAS_DESC) != 0 ? LOOM_VALUE_INTEGER : 0);
  return find_kinds (type) | (sqlite3_column_int (row, NOT_NULL) == 0 ? LOOM_VALUE_NULL : 0);
}

static LoomSalvageTable *
find_or_add_table (GPtrArray *tables, sqlite3_stmt *row)
{
  const char *name = (const char *) sqlite3_column_text (row, NAME);
  gint64 root = sqlite3_column_int64 (row, ROOT);
  const LoomSalvageTable *last = tables->len > 0 ? tables->pdata[tables->len - 1] : NULL;
  if (name == NULL || root < 2 || root > LOOM_DATABASE_PAGES_MOST)
    return NULL;
  if (last == NULL || last->root != (guint32) root || strcmp (last->name, name) != 0)
    g_ptr_array_add (tables, loom_salvage_table_new (name, (guint32) root));
  return tables->pdata[tables->len - 1];
}

/* Adds the tables in the schema to `tables`. Omits tables WITHOUT ROWID, because they have another kind of tree.
 * Returns FALSE if the schema cannot be read completely. */
static gboolean
describe_tables (sqlite3 *handle, GPtrArray *tables)
{
  static const char sql[] =
    "SELECT t.name, t.rootpage, c.type, c.\"notnull\", c.pk,"
    " (SELECT count(*) FROM pragma_table_info(t.name) WHERE pk > 0), t.sql LIKE '%DESC%'"
    " FROM sqlite_master AS t, pragma_table_xinfo(t.name) AS c"
    " WHERE t.type = 'table' AND c.hidden <> 2 AND t.sql NOT LIKE 'CREATE VIRTUAL%' AND t.sql NOT LIKE '%WITHOUT%ROWID%'";
  sqlite3_stmt *row = NULL;
  int status = SQLITE_ERROR;
  /* the second attempt uses the part of the schema that the first one was able to read */
  for (guint i = 0; i < 2 && row == NULL; i++)
    sqlite3_prepare_v2 (handle, sql, -1, &row, NULL);
  while (row != NULL && (status = sqlite3_step (row)) == SQLITE_ROW) {
    LoomSalvageTable *table = find_or_add_table (tables, row);
    guint8 kinds = describe_column (row);
    if (table != NULL && table->kinds->len < LOOM_DATABASE_PAGES_MOST_COLUMNS)
      g_byte_array_append (table->kinds, &kinds, 1);
    if (table != NULL)
      table->least_columns = table->kinds->len;
  }
  sqlite3_finalize (row);
  return status == SQLITE_DONE;
}

/* Reads the schema through SQLite, after repairing the tree of the schema. Returns FALSE with `error` if SQLite cannot
 * open the database. */
static gboolean
find_tables (LoomSalvage *self, LoomSalvageWalk *walk, GPtrArray *tables, GError **error)
{
  static const guint8 kinds[] = { LOOM_VALUE_TEXT, LOOM_VALUE_TEXT, LOOM_VALUE_TEXT,
                                  LOOM_VALUE_INTEGER | LOOM_VALUE_NULL, LOOM_VALUE_TEXT | LOOM_VALUE_NULL };
  LoomSalvageTable *schema = loom_salvage_table_new ("sqlite_schema", 1);
  g_ptr_array_add (tables, schema);
  g_byte_array_append (schema->kinds, kinds, sizeof kinds);
  schema->least_columns = sizeof kinds;
  loom_salvage_table_walk (schema, walk);
  loom_salvage_vfs_set_tables (self->vfs, tables, walk->lost);
  sqlite3 *handle = loom_salvage_vfs_open (self->vfs, error);
  if (handle == NULL)
    return FALSE;
  sqlite3_db_config (handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
  gboolean is_whole = describe_tables (handle, tables);
  sqlite3_close_v2 (handle);
  if (!is_whole)
    schema->damaged_at = 0;
  return TRUE;
}

/* --- pages without rows ------------------------------------------------------------------------------------------- */

/* Claims the pages of the list of deleted pages. Returns FALSE if the list is damaged. */
static gboolean
claim_deleted (LoomSalvageWalk *walk)
{
  const LoomDatabasePages *pages = walk->pages;
  guint8 head[8];
  guint32 n_claimed = 0;
  loom_database_pages_read (pages, 32, head, sizeof head);
  guint32 trunk = loom_database_pages_get_32 (head), n_stated = loom_database_pages_get_32 (head + 4);
  g_autofree guint8 *buffer = g_malloc (pages->page_bytes);
  while (loom_salvage_walk_claim (walk, trunk)) {
    gsize n_bytes =
      loom_database_pages_read (pages, loom_database_pages_offset_of (pages, trunk), buffer, pages->page_bytes);
    guint32 n = MIN (loom_database_pages_get_32 (buffer + 4), pages->usable_bytes / 4 - 2);
    n_claimed++;
    for (guint32 i = 0; i < n && 12 + 4 * i <= n_bytes; i++)
      n_claimed += loom_salvage_walk_claim (walk, loom_database_pages_get_32 (buffer + 8 + 4 * i));
    trunk = loom_database_pages_get_32 (buffer);
  }
  return n_claimed == n_stated && trunk == 0;
}

/* Claims the page with the lock byte, and, in a database with automatic vacuum, the pages with pointers to parents. */
static void
claim_special (LoomSalvageWalk *walk)
{
  const LoomDatabasePages *pages = walk->pages;
  guint8 head[4];
  loom_salvage_walk_claim (walk, LOCK_BYTE / pages->page_bytes + 1);
  loom_database_pages_read (pages, 52, head, sizeof head);
  if (loom_database_pages_get_32 (head) == 0)
    return;
  for (guint64 i = 2; i <= pages->n_pages; i += pages->usable_bytes / 5 + 1)
    loom_salvage_walk_claim (walk, (guint32) i);
}

/* --- report ------------------------------------------------------------------------------------------------------- */

static void
report_table (LoomSalvageReport *report, const LoomSalvageTable *table, GString *names)
{
  if (report->n_tables++ < MOST_NAMES)
    g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", table->name);
  report->first_at = MIN (report->first_at, table->damaged_at);
  report->n_lost += table->n_lost + loom_salvage_table_count_missing (table, &report->has_more);
  for (guint i = 0; i < table->leaves->len; i++) {
    const LoomSalvageLeaf *leaf = &g_array_index (table->leaves, LoomSalvageLeaf, i);
    report->n_kept += leaf->n_rows;
    report->n_found += leaf->is_stray ? leaf->n_rows : 0;
  }
}

static void
make_report (LoomSalvage *self, const GPtrArray *tables)
{
  g_autoptr (GString) names = g_string_new (NULL);
  self->report.first_at = G_MAXUINT64;
  for (guint i = 0; i < tables->len; i++)
    if (((const LoomSalvageTable *) tables->pdata[i])->damaged_at != G_MAXUINT64)
      report_table (&self->report, tables->pdata[i], names);
  if (self->report.n_tables > MOST_NAMES)
    g_string_append (names, "…");
  self->report.names = g_strdup (names->str);
}

/* --- salvage ------------------------------------------------------------------------------------------------------ */

static gboolean
walk_tables (LoomSalvage *self, LoomSalvageWalk *walk, GPtrArray *tables, GError **error)
{
  if (!find_tables (self, walk, tables, error))
    return FALSE;
  for (guint i = 1; i < tables->len; i++)
    loom_salvage_table_walk (tables->pdata[i], walk);
  gboolean is_schema_whole = ((const LoomSalvageTable *) tables->pdata[0])->damaged_at == G_MAXUINT64,
           is_list_whole = claim_deleted (walk);
  claim_special (walk);
  loom_salvage_strays_find (walk, tables, !is_schema_whole || !is_list_whole, &self->report.unused);
  for (guint i = 0; i < tables->len; i++)
    loom_salvage_table_sort (tables->pdata[i]);
  loom_salvage_vfs_set_tables (self->vfs, tables, walk->lost);
  make_report (self, tables);
  return !g_cancellable_set_error_if_cancelled (walk->cancellable, error);
}

LoomSalvage *
loom_salvage_new (LoomDatabasePages *pages, GCancellable *cancellable, GError **error)
{
  g_autoptr (LoomSalvage) self = g_new0 (LoomSalvage, 1);
  g_autoptr (GPtrArray) tables = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_salvage_table_free);
  LoomSalvageWalk walk;
  self->vfs = loom_salvage_vfs_new (pages);
  loom_salvage_walk_init (&walk, pages, cancellable);
  gboolean good = walk_tables (self, &walk, tables, error);
  loom_salvage_walk_clear (&walk);
  return good ? g_steal_pointer (&self) : NULL;
}

void
loom_salvage_free (LoomSalvage *self)
{
  if (self == NULL)
    return;
  loom_salvage_vfs_free (self->vfs);
  g_free (self->report.names);
  g_free (self);
}

sqlite3 *
loom_salvage_open (LoomSalvage *self, GError **error)
{
  return loom_salvage_vfs_open (self->vfs, error);
}

const LoomSalvageReport *
loom_salvage_get_report (const LoomSalvage *self)
{
  return &self->report;
}
