/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. The virtual tables of SQLite through which queries read a run; see sqlite.org/vtab.html.
 *
 * loom-query-module.c makes the plans: it chooses which conditions of a query a table evaluates itself, by the flags of
 * the columns (loom-query-schema.h). A table that is not exact (LoomQueryModule.is_exact) may return more rows than the
 * conditions allow, because SQLite checks each condition again; but no table may omit a row that they allow. Each
 * connection is used by one thread.
 */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

#include "loom-export-event-reader.h"
#include "loom-query-run-private.h"
#include "loom-query-schema.h"

#define LOOM_QUERY_MOST_BATCH_LOOPS 8
#define LOOM_QUERY_BATCH_PLAN_BYTES 96

/* A loop of a query over the table span that reads batches: each row that the loop reads is a batch of spans
 * (loom-query-batch.h). */
typedef struct {
  guint order;                            /* order of the rows that the loop reads, as in LoomQueryCursor.order */
  char plan[LOOM_QUERY_BATCH_PLAN_BYTES]; /* text that describes the loop's conditions, as passed to filter() */
  /* masks in which each bit is one operation that reads a column in this loop, in the order of the operations. `roles`:
   * the operation passes a batch to an aggregate function, instead of a single value. `ends`: the aggregate function
   * takes start + duration, and the operation reads the duration; the previous operation reads the start */
  guint32 roles, ends;
  guint n_reads; /* number of operations of the loop that read a column of the table */
} LoomQueryBatchLoop;

typedef struct _LoomQueryBatch LoomQueryBatch;

/* The data that all virtual tables of a connection share. */
typedef struct {
  LoomQueryRun *run;             /* the run over which the query is executed; borrowed */
  GCancellable *cancellable;     /* cancels the query; borrowed; may be NULL */
  LoomExportEventReader *reader; /* reads the args of events from the files; NULL until needed */
  GString *text;                 /* text of the args that were read last */
  /* sets of intervals (loom-query-intervals.h); the number of a set is its index in this array. NULL until needed */
  GArray *sets;
  gboolean declaring; /* TRUE while sqlite3_declare_vtab() runs */
  /* TRUE: the query is an EXPLAIN, so the text of a plan is shown to the user, and filter() does not read it */
  gboolean explains;
  gboolean missing; /* TRUE: SQLite requested the plan of a table function without its arguments */
  /* TRUE: the query reads a row id, which SQLite does not count among the columns that the query reads */
  gboolean reads_row_id;
  guint32 planned; /* set of the tables that the query reads, as bits 1 << LoomQueryTableId */
  struct {         /* state of a query whose loops read batches (loom-query-batch.h) */
    gboolean used; /* TRUE: the query reads only the table span, and some of its loops read batches of spans */
    LoomQueryBatchLoop loops[LOOM_QUERY_MOST_BATCH_LOOPS];
    guint n_loops;
    guint64 n_rows; /* number of spans in the current batch, which is a single row for SQLite */
    /* batch that the next aggregate function adds instead of its argument; NULL: the function adds its argument */
    LoomQueryBatch *sum;
  } batch;
} LoomQueryHost;

void loom_query_module_clear_host (LoomQueryHost *host);

typedef struct _LoomQueryModule LoomQueryModule;

typedef struct {
  sqlite3_vtab base;
  const LoomQueryModule *module;
  LoomQueryHost *host;
  sqlite3_vtab_cursor *spare; /* a closed cursor that the next call of open_cursor() returns; NULL: no cursor is kept */
} LoomQueryVtab;

/* A condition that the table evaluates: `column` `operation` `value`. `operation` is SQLITE_INDEX_CONSTRAINT_…, but
 * never IS, which is replaced by = or IS NULL. */
typedef struct {
  guint column;
  guint operation;
  gboolean ignores_case; /* TRUE if texts are compared without case (the collation is NOCASE) */
  gboolean is_final;     /* TRUE if SQLite does not evaluate the condition again */
  /* TRUE: `value` is the list of values of a condition IN, to be read with sqlite3_vtab_in_first() */
  gboolean is_list;
  sqlite3_value *value;
} LoomQueryCondition;

/* Maximum number of conditions that a table evaluates itself. */
#define LOOM_QUERY_MODULE_MOST_CONDITIONS 16

typedef struct {
  sqlite3_vtab_cursor base;
  gboolean at_end;
  /* order of the rows that the query requires: a number that the module's sort() returned; 0: any order */
  guint order;
  const char *plan; /* text that describes the conditions that the table evaluates; valid while filter() runs */
  /* the conditions of `plan` without their values; kept, because SQLite calls filter() again and again for a table on
   * the inner side of a join */
  LoomQueryCondition conditions[LOOM_QUERY_MODULE_MOST_CONDITIONS];
  guint n_conditions;
} LoomQueryCursor;

static inline gboolean
loom_query_module_is_pattern (guint operation)
{
  return operation == SQLITE_INDEX_CONSTRAINT_LIKE || operation == SQLITE_INDEX_CONSTRAINT_GLOB;
}

/* Returns TRUE if `operation` is IS NULL or IS NOT NULL; the value of such a condition is NULL. */
static inline gboolean
loom_query_module_is_null_test (guint operation)
{
  return operation == SQLITE_INDEX_CONSTRAINT_ISNULL || operation == SQLITE_INDEX_CONSTRAINT_ISNOTNULL;
}

/* A column by which a query sorts its rows, and the direction. */
typedef struct {
  guint column;
  gboolean descending;
} LoomQueryOrderBy;

