/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Speeds up queries that only aggregate columns of spans: SQLite calls a virtual table about
 * twice for each row, which takes ten times as long as adding a value. For such a query, one row of the table is a
 * batch of many spans, whose columns are pointers to arrays of values, and SQLite's aggregate functions are replaced
 * (loom-query-aggregates.h).
 *
 * Whether a query can read batches depends on its program, that is, on the operations that EXPLAIN lists. The loop over
 * the rows may only read columns, check conditions that the table evaluates itself, and pass single columns to
 * aggregate functions. A query with any other program, for example of a later version of SQLite, reads single spans.
 * SQLite still checks the conditions, but only for the first span of a batch, which is sufficient because all spans of
 * a batch meet them. If the table cannot evaluate a condition exactly, each batch has one row.
 *
 * Aggregate functions may also take start + duration, and a column may be read once for a group, from its first span.
 *
 * A query with GROUP BY can read batches if the table returns its rows in the order of the grouping columns, and all
 * spans of a batch have the same values in these columns; this is possible for the name, and for columns whose value is
 * the same for a whole row of the timeline.
 */
#pragma once

#include "loom-query-module.h"

/* Values of one column in the rows of a batch: value i is values[i] + offset. Rows in which the column is NULL have no
 * value. */
struct _LoomQueryBatch {
  const gint64 *values;
  guint n;
  gint64 offset;
};

/* Maximum number of rows in a batch. SQLite cannot be interrupted within a batch. */
#define LOOM_QUERY_BATCH_ROWS 65536
/* Maximum number of rows in a batch whose values must be copied, because no array of the trace contains exactly these
 * values. */
#define LOOM_QUERY_BATCH_COPIED_ROWS 1024

/* If the program of the query permits batches, prepares the query again so that tables return batches, replaces
 * `*statement`, and sets host->batch, which identifies the reads of columns that return batches. Otherwise keeps
 * `*statement`. host->planned must contain only the tables of `*statement`. Returns SQLite's result code. */
int loom_query_batch_prepare (sqlite3 *database, const char *sql, LoomQueryHost *host, sqlite3_stmt **statement);

/* Returns the loop that reads the rows of the cursor as batches; NULL: each row is a single span. Must be called in
 * filter(). */
const LoomQueryBatchLoop *loom_query_batch_find_loop (const LoomQueryCursor *cursor, const LoomQueryHost *host);

/* Returns TRUE if all events of a batch in this order (LOOM_QUERY_ORDER_…) must have the same name, because the query
 * groups by name, category or kind. */
gboolean loom_query_batch_is_by_name (guint order);

/* Returns TRUE if the table evaluates the condition exactly as SQLite would. The condition must be on a column of the
 * table span. */
gboolean loom_query_batch_is_exact (const LoomQueryCondition *condition);

/* Sets the value of a column to a batch, which must remain valid until SQLite moves to the next row. */
void loom_query_batch_set (sqlite3_context *context, LoomQueryBatch *batch);
