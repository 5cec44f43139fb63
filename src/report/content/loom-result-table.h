/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of results with typed columns of texts or numbers, for the window, the report and copies. NaN is a missing
 * number. Filled by one thread, then immutable; ref-counted atomically. Texts are copied.
 */
#pragma once

#include <glib.h>

typedef enum {
  LOOM_RESULT_BARS_NONE,
  LOOM_RESULT_BARS_OF_CHANGES, /* bars that begin at the zero line in the middle of the cell; numbers may be negative */
  /* bars that begin at the start of the cell; the longest possible bar represents 100 % in columns of "%", and the
   * greatest number of the column in other columns */
  LOOM_RESULT_BARS_OF_SHARES,
} LoomResultBars;

typedef struct {
  const char *title;
  /* unit of the column. NULL: the column has texts. "ns": durations. "time": points in time, in ns since the zero of
   * the table. "row": each row has its own unit. Any other text, such as "%" or "": numbers with this unit */
  const char *unit;
  const char *words; /* a sentence that explains the column to the user; "": no explanation */
  LoomResultBars bars;
  /* TRUE: tables on the screen hide the column until the user shows it with the menu of a header. The details of the
   * selected row, copies and files always contain the column */
  gboolean is_detail;
  /* TRUE: the column answers the question of the table, so it is never hidden when the table on the screen is too
   * narrow for all columns */
  gboolean is_key;
  /* minimum width of the column on the screen, in characters; the width is less if the texts are shorter; 0: the usual
   * minimum width */
  guint chars;
  /* The following members are private. They describe all cells of the column together, and determine how its numbers
   * are formatted. */
  gboolean is_filled;     /* TRUE if at least one cell has a text or a number */
  gboolean has_fractions; /* TRUE if at least one number has a fraction */
  double least_magnitude; /* smallest absolute value in the column that is not 0; 0: the column has no such value */
  double greatest_magnitude;
} LoomResultTableColumn;

typedef struct {
  const char *title;
  guint n_rows;
  GArray *columns; /* LoomResultTableColumn: the columns from left to right */
  /* The following members are private: */
  gatomicrefcount ref_count;
  GArray *cells;        /* Cell: the cells of the table, row after row */
  GPtrArray *row_units; /* const char *: unit of each row; rows after the last element have no unit */
  GArray *row_levels;   /* guint: level of each row in the tree; rows after the last element have level 0 */
  guint order;
  gboolean descending;
  /* The greatest absolute value in all columns with LOOM_RESULT_BARS_OF_CHANGES, in the rows that have bars. A bar of
   * this value has the full length, so bars of different columns can be compared. */
  double longest_bar;
  guint n_rows_with_bars; /* rows from this index on have no bars of changes; G_MAXUINT: all rows have bars */
  GStringChunk *texts;
} LoomResultTable;

LoomResultTable *loom_result_table_new (const char *title);
LoomResultTable *loom_result_table_ref (LoomResultTable *table);
void loom_result_table_unref (LoomResultTable *table); /* NULL: does nothing */

/* Adds a column. All columns must be added before the first row. Returns the number of the column. */
guint loom_result_table_add_column (LoomResultTable *table, const char *title, const char *unit, const char *words);
/* Adds a column with the unit "%" whose cells show bars of shares (LOOM_RESULT_BARS_OF_SHARES). */
guint loom_result_table_add_share_column (LoomResultTable *table, const char *title, const char *words);
/* Hides a column in tables on the screen until the user shows it (LoomResultTableColumn.is_detail). */
void loom_result_table_set_detail (LoomResultTable *table, guint column);
/* Keeps a column visible in narrow tables on the screen (LoomResultTableColumn.is_key). */
void loom_result_table_set_key (LoomResultTable *table, guint column);
/* Sets the minimum width of a column of texts (LoomResultTableColumn.chars). If a cell contains a list that is longer
 * than `chars`, the list is shown without the elements in its middle: "a, …, e". */
void loom_result_table_set_chars (LoomResultTable *table, guint column, guint chars);
/* Shows bars in the cells of a column. Must be called before the first row is added. */
void loom_result_table_set_bars (LoomResultTable *table, guint column, LoomResultBars bars);
/* Rows that are added after this call have no bars of changes. Their values do not affect the lengths of the bars in
 * earlier rows. */
