/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Implements the SQL function arg() and the columns “args” of the tables: they return the args of
 * spans and instants, which are read from the trace file when a query needs them.
 */
#pragma once

#include "loom-query-module.h"

/* Registers the SQL function arg(id, key), which returns the value of a key in the args of an event. The type of the
 * result depends on the JSON value: numbers become integer or real, booleans 0 or 1, strings text; objects and arrays
 * become texts with JSON. The result is NULL for null, for a key that the event does not have, and for an id that the
 * run does not have. It is an error if the file can no longer be read. Returns SQLite's result code. */
int loom_query_arg_register (sqlite3 *database, LoomQueryHost *host);

/* Sets the value of a column `args`: all args of an event as strict JSON; NULL if the event has none. */
void loom_query_arg_set_all (LoomQueryHost *host, sqlite3_context *context, LoomSpanId id);
