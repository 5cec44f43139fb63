/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: connections of SQLite that have the tables of a run and may do nothing else. A run keeps one that is
 * not in use, because a new one takes 0.09 ms, as long as a lookup. The connection keeps its last statement: preparing is
 * most of what a lookup by id takes, and scripts ask the same with other parameters.
 */
#pragma once

#include "loom-query-guard.h"
#include "loom-query-module.h"

typedef struct {
  sqlite3 *database;
  LoomQueryHost host;
  LoomQueryGuard guard;
  char *sql;               /* text of the statement that is kept */
  sqlite3_stmt *statement; /* reset, without parameters; NULL: none */
} LoomQueryConnection;

/* Returns a connection for one query at a time, which the caller gives back; its database is NULL if there is no memory.
 * `most_bytes`: SQLite's memory at which the query is stopped. `statement` receives the one that was kept for the same text,
 * owned by the caller, or NULL; `code` SQLite's result code. */
LoomQueryConnection *loom_query_connection_take (LoomQueryRun *run, const char *sql, GCancellable *cancellable,
                                                 gint64 most_bytes, sqlite3_stmt **statement, int *code);
/* Takes `statement`, the only one, which may be NULL. `reusable`: the query did not fail. */
void loom_query_connection_give_back (LoomQueryConnection *connection, const char *sql, sqlite3_stmt *statement,
                                      gboolean reusable);
