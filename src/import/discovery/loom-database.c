/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens and reads an SQLite database that a profiler wrote. The interface is described in loom-database.h.
 */
#include "loom-database.h"

#include "loom-archive-path.h"
#include "loom-error.h"
#include "loom-stream-reader.h"

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Maximum lengths in bytes of a value in a database, and of the text of a query. */
#define MOST_VALUE_BYTES (64 * 1024 * 1024)
#define MOST_SQL_BYTES (64 * 1024)
#define NAME_CHARACTERS G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_"

struct _LoomDatabase {
  sqlite3 *handle;
  LoomStreamEnd end;       /* for a database that was unpacked into memory: how reading its compressed data ended */
  gboolean is_cached;      /* the file is in the cache of Traceloom */
  char *path;              /* path of the file; NULL: the database is in memory */
  GPtrArray *names;        /* char *: the tables in the order of the file */
  GHashTable *tables;      /* name of a table → Table */
  GHashTable *views;       /* set of the names of views */
  char *schema_error;      /* result of loom_database_get_schema_error() */
  LoomSalvage *salvage;    /* the repaired database (loom-salvage.h) that `handle` reads; NULL: `handle` reads the file
                            * itself */
  gboolean has_all_tables; /* the whole schema was read */
  gboolean has_failed;     /* a query failed */
};

typedef struct {
  GHashTable *columns;    /* set of the names of the columns */
  guint n_keys;           /* number of columns of the primary key */
  char *key;              /* first column of the primary key, if it has an integer type; otherwise NULL */
  gboolean key_is_row_id; /* TRUE: SQLite uses the column `key` as the row id */
} Table;

gboolean
loom_database_recognise (const char *bytes, gsize n_bytes)
{
  static const char magic[16] = "SQLite format 3";
  return n_bytes >= sizeof magic && memcmp (bytes, magic, sizeof magic) == 0;
}

/* Called by SQLite for each action of a query; allows only reading. */
static int
authorize (void *data, int action, const char *first, const char *second, const char *database, const char *trigger)
{
  gboolean reads = action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION;
  return reads ? SQLITE_OK : SQLITE_DENY;
}

