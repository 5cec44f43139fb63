/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores the cells, and chooses a format for the numbers of each column.
 */
#include "loom-result-table.h"

#include "loom-chart.h"
#include "loom-cxx-name.h"
#include "loom-locale-number.h"
#include "loom-natural-collate.h"
#include "loom-time.h"

#include <math.h>
#include <string.h>

#define INDENT "\u00a0\u00a0\u00a0" /* indentation for one level of a tree */
#define MOST_LEVELS 40              /* maximum level of indentation; rows at deeper levels get this indentation */

typedef union {
  const char *text;
  double number;
} Cell;

static const char *
keep (LoomResultTable *table, const char *text)
{
  return g_string_chunk_insert_const (table->texts, text != NULL ? text : "");
}

LoomResultTable *
loom_result_table_new (const char *title)
{
  LoomResultTable *table = g_new0 (LoomResultTable, 1);
  g_atomic_ref_count_init (&table->ref_count);
  table->texts = g_string_chunk_new (1024);
  table->title = keep (table, title);
  table->columns = g_array_new (FALSE, FALSE, sizeof (LoomResultTableColumn));
  table->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  table->row_units = g_ptr_array_new ();
  table->row_levels = g_array_new (FALSE, TRUE, sizeof (guint));
  table->order = G_MAXUINT;
  table->n_rows_with_bars = G_MAXUINT;
  return table;
}

LoomResultTable *
loom_result_table_ref (LoomResultTable *table)
{
  g_atomic_ref_count_inc (&table->ref_count);
  return table;
}

void
loom_result_table_unref (LoomResultTable *table)
{
  if (table == NULL || !g_atomic_ref_count_dec (&table->ref_count))
    return;
  g_array_unref (table->columns);
  g_array_unref (table->cells);
  g_ptr_array_unref (table->row_units);
  g_array_unref (table->row_levels);
  g_string_chunk_free (table->texts);
  g_free (table);
}

/* --- adding columns and rows -------------------------------------------------------------------------------------- */

guint
loom_result_table_add_column (LoomResultTable *table, const char *title, const char *unit, const char *words)
{
  g_return_val_if_fail (table != NULL && table->n_rows == 0, 0);
  LoomResultTableColumn column = { .title = keep (table, title),
                                   .unit = unit != NULL ? keep (table, unit) : NULL,
                                   .words = keep (table, words) };
  g_array_append_val (table->columns, column);
  return table->columns->len - 1;
}

void
loom_result_table_set_bars (LoomResultTable *table, guint column, LoomResultBars bars)
{
  g_return_if_fail (table != NULL && table->n_rows == 0 && loom_result_table_is_number (table, column));
  g_array_index (table->columns, LoomResultTableColumn, column).bars = bars;
}

guint
loom_result_table_add_share_column (LoomResultTable *table, const char *title, const char *words)
{
  guint column = loom_result_table_add_column (table, title, "%", words);
  loom_result_table_set_bars (table, column, LOOM_RESULT_BARS_OF_SHARES);
  return column;
}

void
loom_result_table_set_detail (LoomResultTable *table, guint column)
{
  g_return_if_fail (column < table->columns->len);
  g_array_index (table->columns, LoomResultTableColumn, column).is_detail = TRUE;
}

void
loom_result_table_set_key (LoomResultTable *table, guint column)
{
  g_return_if_fail (column < table->columns->len);
  g_array_index (table->columns, LoomResultTableColumn, column).is_key = TRUE;
}

void
loom_result_table_set_chars (LoomResultTable *table, guint column, guint chars)
{
  g_return_if_fail (column < table->columns->len);
  g_array_index (table->columns, LoomResultTableColumn, column).chars = chars;
}

guint
loom_result_table_add_row (LoomResultTable *table, const char *name)
{
  g_return_val_if_fail (table != NULL, 0);
  for (guint i = 0; i < table->columns->len; i++) {
    Cell cell = { .text = "" };
    if (loom_result_table_is_number (table, i))
      cell.number = NAN;
    g_array_append_val (table->cells, cell);
  }
  table->n_rows++;
  if (name != NULL)
    loom_result_table_set_text (table, 0, name);
  return table->n_rows - 1;
}

