/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: the rows of a database as Chrome trace events, table by table: loom-made-text.h.
 */
#pragma once

#include "loom-database.h"
#include "loom-made-text.h"
#include "loom-source.h"

typedef struct _LoomRowTable LoomRowTable;

/* Appends the events of the current row, each followed by ",\n"; nothing for a row without events. The bytes may depend on
 * nothing but the row. `number`: count of the rows before it in its table. `is_first`: these bytes are made for the first
 * time, so problems in the row are to be counted now. */
typedef void (*LoomRowFormat) (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first,
                               GString *text, gpointer user_data);

struct _LoomRowTable {
  const char *name;           /* static */
  const char *const *columns; /* static, NULL-terminated; columns 1, 2 … of the row */
  LoomRowFormat format;
  gconstpointer data; /* for `format` */
};

/* Called once for a table whose rows cannot all be read; `n_rows` were. `message` is borrowed. */
typedef void (*LoomRowDamage) (const LoomRowTable *table, guint64 n_rows, const char *message, gpointer user_data);

/* Makes the text of `n_tables` tables, of which those that the database lacks are skipped. Takes over `database`; `tables`
 * is copied. `destroy` frees `user_data` together with the text. Reading fails with LOOM_ERROR_READ if the file
 * changed since. */
LoomByteSource *loom_row_text_new (LoomDatabase *database, const LoomRowTable *tables, guint n_tables,
                                   LoomRowDamage damage, gpointer user_data, GDestroyNotify destroy);

/* Logs that the file ends too early, or that changes beside it are not shown. */
void loom_row_text_note_file (const LoomDatabase *database, LoomSource *source);
