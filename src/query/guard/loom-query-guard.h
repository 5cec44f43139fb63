/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Limits the actions, time and memory of a query, because its text may come from anyone.
 * Functions of SQLite whose time grows with the square of the length of their arguments cannot be interrupted, so they
 * are replaced or refused.
 */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

/* Error message about a statement or a table that is not allowed. */
#define LOOM_QUERY_GUARD_REFUSAL "a query can only read the tables of the run, with SELECT, VALUES or WITH"

typedef struct {
  GCancellable *cancellable; /* cancels the query; borrowed; may be NULL */
  gint64 most_bytes;         /* maximum memory of SQLite in bytes; the query is stopped when SQLite uses more */
  gboolean over;             /* TRUE: the query was stopped because SQLite used more memory than most_bytes */
  gint64 end_us;             /* time of the monotonic clock, in µs, at which the query is stopped; 0: no limit */
  /* points to TRUE while a virtual table is being declared; the authorizer then allows the statements that SQLite
   * itself executes */
  const gboolean *declaring;
  /* `*reads_row_id` becomes TRUE while a query is prepared, if the query reads the row id of a table */
  gboolean *reads_row_id;
  char *refused; /* error message about the first refused action; NULL: no action was refused */
} LoomQueryGuard;

/* Sets limits, authorizer and progress handler of a connection; `guard` must live as long as the connection. Returns
 * SQLite's result code. */
int loom_query_guard_install (sqlite3 *database, LoomQueryGuard *guard);
void loom_query_guard_clear (LoomQueryGuard *guard);

/* Limits the memory of SQLite in the whole process until loom_query_guard_leave() is called. Calls may be nested. Both
 * functions may be called on any thread. */
void loom_query_guard_enter (gint64 memory_bytes);
void loom_query_guard_leave (void);
