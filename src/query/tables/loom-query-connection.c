/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-connection.h"

static void
close_connection (gpointer data)
{
  LoomQueryConnection *connection = data;
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
  *code = sqlite3_open_v2 (":memory:", &connection->database, flags, NULL);
  if (*code == SQLITE_OK)
    *code = loom_query_module_register (connection->database, &connection->host, "");
  if (*code == SQLITE_OK)
    *code = loom_query_guard_install (connection->database, &connection->guard);
  return connection;
}

LoomQueryConnection *
loom_query_connection_take (LoomQueryRun *run, GCancellable *cancellable, gint64 most_bytes, int *code)
{
  LoomQueryConnection *connection = loom_query_run_take_connection (run);
  *code = SQLITE_OK;
  if (connection == NULL)
    connection = open_connection (run, code);
  connection->host.cancellable = connection->guard.cancellable = cancellable;
  connection->guard.most_bytes = most_bytes;
  return connection;
}

/* A connection whose aggregates take batches is of no use for another query. */
void
loom_query_connection_give_back (LoomQueryConnection *connection, gboolean reusable)
{
  LoomQueryRun *run = connection->host.run;
  connection->host.cancellable = connection->guard.cancellable = NULL;
  if (!reusable || connection->host.batch.used || connection->guard.over || connection->guard.refused != NULL) {
    close_connection (connection);
    return;
  }
  loom_query_module_clear_host (&connection->host);
  connection->host.planned = 0;
  sqlite3_db_release_memory (connection->database);
  loom_query_run_keep_connection (run, connection, close_connection);
}
