/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Functions that replace SQLite's aggregates count, sum, total, avg, min and max. Their argument
 * may be a batch of values (loom-query-batch.h), or a single integer or NULL, for which the result is the same as with
 * SQLite's function.
 */
#pragma once

#include "loom-query-batch.h"

/* Type of the pointer by which a batch is passed to the functions. */
#define LOOM_QUERY_AGGREGATES_POINTER "loom-query-batch"

/* Registers the replaced functions for a connection. Returns SQLite's result code. */
int loom_query_aggregates_register (sqlite3 *database, LoomQueryHost *host);

/* Returns TRUE if the function with this name and number of arguments is one of the replaced functions. `written`: name
 * of the function in the output of EXPLAIN, such as "sum(1)". */
gboolean loom_query_aggregates_has (const char *written, int n_arguments);

/* Returns FALSE if the query certainly calls none of the replaced functions, because it contains none of their names.
 * `lower`: the query in lower case. */
gboolean loom_query_aggregates_may_be_in (const char *lower);
