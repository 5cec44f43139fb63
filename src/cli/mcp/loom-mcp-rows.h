/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/cli: writes the rows of a query as JSON of limited size, and states how many more rows there are.
 */
#pragma once

#include "loom-query.h"

/* After an answer, the remaining rows are counted: at most LOOM_MCP_ROWS_COUNTED rows, for at most
 * LOOM_MCP_ROWS_COUNT_US µs, because the client must not wait long for their number. */
#define LOOM_MCP_ROWS_COUNTED 10000
#define LOOM_MCP_ROWS_COUNT_US 100000

/* Which rows of a query an answer contains. */
typedef struct {
  guint64 offset; /* number of rows before the first row of the answer */
  guint most;     /* maximum number of rows in the answer */
  /* maximum size in bytes of the rows as JSON. If the rows would exceed this size, the answer has fewer rows, but at
   * least one. */
  gsize most_bytes;
} LoomMcpRowsPart;

/* Appends {"columns":[…],"rows":[[…],…],"truncated":…}. If rows remain after the last row of the answer, also appends
 * "left", the number of remaining rows that were counted, and "left_is_exact", which is false if more than "left" rows
 * may remain. "left" is 0 if no remaining row was found in the maximum time, but there may be some. Long texts are
 * truncated; if the first row alone exceeds the maximum size, its texts are truncated more. On failure, returns FALSE
 * and sets an error of loom_query_next(). Blocks. */
gboolean loom_mcp_rows_append (GString *out, LoomQuery *query, const LoomMcpRowsPart *part, GError **error);
