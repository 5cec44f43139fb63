/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables that queries can read: their columns with type, unit and meaning. The virtual tables, the exported SQLite
 * file, the output of `traceloom-cli query --schema`, and the completion in the window are all made from these lists,
 * so they always agree. The lists are constant, and may be read on any thread.
 *
 * Conventions of all tables:
 *   - A time is in timeline ns (UTC since 1970 if the run states its date), a duration in ns; both are integers.
 *   - A rank is NULL if it is unknown, or if the number that the file states is a process id (loom-track-rank.h).
 *   - Numbers of traces, tracks, processes, sources and so on count from 0 in the order of the run. They stay the same
 *     as long as the same files are loaded in the same order. The id of an event is (number of its trace << 32) + the
 *     index of the event in the arrays of the trace.
 *   - Booleans are 0 and 1. A text that a file does not state is NULL, except a name, which is then "".
 *   - Spans of derived tracks (track.derived = 1) repeat other spans, so sums over all spans must exclude them. Their
 *     kind is "none".
 *
 * When tables or columns are added, existing columns keep their names and meanings. LOOM_QUERY_SCHEMA_VERSION is
 * increased when a column is renamed or removed, or gets another meaning.
 */
#pragma once

#include <glib.h>

#define LOOM_QUERY_SCHEMA_VERSION 1

typedef enum {
  LOOM_QUERY_INTEGER,
  LOOM_QUERY_REAL,
  LOOM_QUERY_TEXT,
  LOOM_QUERY_NULL, /* only a value in a result can have this type; the declared type of a column is never NULL */
} LoomQueryType;

/* Flags of a column: which conditions on the column the table evaluates itself. SQLite evaluates all other conditions,
 * on the rows that the table returns. */
typedef enum {
  LOOM_QUERY_KEY = 1 << 0,     /* the values of the column are unique, so a condition with = finds the row directly */
  LOOM_QUERY_EQUAL = 1 << 1,   /* a condition with = limits the rows of the table that are read */
  LOOM_QUERY_ORDERED = 1 << 2, /* conditions with =, <, ≤, ≥ and > limit the rows of the table that are read */
  /* the table evaluates conditions with =, <>, <, ≤, ≥, >, LIKE, GLOB, IS NULL and IS NOT NULL, which is faster than
   * running SQLite's virtual machine for each row */
  LOOM_QUERY_MATCHED = 1 << 3,
  /* conditions with =, <, ≤, ≥, >, IS NULL and IS NOT NULL on the column limit the tracks or rows of the timeline that
   * are read. In an exported SQLite file, the column has no index, because it has few different values */
  LOOM_QUERY_PLACED = 1 << 6,
  /* the column contains the id of another event; the table evaluates =, IS NULL and IS NOT NULL itself */
  LOOM_QUERY_LINKED = 1 << 7,
  LOOM_QUERY_ARGUMENT = 1 << 4, /* the column is an argument of a table function, such as overlap(start, end) */
  /* a call of the table function may omit all of its arguments, but not only some of them */
  LOOM_QUERY_OPTIONAL = 1 << 5,
} LoomQueryColumnFlags;

typedef struct {
  const char *name;
  LoomQueryType type;
  guint flags;
  gboolean nullable;
  const char *unit;    /* unit of the values: "ns", "bytes", …; "": the values have no unit */
  const char *meaning; /* a phrase in English; not translated, like all output of the command line */
} LoomQueryColumn;

typedef struct {
  const char *name;
  const LoomQueryColumn *columns;
  guint n_columns; /* number of columns in `columns`; the arguments of a table function follow after these columns */
  /* number of arguments of a table function, which follow the columns in `columns`; 0: this is a table */
  guint n_arguments;
  const char *meaning;
  const char *takes; /* names of the arguments, for an error message; NULL: this is a table */
} LoomQueryTable;

typedef enum {
  LOOM_QUERY_TABLE_SPAN,
  LOOM_QUERY_TABLE_INSTANT,
  LOOM_QUERY_TABLE_COUNTER,
  LOOM_QUERY_TABLE_SAMPLE,
  LOOM_QUERY_TABLE_FLOW,
  LOOM_QUERY_TABLE_TRACK,
  LOOM_QUERY_TABLE_PROCESS,
  LOOM_QUERY_TABLE_SOURCE,
  LOOM_QUERY_TABLE_CLOCK,
  LOOM_QUERY_TABLE_STEP,
  LOOM_QUERY_TABLE_COLLECTIVE,
  LOOM_QUERY_TABLE_FINDING,
  LOOM_QUERY_TABLE_PROBLEM,
  /* number of tables in an exported SQLite file; the values from here on are table functions, which are not exported */
  LOOM_N_QUERY_TABLES,
  LOOM_QUERY_TABLE_OVERLAP = LOOM_N_QUERY_TABLES,
  LOOM_QUERY_TABLE_DESCENDANTS,
  LOOM_QUERY_TABLE_ANCESTORS,
  LOOM_QUERY_TABLE_CRITICAL_PATH,
  LOOM_QUERY_TABLE_INTERVAL_JOIN,
  LOOM_QUERY_TABLE_INTERVAL_UNION,
  LOOM_N_QUERY_TABLES_AND_FUNCTIONS,
} LoomQueryTableId;

const LoomQueryTable *loom_query_schema_get (LoomQueryTableId id);

/* Returns a column or argument of the table or table function with the name `table`; NULL if the table does not exist
 * or does not have the column or argument `column`. */
const LoomQueryColumn *loom_query_schema_find (const char *table, const char *column);

/* Returns TRUE if columns of this name contain timeline times. Ignores case. */
gboolean loom_query_schema_is_instant (const char *name);

/* Returns TRUE if the name of a computed column says that its values are in ns: it ends in “_ns”, or is the name of a
 * column in ns of a table. Ignores case. O(columns of all tables). */
gboolean loom_query_schema_is_in_ns (const char *name);

/* Returns the declared type of a column in SQL: "INTEGER", "REAL" or "TEXT". */
const char *loom_query_schema_type_to_string (LoomQueryType type);

/* Returns the text that `traceloom-cli query --schema` prints. Owned by the caller. */
char *loom_query_schema_describe (void);
/* Returns the schema as JSON:
 * {"version":1,"tables":[{"name","meaning","arguments":[…],"columns":[{"name","type","unit","nullable",
 * "meaning"},…]},…]}. Owned by the caller. */
char *loom_query_schema_to_json (void);
