/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Replaces the SQL function group_concat(). SQLite's own function goes on reading rows after the
 * text has become longer than a value may be, so a query over a large join does not end although its result is certain
 * to be an error.
 */
#pragma once

#include <sqlite3.h>

/* Registers group_concat(), as an aggregate and as a window function. It returns what SQLite's function returns, but
 * fails with SQLITE_TOOBIG at the row that makes the text longer than LOOM_QUERY_VALUE_BYTES. Its memory is SQLite's,
 * so that the memory limit of queries includes it. Returns SQLite's result code. */
int loom_query_concat_register (sqlite3 *database);
