/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: converts the rows of a database, table by table, to a text with Chrome trace events (see
 * loom-made-text.h).
 */
#pragma once

#include "loom-database.h"
#include "loom-made-text.h"
#include "loom-source.h"

typedef struct _LoomRowTable LoomRowTable;

/* Appends the events of the current row, each followed by ",\n"; appends nothing if the row has no events. What is
 * appended must depend only on the row. `number`: number of rows before it in the table. `is_first`: the text of this
 * row is made for the first time; problems of the row are counted only in this case. */
typedef void (*LoomRowFormat) (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first,
                               GString *text, gpointer user_data);

struct _LoomRowTable {
  const char *name; /* name of the table; static */
  /* names of the columns to read, which become columns 1, 2 … of the row (column 0 is its id); static; ends with
   * NULL */
  const char *const *columns;
  LoomRowFormat format;
  gconstpointer data; /* passed on to `format` */
};

/* Called once for a table that cannot be read completely; `n_rows` of its rows were read. `message` is borrowed. */
typedef void (*LoomRowDamage) (const LoomRowTable *table, guint64 n_rows, const char *message, gpointer user_data);

/* Makes a text from the rows of `n_tables` tables; those that the database does not have are skipped. Takes ownership
 * of `database`; copies `tables`. `destroy` frees `user_data` when the text is freed. Reading fails with
 * LOOM_ERROR_READ if the file has changed. */
LoomByteSource *loom_row_text_new (LoomDatabase *database, const LoomRowTable *tables, guint n_tables,
                                   LoomRowDamage damage, gpointer user_data, GDestroyNotify destroy);

/* Logs that the file is truncated or its compressed data is damaged, or that it has a journal whose changes are not shown. */
void loom_row_text_note_file (const LoomDatabase *database, LoomSource *source);
