/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the result of a query, row by row, in constant memory. The formats are:
 *
 *   table  columns side by side for reading. Texts are cut to LOOM_QUERY_WRITER_CELL_LETTERS characters and control
 *          characters are escaped. Durations have units, and the names of their columns no “_ns”. The widths of the columns are chosen such that the first
 *          LOOM_QUERY_WRITER_MEASURED_ROWS rows fit
 *   csv    RFC 4180 with a first line of names; NULL is an empty field
 *   json   an array of objects
 *   jsonl  one object on each line
 *
 * If the query fails or is cancelled after its first row, loom_query_writer_end_failed() appends {"error": …} as the
 * last element (jsonl: the last line). The document is then valid JSON, but its reader sees that rows are missing.
 *
 * In JSON an infinite number is null. If two columns have the same name, “ 2” is appended to the name of the second.
 */
#pragma once

#include "loom-output-file.h"
#include "loom-query.h"

#define LOOM_QUERY_WRITER_CELL_LETTERS 80
#define LOOM_QUERY_WRITER_MEASURED_ROWS 1000

typedef enum {
  LOOM_QUERY_WRITER_TABLE,
  LOOM_QUERY_WRITER_CSV,
  LOOM_QUERY_WRITER_JSON,
  LOOM_QUERY_WRITER_JSONL,
  LOOM_N_QUERY_WRITERS,
} LoomQueryWriterFormat;

/* Names of the formats on the command line, NULL-terminated, in the order of LoomQueryWriterFormat. */
extern const char *const loom_query_writer_formats[LOOM_N_QUERY_WRITERS + 1];

/* Writes all rows; writes nothing if the query fails before its first row. Returns FALSE with the errors of
 * loom_query_next(). Errors of writing are kept by `output` (loom-output-file.h). `n_rows` (may be NULL) is set to the
 * number of rows written, also on failure. */
gboolean loom_query_writer_write (LoomQuery *query, LoomQueryWriterFormat format, LoomOutputFile *output,
                                  guint64 *n_rows, GError **error);
/* Appends a text as a field of CSV; puts it in quotes if it contains characters that require this. */
void loom_query_writer_append_field (GString *line, const char *text);

/* Ends a document after loom_query_writer_write() has written some rows and then failed: writes
 * {"error":{"code":…,"message":…}} as the last element. Writes nothing if the format is neither LOOM_QUERY_WRITER_JSON
 * nor LOOM_QUERY_WRITER_JSONL. */
void loom_query_writer_end_failed (LoomQueryWriterFormat format, LoomOutputFile *output, const char *code,
                                   const char *message);