struct _LoomQueryModule {
  LoomQueryTableId table;
  gsize cursor_bytes; /* size of the cursor, a struct that begins with LoomQueryCursor; it is filled with zeros */
  /* returns the expected number of rows of the table, for the estimate of a plan's cost */
  guint64 (*count) (const LoomQueryRun *run);
  /* Moves to the first row that the conditions allow; `n` is at most LOOM_QUERY_MODULE_MOST_CONDITIONS. This function
   * and `next` return SQLite's result code and set at_end. */
  int (*filter) (LoomQueryCursor *cursor, const LoomQueryCondition *conditions, guint n);
  int (*next) (LoomQueryCursor *cursor);
  /* Sets the result in `context` to the value of a column in the current row. If the function sets no result, the value
   * is NULL. */
  void (*column) (LoomQueryCursor *cursor, sqlite3_context *context, guint column);
  gint64 (*row_id) (LoomQueryCursor *cursor);
  /* frees the contents of the cursor, but not the struct itself; may be NULL */
  void (*clear) (LoomQueryCursor *cursor);
  /* Called when a cursor is closed: frees the large buffers of the cursor, so that it can be kept and opened again.
   * NULL: a closed cursor is freed. */
  void (*rest) (LoomQueryCursor *cursor);
  /* Returns the number by which filter() recognises the order of rows by the `n` columns in `by`; 0: the table cannot
   * return its rows in this order. Texts are ordered byte by byte, NULL first. `distinct` 0: the query needs all rows.
   * Otherwise, `distinct` is a mask of the only columns that the query reads, and the query needs only rows that differ
   * in these columns. The table may then skip other rows; if it does, it adds LOOM_QUERY_ONCE_… <<
   * LOOM_QUERY_ONCE_SHIFT to the number. The member is NULL if the table cannot sort its rows. */
  guint (*sort) (const LoomQueryRun *run, const LoomQueryOrderBy *by, guint n, guint64 distinct);
  /* TRUE: the table never returns a row that a condition excludes, so SQLite does not evaluate conditions again.
   * Exception: SQLite evaluates a condition on texts again if its value is known only when the query runs */
  gboolean is_exact;
};

#define LOOM_QUERY_ONCE_SHIFT 28

/* Flags that a plan adds to the operation of a condition. NOCASE: texts are compared with the collation NOCASE. FINAL:
 * SQLite does not evaluate the condition again. */
#define LOOM_QUERY_PLAN_NOCASE 256
#define LOOM_QUERY_PLAN_FINAL 512
/* Flag that a plan adds to an operation =: the condition was an IN, and its value is the whole list of values. */
#define LOOM_QUERY_PLAN_LIST 1024

/* The plan of each table of this program begins with this text in the output of EXPLAIN QUERY PLAN. Other virtual
 * tables, such as json_each(), have other plans. */
#define LOOM_QUERY_PLAN_WORDS "run: "

/* Returns an error message if the query calls a table function without its arguments; else NULL. `sql` must have been
 * prepared with the connection. */
char *loom_query_module_dup_missing (sqlite3 *database, const char *sql, const LoomQueryHost *host);

/* Registers arg() and all tables and table functions, under their names preceded by `prefix`. `host` must live as long
 * as the connection. Returns SQLite's result code. */
int loom_query_module_register (sqlite3 *database, LoomQueryHost *host, const char *prefix);

static inline LoomQueryHost *
loom_query_module_host (LoomQueryCursor *cursor)
{
  return ((LoomQueryVtab *) cursor->base.pVtab)->host;
}

/* Ends reading with a cursor, and sets the error message of its table; `message` may be NULL. Returns `code`. */
int loom_query_module_fail (LoomQueryCursor *cursor, int code, const char *message);

/* Limits on an integer: least ≤ value ≤ most. If least > most, no value is within the limits. */
typedef struct {
  gint64 least, most;
} LoomQueryLimits;

#define LOOM_QUERY_LIMITS_NONE ((LoomQueryLimits) { G_MININT64, G_MAXINT64 })

/* Narrows the limits by a condition =, <, ≤, >, ≥ on an integer column. NULL on the right side allows no value; a text
 * that is not a number is greater than all values. */
void loom_query_module_narrow (LoomQueryLimits *limits, const LoomQueryCondition *condition);

/* The functions below set the value of a column. loom_query_module_set_text(): the text must live as long as the run;
 * both NULL and "" become SQL's NULL. loom_query_module_set_rank(): a negative rank becomes SQL's NULL. */
void loom_query_module_set_text (sqlite3_context *context, const char *text);
/* like loom_query_module_set_text(), but "" remains "" and does not become NULL */
void loom_query_module_set_name (sqlite3_context *context, const char *text);
void loom_query_module_set_rank (sqlite3_context *context, gint rank);

/* The virtual tables and table functions, each defined in one of the files loom-query-*.c of this folder. */
extern const LoomQueryModule loom_query_module_span, loom_query_module_instant, loom_query_module_overlap,
  loom_query_module_descendants, loom_query_module_ancestors, loom_query_module_sample, loom_query_module_flow,
  loom_query_module_counter, loom_query_module_track, loom_query_module_process, loom_query_module_source,
  loom_query_module_clock, loom_query_module_step, loom_query_module_collective, loom_query_module_finding,
  loom_query_module_problem, loom_query_module_critical_path, loom_query_module_interval_join,
  loom_query_module_interval_union;
