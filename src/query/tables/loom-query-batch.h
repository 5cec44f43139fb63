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
 */
#pragma once

#include "loom-query-module.h"

/* Values of one column of the rows of a batch; each is values[i] + offset. */
typedef struct {
  const gint64 *values;
  guint n;
  gint64 offset;
} LoomQueryBatch;

/* Rows in a batch at most; SQLite cannot be interrupted within a batch. */
#define LOOM_QUERY_BATCH_ROWS 65536
/* Rows that are copied into a batch at most. */
#define LOOM_QUERY_BATCH_COPIED_ROWS 1024

/* Prepares the query again with batches, if its program allows it: `*statement` is then replaced and host->batch says which
 * columns are batches. host->n_planned must count the tables of `*statement` alone. Returns SQLite's result code. */
int loom_query_batch_prepare (sqlite3 *database, const char *sql, LoomQueryHost *host, sqlite3_stmt **statement);

/* Returns TRUE if the table evaluates exactly what SQLite would. `column` is one of the span's. */
gboolean loom_query_batch_is_exact (const LoomQueryCondition *condition);

/* Sets the value of a column to a batch, which must live until the next row. */
void loom_query_batch_set (sqlite3_context *context, LoomQueryBatch *batch);
