/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: connections of SQLite that have the tables of a run and may do nothing else. A run keeps one that is not in
 * use, because a new one takes 0.09 ms, as long as a lookup.
 */
#pragma once

#include "loom-query-guard.h"
#include "loom-query-module.h"

typedef struct {
  sqlite3 *database;
  LoomQueryHost host;
  LoomQueryGuard guard;
} LoomQueryConnection;

/* Returns a connection for one query at a time, which the caller gives back; its database is NULL if there is no memory.
 * `most_bytes`: SQLite's memory at which the query is stopped. `code` receives SQLite's result code. */
LoomQueryConnection *loom_query_connection_take (LoomQueryRun *run, GCancellable *cancellable, gint64 most_bytes,
                                                 int *code);
/* All statements are finalized. `reusable`: no query failed. */
void loom_query_connection_give_back (LoomQueryConnection *connection, gboolean reusable);
