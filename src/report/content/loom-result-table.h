/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of results: typed columns, rows of texts and numbers, as the window, the report and copies show them. NaN is a
 * number that is not there. Filled by one thread, then immutable; ref-counted atomically. Texts are copied.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const char *title;
  const char
    *unit; /* NULL: text; "ns": durations; "time": instants, ns since the origin; "row": the row's; "%", "", … */
  const char *words; /* a sentence on what it counts, may be "" */
} LoomResultTableColumn;

typedef struct _LoomResultTable LoomResultTable;

LoomResultTable *loom_result_table_new (const char *title);
LoomResultTable *loom_result_table_ref (LoomResultTable *table);
void loom_result_table_unref (LoomResultTable *table); /* NULL: nothing */

/* All columns before the first row. Returns its number. */
guint loom_result_table_add_column (LoomResultTable *table, const char *title, const char *unit, const char *words);
/* A row of "" and NaN; the setters fill the last one. Returns its number. */
guint loom_result_table_add_row (LoomResultTable *table);
void loom_result_table_set_text (LoomResultTable *table, guint column, const char *text);
void loom_result_table_set_number (LoomResultTable *table, guint column, double value);
/* The unit of the last row's numbers in columns of unit "row"; "" before it is set. */
void loom_result_table_set_row_unit (LoomResultTable *table, const char *unit);
/* How it is sorted at first; else rows stand as they were added. */
void loom_result_table_set_order (LoomResultTable *table, guint column, gboolean descending);

const char *loom_result_table_get_title (const LoomResultTable *table);
guint loom_result_table_get_n_columns (const LoomResultTable *table);
guint loom_result_table_get_n_rows (const LoomResultTable *table);
const LoomResultTableColumn *loom_result_table_get_column (const LoomResultTable *table, guint column);
gboolean loom_result_table_is_number (const LoomResultTable *table, guint column);
/* G_MAXUINT: none. */
guint loom_result_table_get_order (const LoomResultTable *table, gboolean *descending);

double loom_result_table_get_number (const LoomResultTable *table, guint row, guint column);
const char *loom_result_table_get_text (const LoomResultTable *table, guint row, guint column);

/* For people: rounded, or exact for tooltips and copies; "–" and "" for what is not there. Owned. */
char *loom_result_table_dup_cell (const LoomResultTable *table, guint row, guint column);
char *loom_result_table_dup_exact (const LoomResultTable *table, guint row, guint column);

/* Ascending; what is not there comes first, names with numbers in them in the order of the numbers. */
int loom_result_table_compare (const LoomResultTable *table, guint a, guint b, guint column);
/* Whether a text of the row holds the needle, whatever the case; `needle` is from g_utf8_casefold(), "" matches all. */
gboolean loom_result_table_matches (const LoomResultTable *table, guint row, const char *needle);

/* Lines of the rows, or of all when `rows` is NULL. TSV is for people: as the exact cells say it. CSV (RFC 4180) is for
 * programs: plain numbers, the unit in the head. Owned. */
char *loom_result_table_dup_tsv (const LoomResultTable *table, const guint *rows, guint n_rows);
char *loom_result_table_dup_csv (const LoomResultTable *table, const guint *rows, guint n_rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomResultTable, loom_result_table_unref)

G_END_DECLS
