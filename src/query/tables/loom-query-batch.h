/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: adds up columns of spans many rows at a time. SQLite calls a table about twice for every row that an
 * aggregate reads, which takes ten times as long as the addition. A query that only adds up spans gets other aggregates
 * instead, and the table returns one row for many spans, whose columns are pointers to batches of values.
 *
 * Whether a query is such a one is seen in its program (EXPLAIN): between the first and the next row there are only reads of
 * columns, conditions that the table evaluates, and steps of aggregates over one column. A program of another shape, also
 * one of a later version of SQLite, is left as it is. Conditions are checked again by SQLite with the first row of a batch:
 * all rows of a batch meet the conditions, so checking one is enough; a condition that the table cannot evaluate exactly
 * makes batches of one row.
 *
 * Besides columns, aggregates can read start + duration, and columns may be read once for a group: those of its first span.
 *
 * A query that groups by columns in whose order the table returns its rows is also such a one, if all spans of a batch
 * have the same values in these columns: those of a row of the timeline, and the name.
 */
#pragma once

#include "loom-query-module.h"

/* Values of one column in the rows of a batch; a value is values[i] + offset. A batch omits NULL. */
struct _LoomQueryBatch {
  const gint64 *values;
  guint n;
  gint64 offset;
};

/* Maximum number of rows in a batch. SQLite cannot be interrupted within a batch. */
#define LOOM_QUERY_BATCH_ROWS 65536
/* Maximum number of rows in a batch whose values must be copied, because no array of the trace contains them in the
 * form needed. */
#define LOOM_QUERY_BATCH_COPIED_ROWS 1024

/* Prepares the query again so that tables return batches, if the query does nothing that prevents this. In this case,
 * replaces `*statement`, and sets host->batch, which says which reads of columns get batches. host->planned must
 * contain only the tables of `*statement`. Returns SQLite's result code. */
int loom_query_batch_prepare (sqlite3 *database, const char *sql, LoomQueryHost *host, sqlite3_stmt **statement);

/* Returns the loop that reads the rows of the cursor, if they are batches; NULL: they are spans. Must be called by
 * filter(). */
const LoomQueryBatchLoop *loom_query_batch_find_loop (const LoomQueryCursor *cursor, const LoomQueryHost *host);

/* Returns TRUE if batches in this order (LOOM_QUERY_ORDER_…) must have events of one name only, because the query groups
 * by name, category or kind. */
gboolean loom_query_batch_is_by_name (guint order);

/* Returns TRUE if the table evaluates the condition exactly as SQLite would. The condition must be on a column of
 * span. */
gboolean loom_query_batch_is_exact (const LoomQueryCondition *condition);

/* Sets the value of a column to a batch, which must remain valid until SQLite moves to the next row. */
void loom_query_batch_set (sqlite3_context *context, LoomQueryBatch *batch);
