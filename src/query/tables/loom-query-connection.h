/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. SQLite connections that have the virtual tables of a run, and may do nothing but read these
 * tables. A run keeps one unused connection for the next query, because making a connection takes 0.09 ms, as long as
 * finding a row by its id. A connection keeps its last statement, because scripts often repeat a query with other
 * parameters, and preparing the statement takes most of the time of a short query.
 */
#pragma once

#include "loom-query-guard.h"
#include "loom-query-module.h"

typedef struct {
  sqlite3 *database;
  LoomQueryHost host;
  LoomQueryGuard guard;
  char *sql; /* text of the kept statement */
  /* the last statement, which the next query can use if it has the same text: it is reset, and its parameters have no
   * values; NULL: no statement is kept */
  sqlite3_stmt *statement;
} LoomQueryConnection;

/* Returns a connection, which the caller uses for one query at a time and must give back. If memory could not be
 * allocated, the member `database` of the connection is NULL. `most_bytes`: the query is stopped when SQLite uses more
 * memory than this. If the connection has kept a statement whose text is `sql`, sets `statement` to it, and the caller
 * owns it; otherwise sets `statement` to NULL. Sets `code` to SQLite's result code. */
LoomQueryConnection *loom_query_connection_take (LoomQueryRun *run, const char *sql, GCancellable *cancellable,
                                                 gint64 most_bytes, sqlite3_stmt **statement, int *code);
/* Ends the use of a connection. Takes ownership of `statement`, which must be the only open statement and may be NULL.
 * `reusable`: FALSE if the query failed. */
void loom_query_connection_give_back (LoomQueryConnection *connection, const char *sql, sqlite3_stmt *statement,
                                      gboolean reusable);