static Cell *
cell_at (const LoomResultTable *table, guint row, guint column)
{
  return &g_array_index (table->cells, Cell, row * table->columns->len + column);
}

static LoomResultTableColumn *
column_at (LoomResultTable *table, guint column)
{
  return &g_array_index (table->columns, LoomResultTableColumn, column);
}

void
loom_result_table_set_text (LoomResultTable *table, guint column, const char *text)
{
  g_return_if_fail (table != NULL && table->n_rows > 0 && column < table->columns->len &&
                    !loom_result_table_is_number (table, column));
  cell_at (table, table->n_rows - 1, column)->text = keep (table, text);
  column_at (table, column)->is_filled |= text != NULL && text[0] != '\0';
}

/* Updates the members of a column that determine the format of its numbers, when the number `value` is added to the
 * column. */
static void
note_number (LoomResultTableColumn *column, double value)
{
  double magnitude = fabs (value);
  column->is_filled = TRUE;
  column->has_fractions |= value != floor (value);
  column->greatest_magnitude = MAX (column->greatest_magnitude, magnitude);
  if (magnitude > 0 && (column->least_magnitude == 0 || magnitude < column->least_magnitude))
    column->least_magnitude = magnitude;
}

void
loom_result_table_set_number (LoomResultTable *table, guint column, double value)
{
  g_return_if_fail (table != NULL && table->n_rows > 0 && column < table->columns->len &&
                    loom_result_table_is_number (table, column));
  LoomResultTableColumn *head = column_at (table, column);
  cell_at (table, table->n_rows - 1, column)->number = value;
  if (!isfinite (value))
    return;
  note_number (head, value);
  if (head->bars == LOOM_RESULT_BARS_OF_CHANGES && table->n_rows <= table->n_rows_with_bars)
    table->longest_bar = MAX (table->longest_bar, fabs (value));
}

void
loom_result_table_end_bars (LoomResultTable *table)
{
  g_return_if_fail (table != NULL);
  table->n_rows_with_bars = table->n_rows;
}

void
loom_result_table_set_numbers (LoomResultTable *table, guint first_column, const double *values, guint n)
{
  for (guint i = 0; i < n; i++)
    loom_result_table_set_number (table, first_column + i, values[i]);
}

static void
move_times (LoomResultTable *table, guint column, double ns)
{
  LoomResultTableColumn *head = column_at (table, column);
  head->least_magnitude = head->greatest_magnitude = 0;
  for (guint row = 0; row < table->n_rows; row++) {
    double *number = &cell_at (table, row, column)->number;
    *number += ns;
    if (isfinite (*number))
      note_number (head, *number);
  }
}

void
loom_result_table_move_times (LoomResultTable *table, double ns)
{
  g_return_if_fail (table != NULL);
  for (guint i = 0; i < table->columns->len; i++)
    if (g_strcmp0 (loom_result_table_get_column (table, i)->unit, "time") == 0)
      move_times (table, i, ns);
}

void
loom_result_table_set_row_unit (LoomResultTable *table, const char *unit)
{
  g_return_if_fail (table != NULL && table->n_rows > 0);
  g_ptr_array_set_size (table->row_units, (int) table->n_rows);
  table->row_units->pdata[table->n_rows - 1] = (gpointer) keep (table, unit);
}

void
loom_result_table_set_level (LoomResultTable *table, guint level)
{
  g_return_if_fail (table != NULL && table->n_rows > 0);
  g_array_set_size (table->row_levels, table->n_rows);
  g_array_index (table->row_levels, guint, table->n_rows - 1) = level;
}

void
loom_result_table_set_order (LoomResultTable *table, guint column, gboolean descending)
{
  g_return_if_fail (table != NULL);
  table->order = column;
  table->descending = descending;
}

/* --- reading columns and cells ------------------------------------------------------------------------------------ */

const LoomResultTableColumn *
loom_result_table_get_column (const LoomResultTable *table, guint column)
{
  return &g_array_index (table->columns, LoomResultTableColumn, column);
}

gboolean
loom_result_table_is_number (const LoomResultTable *table, guint column)
{
  return loom_result_table_get_column (table, column)->unit != NULL;
}

guint
loom_result_table_get_order (const LoomResultTable *table, gboolean *descending)
{
  *descending = table->descending;
  return table->order;
}

