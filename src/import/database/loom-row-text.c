/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a text with events from the rows of database tables. In a position of this text (LoomMadePlace), `part` is the
 * index of the table, `at` the smallest id that the next row can have, and `number` the number of rows before the next
 * row in its table.
 */
#include "loom-row-text.h"

#include "loom-archive-path.h"
#include "loom-importer.h"

#include <glib/gi18n.h>
#include <inttypes.h>

typedef struct {
  LoomDatabase *database;
  LoomRowTable *tables;
  guint n_tables;
  sqlite3_stmt **rows; /* array indexed by table: the query for the rows of the table; NULL until its first use */
  LoomRowDamage damage;
  gpointer user_data;
  GDestroyNotify destroy;
  LoomMadePlace stands; /* place of the row that the query rows[stands.part] returns next */
  /* TRUE: the query has already returned the row at `stands`, because the length of its text was computed; `status` is
   * the result of sqlite3_step() */
  gboolean has_row;
  int status;
} Rows;

/* Returns the query for the rows of the table place->part, positioned so that the next sqlite3_step() reads the row at
 * `place`. NULL: the database does not have the table. */
static sqlite3_stmt *
open_table (Rows *self, const LoomMadePlace *place)
{
  const LoomRowTable *table = &self->tables[place->part];
  sqlite3_stmt **row = &self->rows[place->part];
  if (*row == NULL)
    *row = loom_database_select (self->database, table->name, table->columns, NULL);
  if (*row != NULL && (self->stands.part != place->part || self->stands.at != place->at || place->number == 0)) {
    sqlite3_reset (*row);
    sqlite3_bind_int64 (*row, 1, place->at);
  }
  return *row;
}

/* Returns the status for a table for which there is no query. SQLITE_DONE: the table does not exist. SQLITE_ERROR: the
 * table exists, but cannot be read row by row, because it has neither row ids nor a single integer as its primary
 * key. */
static int
get_status_without_query (const Rows *self, const LoomRowTable *table)
{
  return loom_database_can_select (self->database, table->name) ? SQLITE_ERROR : SQLITE_DONE;
}

/* Reads the row at `place`, unless the query has just read this row and has not moved on. Returns the result of
 * sqlite3_step(). */
static int
read_row (Rows *self, const LoomMadePlace *place)
{
  if (self->has_row && self->stands.part == place->part && self->stands.at == place->at)
    return self->status;
  sqlite3_stmt *row = open_table (self, place);
  self->status = row != NULL ? loom_database_step (self->database, row)
                             : get_status_without_query (self, &self->tables[place->part]);
  self->stands = *place;
  self->has_row = TRUE;
  return self->status;
}

static void
pass_to_next_table (Rows *self, LoomMadePlace *place, int status, gboolean is_first)
{
  if (status != SQLITE_DONE && status != SQLITE_ROW && is_first) {
    g_autofree char *message = loom_database_dup_error (self->database);
    self->damage (&self->tables[place->part], place->number, message, self->user_data);
  }
  if (self->rows[place->part] != NULL)
    sqlite3_reset (self->rows[place->part]);
  *place = (LoomMadePlace) { .at = G_MININT64, .part = place->part + 1 };
}

static gboolean
make (gpointer maker, LoomMadePlace *place, gboolean is_first, GString *text)
{
  Rows *self = maker;
  if (place->part >= self->n_tables) /* all tables have been read */
    return FALSE;
  const LoomRowTable *table = &self->tables[place->part];
  int status = read_row (self, place);
  sqlite3_stmt *row = self->rows[place->part];
  gint64 id = status == SQLITE_ROW ? sqlite3_column_int64 (row, 0) : G_MAXINT64;
  if (status == SQLITE_ROW)
    table->format (table, row, place->number, is_first, text, self->user_data);
  place->number += status == SQLITE_ROW;
  if (id == G_MAXINT64) /* the row with the greatest possible id was the last one of the table */
    pass_to_next_table (self, place, status, is_first);
  else
    place->at = id + 1;
  self->stands = *place;
  self->has_row = FALSE;
  return place->part < self->n_tables;
}

gboolean
loom_row_text_measure (LoomByteSource *text, const LoomMadePlace *place, LoomRowSpan *span)
{
  Rows *self = loom_made_text_get_maker (text);
  if (place->part >= self->n_tables) /* all tables have been read */
    return FALSE;
  const LoomRowTable *table = &self->tables[place->part];
  if (table->measure == NULL || read_row (self, place) != SQLITE_ROW)
    return FALSE;
  sqlite3_stmt *row = self->rows[place->part];
  *span = (LoomRowSpan) { 0 };
  return sqlite3_column_int64 (row, 0) != G_MAXINT64 &&
         table->measure (table, row, place->number, span, self->user_data);
}

