/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/cli: writes the rows of a query as JSON of bounded size, and says how many rows are left.
 */
#pragma once

#include "loom-query.h"

/* After the last row of an answer, at most LOOM_MCP_ROWS_COUNTED further rows are counted. Counting stops after
 * LOOM_MCP_ROWS_COUNT_US µs, because the client must not wait long for this number. */
#define LOOM_MCP_ROWS_COUNTED 10000
#define LOOM_MCP_ROWS_COUNT_US 100000

/* The part of the rows that an answer contains. */
typedef struct {
  guint64 offset; /* number of rows that are skipped */
  guint most;     /* maximum number of rows */
  /* maximum size of the rows as JSON; of a longer list, only the first rows are written, at least one */
  gsize most_bytes;
} LoomMcpRowsPart;

/* Appends {"columns":[…],"rows":[[…],…],"truncated":…}. If rows are left after those of the answer, also appends
 * "left", the number of these rows, and "left_is_exact", which is false if there are more rows than "left" says or if
 * they could not be counted in time. "left" is 0 if even the next row did not come in time. Long texts in the rows are
 * cut. If the first row alone would exceed the size limit, its texts are cut to a smaller length. Returns FALSE with
 * the errors of loom_query_next(). Blocks. */
gboolean loom_mcp_rows_append (GString *out, LoomQuery *query, const LoomMcpRowsPart *part, GError **error);