gboolean
loom_result_table_is_empty_column (const LoomResultTable *table, guint column)
{
  return table->n_rows > 0 && !loom_result_table_get_column (table, column)->is_filled;
}

double
loom_result_table_get_bar (const LoomResultTable *table, guint row, guint column)
{
  const LoomResultTableColumn *head = loom_result_table_get_column (table, column);
  double value = loom_result_table_is_number (table, column) ? loom_result_table_get_number (table, row, column) : NAN;
  if (head->bars == LOOM_RESULT_BARS_NONE || !isfinite (value))
    return NAN;
  if (head->bars == LOOM_RESULT_BARS_OF_CHANGES && row >= table->n_rows_with_bars)
    return NAN;
  if (head->bars == LOOM_RESULT_BARS_OF_CHANGES)
    return table->longest_bar > 0 ? value / table->longest_bar : 0;
  double full = strcmp (head->unit, "%") == 0 ? 100 : head->greatest_magnitude;
  return full > 0 ? CLAMP (value / full, 0, 1) : 0;
}

double
loom_result_table_get_number (const LoomResultTable *table, guint row, guint column)
{
  g_return_val_if_fail (row < table->n_rows && loom_result_table_is_number (table, column), NAN);
  return cell_at (table, row, column)->number;
}

const char *
loom_result_table_get_text (const LoomResultTable *table, guint row, guint column)
{
  g_return_val_if_fail (row < table->n_rows && !loom_result_table_is_number (table, column), "");
  return cell_at (table, row, column)->text;
}

static gboolean
is_time (const LoomResultTableColumn *column)
{
  return strcmp (column->unit, "time") == 0;
}

static const char *
unit_of (const LoomResultTable *table, guint row, const LoomResultTableColumn *column)
{
  if (strcmp (column->unit, "row") != 0)
    return column->unit;
  const char *unit = row < table->row_units->len ? table->row_units->pdata[row] : NULL;
  return unit != NULL ? unit : "";
}

/* Returns the unit, in ns, to which the table rounds points in time. With this unit, the displayed end minus the
 * displayed begin agrees with the displayed duration. 1 ns if all durations are below 1 ms; otherwise 1 µs if the
 * shortest duration is below 1 s; otherwise 1 ms. 1 ms for a table without durations. */
static gint64
time_step_of (const LoomResultTable *table)
{
  for (guint column = 0; column < table->columns->len; column++) {
    const LoomResultTableColumn *head = loom_result_table_get_column (table, column);
    if (g_strcmp0 (head->unit, "ns") != 0 || head->least_magnitude == 0)
      continue;
    if (head->greatest_magnitude < LOOM_NS_PER_MS)
      return 1;
    return head->least_magnitude < LOOM_NS_PER_S ? LOOM_NS_PER_US : LOOM_NS_PER_MS;
  }
  return LOOM_NS_PER_MS;
}

#define MAX_DECIMALS 3
#define MAX_GROUPED 1e10 /* counts of at least this size are written with SI prefixes */

static char *
format_decimals (double value, guint decimals, const char *unit)
{
  char format[8], number[G_ASCII_DTOSTR_BUF_SIZE];
  g_snprintf (format, sizeof format, "%%.%uf", decimals);
  g_ascii_formatd (number, sizeof number, format, value);
  g_autofree char *shown = loom_locale_number_localize (loom_locale_number_typeset (number));
  return unit[0] != '\0' ? g_strdup_printf ("%s %s", shown, unit) : g_steal_pointer (&shown);
}

/* Formats a percentage. It has one decimal if the column contains fractions and all its numbers are below 1000,
 * otherwise no decimals. With one decimal, a positive share that would be rounded to 0.0 becomes "<0.1 %". */
static char *
format_percent (const LoomResultTableColumn *head, double value)
{
  gboolean whole = !head->has_fractions || head->greatest_magnitude >= 1000;
  if (whole || value <= 0 || value >= 0.05)
    return format_decimals (value, whole ? 0 : 1, "%");
  g_autofree char *least = format_decimals (0.1, 1, "%");
  return g_strconcat ("<", least, NULL);
}

/* Formats a number without a unit. Integers are written in full if all numbers of the column are integers below
 * MAX_GROUPED. In other columns, the greatest number has three significant digits, and all numbers have as many
 * decimals as the greatest one. Exception: if the column contains a number of 1000 or more, or a number that would be
 * rounded to 0, each number is formatted separately. */
