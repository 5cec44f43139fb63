/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-connection.h: opens connections, and keeps the last statement of each.
 */
#include "loom-query-connection.h"

#include <string.h>

#include "loom-query-temp.h"

/* Maximum length in bytes of the text of a statement that is kept; longer ones are not kept, to save memory. */
#define MOST_KEPT_BYTES 4096

static void
close_connection (gpointer data)
{
  LoomQueryConnection *connection = data;
  sqlite3_finalize (connection->statement);
  g_free (connection->sql);
  sqlite3_close (connection->database);
  loom_query_guard_clear (&connection->guard);
  loom_query_module_clear_host (&connection->host);
  g_free (connection);
}

static LoomQueryConnection *
open_connection (LoomQueryRun *run, int *code)
{
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  LoomQueryConnection *connection = g_new0 (LoomQueryConnection, 1);
  connection->host.run = run;
  connection->guard.most_bytes = G_MAXINT64;
  connection->guard.declaring = &connection->host.declaring;
  connection->guard.reads_row_id = &connection->host.reads_row_id;
  const char *vfs = loom_query_temp_get_vfs ();
  *code = vfs != NULL ? sqlite3_open_v2 (":memory:", &connection->database, flags, vfs) : SQLITE_NOMEM;
  if (*code == SQLITE_OK)
    *code = loom_query_module_register (connection->database, &connection->host, "");
  if (*code == SQLITE_OK)
    *code = loom_query_guard_install (connection->database, &connection->guard);
  return connection;
}

/* If `sql` is the text of the kept statement, sets `statement` to it; otherwise frees the kept statement. Returns TRUE
 * if the connection can run `sql`. A connection whose aggregate functions were replaced to take batches can run only
 * the query for which they were replaced. */
static gboolean
take_statement (LoomQueryConnection *connection, const char *sql, sqlite3_stmt **statement)
{
  gboolean same = connection->sql != NULL && strcmp (connection->sql, sql) == 0;
  if (same)
    *statement = g_steal_pointer (&connection->statement);
  else
    sqlite3_finalize (g_steal_pointer (&connection->statement));
  g_clear_pointer (&connection->sql, g_free);
  if (!same) {
    connection->host.planned = 0;
    connection->host.reads_row_id = FALSE;
  }
  return same || !connection->host.batch.used;
}

LoomQueryConnection *
loom_query_connection_take (LoomQueryRun *run, const char *sql, GCancellable *cancellable, gint64 most_bytes,
                            sqlite3_stmt **statement, int *code)
{
  LoomQueryConnection *connection = loom_query_run_take_connection (run);
  *code = SQLITE_OK;
  *statement = NULL;
  if (connection != NULL && !take_statement (connection, sql, statement))
    close_connection (g_steal_pointer (&connection));
  if (connection == NULL)
    connection = open_connection (run, code);
  connection->host.cancellable = connection->guard.cancellable = cancellable;
  connection->guard.most_bytes = most_bytes;
  connection->guard.end_us = 0;
  return connection;
}

/* Resets a statement, removes the values of its parameters, and keeps it for the next query; frees it if its text is
 * too long. */
static void
keep_statement (LoomQueryConnection *connection, const char *sql, sqlite3_stmt *statement)
{
  if (statement == NULL || strlen (sql) > MOST_KEPT_BYTES) {
    sqlite3_finalize (statement);
    return;
  }
  sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
  connection->statement = statement;
  connection->sql = g_strdup (sql);
}

void
loom_query_connection_give_back (LoomQueryConnection *connection, const char *sql, sqlite3_stmt *statement,
                                 gboolean reusable)
{
  LoomQueryRun *run = connection->host.run;
  reusable &= !connection->guard.over && connection->guard.refused == NULL;
  keep_statement (connection, sql, statement);
  connection->host.cancellable = connection->guard.cancellable = NULL;
  if (!reusable || (connection->host.batch.used && connection->statement == NULL)) {
    close_connection (connection);
    return;
  }
  loom_query_module_clear_host (&connection->host);
  sqlite3_db_release_memory (connection->database);
  loom_query_run_keep_connection (run, connection, close_connection);
}
