/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: args of spans and instants, read from their files when a query asks for them.
 */
#pragma once

#include "loom-query-module.h"

/* Registers the SQL function arg(id, key). It returns numbers as integer or real, booleans as 0 or 1, strings as text,
 * objects and arrays as JSON; NULL for null, for a missing key, and for an id that the run doesn't have. A file that
 * can no longer be read is an error. */
int loom_query_arg_register (sqlite3 *database, LoomQueryHost *host);

/* Sets the value of a column `args`: strict JSON, NULL if the event has no args. */
void loom_query_arg_set_all (LoomQueryHost *host, sqlite3_context *context, LoomSpanId id);
