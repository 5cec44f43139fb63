/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Sets of intervals in SQL: the aggregate interval_set() makes a set, and the table functions
 * interval_join() and interval_union() read sets. The connection stores the sets, and the query only passes their
 * numbers, because a value has at most LOOM_QUERY_VALUE_BYTES. SQLite allocates the memory of a set, so that it counts
 * towards the memory limit of the query.
 */
#pragma once

#include "loom-query-module.h"

/* Registers the SQL aggregates interval_set(id, start, duration) and interval_set(start, duration). Each makes a set of
 * the intervals in the rows. Its value is the number that identifies the set, or NULL if there are no rows. Rows
 * without start or duration are skipped; a negative duration is an error. Returns SQLite's result code. */
int loom_query_intervals_register (sqlite3 *database, LoomQueryHost *host);
/* Frees all interval sets of the connection of `host`. */
void loom_query_intervals_clear (LoomQueryHost *host);
