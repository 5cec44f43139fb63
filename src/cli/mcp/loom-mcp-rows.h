/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/cli: writes the rows of a query as JSON of bounded size, and says how many rows are left.
 */
#pragma once

#include "loom-query.h"

/* Maximum number of rows that are counted after the last one of an answer, and the time in µs after which counting
 * stops, because the answer itself is ready. */
#define LOOM_MCP_ROWS_COUNTED 10000
#define LOOM_MCP_ROWS_COUNT_US 100000

/* The part of the rows that an answer contains. */
typedef struct {
  guint64 offset; /* number of rows that are skipped */
  guint most;     /* maximum number of rows */
  gsize
    most_bytes; /* maximum size of the rows as JSON; of a longer list, only the first rows are written, at least one */
} LoomMcpRowsPart;

/* Appends {"columns":[…],"rows":[[…],…],"truncated":…}. If rows are left, also "left", their number, and
 * "left_is_exact", which is false if there are more of them or they could not be counted in time. Long texts are cut,
 * and more so in a first row that would be longer than all rows may be. Returns FALSE with the errors of
 * loom_query_next(). Blocks. */
gboolean loom_mcp_rows_append (GString *out, LoomQuery *query, const LoomMcpRowsPart *part, GError **error);
