/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a run to a SQLite file with the tables of loom-query-schema.h, filled with the rows that queries over the run
 * return, for notebooks and other tools. The columns have the same names, types and order; columns named "id" are
 * primary keys, and there are indices on the columns that the live tables find rows by. PRAGMA user_version is
 * LOOM_QUERY_SCHEMA_VERSION. Table functions and arg() do not exist in the file: args are JSON, read them with json_extract().
 *
 * Blocking, for a worker thread or the command line. Memory doesn't depend on the number of events. The file is complete or
 * absent.
 */
#pragma once

#include "loom-progress.h"
#include "loom-query-run.h"

#define LOOM_QUERY_EXPORT_NAME "merged-timeline.sqlite"

/* Writes all tables of the run into an SQLite file. `path` is the file, or an existing folder, in which the file is
 * named LOOM_QUERY_EXPORT_NAME. `progress` (may be NULL) counts rows. `written` (may be NULL) receives the path of the
 * file, owned by the caller; `n_rows` (may be NULL) the number of rows of all tables. Errors: LOOM_ERROR_WRITE (also if
 * `path` is an input file), LOOM_ERROR_READ (a source changed or vanished), G_IO_ERROR_CANCELLED. */
gboolean loom_query_export_write (LoomQueryRun *run, const char *path, LoomProgress *progress, char **written,
                                  guint64 *n_rows, GError **error);
