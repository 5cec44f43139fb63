/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-export.h: copies the virtual tables of a run into a SQLite file.
 */
#include "loom-query-export.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loom-error.h"
#include "loom-input-files.h"
#include "loom-link-target.h"
#include "loom-query-module.h"

/* Prefix of the names of the virtual tables from which the events of the run are read during an export. The tables in
 * the exported file have the same names without this prefix. */
#define LIVE "run_"

/* Number of steps of SQLite's virtual machine between two checks of the cancellable. */
#define STEPS 10000

typedef struct {
  LoomQueryRun *run;
  LoomProgress *progress;
  sqlite3 *database;
  LoomQueryHost host;
  guint64 n_rows;
} Export;

/* --- SQL ---------------------------------------------------------------------------------------------------------- */

static int
is_cancelled (void *data)
{
  return loom_progress_is_cancelled (((Export *) data)->progress);
}

static void
set_error (Export *export, const char *path, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (loom_progress_get_cancellable (export->progress), error))
    return;
  int code = sqlite3_errcode (export->database);
  /* SQLITE_ERROR means that the args of an event could not be read from a source of the run. Failures to write the file
   * have other codes. */
  LoomError kind = code == SQLITE_ERROR ? LOOM_ERROR_READ : LOOM_ERROR_WRITE;
  g_autofree char *message = g_utf8_make_valid (sqlite3_errmsg (export->database), -1);
  if (kind == LOOM_ERROR_READ)
    g_set_error_literal (error, LOOM_ERROR, kind, message);
  else
    g_set_error (error, LOOM_ERROR, kind, "%s: %s", path, message);
}

/* Executes SQL, which must consist only of constants of this program. Returns FALSE on failure. */
static gboolean
execute (Export *export, const char *sql)
{
  return sqlite3_exec (export->database, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static char *
dup_create (const LoomQueryTable *table)
{
  GString *sql = g_string_new (NULL);
  g_string_printf (sql, "CREATE TABLE %s (", table->name);
  for (guint i = 0; i < table->n_columns; i++) {
    const LoomQueryColumn *column = &table->columns[i];
    const char *limit = column->flags & LOOM_QUERY_KEY ? " PRIMARY KEY" : column->nullable ? "" : " NOT NULL";
    g_string_append_printf (sql, "%s\"%s\" %s%s", i > 0 ? ", " : "", column->name,
                            loom_query_schema_type_to_string (column->type), limit);
  }
  g_string_append_c (sql, ')');
  return g_string_free (sql, FALSE);
}

static gboolean
create_indices (Export *export, const LoomQueryTable *table)
{
  for (guint i = 0; i < table->n_columns; i++) {
    const LoomQueryColumn *column = &table->columns[i];
    if ((column->flags & ~(guint) LOOM_QUERY_PLACED) == 0 || column->flags & LOOM_QUERY_KEY)
      continue;
    g_autofree char *sql =
      g_strdup_printf ("CREATE INDEX %s_%s ON %s (\"%s\")", table->name, column->name, table->name, column->name);
    if (!execute (export, sql))
      return FALSE;
  }
  return TRUE;
}

static gboolean
copy_table (Export *export, const LoomQueryTable *table)
{
  g_autofree char *create = dup_create (table);
  g_autofree char *insert = g_strdup_printf ("INSERT INTO main.%s SELECT * FROM " LIVE "%s", table->name, table->name);
  if (!execute (export, create) || !execute (export, insert))
    return FALSE;
  guint64 n = (guint64) sqlite3_changes64 (export->database);
  export->n_rows += n;
  loom_progress_add_done (export->progress, n);
  return create_indices (export, table);
}

/* --- writing the exported file ------------------------------------------------------------------------------------ */

static gboolean
copy_tables (Export *export)
{
  static const char begin[] =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192;"
    "PRAGMA cache_size = -65536; PRAGMA user_version = " G_STRINGIFY (LOOM_QUERY_SCHEMA_VERSION) "; BEGIN";
  if (!execute (export, begin))
    return FALSE;
  for (guint t = 0; t < LOOM_N_QUERY_TABLES; t++)
    if (!copy_table (export, loom_query_schema_get (t)))
      return FALSE;
  return execute (export, "COMMIT");
}

static gboolean
fill (Export *export, const char *path, GError **error)
{
  int code = sqlite3_open_v2 (path, &export->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK)
    code = loom_query_module_register (export->database, &export->host, LIVE);
  sqlite3_progress_handler (export->database, STEPS, is_cancelled, export);
  gboolean good = code == SQLITE_OK && copy_tables (export);
  if (!good)
    set_error (export, path, error);
  sqlite3_close (export->database);
  return good;
}

static gboolean
sync_file (const char *path, GError **error)
{
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  gboolean good = fd >= 0 && fsync (fd) == 0;
  if (!good)
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Cannot write “%s”", path);
  if (fd >= 0)
    close (fd);
  return good;
}

/* Creates a temporary file in the folder of `target`. If `target` exists, gives the temporary file the permissions of
 * `target`, because the temporary file will replace `target`. Returns the path of the temporary file, owned by the
 * caller; NULL with `error`. */
static char *
create_draft (const char *target, GError **error)
{
  struct stat status;
  gboolean exists = stat (target, &status) == 0;
  g_autofree char *draft = g_strconcat (target, ".XXXXXX", NULL);
  int fd = -1;
  if (exists && !S_ISREG (status.st_mode)) /* SQLite cannot write to a device or a pipe */
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_WRITE, _ ("“%s” is not a regular file"), target);
  else if ((fd = g_mkstemp_full (draft, O_RDWR | O_CLOEXEC, exists ? status.st_mode & 0777 : 0666)) < 0)
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Cannot write “%s”", target);
  if (fd < 0)
    return NULL;
  close (fd);
  return g_steal_pointer (&draft);
}

/* Writes the database to a temporary file in the folder of the target, and renames this file at the end, so that the
 * target is never incomplete. If the target is a symbolic link, replaces the file to which the link leads. Returns
 * FALSE with `error` on failure. */
static gboolean
write_to (Export *export, const char *path, GError **error)
{
  g_autofree char *target = loom_link_target_resolve (path);
  g_autofree char *draft = create_draft (target, error);
  if (draft == NULL)
    return FALSE;
  gboolean good = fill (export, draft, error) && sync_file (draft, error);
  if (good && g_rename (draft, target) != 0) {
    loom_error_set_from_errno (error, LOOM_ERROR_WRITE, errno, "Cannot write “%s”", target);
    good = FALSE;
  }
  if (!good)
    g_unlink (draft);
  return good;
}

gboolean
loom_query_export_write (LoomQueryRun *run, const char *path, LoomProgress *progress, char **written, guint64 *n_rows,
                         GError **error)
{
  g_autofree char *target =
    g_file_test (path, G_FILE_TEST_IS_DIR) ? g_build_filename (path, LOOM_QUERY_EXPORT_NAME, NULL) : g_strdup (path);
  Export export = { .run = run,
                    .progress = progress,
                    .host = { .run = run, .cancellable = loom_progress_get_cancellable (progress) } };
  if (!loom_input_files_check_target (target, error))
    return FALSE;
  loom_progress_add_total (progress, run->n_spans + run->n_instants + run->n_samples + run->first_flow[run->n_traces]);
  gboolean good = write_to (&export, target, error);
  loom_query_module_clear_host (&export.host);
  if (good && n_rows != NULL)
    *n_rows = export.n_rows;
  if (good && written != NULL)
    *written = g_steal_pointer (&target);
  return good;
}
