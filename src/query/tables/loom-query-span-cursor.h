/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to loom-query-span-table.c and the other files that include this header. Declares the cursor of the tables
 * span and instant, and of the table functions that return spans. The cursor contains the current event, and the
 * objects that find the next event.
 */
#pragma once

#include "loom-query-batch.h"
#include "loom-query-key-order.h"
#include "loom-query-longest-order.h"
#include "loom-query-name-order.h"
#include "loom-query-span-columns.h"

/* Columns of the table instant. Its first three columns have the same numbers as in the table span. */
enum {
  LOOM_QUERY_INSTANT_TIME = 3,
  LOOM_QUERY_INSTANT_TRACK,
  LOOM_QUERY_INSTANT_PROCESS,
  LOOM_QUERY_INSTANT_RANK,
  LOOM_QUERY_INSTANT_SCOPE,
  LOOM_QUERY_INSTANT_ARGS,
};

/* In a stretch (LoomQueryStretch) with at most this many events, the cursor evaluates the conditions for one event at a
 * time; in a longer stretch, it evaluates them for many events at a time. */
#define LOOM_QUERY_SPAN_CURSOR_SHORT 64

/* The values of one column for all spans of a batch (loom-query-batch.h). */
typedef struct {
  LoomQueryBatch batch;
  gint64 *copies; /* memory for values that must be copied; NULL until needed */
  guint n_copies; /* number of values that fit into `copies` */
} LoomQuerySpanValues;

typedef struct {
  LoomQueryCursor base;
  LoomQuerySpanScan scan;
  gint64 argument[2]; /* values of the two arguments of a table function; the table also returns them as columns */
  /* visits the rows in the order by name; NULL: the query requires another order, or no row was read yet */
  LoomQueryNameOrder *names;
  /* visits the rows in the order by duration; NULL: the query requires another order, or no row was read yet */
  LoomQueryLongestOrder *longest;
  /* visits the rows in the order by id, time or track; NULL: the query requires another order, or no row was read */
  LoomQueryKeyOrder *keys;
  guint32 child; /* index of the span at which get_self() begins to search for the children of the next span */
  /* FALSE: the stretches (LoomQueryStretch) of the scan must be sorted in the order of the query before the first event
   * is read */
  gboolean is_sorted;
  gboolean is_plain; /* TRUE: all events of the LoomQueryStretch scan.here meet the conditions, so none is tested */
  /* TRUE: many events are found at a time, and stored in `rows`; the next rows of the table are its elements from
   * `next_row` on */
  gboolean is_listing;
  guint next_row;
  guint n_wanted;     /* number of events that are searched for at a time */
  int failure;        /* SQLite's result code of reading the conditions; SQLITE_OK: all were read */
  LoomQueryOnce once; /* which events the scan may skip because an event with equal values was returned */
  /* the loop that reads this cursor, if each row is a batch of spans (loom-query-batch.h); NULL: each row is a single
   * event */
  const LoomQueryBatchLoop *batched;
  /* TRUE: the table evaluates all conditions of the query, with the same results as SQLite */
  gboolean exact;
  guint n_read;          /* number of times that SQLite has read a column of the current row */
  LoomQuerySpanRun rows; /* the events of the batch, or the events that were found in advance */
  /* array indexed by column: the values of the column in the current batch; the last element contains the ends of the
   * spans. NULL until needed */
  LoomQuerySpanValues *values;
} LoomQuerySpanCursor;

/* Converts the number of a column to the number of the corresponding column of the table span. `instants`: TRUE if
 * `column` is a column of the table instant; FALSE: it is a column of span, and is returned unchanged. */
static inline guint
loom_query_span_cursor_to_span_column (gboolean instants, guint column)
{
  if (!instants || column < LOOM_QUERY_INSTANT_TIME)
    return column;
  return column == LOOM_QUERY_INSTANT_TIME      ? LOOM_QUERY_SPAN_START
         : column == LOOM_QUERY_INSTANT_TRACK   ? LOOM_QUERY_SPAN_TRACK
         : column == LOOM_QUERY_INSTANT_PROCESS ? LOOM_QUERY_SPAN_PROCESS
         : column == LOOM_QUERY_INSTANT_RANK    ? LOOM_QUERY_SPAN_RANK
                                                : LOOM_QUERY_SPAN_ARGS;
}

/* The functions below implement LoomQueryModule.sort: they return the number (LOOM_QUERY_ORDER_…) of the order by these
 * columns. */
guint loom_query_span_cursor_sort_spans (const LoomQueryRun *run, const LoomQueryOrderBy *by, guint n,
                                         guint64 distinct);
guint loom_query_span_cursor_sort_instants (const LoomQueryRun *run, const LoomQueryOrderBy *by, guint n,
                                            guint64 distinct);

/* Returns TRUE if an order visits the timeline row by row: first all events of one row of the timeline, then those of
 * the next row. */
gboolean loom_query_span_cursor_is_scan (guint order);

/* Creates the object that visits events by name in the order that the query requires, if it does not exist yet. */
void loom_query_span_cursor_begin_names (LoomQuerySpanCursor *self);

/* Moves to the next event in the order that the query requires. Returns FALSE at the end, and when cancelled. */
gboolean loom_query_span_cursor_next (LoomQuerySpanCursor *self, GCancellable *cancellable);

/* Returns TRUE if it is possible to visit only the events of some names in the order that the query requires. */
gboolean loom_query_span_cursor_can_visit_names (const LoomQuerySpanCursor *self);

/* Restricts the cursor to events of the names that the conditions allow. loom_query_span_cursor_can_visit_names() must
 * have returned TRUE. */
void loom_query_span_cursor_visit_names (LoomQuerySpanCursor *self, GCancellable *cancellable);

/* Frees the objects that visit events in the order that the query requires. */
void loom_query_span_cursor_clear_orders (LoomQuerySpanCursor *self);

/* The functions below implement LoomQueryModule.column and LoomQueryModule.row_id. */
void loom_query_span_cursor_set_span (LoomQueryCursor *base, sqlite3_context *context, guint column);
void loom_query_span_cursor_set_instant (LoomQueryCursor *base, sqlite3_context *context, guint column);
gint64 loom_query_span_cursor_get_row_id (LoomQueryCursor *base);

/* Frees the memory of the values of batches (LoomQuerySpanCursor.values). */
void loom_query_span_cursor_clear_values (LoomQuerySpanCursor *self);
