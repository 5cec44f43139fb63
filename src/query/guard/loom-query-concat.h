/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Replaces the SQL function group_concat(). SQLite's own function continues to read rows after
 * the text has become longer than a value may be. A query over a large join would then run for a long time, although it
 * must fail in the end.
 */
#pragma once

#include <sqlite3.h>

/* Registers group_concat(), as an aggregate and as a window function. The function returns what SQLite's function
 * returns, but fails with SQLITE_TOOBIG at the row that makes the text longer than LOOM_QUERY_VALUE_BYTES. Its memory
 * is allocated by SQLite, so that it counts towards the memory limit of queries. Returns SQLite's result code. */
int loom_query_concat_register (sqlite3 *database);