void loom_result_table_end_bars (LoomResultTable *table);
/* Adds a row and returns its number. `name`: text of the first column; NULL: the first column has no text. The other
 * cells are empty ("" or NaN) until they are filled by the setters below. A setter always fills a cell of the row that
 * was added last. */
guint loom_result_table_add_row (LoomResultTable *table, const char *name);
void loom_result_table_set_text (LoomResultTable *table, guint column, const char *text);
void loom_result_table_set_number (LoomResultTable *table, guint column, double value);
void loom_result_table_set_numbers (LoomResultTable *table, guint first_column, const double *values, guint n);
/* Adds `ns` nanoseconds to all points in time of the table, so that they are relative to another zero. The caller must
 * be the only thread that uses the table. O(rows). */
void loom_result_table_move_times (LoomResultTable *table, double ns);
/* Sets the unit of the row that was added last, for columns with the unit "row", in which each row has its own unit. A
 * row for which this is not called has the unit "". */
void loom_result_table_set_row_unit (LoomResultTable *table, const char *unit);
/* Sets the level, in a tree, of the row that was added last. The first cell of the row is displayed with an indentation
 * for each level. The default is 0. */
void loom_result_table_set_level (LoomResultTable *table, guint level);
/* Sets the initial sort order; by default, rows keep the order in which they were added. */
void loom_result_table_set_order (LoomResultTable *table, guint column, gboolean descending);

const LoomResultTableColumn *loom_result_table_get_column (const LoomResultTable *table, guint column);
gboolean loom_result_table_is_number (const LoomResultTable *table, guint column);
/* Returns the index of the column by which the table is sorted at first; G_MAXUINT: rows keep the order in which they
 * were added. */
guint loom_result_table_get_order (const LoomResultTable *table, gboolean *descending);

double loom_result_table_get_number (const LoomResultTable *table, guint row, guint column);
/* Returns TRUE if the table has rows, but none of them has a value in this column. Such a column is not shown. */
gboolean loom_result_table_is_empty_column (const LoomResultTable *table, guint column);
/* Returns the length of a cell's bar, relative to the longest possible bar. For a share, it is between 0 and 1. For a
 * change, it is between −1 and 1. NaN if the cell has no bar. */
double loom_result_table_get_bar (const LoomResultTable *table, guint row, guint column);
const char *loom_result_table_get_text (const LoomResultTable *table, guint row, guint column);

/* The next three functions return the text of a cell, owned by the caller. dup_cell(): as displayed; all cells of a
 * column have the same unit and the same number of decimals if their values allow this. dup_precise(): for tooltips,
 * with the digits of loom_chart_format_precise(). dup_exact(): for copies, with all digits. The text of a missing value
 * is "–" or "". */
char *loom_result_table_dup_cell (const LoomResultTable *table, guint row, guint column);
char *loom_result_table_dup_precise (const LoomResultTable *table, guint row, guint column);
char *loom_result_table_dup_exact (const LoomResultTable *table, guint row, guint column);

/* Returns a set of texts in the first column that would look alike, because their short forms
 * (loom_cxx_name_dup_short()) are equal: "aten::mm" and "autograd::aten::mm" would both be shown as "mm". The strings
 * are borrowed; the set is owned by the caller, and valid as long as the table. O(characters of the column). */
GHashTable *loom_result_table_find_ambiguous_names (const LoomResultTable *table);

/* Compares two rows by a column, ascending. Missing values come first. Numbers inside names are compared as numbers:
 * "rank 2" comes before "rank 10". */
int loom_result_table_compare (const LoomResultTable *table, guint a, guint b, guint column);
/* Returns TRUE if a text of the row contains `needle`, ignoring case. `needle` must come from g_utf8_casefold(); if it
 * is "", every row matches. */
gboolean loom_result_table_matches (const LoomResultTable *table, guint row, const char *needle);

/* The next two functions return the rows with the indices `rows` as lines of text; if `rows` is NULL, they return all
 * rows. Owned by the caller. dup_tsv() is for people: its cells are those of loom_result_table_dup_exact(). dup_csv()
 * (RFC 4180) is for programs: its numbers have no units; the units are in the header. */
char *loom_result_table_dup_tsv (const LoomResultTable *table, const guint *rows, guint n_rows);
char *loom_result_table_dup_csv (const LoomResultTable *table, const guint *rows, guint n_rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomResultTable, loom_result_table_unref)