void
loom_row_text_pass (LoomByteSource *text, LoomMadePlace *place)
{
  Rows *self = loom_made_text_get_maker (text);
  place->at = sqlite3_column_int64 (self->rows[place->part], 0) + 1;
  place->number++;
  self->stands = *place;
  self->has_row = FALSE;
}

static void
free_rows (gpointer maker)
{
  Rows *self = maker;
  for (guint i = 0; i < self->n_tables; i++)
    sqlite3_finalize (self->rows[i]);
  self->destroy (self->user_data);
  loom_database_free (self->database);
  g_free (self->tables);
  g_free (self->rows);
  g_free (self);
}

LoomByteSource *
loom_row_text_new (LoomDatabase *database, const LoomRowTable *tables, guint n_tables, LoomRowDamage damage,
                   gpointer user_data, GDestroyNotify destroy)
{
  static const LoomMadeTextClass klass = { make, free_rows };
  const char *path = loom_database_get_path (database);
  struct stat status = { 0 };
  if (path != NULL && (loom_database_is_cached (database) || stat (path, &status) != 0))
    path = NULL; /* with NULL as path, loom_made_text_new() does not check whether the file was changed */
  Rows *self = g_new0 (Rows, 1);
  *self = (Rows) { .database = database,
                   .tables = g_memdup2 (tables, n_tables * sizeof *tables),
                   .n_tables = n_tables,
                   .rows = g_new0 (sqlite3_stmt *, n_tables + 1),
                   .damage = damage,
                   .user_data = user_data,
                   .destroy = destroy,
                   .stands = { .part = G_MAXUINT } };
  return loom_made_text_new (&klass, self, G_MININT64, path, &status);
}

/* Logs the damage of a database, and how many rows were recovered. The messages contain the offsets of the damage in
 * the database, because the offset of a log entry is a position in the text that is made from the rows. */
static void
log_salvage (const LoomSalvageReport *report, LoomSource *source)
{
  g_autofree char *names = loom_archive_path_dup_printable (report->names);
  if (report->n_tables > 0)
    loom_import_log_printf (
      source->log, LOOM_SEVERITY_ERROR, "damaged-table", LOOM_OFFSET_NONE,
      report->has_more ? N_ ("Tables are damaged from byte %" PRIu64 " on (%s). Rows kept: %" PRIu64
                             ", of these found only by searching the file: %" PRIu64 ". Rows lost: about %" PRIu64
                             " and an unknown number at the ends of tables")
                       : N_ ("Tables are damaged from byte %" PRIu64 " on (%s). Rows kept: %" PRIu64
                             ", of these found only by searching the file: %" PRIu64 ". Rows lost: about %" PRIu64),
      report->first_at, names, report->n_kept, report->n_found, report->n_lost);
  if (report->unused.n_pages > 0)
    loom_import_log_printf (
      source->log, LOOM_SEVERITY_ERROR, "unassigned-pages", LOOM_OFFSET_NONE,
      "The database is damaged: rows on pages that may belong to several tables were left out. First page: byte %" PRIu64
      "; pages: %u; rows: %" PRIu64,
      report->unused.first_at, report->unused.n_pages, report->unused.n_rows);
  source->incomplete |= report->n_tables > 0 || report->unused.n_pages > 0;
}

void
loom_row_text_note_file (const LoomDatabase *database, LoomSource *source)
{
  const char *path = loom_database_get_path (database);
  guint64 n_bytes = path != NULL ? loom_database_count_missing_bytes (path) : 0;
  if (n_bytes > 0)
    loom_import_log_printf (source->log, LOOM_SEVERITY_ERROR, "truncated", LOOM_OFFSET_NONE,
                            "%" PRIu64 " bytes are missing at the end of the file; what is readable was kept", n_bytes);
  const char *damage = n_bytes == 0 ? loom_database_get_schema_error (database) : NULL;
  if (damage != NULL)
    loom_import_log_printf (source->log, LOOM_SEVERITY_ERROR, "damaged-schema", LOOM_OFFSET_NONE,
                            "The list of tables is damaged, so tables may be missing: %s", damage);
  const LoomSalvageReport *salvage = loom_database_get_salvage (database);
  if (salvage != NULL)
    log_salvage (salvage, source);
  if (path != NULL && loom_database_has_journal (path))
    loom_import_log_add (source->log, LOOM_SEVERITY_WARNING, "journal", LOOM_OFFSET_NONE,
                         "Changes in the -wal file beside the database are not shown");
  source->incomplete |= n_bytes > 0 || damage != NULL;
  loom_importer_note_end (source, loom_database_get_end (database));
}
