/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: args of spans and instants, read from their files when a query asks for them.
 */
#pragma once

#include "loom-query-module.h"

/* Registers arg(id, key): an integer or real for numbers, 0 or 1 for booleans, text for strings, JSON for objects and
 * arrays; NULL for null, for an absent key, and for an id that the run doesn't have. A file that can no longer be read
 * is an error. */
int loom_query_arg_register (sqlite3 *database, LoomQueryHost *host);

/* Sets the value of a column `args`: strict JSON, NULL if there are none. */
void loom_query_arg_set_all (LoomQueryHost *host, sqlite3_context *context, LoomSpanId id);