static char *
format_plain (const LoomResultTableColumn *head, double value)
{
  if (!head->has_fractions && head->greatest_magnitude < MAX_GROUPED) {
    g_autofree char *grouped = loom_locale_number_group ((guint64) fabs (value));
    return g_strconcat (value < 0 ? "−" : "", grouped, NULL);
  }
  int decimals =
    head->greatest_magnitude > 0 ? CLAMP (2 - (int) floor (log10 (head->greatest_magnitude)), 0, MAX_DECIMALS) : 0;
  if (head->greatest_magnitude >= 1000 || head->least_magnitude < 0.5 * pow (10, -decimals))
    return loom_chart_format (value, "");
  return format_decimals (value, (guint) decimals, "");
}

static char *
format_duration (const LoomResultTableColumn *head, double value)
{
  LoomTimeColumn column;
  gint64 ns = (gint64) llround (value);
  gboolean common = loom_time_column_init (&column, (gint64) head->least_magnitude, (gint64) head->greatest_magnitude);
  return common ? loom_time_column_format (&column, ns) : loom_time_format_duration (ns);
}

static char *
dup_number (const LoomResultTable *table, guint row, const LoomResultTableColumn *head, double value)
{
  if (is_time (head))
    return loom_time_format_offset_like ((gint64) llround (value), time_step_of (table),
                                         (gint64) head->greatest_magnitude);
  if (strcmp (head->unit, "ns") == 0)
    return format_duration (head, value);
  if (strcmp (head->unit, "%") == 0)
    return format_percent (head, value);
  return head->unit[0] == '\0' ? format_plain (head, value) : loom_chart_format (value, unit_of (table, row, head));
}

/* Returns the text of the first cell of a row, indented by the level of the row. Indents with no-break spaces, because
 * HTML and PDF merge other spaces into one. Owned by the caller. */
static char *
dup_indented (const LoomResultTable *table, guint row)
{
  guint level = row < table->row_levels->len ? MIN (g_array_index (table->row_levels, guint, row), MOST_LEVELS) : 0;
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < level; i++)
    g_string_append (text, INDENT);
  return g_string_free (g_string_append (text, loom_result_table_get_text (table, row, 0)), FALSE);
}

char *
loom_result_table_dup_cell (const LoomResultTable *table, guint row, guint column)
{
  const LoomResultTableColumn *head = loom_result_table_get_column (table, column);
  if (head->unit == NULL)
    return column == 0 ? dup_indented (table, row) : g_strdup (loom_result_table_get_text (table, row, column));
  double value = loom_result_table_get_number (table, row, column);
  if (!isfinite (value))
    return g_strdup ("–");
  g_autofree char *number = dup_number (table, row, head, value);
  gboolean signs = head->bars == LOOM_RESULT_BARS_OF_CHANGES && value > 0;
  return signs ? g_strconcat ("+", number, NULL) : g_steal_pointer (&number);
}

static char *
dup_with (const LoomResultTable *table, guint row, guint column, char *(*format) (double, const char *) )
{
  const LoomResultTableColumn *head = loom_result_table_get_column (table, column);
  if (head->unit == NULL)
    return g_strdup (loom_result_table_get_text (table, row, column));
  double value = loom_result_table_get_number (table, row, column);
  return format (value, is_time (head) ? "ns" : unit_of (table, row, head));
}

char *
loom_result_table_dup_precise (const LoomResultTable *table, guint row, guint column)
{
  return dup_with (table, row, column, loom_chart_format_precise);
}

char *
loom_result_table_dup_exact (const LoomResultTable *table, guint row, guint column)
{
  return dup_with (table, row, column, loom_chart_format_exact);
}

GHashTable *
loom_result_table_find_ambiguous_names (const LoomResultTable *table)
{
  GHashTable *ambiguous = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) first = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < table->n_rows; i++) {
    const char *text = loom_result_table_get_text (table, i, 0);
    g_autofree char *brief = loom_cxx_name_dup_short (text);
    const char *other = g_hash_table_lookup (first, brief);
    if (other == NULL) {
      g_hash_table_insert (first, g_steal_pointer (&brief), (gpointer) text);
    } else if (strcmp (other, text) != 0) {
      g_hash_table_add (ambiguous, (gpointer) other);
      g_hash_table_add (ambiguous, (gpointer) text);
    }
  }
  return ambiguous;
}

