/* SPDX-License-Identifier: Apache-2.0
 *
 * Named queries: those that come with the program (data/queries), and the user's own (in the folder “queries” of the
 * user's data). A query is a file NAME.sql with SQL, which begins with comments:
 *
 *   -- title: Kernels by total time per step
 *   -- description: One or two sentences that say what the rows are.
 *
 * Parameters are written in the query as :name; a comment line “-- :name = value” sets the default of a parameter. The
 * functions read and write files, so they block; they may be called on any thread.
 */
#pragma once

#include "loom-query.h"

typedef struct {
  char *name;        /* the name of the file without “.sql” */
  char *title;       /* title from the file's comments, not translated; the name if they state no title */
  char *description; /* description from the file's comments, not translated; "" if they state no description */
  char *sql;         /* the content of the whole file, including its comments */
  /* default values of parameters: alternately the name of a parameter and its default; ends with NULL */
  char **defaults;
  gboolean shipped;
} LoomNamedQuery;

void loom_query_library_free_query (LoomNamedQuery *query);

/* Reads the file of a query. Returns NULL with `error` if the file cannot be read, is larger than
 * LOOM_QUERY_TEXT_BYTES, or is not UTF-8. */
LoomNamedQuery *loom_query_library_read (const char *path, GError **error);

/* Returns the title of a query, which the comments at the beginning of `sql` state; NULL: they state no title. Owned by
 * the caller. */
char *loom_query_library_dup_title (const char *sql);

/* Writes a query into a file. If writing fails, returns FALSE with LOOM_ERROR_WRITE, and an existing file does not
 * change. If the query has no title, it gets `title`, unless `title` is "". */
gboolean loom_query_library_write (const char *path, const char *title, const char *sql, GError **error);

/* Returns all queries (LoomNamedQuery *), owned by the caller: first the queries that come with the program, then the
 * user's own queries, each sorted by title. A file that cannot be read is skipped, and a line about it is added to
 * `problems` (char *, may be NULL). */
GPtrArray *loom_query_library_list (GPtrArray *problems);

/* Returns the query with this name, owned by the caller. If both the program and the user have such a query, returns
 * the program's. Returns NULL if no query with this name can be read. Reads at most two files. */
LoomNamedQuery *loom_query_library_find (const char *name);

/* Returns the default values of the parameters of a query, which the comments at the beginning of `sql` state:
 * alternately the name of a parameter and its default; ends with NULL. Owned by the caller. */
char **loom_query_library_dup_defaults (const char *sql);

/* Sets each parameter that has a default value to this value. Returns FALSE with `error`. */
gboolean loom_query_library_bind_defaults (const LoomNamedQuery *named, LoomQuery *query, GError **error);

/* Sets a parameter like loom_query_bind(). If the default of the parameter is a number, `value` must be a number, too;
 * otherwise returns FALSE with LOOM_ERROR_FORMAT. */
gboolean loom_query_library_bind (const LoomNamedQuery *named, LoomQuery *query, const char *name, const char *value,
                                  GError **error);

/* Returns the path of the file that lists the questions of Perfetto's documentation, each with the query that answers
 * it. Returns NULL if the file is not installed. Owned by the caller. */
char *loom_query_library_dup_answers (void);

/* Returns the folder of the user's own queries. Owned by the caller. */
char *loom_query_library_dup_folder (void);