static void
restrict_handle (sqlite3 *handle)
{
  sqlite3_db_config (handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
  sqlite3_limit (handle, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit (handle, SQLITE_LIMIT_LENGTH, MOST_VALUE_BYTES);
  sqlite3_limit (handle, SQLITE_LIMIT_SQL_LENGTH, MOST_SQL_BYTES);
  sqlite3_exec (handle, "PRAGMA cell_size_check = ON", NULL, NULL, NULL);
}

/* Makes SQLite open a file that is shorter than its header states. SQLite does this only if writing the schema is
 * allowed. The file is never written nevertheless, because the database is opened read-only, and authorize() refuses
 * everything except reading. */
static void
allow_cut (sqlite3 *handle)
{
  sqlite3_db_config (handle, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
}

/* Returns the URI of the database. "immutable" makes SQLite ignore locks and journals, and create no files. */
static char *
dup_uri (const char *path)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  g_autofree char *escaped = g_uri_escape_string (absolute, "/", FALSE);
  return g_strdup_printf ("file://%s?mode=ro&immutable=1", escaped);
}

const char *
loom_database_get_schema_error (const LoomDatabase *self)
{
  return self->schema_error;
}

/* Returns SQLite's message with control characters escaped, because the message may quote text from the file. */
char *
loom_database_dup_error (const LoomDatabase *self)
{
  return loom_archive_path_dup_printable (sqlite3_errmsg (self->handle));
}

static void
set_error (const LoomDatabase *self, GError **error)
{
  g_autofree char *message = loom_database_dup_error (self);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("not a readable database: %s"), message);
}

static sqlite3_stmt *
prepare (const LoomDatabase *self, const char *sql, GError **error)
{
  sqlite3_stmt *statement = NULL;
  if (sqlite3_prepare_v2 (self->handle, sql, -1, &statement, NULL) != SQLITE_OK)
    set_error (self, error);
  return statement;
}

static const char *
text_of (sqlite3_stmt *row, int column)
{
  const unsigned char *text = sqlite3_column_text (row, column);
  return text != NULL ? (const char *) text : "";
}

static void
table_free (gpointer data)
{
  Table *self = data;
  g_hash_table_unref (self->columns);
  g_free (self->key);
  g_free (self);
}

static Table *
find_or_add_table (LoomDatabase *self, const char *name)
{
  Table *table = g_hash_table_lookup (self->tables, name);
  if (table != NULL)
    return table;
  table = g_new0 (Table, 1);
  table->columns = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_ptr_array_add (self->names, g_strdup (name));
  g_hash_table_insert (self->tables, g_strdup (name), table);
  return table;
}

/* Notes a column of the primary key. SQLite uses the only column of a primary key as the row id if its type is INTEGER
 * and it is not declared with DESC. `has_desc`: TRUE: the word DESC occurs somewhere in the declaration of the table.
 * The column is then not considered the row id; if this is wrong, it only costs memory (loom-row-ids.h). */
static void
note_key (Table *table, const char *column, const char *type, gboolean has_desc)
{
  g_autofree char *upper = g_ascii_strup (type, -1);
  if (table->n_keys++ == 0 && strstr (upper, "INT") != NULL)
    table->key = g_strdup (column);
  table->key_is_row_id = table->n_keys == 1 && strcmp (upper, "INTEGER") == 0 && !has_desc;
}

/* Reads the columns of all tables. Column names come from SQLite's own parse of the schema. */
static gboolean
read_tables (LoomDatabase *self, GError **error)
{
  sqlite3_stmt *row = prepare (
    self,
    "SELECT t.name, c.name, c.pk, c.type, t.sql LIKE '%DESC%' FROM sqlite_master AS t, pragma_table_info(t.name) AS c"
    " WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%'",
    error);
  int status = SQLITE_DONE;
  while (row != NULL && (status = sqlite3_step (row)) == SQLITE_ROW) {
    Table *table = find_or_add_table (self, text_of (row, 0));
    g_hash_table_add (table->columns, g_strdup (text_of (row, 1)));
    if (sqlite3_column_int (row, 2) > 0)
      note_key (table, text_of (row, 1), text_of (row, 3), sqlite3_column_int (row, 4) != 0);
  }
  gboolean good = row != NULL && (status == SQLITE_DONE || self->names->len > 0);
  self->has_all_tables = row != NULL && status == SQLITE_DONE;
  if (row != NULL && !good)
    set_error (self, error);
  sqlite3_finalize (row);
  return good;
}

static void
read_views (LoomDatabase *self)
{
  sqlite3_stmt *row =
    prepare (self, "SELECT name FROM sqlite_master WHERE type = 'view' OR sql LIKE 'CREATE VIRTUAL%'", NULL);
  while (row != NULL && sqlite3_step (row) == SQLITE_ROW)
    g_hash_table_add (self->views, g_strdup (text_of (row, 0)));
  sqlite3_finalize (row);
}

static LoomDatabase *
database_new (void)
{
  LoomDatabase *self = g_new0 (LoomDatabase, 1);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->views = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->tables = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, table_free);
  return self;
}

/* Reads the schema of an open database. On failure, returns FALSE and sets `error`. */
static gboolean
read_schema (LoomDatabase *self, GError **error)
{
  restrict_handle (self->handle);
  /* done before authorize() is installed, which would refuse the virtual table of pragma_table_info() */
  gboolean good = read_tables (self, NULL);
  if (!good) {
    if (g_str_has_prefix (sqlite3_errmsg (self->handle), "malformed database schema"))
      self->schema_error = loom_database_dup_error (self);
    allow_cut (self->handle);
    good = read_tables (self, error);
  }
  read_views (self);
  sqlite3_set_authorizer (self->handle, authorize, NULL);
  return good;
}

/* Opens a damaged database. Finds all rows that the damage has not destroyed. Takes ownership of `pages`. */
static LoomDatabase *
open_salvaged (LoomDatabasePages *pages, const char *path, LoomProgress *progress, GError **error)
{
  g_autoptr (LoomDatabase) self = database_new ();
  self->path = g_strdup (path);
  self->salvage = loom_salvage_new (pages, loom_progress_get_cancellable (progress), error);
  self->handle = self->salvage != NULL ? loom_salvage_open (self->salvage, error) : NULL;
  if (self->handle == NULL)
    return NULL;
  return read_schema (self, error) ? g_steal_pointer (&self) : NULL;
}

