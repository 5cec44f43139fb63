/* SPDX-License-Identifier: Apache-2.0
 *
 * Executes SQL queries over a run. A query is one SELECT over the tables of loom-query-schema.h. SQLite evaluates it,
 * and reads the columns of the traces in place, through virtual tables. The SQL dialect is that of SQLite 3.40
 * (sqlite.org/lang.html). Besides SQLite's own functions, queries can call arg(id, 'key').
 *
 * A query can only read the run: an authorizer refuses everything except SELECT and a list of functions without side
 * effects (no ATTACH, no PRAGMA, no extensions, no writing). It is therefore safe to execute a query from any source.
 *
 * Time: a GCancellable stops a query that is running. Preparing a query cannot be stopped, but takes at most about a
 * second.
 *
 * Memory: SQLite may use at most LOOM_QUERY_MEMORY_BYTES, unless the caller sets another limit. SQLite has only one
 * memory limit, for the whole process. While queries run, this limit is LOOM_QUERY_RESERVE_BYTES higher, so that
 * imports of databases, which also use SQLite, have memory, too. A value has at most LOOM_QUERY_VALUE_BYTES.
 *
 * Only one thread at a time may use a query; several queries may run at the same time.
 */
#pragma once

#include <gio/gio.h>

#include "loom-query-limits.h"
#include "loom-query-run.h"
#include "loom-query-schema.h"

typedef struct _LoomQuery LoomQuery;

/* Prepares a query. `memory_bytes` 0: the default. `cancellable` may be NULL; the query keeps a reference to it and to
 * the run. Returns NULL on failure. The error is LOOM_ERROR_LIMIT if the query is too large, and LOOM_ERROR_FORMAT if
 * the text is not a single SELECT, or names something that does not exist or is not allowed. The message of a
 * LOOM_ERROR_FORMAT is SQLite's message, with line and column if they are known. */
LoomQuery *loom_query_new (LoomQueryRun *run, const char *sql, guint64 memory_bytes, GCancellable *cancellable,
                           GError **error);
void loom_query_free (LoomQuery *query);

/* Returns the offset in bytes, in `sql`, of the error that loom_query_new() reported; −1 if the message of the error
 * states no line and column, from which the offset is computed. */
gint64 loom_query_find_place (const char *sql, const GError *error);

/* Sets the parameter :NAME (or @NAME, $NAME) to an integer or a real number if the text `value` is one, otherwise to a
 * text. The value never becomes part of the SQL. Returns FALSE with LOOM_ERROR_FORMAT if the query has no such
 * parameter. */
gboolean loom_query_bind (LoomQuery *query, const char *name, const char *value, GError **error);

/* Returns FALSE with LOOM_ERROR_FORMAT if a parameter has no value: it would be NULL, and the result would be empty for
 * no visible reason. loom_query_next() checks this before the first row. */
gboolean loom_query_check_parameters (LoomQuery *query, GError **error);

/* Returns TRUE if loom_query_bind() would convert this text to a number. */
gboolean loom_query_is_number (const char *text);

guint loom_query_get_n_columns (const LoomQuery *query);
/* Returns the name of a column as the query states it; several columns may have the same name. Valid as long as the
 * query. */
const char *loom_query_get_column_name (const LoomQuery *query, guint column);

/* Returns the table column whose values this column of the query returns unchanged; NULL if the query computes the
 * values. The result is constant. */
const LoomQueryColumn *loom_query_get_origin (const LoomQuery *query, guint column);

/* Returns TRUE if the values of the column are ids of spans or instants that come unchanged from a table: from the
 * column "id" of span, instant, overlap, descendants or ancestors, or from a column that refers to a span, such as
 * step.span. */
gboolean loom_query_is_event_id (const LoomQuery *query, guint column);

typedef enum {
  LOOM_QUERY_ROW,
  LOOM_QUERY_DONE,
  LOOM_QUERY_FAILED,
} LoomQueryOutcome;

/* Moves to the next row. Fails with G_IO_ERROR_CANCELLED, LOOM_ERROR_LIMIT (too little memory, or a value that is too
 * long), LOOM_ERROR_FORMAT (an error of evaluation, or a parameter without a value) or LOOM_ERROR_READ (args that
 * cannot be read any more). */
LoomQueryOutcome loom_query_next (LoomQuery *query, GError **error);
/* Makes loom_query_next() fail with LOOM_ERROR_LIMIT when g_get_monotonic_time() reaches `end_us`, even while a row is
 * being computed. The query cannot continue after this. */
void loom_query_set_end (LoomQuery *query, gint64 end_us);

/* The functions below return the type and the value of a column in the current row. A blob has the type TEXT, and its
 * text is hexadecimal. Texts are UTF-8. A text is valid until the next call of loom_query_next(), or of one of these
 * functions for the same column. */
LoomQueryType loom_query_get_type (LoomQuery *query, guint column);
gint64 loom_query_get_int (LoomQuery *query, guint column);
double loom_query_get_real (LoomQuery *query, guint column);
const char *loom_query_get_text (LoomQuery *query, guint column, gsize *length);

/* Returns how SQLite evaluates the query (EXPLAIN QUERY PLAN): one line for each table, indented by two blanks per
 * level of nesting. For a table of this program, the line states which conditions the table evaluates itself, and
 * whether it returns its rows in the order that the query requires. Owned by the caller. NULL with the errors of
 * loom_query_new(). */
char *loom_query_explain (LoomQueryRun *run, const char *sql, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomQuery, loom_query_free)
