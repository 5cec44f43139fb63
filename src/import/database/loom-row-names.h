/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: looks up texts in a table to which rows of other tables refer by id. Each text is read at its
 * first use and then kept. Texts to which no row refers are never read: a database may contain many, for example
 * environments of processes. Must be used by one thread at a time.
 */
#pragma once

#include "loom-database.h"

typedef struct _LoomRowNames LoomRowNames;

/* Returns an object that finds the text in a column of a table by its id, the column "id". `database` is borrowed.
 * `table` and `column` become part of SQL text: they must be constants or checked names. If the table is missing, no
 * text is found. */
LoomRowNames *loom_row_names_new (LoomDatabase *database, const char *table, const char *column);
void loom_row_names_free (LoomRowNames *self);

/* Returns the text for an id, encoded as JSON without quotes, cut at LOOM_LIMIT_NAME_BYTES; borrowed. NULL if the
 * table does not contain the id. */
const char *loom_row_names_get (LoomRowNames *self, gint64 id);

/* Appends a text encoded as JSON without quotes, cut at LOOM_LIMIT_NAME_BYTES. */
void loom_row_names_append_escaped (GString *out, const char *text, gsize length);
/* Returns the text of a column, encoded as JSON without quotes; owned by the caller. */
char *loom_row_names_dup_column (sqlite3_stmt *row, int column);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomRowNames, loom_row_names_free)
