/* SPDX-License-Identifier: Apache-2.0
 *
 * Named queries: those that come with the program (data/queries) and the user's own (in the folder “queries” of the user's
 * data). A file NAME.sql is SQL that begins with comments
 *
 *   -- title: Kernels by total time per step
 *   -- description: One or two sentences that say what the rows are.
 *
 * Parameters are written in the query as :name; a line “-- :name = value” gives one a default. Blocking; any thread.
 */
#pragma once

#include "loom-query.h"

typedef struct {
  char *name;        /* name of the file without “.sql” */
  char *title;       /* untranslated; the name if the file has none */
  char *description; /* untranslated; "" if the file has none */
  char *sql;         /* the whole file */
  char **defaults;   /* pairs of name and value, NULL-terminated */
  gboolean shipped;
} LoomNamedQuery;

void loom_query_library_free_query (LoomNamedQuery *query);

/* Reads a file. Returns NULL with `error` if it cannot be read, is larger than LOOM_QUERY_TEXT_BYTES, or is not UTF-8. */
LoomNamedQuery *loom_query_library_read (const char *path, GError **error);

/* Returns the title that the comments at the beginning of a query state; NULL: they state none. Owned by the caller. */
char *loom_query_library_dup_title (const char *sql);

/* Writes a query into a file, which is complete or not changed. A query without a title gets this one, unless it is "". Fails
 * with LOOM_ERROR_WRITE. */
gboolean loom_query_library_write (const char *path, const char *title, const char *sql, GError **error);

/* Returns LoomNamedQuery * sorted by title, shipped ones first; owned by the caller. A file that cannot be read is skipped,
 * with a line in `problems` (char *, may be NULL). */
GPtrArray *loom_query_library_list (GPtrArray *problems);

/* Returns the defaults of parameters that the comments at the beginning of a query state: pairs of name and value,
 * NULL-terminated. Owned by the caller. */
char **loom_query_library_dup_defaults (const char *sql);

/* Binds the defaults of the parameters that the query has. */
gboolean loom_query_library_bind_defaults (const LoomNamedQuery *named, LoomQuery *query, GError **error);

/* Sets a parameter as loom_query_bind() does. Returns FALSE with LOOM_ERROR_FORMAT also if the default is a number and the
 * value is not. */
gboolean loom_query_library_bind (const LoomNamedQuery *named, LoomQuery *query, const char *name, const char *value,
                                  GError **error);

/* Returns the file with the questions of Perfetto's documentation and their answers; NULL: it is not installed. Owned by the
 * caller. */
char *loom_query_library_dup_answers (void);

/* The folder of the user's own queries. Owned by the caller. */
char *loom_query_library_dup_folder (void);
