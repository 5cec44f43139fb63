/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-format.h: adds up the widths and precisions of a format. SQLite's own printf() then formats the
 * values on a second connection, because a function that was replaced cannot be called on the same connection.
 */
#include "loom-query-format.h"

#include <string.h>

#include "loom-query-limits.h"

#define MOST_ARGUMENTS 64 /* the limit SQLITE_LIMIT_FUNCTION_ARG of connections for queries */

/* Data of one SQL function of a connection; owned by the function. */
typedef struct {
  GCancellable *const *cancellable;
  /* connection on which SQLite's own printf() is called; NULL until needed */
  sqlite3 *plain;
  sqlite3_stmt *statements[MOST_ARGUMENTS + 1]; /* array indexed by number of arguments: the statement that calls
                                                 * printf() with so many arguments; NULL until it is needed */
} Formatter;

static void
free_formatter (gpointer data)
{
  Formatter *formatter = data;
  for (guint i = 0; i <= MOST_ARGUMENTS; i++)
    sqlite3_finalize (formatter->statements[i]);
  sqlite3_close (formatter->plain);
  g_free (formatter);
}

/* --- widths and precisions ---------------------------------------------------------------------------------------- */

/* A format, and the position in it. The format is parsed by the rules of SQLite (sqlite.org/printf.html). */
typedef struct {
  const char *at;
  sqlite3_value **values;
  int n_values;
  int n_used;    /* number of values that are used by the conversions before `at` */
  gint64 length; /* sum of the widths and precisions before `at` */
} Format;

/* Reads a width or a precision, which is a number or *, and adds it to the sum. For *, SQLite uses the lower 32 bits of
 * the value; for a number in the format, it uses the lower 31 bits. A negative width means alignment to the left. */
static void
add_length (Format *format)
{
  guint32 number = 0;
  gint32 value = 0;
  if (*format->at != '*') {
    for (; g_ascii_isdigit (*format->at); format->at++)
      number = number * 10 + (guint32) (*format->at - '0');
    format->length += number & 0x7fffffff;
    return;
  }
  format->at++;
  if (format->n_used < format->n_values)
    value = (gint32) sqlite3_value_int64 (format->values[format->n_used++]);
  format->length += ABS ((gint64) value);
}

/* Skips the rest of a conversion and counts the value that it uses. `at`: position after the % of the conversion. The
 * conversions %% and %n use no value. */
static void
skip_conversion (Format *format)
{
  format->at += strspn (format->at, "-+ #!0,");
  add_length (format);
  if (*format->at == '.') {
    format->at++;
    add_length (format);
  }
  format->at += strspn (format->at, "l");
  if (*format->at != '%' && *format->at != 'n')
    format->n_used++;
  if (*format->at != '\0')
    format->at++;
}

static gboolean
is_too_long (const char *text, sqlite3_value **values, int n_values)
{
  Format format = { text, values, n_values, 0, 0 };
  while ((format.at = strchr (format.at, '%')) != NULL && format.length <= (gint64) LOOM_QUERY_VALUE_BYTES) {
    format.at++;
    skip_conversion (&format);
  }
  return format.length > (gint64) LOOM_QUERY_VALUE_BYTES;
}

/* --- calling SQLite's own printf() -------------------------------------------------------------------------------- */

static int
open_plain (Formatter *formatter)
{
  if (formatter->plain != NULL)
    return SQLITE_OK;
  int code = sqlite3_open_v2 (":memory:", &formatter->plain,
                              SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX, NULL);
  if (code == SQLITE_OK)
    sqlite3_limit (formatter->plain, SQLITE_LIMIT_LENGTH, LOOM_QUERY_VALUE_BYTES);
  return code;
}

/* Makes the statement that calls printf() with `n` arguments, unless it exists already. Returns SQLite's result
 * code. */
static int
prepare (Formatter *formatter, int n)
{
  int code = open_plain (formatter);
  if (code != SQLITE_OK || formatter->statements[n] != NULL)
    return code;
  g_autoptr (GString) sql = g_string_new ("SELECT printf(");
  for (int i = 0; i < n; i++)
    g_string_append (sql, i == 0 ? "?" : ", ?");
  g_string_append_c (sql, ')');
  return sqlite3_prepare_v2 (formatter->plain, sql->str, -1, &formatter->statements[n], NULL);
}

/* Calls printf() with the values, and returns SQLite's result code. If `text` is not NULL, uses it instead of the
 * format. If the result code is SQLITE_ROW, the statement has the result, and the caller must reset the statement. */
static int
run (Formatter *formatter, const char *text, int n, sqlite3_value **values)
{
  int code = prepare (formatter, n);
  sqlite3_stmt *statement = formatter->statements[n];
  for (int i = 0; i < n && code == SQLITE_OK; i++)
    code = i == 0 && text != NULL ? sqlite3_bind_text (statement, 1, text, -1, SQLITE_TRANSIENT)
                                  : sqlite3_bind_value (statement, i + 1, values[i]);
  return code == SQLITE_OK ? sqlite3_step (statement) : code;
}

/* Frees the values and the result of a statement. */
static void
reset (sqlite3_stmt *statement)
{
  sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
}

/* Returns the code for a result that is NULL: SQLITE_OK, or SQLITE_TOOBIG if the text was too long. printf() returns
 * NULL for an empty text, too. Therefore it is called again with one more character before the format; now the result
 * is NULL only if the text is too long. */
static int
explain_null (Formatter *formatter, int n, sqlite3_value **values)
{
  const char *text = (const char *) sqlite3_value_text (values[0]);
  g_autofree char *longer = g_strconcat (".", text, NULL);
  int code = run (formatter, longer, n, values);
  if (code == SQLITE_ROW)
    code = sqlite3_column_type (formatter->statements[n], 0) == SQLITE_NULL ? SQLITE_TOOBIG : SQLITE_OK;
  reset (formatter->statements[n]);
  return code;
}

static void
do_format (sqlite3_context *context, int n, sqlite3_value **values)
{
  Formatter *formatter = sqlite3_user_data (context);
  const char *text = n > 0 ? (const char *) sqlite3_value_text (values[0]) : NULL;
  int code = text == NULL                                                  ? SQLITE_OK
             : g_cancellable_is_cancelled (*formatter->cancellable)        ? SQLITE_INTERRUPT
             : n > MOST_ARGUMENTS || is_too_long (text, values + 1, n - 1) ? SQLITE_TOOBIG
                                                                           : run (formatter, NULL, n, values);
  if (code == SQLITE_ROW) {
    sqlite3_value *value = sqlite3_column_value (formatter->statements[n], 0);
    gboolean is_null = sqlite3_value_type (value) == SQLITE_NULL;
    sqlite3_result_value (context, value);
    reset (formatter->statements[n]);
    code = is_null ? explain_null (formatter, n, values) : SQLITE_OK;
  }
  if (code == SQLITE_NOMEM)
    sqlite3_result_error_nomem (context);
  else if (code == SQLITE_TOOBIG)
    sqlite3_result_error_toobig (context);
  else if (code != SQLITE_OK)
    sqlite3_result_error_code (context, code);
}

int
loom_query_format_register (sqlite3 *database, GCancellable *const *cancellable)
{
  static const char *const names[] = { "printf", "format" };
  int code = SQLITE_OK;
  for (guint i = 0; i < G_N_ELEMENTS (names) && code == SQLITE_OK; i++) {
    Formatter *formatter = g_new0 (Formatter, 1);
    formatter->cancellable = cancellable;
    code = sqlite3_create_function_v2 (database, names[i], -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, formatter, do_format,
                                       NULL, NULL, free_formatter);
  }
  return code;
}
