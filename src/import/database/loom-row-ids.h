/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: finds rows by the value of a column with ids, if this column is not the row id of SQLite. In a
 * database that a profiler wrote, the column is the row id. In a copy that was made with CREATE TABLE … AS, or by
 * another program, the column usually is not the row id. Memory: 16 bytes per row if the column is not the row id,
 * otherwise none. A LoomRowIds is not changed after it was made.
 */
#pragma once

#include "loom-database.h"

typedef struct _LoomRowIds LoomRowIds;

/* Reads the ids in a column of a table. Returns NULL if they are the row ids, so that nothing needs to be converted.
 * `table` and `column` become part of SQL text: they must be constants or checked names. */
LoomRowIds *loom_row_ids_new (LoomDatabase *database, const char *table, const char *column);
void loom_row_ids_free (LoomRowIds *self);

/* Sets `row_id` to the row id of the first row whose id is `id`. Returns FALSE if there is no such row. `self` NULL:
 * ids and row ids are equal, so sets `row_id` to `id`. */
gboolean loom_row_ids_find (const LoomRowIds *self, gint64 id, gint64 *row_id);

/* Returns the id in a column of the current row; if the table does not have the column, the row id. */
gint64 loom_row_ids_of_row (sqlite3_stmt *row, int column);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRowIds, loom_row_ids_free)
