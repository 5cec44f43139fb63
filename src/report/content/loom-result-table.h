/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of results with typed columns of texts or numbers, for the window, the report and copies. NaN is a missing
 * number. Filled by one thread, then immutable; ref-counted atomically. Texts are copied.
 */
#pragma once

#include <glib.h>

typedef enum {
  LOOM_RESULT_BARS_NONE,
  LOOM_RESULT_BARS_OF_CHANGES, /* bars from zero in the middle of the cell to the number, which may be negative */
  /* bars from zero at the start of the cell to the number. A column of "%" ends at 100 %, other columns end at their
   * greatest number */
  LOOM_RESULT_BARS_OF_SHARES,
} LoomResultBars;

typedef struct {
  const char *title;
  const char
    /* NULL: text; "ns": durations; "time": points in time, ns since the origin; "row": the unit of the row; else "%", "",
     * … */
    *unit;
  const char *words; /* a sentence that explains the column; may be "" */
  LoomResultBars bars;
  /* the column is not shown in tables on the screen, but in the details of the selected row, in copies and in files */
  gboolean is_detail;
  /* Private: properties of all cells of the column, on which their format depends. */
  gboolean is_filled;     /* a cell has a text or a number */
  gboolean has_fractions; /* a number is not whole */
  double least_magnitude; /* smallest absolute value in the column other than 0; 0: there is none */
  double greatest_magnitude;
} LoomResultTableColumn;

typedef struct {
  const char *title;
  guint n_rows;
  GArray *columns; /* LoomResultTableColumn */
  /* Private: */
  gatomicrefcount ref_count;
  GArray *cells;        /* row after row */
  GPtrArray *row_units; /* const char *, unit of each row, up to the last row that has a unit */
  guint order;
  gboolean descending;
  double longest_bar; /* greatest magnitude of all numbers with bars: bars of several columns are comparable */
  GStringChunk *texts;
} LoomResultTable;

LoomResultTable *loom_result_table_new (const char *title);
LoomResultTable *loom_result_table_ref (LoomResultTable *table);
void loom_result_table_unref (LoomResultTable *table); /* accepts NULL */

/* Add all columns before the first row. Returns the number of the column. */
guint loom_result_table_add_column (LoomResultTable *table, const char *title, const char *unit, const char *words);
/* Adds a column of "%" with bars of shares. */
guint loom_result_table_add_share_column (LoomResultTable *table, const char *title, const char *words);
/* Hides a column in tables on the screen (LoomResultTableColumn.is_detail). */
void loom_result_table_set_detail (LoomResultTable *table, guint column);
/* Shows bars in the numbers of a column, to be called before the first row. */
void loom_result_table_set_bars (LoomResultTable *table, guint column, LoomResultBars bars);
/* Adds a row with the text of its first column (NULL: none); its other cells are "" or NaN. The setters below fill the
 * last row. Returns the number of the row. */
guint loom_result_table_add_row (LoomResultTable *table, const char *name);
void loom_result_table_set_text (LoomResultTable *table, guint column, const char *text);
void loom_result_table_set_number (LoomResultTable *table, guint column, double value);
void loom_result_table_set_numbers (LoomResultTable *table, guint first_column, const double *values, guint n);
/* Adds a number of ns to all points in time, so that they count from another instant. The table must not be shared yet, or be
 * used by one thread only. O(rows). */
void loom_result_table_move_times (LoomResultTable *table, double ns);
/* Sets the unit of the last row's numbers in columns of unit "row"; "" until set. */
void loom_result_table_set_row_unit (LoomResultTable *table, const char *unit);
/* Sets the initial sort order; by default, rows keep the order in which they were added. */
void loom_result_table_set_order (LoomResultTable *table, guint column, gboolean descending);

const LoomResultTableColumn *loom_result_table_get_column (const LoomResultTable *table, guint column);
gboolean loom_result_table_is_number (const LoomResultTable *table, guint column);
/* Returns the column that sorts the table at first; G_MAXUINT: none. */
guint loom_result_table_get_order (const LoomResultTable *table, gboolean *descending);

double loom_result_table_get_number (const LoomResultTable *table, guint row, guint column);
/* Returns TRUE if the table has rows and no cell of the column has a value: such columns are not shown. */
gboolean loom_result_table_is_empty_column (const LoomResultTable *table, guint column);
/* The length of the cell's bar: of changes −1 … 1, as a share of the longest such bar of the table; of shares 0 … 1; NaN:
 * the cell has none. */
double loom_result_table_get_bar (const LoomResultTable *table, guint row, guint column);
const char *loom_result_table_get_text (const LoomResultTable *table, guint row, guint column);

/* Cells as displayed, with the same unit and decimals in all cells of a column where its numbers allow it; as
 * loom_chart_format_precise() for tooltips; exact for copies. Missing values are "–" or "". Owned by the caller. */
char *loom_result_table_dup_cell (const LoomResultTable *table, guint row, guint column);
char *loom_result_table_dup_precise (const LoomResultTable *table, guint row, guint column);
char *loom_result_table_dup_exact (const LoomResultTable *table, guint row, guint column);

/* Ascending order; missing values come first, and numbers inside names compare as numbers. */
int loom_result_table_compare (const LoomResultTable *table, guint a, guint b, guint column);
/* Returns TRUE if a text of the row contains the needle, ignoring case. `needle` comes from g_utf8_casefold(); ""
 * matches every row. */
gboolean loom_result_table_matches (const LoomResultTable *table, guint row, const char *needle);

/* The given rows as lines, or all rows when `rows` is NULL. TSV is for people: the cells as
 * loom_result_table_dup_exact() returns them. CSV (RFC 4180) is for programs: plain numbers, with the unit in the
 * header. Owned by the caller. */
char *loom_result_table_dup_tsv (const LoomResultTable *table, const guint *rows, guint n_rows);
char *loom_result_table_dup_csv (const LoomResultTable *table, const guint *rows, guint n_rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomResultTable, loom_result_table_unref)
