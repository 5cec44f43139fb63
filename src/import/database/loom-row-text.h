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

/* Appends the events of the current row, each followed by ",\n"; appends nothing if the row has no events. The appended
 * text must depend only on the row. `number`: number of rows before this row in the table. `is_first`: the text of this
 * row is made for the first time. Problems of the row are counted only if this is TRUE. */
typedef void (*LoomRowFormat) (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, gboolean is_first,
                               GString *text, gpointer user_data);

#define LOOM_ROW_SPAN_KEYS 8

/* Describes the text of a row: one complete span and, optionally, one flow event at the start of the span. */
typedef struct {
  /* If two rows of a table have equal keys, their texts differ only in the times, the args and the flow. Unused
   * elements are 0. */
  gint64 key[LOOM_ROW_SPAN_KEYS];
  gint64 start_ns, end_ns;
  gsize n_args_bytes;             /* length of the args, `{…}`, in bytes */
  char flow;                      /* phase of the flow event, 's' or 'f'; 0: there is none */
  gint64 flow_group, flow_number; /* the id of the flow event is the text "group:number" */
} LoomRowSpan;

/* Describes the text that the LoomRowFormat of the table makes of a row, without making it. Returns FALSE if this is
 * not possible. Also returns FALSE if the row has a problem, because problems are counted when the text is made. `span`
 * is zeroed before the call. */
typedef gboolean (*LoomRowMeasure) (const LoomRowTable *table, sqlite3_stmt *row, guint64 number, LoomRowSpan *span,
                                    gpointer user_data);

struct _LoomRowTable {
  const char *name; /* name of the table; static */
  /* names of the columns to read, which become columns 1, 2 … of the row (column 0 is the id of the row); static; ends
   * with NULL */
  const char *const *columns;
  LoomRowFormat format;
  gconstpointer data;     /* data of the table for its functions `format` and `measure` */
  LoomRowMeasure measure; /* NULL: rows of this table cannot be measured */
};

/* Called once for a table that cannot be read completely. `n_rows`: number of its rows that were read. `message` is
 * borrowed. */
typedef void (*LoomRowDamage) (const LoomRowTable *table, guint64 n_rows, const char *message, gpointer user_data);

/* Returns a text that is made from the rows of `n_tables` tables. Skips tables that the database does not have. Takes
 * ownership of `database`; copies `tables`. `destroy` frees `user_data` when the text is freed. Reading fails with
 * LOOM_ERROR_READ if the file has changed. */
LoomByteSource *loom_row_text_new (LoomDatabase *database, const LoomRowTable *tables, guint n_tables,
                                   LoomRowDamage damage, gpointer user_data, GDestroyNotify destroy);

/* The next two functions are for a LoomMadeTextShortcut of a text from loom_row_text_new(). loom_row_text_measure()
 * describes the row at `place`; it returns FALSE if the text of this row must be made. loom_row_text_pass() moves
 * `place` to the row after the measured one. */
gboolean loom_row_text_measure (LoomByteSource *text, const LoomMadePlace *place, LoomRowSpan *span);
void loom_row_text_pass (LoomByteSource *text, LoomMadePlace *place);

/* Logs that the file is truncated, that its compressed data is damaged, or that it has a journal, whose changes are not
 * shown. */
void loom_row_text_note_file (const LoomDatabase *database, LoomSource *source);
