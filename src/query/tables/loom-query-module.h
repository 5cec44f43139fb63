/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: virtual tables of SQLite. This file plans: it chooses the conditions of a query that a table
 * evaluates itself, by the flags of its columns (loom-query-schema.h). A table may return more rows than the conditions
 * allow, because SQLite checks each condition again; it must not return fewer.
 *
 * sqlite.org/vtab.html. One connection, one thread.
 */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

#include "loom-export-event-reader.h"
#include "loom-query-run-private.h"
#include "loom-query-schema.h"

/* What the tables of one connection share. */
typedef struct {
  LoomQueryRun *run;             /* borrowed */
  GCancellable *cancellable;     /* borrowed; may be NULL */
  LoomExportEventReader *reader; /* reads args; NULL until needed */
  GString *text;                 /* the args read last */
  GArray *sets;                  /* sets of intervals by number (loom-query-intervals.h); NULL until needed */
  gboolean declaring;            /* SQLite is inside sqlite3_declare_vtab() */
  guint32 planned;               /* tables that were planned: bits by LoomQueryTableId */
  struct {                       /* loom-query-batch.h */
    gboolean used;               /* rows of the only table, span, are batches */
    guint32 roles;  /* bits for the reads of a row's columns, in their order: 1 if the read wants a batch */
    guint64 n_rows; /* spans of the current row */
  } batch;
} LoomQueryHost;

void loom_query_module_clear_host (LoomQueryHost *host);

typedef struct _LoomQueryModule LoomQueryModule;

typedef struct {
  sqlite3_vtab base;
  const LoomQueryModule *module;
  LoomQueryHost *host;
} LoomQueryVtab;

typedef struct {
  sqlite3_vtab_cursor base;
  gboolean at_end;
  guint order; /* rows must come in this order, which the module's sort() returned; 0: any */
} LoomQueryCursor;

/* A condition that the table was asked to evaluate: column, SQLITE_INDEX_CONSTRAINT_*, right side. */
typedef struct {
  guint column;
  guint operation;
  sqlite3_value *value;
} LoomQueryCondition;

/* One of the columns by which a query wants its rows ordered. */
typedef struct {
  guint column;
  gboolean descending;
} LoomQueryOrderBy;

struct _LoomQueryModule {
  LoomQueryTableId table;
  gsize cursor_bytes; /* size of a struct that begins with LoomQueryCursor; it is allocated with zeros */
  guint64 (*count) (const LoomQueryRun *run); /* expected number of rows, for planning */
  /* Moves to the first row; `n` conditions, at most LOOM_QUERY_MODULE_MOST_CONDITIONS. This and `next` return SQLite's
   * result code and set at_end. */
  int (*filter) (LoomQueryCursor *cursor, const LoomQueryCondition *conditions, guint n);
  int (*next) (LoomQueryCursor *cursor);
  /* Sets the value of a column of the current row; columns that set nothing are NULL. */
  void (*column) (LoomQueryCursor *cursor, sqlite3_context *context, guint column);
  gint64 (*row_id) (LoomQueryCursor *cursor);
  void (*clear) (LoomQueryCursor *cursor); /* frees the contents of the cursor; may be NULL */
  /* Returns a number for the order of `n` columns if the table can give its rows in it, texts by their bytes, NULL first; 0
   * if it cannot. May be NULL. */
  guint (*sort) (const LoomQueryRun *run, const LoomQueryOrderBy *by, guint n);
};

#define LOOM_QUERY_MODULE_MOST_CONDITIONS 16

/* Registers all tables and table functions under their names with `prefix` before them, and arg(). `host` must live as
 * long as the connection. Returns SQLite's result code. */
int loom_query_module_register (sqlite3 *database, LoomQueryHost *host, const char *prefix);

static inline LoomQueryHost *
loom_query_module_host (LoomQueryCursor *cursor)
{
  return ((LoomQueryVtab *) cursor->base.pVtab)->host;
}

/* Sets the message of an error of a table; returns `code`. */
int loom_query_module_fail (LoomQueryCursor *cursor, int code, const char *message);

/* A limit on integers: least ≤ value ≤ most; empty if least > most. */
typedef struct {
  gint64 least, most;
} LoomQueryLimits;

#define LOOM_QUERY_LIMITS_NONE ((LoomQueryLimits) { G_MININT64, G_MAXINT64 })

/* Narrows the limits by a condition =, <, ≤, >, ≥ on an integer column. A condition whose right side is not a number doesn't
 * narrow; one with NULL allows nothing. */
void loom_query_module_narrow (LoomQueryLimits *limits, const LoomQueryCondition *condition);

/* Set the value of a column. A text must live as long as the run; NULL and "" become NULL. A negative rank becomes
 * NULL. */
void loom_query_module_set_text (sqlite3_context *context, const char *text);
void loom_query_module_set_name (sqlite3_context *context, const char *text); /* "" stays "" */
void loom_query_module_set_rank (sqlite3_context *context, gint rank);

/* The tables. */
extern const LoomQueryModule loom_query_module_span, loom_query_module_instant, loom_query_module_overlap,
  loom_query_module_descendants, loom_query_module_ancestors, loom_query_module_sample, loom_query_module_flow,
  loom_query_module_counter, loom_query_module_track, loom_query_module_process, loom_query_module_source,
  loom_query_module_clock, loom_query_module_step, loom_query_module_collective, loom_query_module_finding,
  loom_query_module_problem, loom_query_module_critical_path, loom_query_module_interval_join,
  loom_query_module_interval_union;
