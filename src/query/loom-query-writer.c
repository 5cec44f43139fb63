/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-writer.h: formats the rows of a result as table, CSV or JSON.
 */
#include "loom-query-writer.h"

#include <math.h>
#include <string.h>

#include "loom-archive-path.h"
#include "loom-ellipsize.h"
#include "loom-json-slice.h"
#include "loom-query-schema.h"
#include "loom-time.h"

/* Number of bytes of a text that are read for one cell of a table. A cell shows at most LOOM_QUERY_WRITER_CELL_LETTERS
 * characters, and a character has at most 4 bytes, so this is always enough. */
#define CELL_BYTES (8 * LOOM_QUERY_WRITER_CELL_LETTERS)

/* Numbers of ns from this one on, 104 days, are rather times since 1970 than durations. They are written with all
 * digits. */
#define MOST_DURATION_NS (G_GINT64_CONSTANT (1) << 53)
#define NS_SUFFIX "_ns"

const char *const loom_query_writer_formats[] = { "table", "csv", "json", "jsonl", NULL };

typedef struct {
  LoomQuery *query;
  LoomQueryWriterFormat format;
  LoomOutputFile *output;
  GString *line;
  guint n_columns;
  GPtrArray *names;  /* char *: names of the columns, changed where several columns have the same name */
  glong *widths;     /* width of each column of a table, in characters */
  guint8 *durations; /* array: [column] 1 if a table shows the numbers of the column as durations with a unit */
  /* char *: cells of the first rows of a table, kept until the widths of the columns are known. An element is NULL if
   * the value is NULL. The array is freed and set to NULL when these rows are written */
  GPtrArray *kept;
  GByteArray *kept_numbers; /* guint8 for each element of `kept`: 1 if it contains a number, which is right-aligned */
  guint64 n_rows;
} Writer;

static void
flush (Writer *writer)
{
  loom_output_file_append (writer->output, writer->line->str, writer->line->len);
  g_string_truncate (writer->line, 0);
}

/* Appends a real number. A number without a fraction gets ".0", as in "5.0", so that it isn't read as an integer. */
static void
append_real (GString *line, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (digits, sizeof digits, "%.15g", value);
  if (g_ascii_strtod (digits, NULL) != value)
    g_ascii_dtostr (digits, sizeof digits, value);
  g_string_append (line, digits);
  if (isfinite (value) && strpbrk (digits, ".e") == NULL)
    g_string_append (line, ".0");
}

/* --- CSV ---------------------------------------------------------------------------------------------------------- */

void
loom_query_writer_append_field (GString *line, const char *text)
{
  if (strpbrk (text, ",\"\r\n") == NULL) {
    g_string_append (line, text);
    return;
  }
  g_string_append_c (line, '"');
  for (const char *at = text; *at != '\0'; at++) {
    if (*at == '"')
      g_string_append_c (line, '"');
    g_string_append_c (line, *at);
  }
  g_string_append_c (line, '"');
}

static void
append_csv_value (Writer *writer, guint column)
{
  switch (loom_query_get_type (writer->query, column)) {
  case LOOM_QUERY_INTEGER:
    g_string_append_printf (writer->line, "%" G_GINT64_FORMAT, loom_query_get_int (writer->query, column));
    break;
  case LOOM_QUERY_REAL: append_real (writer->line, loom_query_get_real (writer->query, column)); break;
  case LOOM_QUERY_TEXT:
    loom_query_writer_append_field (writer->line, loom_query_get_text (writer->query, column, NULL));
    break;
  case LOOM_QUERY_NULL:
  default: break;
  }
}

static void
put_csv (Writer *writer)
{
  for (guint i = 0; i < writer->n_columns; i++) {
    if (i > 0)
      g_string_append_c (writer->line, ',');
    append_csv_value (writer, i);
  }
  g_string_append (writer->line, "\r\n");
}