static LoomDatabase *
open_salvaged_file (const char *path, LoomProgress *progress, GError **error)
{
  LoomDatabasePages *pages = loom_database_pages_new (path, error);
  return pages != NULL ? open_salvaged (pages, path, progress, error) : NULL;
}

static LoomDatabase *
open_plain (const char *path, GError **error)
{
  g_autoptr (LoomDatabase) self = database_new ();
  g_autofree char *uri = dup_uri (path);
  self->path = g_strdup (path);
  int status = sqlite3_open_v2 (uri, &self->handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
  if (status != SQLITE_OK) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("not a readable database: %s"), sqlite3_errstr (status));
    return NULL;
  }
  return read_schema (self, error) ? g_steal_pointer (&self) : NULL;
}

LoomDatabase *
loom_database_open (const char *path, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autoptr (LoomDatabase) plain = open_plain (path, &failure), whole = NULL;
  if (plain == NULL || !plain->has_all_tables)
    whole = open_salvaged_file (path, NULL, NULL);
  if (whole != NULL && whole->names->len > 0)
    return g_steal_pointer (&whole);
  if (failure != NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  return g_steal_pointer (&plain);
}

LoomDatabase *
loom_database_open_cached (const char *path, gboolean salvages, LoomProgress *progress, GError **error)
{
  LoomDatabase *self = salvages ? open_salvaged_file (path, progress, error) : loom_database_open (path, error);
  if (self != NULL)
    self->is_cached = TRUE;
  return self;
}

gboolean
loom_database_is_cached (const LoomDatabase *self)
{
  return self->is_cached;
}

/* Doubles the capacity of memory allocated by SQLite. On failure frees it and returns NULL. */
static guint8 *
double_capacity (guint8 *bytes, gsize *capacity)
{
  *capacity *= 2;
  guint8 *larger = sqlite3_realloc64 (bytes, *capacity);
  if (larger == NULL)
    sqlite3_free (bytes);
  return larger;
}

/* Returns all bytes of a reader, in memory allocated by SQLite. If the compressed data is damaged, returns the bytes
 * before the damage. Returns NULL and sets `error` if nothing can be read. */
static guint8 *
unpack (LoomStreamReader *reader, gsize *n_bytes, GError **error)
{
  gsize capacity = 1024 * 1024;
  guint8 *bytes = sqlite3_malloc64 (capacity);
  gssize n = 0;
  *n_bytes = 0;
  while (bytes != NULL && *n_bytes <= LOOM_DATABASE_MOST_UNPACKED &&
         (n = loom_stream_reader_read (reader, (char *) bytes + *n_bytes, capacity - *n_bytes, error)) > 0) {
    *n_bytes += (gsize) n;
    if (*n_bytes == capacity)
      bytes = double_capacity (bytes, &capacity);
  }
  if (bytes != NULL && n == 0)
    return bytes;
  if (n >= 0 && bytes == NULL)
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_LIMIT,
                         _ ("there is not enough memory to decompress the database: decompress it first"));
  else if (n >= 0)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT,
                 _ ("a compressed database of more than %u MiB: decompress it first"),
                 LOOM_DATABASE_MOST_UNPACKED / 1024 / 1024);
  sqlite3_free (bytes);
  return NULL;
}

/* Opens a database in memory that was allocated by SQLite. Takes ownership of `bytes`. */
static LoomDatabase *
open_bytes (guint8 *bytes, gsize n_bytes, GError **error)
{
  g_autoptr (LoomDatabase) self = database_new ();
  int status = sqlite3_open_v2 (":memory:", &self->handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (status == SQLITE_OK)
    status = sqlite3_deserialize (self->handle, "main", bytes, (sqlite3_int64) n_bytes, (sqlite3_int64) n_bytes,
                                  SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY);
  if (status != SQLITE_OK) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("not a readable database: %s"), sqlite3_errstr (status));
    return NULL;
  }
  return read_schema (self, error) ? g_steal_pointer (&self) : NULL;
}

static LoomDatabase *
open_salvaged_bytes (guint8 *bytes, gsize n_bytes, LoomProgress *progress, GError **error)
{
  LoomDatabasePages *pages = loom_database_pages_new_from_bytes (bytes, n_bytes, sqlite3_free, error);
  return pages != NULL ? open_salvaged (pages, NULL, progress, error) : NULL;
}

