/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: sets of intervals, which the aggregate interval_set() collects and the table functions
 * interval_join() and interval_union() read. A set is kept by the connection, and the query passes its number: a value has
 * at most LOOM_QUERY_VALUE_BYTES, a set grows up to the memory limit of the query, because SQLite allocates it.
 */
#pragma once

#include "loom-query-module.h"

/* Registers the SQL aggregates interval_set(id, start, duration) and interval_set(start, duration). They make a set of
 * the intervals in the rows, and return its number; NULL if there are no rows. Rows without start or duration are
 * skipped; a negative duration is an error. Returns SQLite's result code. */
int loom_query_intervals_register (sqlite3 *database, LoomQueryHost *host);
/* Frees the interval sets of a connection. */
void loom_query_intervals_clear (LoomQueryHost *host);