int
loom_result_table_compare (const LoomResultTable *table, guint a, guint b, guint column)
{
  if (!loom_result_table_is_number (table, column))
    return loom_natural_collate_compare (loom_result_table_get_text (table, a, column),
                                         loom_result_table_get_text (table, b, column));
  double x = loom_result_table_get_number (table, a, column), y = loom_result_table_get_number (table, b, column);
  if (isnan (x) || isnan (y))
    return isnan (y) - isnan (x);
  return (x > y) - (x < y);
}

gboolean
loom_result_table_matches (const LoomResultTable *table, guint row, const char *needle)
{
  if (needle[0] == '\0')
    return TRUE;
  for (guint column = 0; column < table->columns->len; column++) {
    if (loom_result_table_is_number (table, column))
      continue;
    g_autofree char *folded = g_utf8_casefold (loom_result_table_get_text (table, row, column), -1);
    if (strstr (folded, needle) != NULL)
      return TRUE;
  }
  return FALSE;
}

/* --- printing tables as text -------------------------------------------------------------------------------------- */

static void
append_tsv (GString *text, const char *cell, gboolean first)
{
  g_autofree char *clean = g_strdelimit (g_strdup (cell), "\t\n\r", ' ');
  g_string_append_printf (text, "%s%s", first ? "" : "\t", clean);
}

char *
loom_result_table_dup_tsv (const LoomResultTable *table, const guint *rows, guint n_rows)
{
  /* programs read the file, so numbers must not depend on the locale */
  LoomLocaleNumber before = loom_locale_number_begin ();
  GString *text = g_string_new (NULL);
  guint n = rows != NULL ? n_rows : table->n_rows;
  for (guint column = 0; column < table->columns->len; column++)
    append_tsv (text, loom_result_table_get_column (table, column)->title, column == 0);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < n; i++) {
    for (guint column = 0; column < table->columns->len; column++) {
      g_autofree char *cell = loom_result_table_dup_exact (table, rows != NULL ? rows[i] : i, column);
      append_tsv (text, cell, column == 0);
    }
    g_string_append_c (text, '\n');
  }
  loom_locale_number_end (before);
  return g_string_free (text, FALSE);
}

static void
append_csv (GString *text, const char *cell, gboolean first)
{
  if (!first)
    g_string_append_c (text, ',');
  if (strpbrk (cell, ",\"\r\n") == NULL) {
    g_string_append (text, cell);
    return;
  }
  g_string_append_c (text, '"');
  for (; *cell != '\0'; cell++) {
    if (*cell == '"')
      g_string_append_c (text, '"');
    g_string_append_c (text, *cell);
  }
  g_string_append_c (text, '"');
}

static void
append_csv_head (GString *text, const LoomResultTable *table)
{
  for (guint column = 0; column < table->columns->len; column++) {
    const LoomResultTableColumn *head = loom_result_table_get_column (table, column);
    const char *unit = head->unit == NULL || strcmp (head->unit, "row") == 0 ? "" : is_time (head) ? "ns" : head->unit;
    g_autofree char *title = unit[0] != '\0' ? g_strdup_printf ("%s (%s)", head->title, unit) : g_strdup (head->title);
    append_csv (text, title, column == 0);
  }
  g_string_append (text, "\r\n");
}

char *
loom_result_table_dup_csv (const LoomResultTable *table, const guint *rows, guint n_rows)
{
  GString *text = g_string_new (NULL);
  guint n = rows != NULL ? n_rows : table->n_rows;
  append_csv_head (text, table);
  for (guint i = 0; i < n; i++) {
    for (guint column = 0; column < table->columns->len; column++) {
      guint row = rows != NULL ? rows[i] : i;
      g_autofree char *cell = loom_result_table_is_number (table, column)
                                ? loom_chart_format_exact (loom_result_table_get_number (table, row, column), "")
                                : g_strdup (loom_result_table_get_text (table, row, column));
      append_csv (text, cell, column == 0);
    }
    g_string_append (text, "\r\n");
  }
  return g_string_free (text, FALSE);
}