static LoomDatabase *
open_unpacked (LoomStreamReader *reader, gboolean salvages, LoomProgress *progress, GError **error)
{
  gsize n_bytes;
  guint8 *bytes = unpack (reader, &n_bytes, error);
  if (bytes == NULL)
    return NULL;
  const LoomStreamEnd end = loom_stream_reader_get_end (reader);
  LoomDatabase *self = salvages || end.is_damaged ? open_salvaged_bytes (bytes, n_bytes, progress, error)
                                                  : open_bytes (bytes, n_bytes, error);
  if (self != NULL)
    self->end = end;
  return self;
}

/* Returns the path of a file whose bytes are exactly those at the location; NULL: there is no such file, for example
 * for a member of an archive. */
static const char *
find_own_file (const char *path, const LoomSourceLocation *origin)
{
  if (origin == NULL)
    return path;
  return !origin->is_member && !origin->is_deflated && origin->offset == 0 ? origin->path : NULL;
}

LoomDatabase *
loom_database_open_at (const char *path, LoomSourceLocation *origin, gboolean salvages, LoomProgress *progress,
                       GError **error)
{
  const char *file = find_own_file (path, origin);
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new_from (path, origin, progress, error);
  if (reader == NULL)
    return NULL;
  if (file == NULL || loom_stream_reader_is_gzip (reader))
    return open_unpacked (reader, salvages, progress, error);
  return salvages || loom_database_count_missing_bytes (file) > 0 ? open_salvaged_file (file, progress, error)
                                                                  : loom_database_open (file, error);
}

const LoomStreamEnd *
loom_database_get_end (const LoomDatabase *self)
{
  return &self->end;
}

const char *
loom_database_get_path (const LoomDatabase *self)
{
  return self->path;
}

void
loom_database_free (LoomDatabase *self)
{
  if (self == NULL)
    return;
  sqlite3_close_v2 (self->handle);
  loom_salvage_free (self->salvage); /* freed after `handle`, because `handle` reads from it */
  g_ptr_array_unref (self->names);
  g_hash_table_unref (self->tables);
  g_hash_table_unref (self->views);
  g_free (self->path);
  g_free (self->schema_error);
  g_free (self);
}

gboolean
loom_database_has_table (const LoomDatabase *self, const char *table)
{
  return g_hash_table_contains (self->tables, table);
}

gboolean
loom_database_has_view (const LoomDatabase *self, const char *name)
{
  return g_hash_table_contains (self->views, name);
}

gboolean
loom_database_has_column (const LoomDatabase *self, const char *table, const char *column)
{
  const Table *found = g_hash_table_lookup (self->tables, table);
  return found != NULL && g_hash_table_contains (found->columns, column);
}

gboolean
loom_database_is_row_id (const LoomDatabase *self, const char *table, const char *column)
{
  const Table *found = g_hash_table_lookup (self->tables, table);
  return found == NULL || !g_hash_table_contains (found->columns, column) ||
         (found->key_is_row_id && strcmp (found->key, column) == 0);
}

guint
loom_database_get_n_tables (const LoomDatabase *self)
{
  return self->names->len;
}

const char *
loom_database_get_table (const LoomDatabase *self, guint i)
{
  return self->names->pdata[i];
}

char *
loom_database_dup_tables (const LoomDatabase *self, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < MIN (n, self->names->len); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", (const char *) self->names->pdata[i]);
  return loom_archive_path_dup_printable (text->str);
}

static gboolean
is_plain_name (const char *name)
{
  return strspn (name, NAME_CHARACTERS) == strlen (name);
}

gboolean
loom_database_can_select (const LoomDatabase *self, const char *table)
{
  return loom_database_has_table (self, table) && is_plain_name (table);
}

/* Prepares the query of loom_database_select(). `id`: SQL text, the name of the column that identifies rows. */
static sqlite3_stmt *
prepare_select (LoomDatabase *self, const char *table, const char *id, const char *const *columns, GError **error)
{
  g_autoptr (GString) sql = g_string_new (NULL);
  g_string_printf (sql, "SELECT %s", id);
  for (; *columns != NULL; columns++)
    if (loom_database_has_column (self, table, *columns))
      g_string_append_printf (sql, ", \"%s\"", *columns);
    else
      g_string_append (sql, ", NULL");
  g_string_append_printf (sql, " FROM \"%s\" WHERE %s >= ?1 ORDER BY %s", table, id, id);
  return prepare (self, sql->str, error);
}