static void
begin_csv (Writer *writer)
{
  for (guint i = 0; i < writer->n_columns; i++) {
    if (i > 0)
      g_string_append_c (writer->line, ',');
    loom_query_writer_append_field (writer->line, loom_query_get_column_name (writer->query, i));
  }
  g_string_append (writer->line, "\r\n");
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static void
append_json_value (Writer *writer, guint column)
{
  gsize length;
  const char *text;
  double real;
  switch (loom_query_get_type (writer->query, column)) {
  case LOOM_QUERY_INTEGER:
    g_string_append_printf (writer->line, "%" G_GINT64_FORMAT, loom_query_get_int (writer->query, column));
    break;
  case LOOM_QUERY_REAL:
    real = loom_query_get_real (writer->query, column);
    if (isfinite (real))
      append_real (writer->line, real);
    else
      g_string_append (writer->line, "null");
    break;
  case LOOM_QUERY_TEXT:
    text = loom_query_get_text (writer->query, column, &length);
    loom_json_slice_append_string (writer->line, text, length);
    break;
  case LOOM_QUERY_NULL:
  default: g_string_append (writer->line, "null"); break;
  }
}

static void
put_object (Writer *writer)
{
  for (guint i = 0; i < writer->n_columns; i++) {
    const char *name = writer->names->pdata[i];
    g_string_append_c (writer->line, i == 0 ? '{' : ',');
    loom_json_slice_append_string (writer->line, name, strlen (name));
    g_string_append_c (writer->line, ':');
    append_json_value (writer, i);
  }
  g_string_append_c (writer->line, '}');
}

static void
put_json (Writer *writer)
{
  g_string_append (writer->line, writer->n_rows == 0 ? "\n" : ",\n");
  put_object (writer);
}

static void
put_json_line (Writer *writer)
{
  put_object (writer);
  g_string_append_c (writer->line, '\n');
}

/* --- table -------------------------------------------------------------------------------------------------------- */

static char *
dup_cell_text (const char *text, gsize length)
{
  gsize cut = MIN (length, CELL_BYTES);
  while (cut < length && cut > 0 && ((guchar) text[cut] & 0xC0) == 0x80)
    cut--;
  g_autofree char *part = g_strndup (text, cut);
  g_autofree char *printable = loom_archive_path_dup_printable (part);
  return loom_ellipsize_middle (printable, LOOM_QUERY_WRITER_CELL_LETTERS);
}

/* Returns TRUE if the numbers of a column are durations in ns: those of a column of a table, or computed ones whose
 * name ends in “_ns” or is the name of such a column. */
static gboolean
is_duration (const Writer *writer, guint column)
{
  const char *name = loom_query_get_column_name (writer->query, column);
  const LoomQueryColumn *origin = loom_query_get_origin (writer->query, column);
  if (origin != NULL)
    return strcmp (origin->unit, "ns") == 0 && !loom_query_schema_is_instant (origin->name);
  return !loom_query_schema_is_instant (name) && loom_query_schema_is_in_ns (name);
}

/* Returns the name of a column for the header of a table: without “_ns” if the cells have other units. */
static char *
dup_header (const Writer *writer, guint column)
{
  const char *name = loom_query_get_column_name (writer->query, column);
  gsize length = strlen (name);
  if (writer->durations[column] && g_str_has_suffix (name, NS_SUFFIX))
    length -= strlen (NS_SUFFIX);
  return dup_cell_text (name, length);
}

static char *
dup_number (Writer *writer, guint column, LoomQueryType type)
{
  double value = loom_query_get_real (writer->query, column);
  gboolean is_duration = writer->durations[column];
  if (is_duration && fabs (value) < MOST_DURATION_NS)
    return loom_time_format_duration ((gint64) round (value));
  g_autoptr (GString) digits = g_string_new (NULL);
  if (type == LOOM_QUERY_INTEGER)
    g_string_append_printf (digits, "%" G_GINT64_FORMAT, loom_query_get_int (writer->query, column));
  else
    append_real (digits, value);
  return g_strconcat (digits->str, is_duration ? " ns" : NULL, NULL);
}

static char *
dup_cell (Writer *writer, guint column, gboolean *is_number)
{
  gsize length;
  LoomQueryType type = loom_query_get_type (writer->query, column);
  *is_number = type == LOOM_QUERY_INTEGER || type == LOOM_QUERY_REAL;
  if (type == LOOM_QUERY_NULL)
    return g_strdup ("");
  if (*is_number)
    return dup_number (writer, column, type);
  const char *text = loom_query_get_text (writer->query, column, &length);
  return dup_cell_text (text, length);
}

/* Appends a cell of a table. `right`: the cell is right-aligned, as cells with numbers are. The last cell of a row gets
 * no blanks at its end. */
static void
append_cell (Writer *writer, guint column, const char *cell, gboolean right)
{
  glong blanks = MAX (writer->widths[column] - g_utf8_strlen (cell, -1), 0);
  if (column > 0)
    g_string_append (writer->line, "  ");
  if (right)
    g_string_append_printf (writer->line, "%*s", (int) blanks, "");
  g_string_append (writer->line, cell);
  if (!right && column + 1 < writer->n_columns)
    g_string_append_printf (writer->line, "%*s", (int) blanks, "");
  if (column + 1 == writer->n_columns)
    g_string_append_c (writer->line, '\n');
}

/* Writes the names of the columns, and the rows that were kept to measure the widths of columns. */
static void
begin_table (Writer *writer)
{
  for (guint i = 0; i < writer->n_columns; i++) {
    g_autofree char *cell = dup_header (writer, i);
    writer->widths[i] = MAX (writer->widths[i], g_utf8_strlen (cell, -1));
    append_cell (writer, i, cell, writer->kept->len > 0 && writer->kept_numbers->data[i]);
  }
  for (guint i = 0; i < writer->n_columns; i++) {
    g_autofree char *line = g_strnfill ((gsize) writer->widths[i], '-');
    append_cell (writer, i, line, FALSE);
  }
  for (guint i = 0; i < writer->kept->len; i++)
    append_cell (writer, i % writer->n_columns, writer->kept->pdata[i], writer->kept_numbers->data[i]);
  g_clear_pointer (&writer->kept, g_ptr_array_unref);
}

static void
put_table (Writer *writer)
{
  for (guint i = 0; i < writer->n_columns; i++) {
    gboolean is_number;
    g_autofree char *cell = dup_cell (writer, i, &is_number);
    if (writer->kept == NULL) {
      append_cell (writer, i, cell, is_number);
      continue;
    }
    guint8 number = is_number != FALSE;
    writer->widths[i] = MAX (writer->widths[i], g_utf8_strlen (cell, -1));
    g_byte_array_append (writer->kept_numbers, &number, 1);
    g_ptr_array_add (writer->kept, g_steal_pointer (&cell));
  }
  if (writer->kept != NULL && writer->n_rows + 1 >= LOOM_QUERY_WRITER_MEASURED_ROWS)
    begin_table (writer);
}

/* --- writing in each of the formats ------------------------------------------------------------------------------- */

static void
begin (Writer *writer)
{
  if (writer->format == LOOM_QUERY_WRITER_CSV)
    begin_csv (writer);
  else if (writer->format == LOOM_QUERY_WRITER_JSON)
    g_string_append_c (writer->line, '[');
}

static void
put_row (Writer *writer)
{
  static void (*const puts[LOOM_N_QUERY_WRITERS]) (Writer * writer) = { put_table, put_csv, put_json, put_json_line };
  puts[writer->format](writer);
  writer->n_rows++;
}

static void
end (Writer *writer)
{
  if (writer->format == LOOM_QUERY_WRITER_TABLE && writer->kept != NULL)
    begin_table (writer);
  else if (writer->format == LOOM_QUERY_WRITER_JSON)
    g_string_append (writer->line, writer->n_rows == 0 ? "]\n" : "\n]\n");
}

static char *
dup_unique_name (const Writer *writer, const char *name)
{
  char *found = g_strdup (name);
  for (guint n = 2; g_ptr_array_find_with_equal_func (writer->names, found, g_str_equal, NULL); n++) {
    g_free (found);
    found = g_strdup_printf ("%s %u", name, n);
  }
  return found;
}

static gboolean
put_rows (Writer *writer, GError **error)
{
  LoomQueryOutcome outcome = loom_query_next (writer->query, error);
  if (outcome == LOOM_QUERY_FAILED) /* the query failed before its first row, so nothing is written */
    return FALSE;
  begin (writer);
  for (; outcome == LOOM_QUERY_ROW; outcome = loom_query_next (writer->query, error)) {
    put_row (writer);
    if (writer->line->len >= 65536)
      flush (writer);
    if (!loom_output_file_is_good (writer->output))
      break;
  }
  if (outcome != LOOM_QUERY_FAILED)
    end (writer);
  flush (writer);
  return outcome != LOOM_QUERY_FAILED;
}

static void
append_member (GString *line, const char *name, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_string_append_printf (line, "\"%s\":", name);
  loom_json_slice_append_string (line, valid, strlen (valid));
}

void
loom_query_writer_end_failed (LoomQueryWriterFormat format, LoomOutputFile *output, const char *code,
                              const char *message)
{
  if (format != LOOM_QUERY_WRITER_JSON && format != LOOM_QUERY_WRITER_JSONL)
    return;
  g_autoptr (GString) line = g_string_new (format == LOOM_QUERY_WRITER_JSON ? ",\n" : NULL);
  g_string_append (line, "{\"error\":{");
  append_member (line, "code", code);
  g_string_append_c (line, ',');
  append_member (line, "message", message);
  g_string_append (line, format == LOOM_QUERY_WRITER_JSON ? "}}\n]\n" : "}}\n");
  loom_output_file_append (output, line->str, line->len);
}

gboolean
loom_query_writer_write (LoomQuery *query, LoomQueryWriterFormat format, LoomOutputFile *output, guint64 *n_rows,
                         GError **error)
{
  g_autoptr (GString) line = g_string_new (NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GByteArray) numbers = g_byte_array_new ();
  Writer writer = { query, format, output, line, loom_query_get_n_columns (query), names };
  g_autofree glong *widths = g_new0 (glong, writer.n_columns);
  g_autofree guint8 *durations = g_new0 (guint8, writer.n_columns);
  writer.widths = widths;
  writer.durations = durations;
  writer.kept = g_ptr_array_new_with_free_func (g_free);
  writer.kept_numbers = numbers;
  for (guint i = 0; i < writer.n_columns; i++) {
    g_ptr_array_add (names, dup_unique_name (&writer, loom_query_get_column_name (query, i)));
    durations[i] = is_duration (&writer, i);
  }
  gboolean good = put_rows (&writer, error);
  g_clear_pointer (&writer.kept, g_ptr_array_unref);
  if (n_rows != NULL)
    *n_rows = writer.n_rows;
  return good;
}
