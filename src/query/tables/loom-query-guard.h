/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: what a query of unknown origin may do. Functions of SQLite whose time grows with the square of
 * the length of their arguments cannot be interrupted, so they are replaced or refused.
 */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

typedef struct {
  GCancellable *cancellable; /* borrowed; may be NULL */
  gint64 most_bytes;         /* SQLite's memory at which the query is stopped */
  gboolean over;             /* TRUE: the query was stopped because it used too much memory */
  const gboolean *declaring; /* a table is being declared: SQLite asks about its own statements */
  char *refused;             /* what the authorizer refused first; NULL: nothing */
} LoomQueryGuard;

/* Sets limits, authorizer and progress handler of a connection; `guard` must live as long as it. Returns SQLite's result code. */
int loom_query_guard_install (sqlite3 *database, LoomQueryGuard *guard);
void loom_query_guard_clear (LoomQueryGuard *guard);

/* Limits SQLite's memory in the whole process while a query exists; leave undoes it. Any thread, nests. */
void loom_query_guard_enter (gint64 memory_bytes);
void loom_query_guard_leave (void);