/* Returns one of SQLite's names for the row id: one that is not the name of a column of the table. Other programs may
 * have copied row ids to a column with one of these names. */
static const char *
name_row_id (const LoomDatabase *self, const char *table)
{
  static const char *const names[] = { "rowid", "_rowid_", "oid" };
  guint i = 0;
  while (i + 1 < G_N_ELEMENTS (names) && loom_database_has_column (self, table, names[i]))
    i++;
  return names[i];
}

/* Returns the only column of the primary key, which identifies the rows of a table WITHOUT ROWID, quoted for SQL; NULL:
 * there is no such column. Owned by the caller. */
static char *
dup_quoted_key (const LoomDatabase *self, const char *table)
{
  const Table *found = g_hash_table_lookup (self->tables, table);
  return found->n_keys == 1 && found->key != NULL && is_plain_name (found->key) ? g_strdup_printf ("\"%s\"", found->key)
                                                                                : NULL;
}

sqlite3_stmt *
loom_database_select (LoomDatabase *self, const char *table, const char *const *columns, GError **error)
{
  if (!loom_database_can_select (self, table)) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, "no table %s", table);
    return NULL;
  }
  g_autofree char *key = dup_quoted_key (self, table);
  const char *row_id = name_row_id (self, table);
  sqlite3_stmt *statement = prepare_select (self, table, row_id, columns, key == NULL ? error : NULL);
  if (statement == NULL && key != NULL)
    statement = prepare_select (self, table, key, columns, error);
  if (statement != NULL)
    sqlite3_bind_int64 (statement, 1, G_MININT64);
  return statement;
}

int
loom_database_step (LoomDatabase *self, sqlite3_stmt *row)
{
  int status = sqlite3_step (row);
  self->has_failed |= status != SQLITE_ROW && status != SQLITE_DONE;
  return status;
}

gboolean
loom_database_wants_salvage (const LoomDatabase *self)
{
  return self->has_failed && self->salvage == NULL;
}

const LoomSalvageReport *
loom_database_get_salvage (const LoomDatabase *self)
{
  return self->salvage != NULL ? loom_salvage_get_report (self->salvage) : NULL;
}

guint64
loom_database_count (LoomDatabase *self, const char *table)
{
  if (!loom_database_has_table (self, table))
    return 0;
  /* SQLite prefers to count rows in an index, but damaged indexes are not repaired */
  g_autofree char *sql =
    g_strdup_printf ("SELECT count(*) FROM \"%s\"%s", table, self->salvage != NULL ? " NOT INDEXED" : "");
  sqlite3_stmt *row = prepare (self, sql, NULL);
  guint64 n = row != NULL && sqlite3_step (row) == SQLITE_ROW ? (guint64) sqlite3_column_int64 (row, 0) : 0;
  sqlite3_finalize (row);
  return n;
}

/* The length of the file according to its header is the page size at byte 16 (1 means 65,536) times the number of pages
 * at byte 28. Returns by how many bytes the file is shorter than this length. */
guint64
loom_database_count_missing_bytes (const char *path)
{
  guint8 head[32];
  struct stat status;
  FILE *file = fopen (path, "rb");
  gboolean good = file != NULL && fread (head, sizeof head, 1, file) == 1 && fstat (fileno (file), &status) == 0;
  if (file != NULL)
    fclose (file);
  if (!good)
    return 0;
  guint64 page = (guint64) head[16] << 8 | head[17],
          n_pages = (guint64) head[28] << 24 | (guint64) head[29] << 16 | (guint64) head[30] << 8 | head[31],
          n_bytes = n_pages * (page == 1 ? 65536 : page), there = (guint64) status.st_size;
  return n_bytes - MIN (n_bytes, there);
}

gboolean
loom_database_has_journal (const char *path)
{
  g_autofree char *journal = g_strconcat (path, "-wal", NULL);
  struct stat status;
  return stat (journal, &status) == 0 && status.st_size > 0;
}
