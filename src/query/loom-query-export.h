/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a run to a SQLite file, for notebooks and other tools. The file has the tables of loom-query-schema.h. They
 * contain all rows that queries over the run return, and their columns have the same names, types and order. Columns
 * named "id" are primary keys. Columns by which the virtual tables can find rows quickly have indices. PRAGMA
 * user_version is LOOM_QUERY_SCHEMA_VERSION.
 *
 * The file has no table functions and no function arg(). Instead, columns of args contain JSON, which can be read with
 * json_extract().
 *
 * The function blocks, so it is only for worker threads and the command line. Its memory does not depend on the number
 * of events. If writing fails, no incomplete file remains.
 */
#pragma once

#include "loom-progress.h"
#include "loom-query-run.h"

#define LOOM_QUERY_EXPORT_NAME "merged-timeline.sqlite"

/* Writes all tables of the run into an SQLite file. `path` is the file, or an existing folder; in a folder the file is
 * named LOOM_QUERY_EXPORT_NAME. `progress` (may be NULL) counts rows. `written` (may be NULL) receives the path of the
 * file, owned by the caller; `n_rows` (may be NULL) receives the number of rows of all tables. Errors: LOOM_ERROR_WRITE
 * (also if `path` is an input file), LOOM_ERROR_READ (a source changed or vanished), G_IO_ERROR_CANCELLED. */
gboolean loom_query_export_write (LoomQueryRun *run, const char *path, LoomProgress *progress, char **written,
                                  guint64 *n_rows, GError **error);
