/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query.h: prepares and runs a SELECT in SQLite, and adds the position of errors to SQLite's messages.
 */
#include "loom-query.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "loom-error.h"
#include "loom-query-batch.h"
#include "loom-query-connection.h"

struct _LoomQuery {
  LoomQueryRun *run;
  GCancellable *cancellable;
  LoomQueryConnection *connection;
  sqlite3 *database; /* database of `connection`; borrowed */
  sqlite3_stmt *statement;
  char *sql;
  gboolean has_failed;
  gboolean *bound;  /* array indexed by parameter of the query: TRUE if the parameter has a value */
  gboolean has_run; /* TRUE after loom_query_check_parameters() was called; this happens before the first row is read */
  /* Texts of the current row that differ from the values in SQLite, so that this object must own them: blobs as
   * hexadecimal text, and texts in which invalid UTF-8 was replaced. NULL until needed */
  GPtrArray *blobs;
};

/* In the output of EXPLAIN QUERY PLAN, SQLite writes this text before the number and the text of a virtual table's
 * plan. */
#define PLAN_OF_TABLE " VIRTUAL TABLE INDEX "

/* Parts of the end of an error message, for example " (line 1, column 8)". */
#define PLACE_BEGIN " (line "
#define PLACE_MIDDLE ", column "

/* --- errors ------------------------------------------------------------------------------------------------------- */

/* Appends the position of the error in the query, if SQLite states it. */
static void
append_place (GString *message, sqlite3 *database, const char *sql)
{
  int offset = sql != NULL ? sqlite3_error_offset (database) : -1;
  if (offset < 0 || (gsize) offset > strlen (sql))
    return;
  guint line = 1;
  const char *begin = sql;
  for (const char *at = sql; at < sql + offset; at++)
    if (*at == '\n') {
      line++;
      begin = at + 1;
    }
  g_string_append_printf (message, PLACE_BEGIN "%u" PLACE_MIDDLE "%ld)", line,
                          g_utf8_strlen (begin, sql + offset - begin) + 1);
}

gint64
loom_query_find_place (const char *sql, const GError *error)
{
  const char *begin = g_strrstr (error->message, PLACE_BEGIN), *at = sql;
  char *end;
  if (begin == NULL)
    return -1;
  guint64 line = g_ascii_strtoull (begin + strlen (PLACE_BEGIN), &end, 10);
  guint64 column = g_str_has_prefix (end, PLACE_MIDDLE) ? g_ascii_strtoull (end + strlen (PLACE_MIDDLE), &end, 10) : 0;
  for (guint64 i = 1; i < line && at != NULL; i++)
    at = (at = strchr (at, '\n')) != NULL ? at + 1 : NULL;
  if (at == NULL || line == 0 || column == 0 || strcmp (end, ")") != 0 || column > (guint64) g_utf8_strlen (at, -1) + 1)
    return -1;
  return g_utf8_offset_to_pointer (at, (glong) column - 1) - sql;
}

/* If the error is that SQLite found no column with a name in double quotes, appends how SQL quotes names and texts,
 * because the user probably meant a text. */
static void
append_quoting (GString *message, sqlite3 *database, const char *sql)
{
  int offset = sqlite3_error_offset (database);
  if (sql != NULL && offset >= 0 && (gsize) offset < strlen (sql) && sql[offset] == '"' &&
      g_str_has_prefix (message->str, "no such column"))
    g_string_append (message, "; names stand in \"double quotes\", texts in 'single quotes'");
}

static gboolean
is_limit (int code)
{
  return code == SQLITE_NOMEM || code == SQLITE_TOOBIG || code == SQLITE_INTERRUPT;
}

/* Sets `error` to the last error of the connection. `sql`: text of the query, from which the line and column of the
 * error are computed; NULL: the error occurred while the query was running, so it has no position in the text. */
static void
set_error (LoomQuery *self, int code, const char *sql, GError **error)
{
  g_autoptr (GString) message = g_string_new (NULL);
  self->has_failed = TRUE;
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return;
  if (self->connection->guard.refused != NULL)
    g_string_append (message, self->connection->guard.refused);
  else if (self->connection->guard.over || code == SQLITE_NOMEM)
    g_string_append (message, "the query needs too much memory: let it return fewer rows, or sort and join fewer");
  else if (code == SQLITE_INTERRUPT && self->connection->guard.end_us != 0)
    g_string_append (message, "the time of the query is over");
  else if (code == SQLITE_TOOBIG)
    g_string_printf (message, "the query, or a value of it, is too long: values have at most %u MiB",
                     (guint) (LOOM_QUERY_VALUE_BYTES / LOOM_MIB));
  else if (g_str_has_suffix (sqlite3_errmsg (self->database), " may not be modified"))
    g_string_append (message, LOOM_QUERY_GUARD_REFUSAL);
  else if (strcmp (sqlite3_errmsg (self->database), "parser stack overflow") == 0)
    g_string_append (message,
                     "the query is nested too deeply (parser stack overflow): use fewer parentheses and subqueries");
  else {
    g_string_append (message, sqlite3_errmsg (self->database));
    append_quoting (message, self->database, sql);
    append_place (message, self->database, sql);
  }
  g_autofree char *valid = g_utf8_make_valid (message->str, -1);
  g_set_error_literal (error, LOOM_ERROR,
                       self->connection->guard.over || is_limit (code) ? LOOM_ERROR_LIMIT : LOOM_ERROR_FORMAT, valid);
}

/* --- preparing ---------------------------------------------------------------------------------------------------- */

static gboolean
take_connection (LoomQuery *self, gint64 bytes, GError **error)
{
  int code;
  self->connection = loom_query_connection_take (self->run, self->sql, self->cancellable,
                                                 sqlite3_memory_used () + bytes, &self->statement, &code);
  self->database = self->connection->database;
  if (code != SQLITE_OK)
    set_error (self, code, NULL, error);
  return code == SQLITE_OK;
}

/* Returns TRUE if `rest`, the text after the statement, contains only blanks, comments and semicolons. */
static gboolean
is_rest_empty (LoomQuery *self, const char *rest)
{
  while (rest != NULL && *rest != '\0') {
    sqlite3_stmt *another = NULL;
    const char *after = rest;
    int code = sqlite3_prepare_v2 (self->database, rest, -1, &another, &after);
    gboolean good = code == SQLITE_OK && another == NULL && after > rest;
    sqlite3_finalize (another);
    if (!good)
      return FALSE;
    rest = after;
  }
  return TRUE;
}

static gboolean
is_explained (const char *sql)
{
  while (g_ascii_isspace (*sql))
    sql++;
  return g_ascii_strncasecmp (sql, "explain", 7) == 0;
}

static gboolean
prepare (LoomQuery *self, const char *sql, GError **error)
{
  const char *rest = NULL;
  self->connection->host.missing = FALSE;
  self->connection->host.explains = is_explained (sql);
  int code = sqlite3_prepare_v2 (self->database, sql, -1, &self->statement, &rest);
  if (code == SQLITE_OK && self->statement != NULL)
    code = loom_query_batch_prepare (self->database, sql, &self->connection->host, &self->statement);
  g_autofree char *missing =
    code == SQLITE_OK ? loom_query_module_dup_missing (self->database, sql, &self->connection->host) : NULL;
  if (code != SQLITE_OK)
    set_error (self, code, sql, error);
  else if (missing != NULL)
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT, missing);
  else if (self->statement == NULL)
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT, "the query is empty");
  else if (sqlite3_stmt_readonly (self->statement) == 0 || sqlite3_column_count (self->statement) == 0)
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT, LOOM_QUERY_GUARD_REFUSAL);
  else if (!is_rest_empty (self, rest))
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT, "there is more than one query: ask them one by one");
  else
    return TRUE;
  return FALSE;
}

static gboolean
check_text (const char *sql, GError **error)
{
  if (strlen (sql) > LOOM_QUERY_TEXT_BYTES)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT, "the query is longer than %u KiB",
                 (guint) LOOM_QUERY_TEXT_BYTES / 1024);
  else if (!g_utf8_validate (sql, -1, NULL))
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT, "the query is not in UTF-8");
  else
    return TRUE;
  return FALSE;
}

LoomQuery *
loom_query_new (LoomQueryRun *run, const char *sql, guint64 memory_bytes, GCancellable *cancellable, GError **error)
{
  if (!check_text (sql, error))
    return NULL;
  gint64 bytes = (gint64) (memory_bytes > 0 ? MIN (memory_bytes, G_MAXINT64 / 4) : LOOM_QUERY_MEMORY_BYTES);
  LoomQuery *self = g_new0 (LoomQuery, 1);
  self->run = loom_query_run_ref (run);
  self->sql = g_strdup (sql);
  self->cancellable = cancellable != NULL ? g_object_ref (cancellable) : NULL;
  loom_query_guard_enter (bytes);
  if (take_connection (self, bytes, error) && (self->statement != NULL || prepare (self, sql, error))) {
    self->bound = g_new0 (gboolean, sqlite3_bind_parameter_count (self->statement) + 1);
    return self;
  }
  self->has_failed = TRUE;
  loom_query_free (self);
  return NULL;
}

void
loom_query_free (LoomQuery *query)
{
  if (query == NULL)
    return;
  loom_query_connection_give_back (query->connection, query->sql, query->statement, !query->has_failed);
  loom_query_guard_leave ();
  g_clear_pointer (&query->blobs, g_ptr_array_unref);
  g_clear_object (&query->cancellable);
  loom_query_run_unref (query->run);
  g_free (query->bound);
  g_free (query->sql);
  g_free (query);
}

/* --- parameters --------------------------------------------------------------------------------------------------- */

static int
find_parameter (LoomQuery *query, const char *name)
{
  int number = 0;
  for (const char *sign = ":@$"; *sign != '\0' && number == 0; sign++) {
    const char first[2] = { *sign, '\0' };
    g_autofree char *whole = g_strconcat (first, name, NULL);
    number = sqlite3_bind_parameter_index (query->statement, whole);
  }
  return number;
}

/* Returns the type of the value that the text `value` represents. Sets `whole` if the text is an integer, and `real` if
 * it is a real number. */
static LoomQueryType
read_number (const char *value, gint64 *whole, double *real)
{
  char *end = NULL;
  errno = 0;
  gboolean begins = g_ascii_isdigit (value[0]) || ((value[0] == '-' || value[0] == '+' || value[0] == '.') &&
                                                   (g_ascii_isdigit (value[1]) || value[1] == '.'));
  *whole = begins ? g_ascii_strtoll (value, &end, 10) : 0;
  if (begins && *end == '\0' && errno == 0)
    return LOOM_QUERY_INTEGER;
  begins &= strpbrk (value, "xX") == NULL; /* refuse hexadecimal numbers, which g_ascii_strtod() accepts */
  *real = begins ? g_ascii_strtod (value, &end) : 0;
  return begins && *end == '\0' && isfinite (*real) ? LOOM_QUERY_REAL : LOOM_QUERY_TEXT;
}

static int
bind_value (sqlite3_stmt *statement, int number, const char *value)
{
  gint64 whole;
  double real;
  switch (read_number (value, &whole, &real)) {
  case LOOM_QUERY_INTEGER: return sqlite3_bind_int64 (statement, number, whole);
  case LOOM_QUERY_REAL: return sqlite3_bind_double (statement, number, real);
  default: return sqlite3_bind_text (statement, number, value, -1, SQLITE_TRANSIENT);
  }
}

gboolean
loom_query_is_number (const char *text)
{
  gint64 whole;
  double real;
  return read_number (text, &whole, &real) != LOOM_QUERY_TEXT;
}

gboolean
loom_query_bind (LoomQuery *query, const char *name, const char *value, GError **error)
{
  int number = find_parameter (query, name);
  if (number == 0) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, "the query has no parameter :%s", name);
    return FALSE;
  }
  int code = bind_value (query->statement, number, value);
  if (code != SQLITE_OK)
    set_error (query, code, NULL, error);
  query->bound[number] = code == SQLITE_OK;
  return code == SQLITE_OK;
}

gboolean
loom_query_check_parameters (LoomQuery *query, GError **error)
{
  query->has_run = TRUE;
  for (int i = 1; i <= sqlite3_bind_parameter_count (query->statement); i++) {
    if (query->bound[i])
      continue;
    const char *name = sqlite3_bind_parameter_name (query->statement, i);
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, "the parameter %s has no value", name != NULL ? name : "?");
    return FALSE;
  }
  return TRUE;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

guint
loom_query_get_n_columns (const LoomQuery *query)
{
  return (guint) sqlite3_column_count (query->statement);
}

const char *
loom_query_get_column_name (const LoomQuery *query, guint column)
{
  const char *name = sqlite3_column_name (query->statement, (int) column);
  return name != NULL ? name : "";
}

const LoomQueryColumn *
loom_query_get_origin (const LoomQuery *query, guint column)
{
  const char *table = sqlite3_column_table_name (query->statement, (int) column),
             *name = sqlite3_column_origin_name (query->statement, (int) column);
  return table != NULL && name != NULL ? loom_query_schema_find (table, name) : NULL;
}

gboolean
loom_query_is_event_id (const LoomQuery *query, guint column)
{
  static const char *const tables[] = { "span", "instant", "overlap", "descendants", "ancestors" }, *const others[] = {
    "step.span", "collective.span", "critical_path.span", "flow.from_id", "flow.to_id", "span.parent"
  };
  const char *table = sqlite3_column_table_name (query->statement, (int) column),
             *name = sqlite3_column_origin_name (query->statement, (int) column);
  if (table == NULL || name == NULL)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (strcmp (table, tables[i]) == 0 && strcmp (name, "id") == 0)
      return TRUE;
  g_autofree char *whole = g_strconcat (table, ".", name, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (strcmp (whole, others[i]) == 0)
      return TRUE;
  return FALSE;
}

LoomQueryOutcome
loom_query_next (LoomQuery *query, GError **error)
{
  if (!query->has_run && !loom_query_check_parameters (query, error))
    return LOOM_QUERY_FAILED;
  if (query->blobs != NULL)
    g_ptr_array_set_size (query->blobs, 0);
  int code = sqlite3_step (query->statement);
  /* a cancelled query fails even if it ended before SQLite noticed the cancellation, so that the result depends less on
   * timing */
  gboolean is_cancelled = g_cancellable_is_cancelled (query->cancellable);
  if (code == SQLITE_ROW && !is_cancelled)
    return LOOM_QUERY_ROW;
  if (code == SQLITE_DONE && !is_cancelled)
    return LOOM_QUERY_DONE;
  set_error (query, code, NULL, error);
  return LOOM_QUERY_FAILED;
}

void
loom_query_set_end (LoomQuery *query, gint64 end_us)
{
  query->connection->guard.end_us = end_us;
}

LoomQueryType
loom_query_get_type (LoomQuery *query, guint column)
{
  switch (sqlite3_column_type (query->statement, (int) column)) {
  case SQLITE_INTEGER: return LOOM_QUERY_INTEGER;
  case SQLITE_FLOAT: return LOOM_QUERY_REAL;
  case SQLITE_NULL: return LOOM_QUERY_NULL;
  default: return LOOM_QUERY_TEXT;
  }
}

gint64
loom_query_get_int (LoomQuery *query, guint column)
{
  return sqlite3_column_int64 (query->statement, (int) column);
}

double
loom_query_get_real (LoomQuery *query, guint column)
{
  return sqlite3_column_double (query->statement, (int) column);
}

/* Returns a blob of the current row as hexadecimal text, which is valid until the query moves to the next row. */
static const char *
keep_hex (LoomQuery *query, int column, gsize *length)
{
  const guchar *bytes = sqlite3_column_blob (query->statement, column);
  gsize n = (gsize) sqlite3_column_bytes (query->statement, column);
  GString *text = g_string_sized_new (2 * n + 1);
  for (gsize i = 0; i < n; i++)
    g_string_append_printf (text, "%02x", bytes[i]);
  *length = text->len;
  if (query->blobs == NULL)
    query->blobs = g_ptr_array_new_with_free_func (g_free);
  char *kept = g_string_free (text, FALSE);
  g_ptr_array_add (query->blobs, kept);
  return kept;
}

const char *
loom_query_get_text (LoomQuery *query, guint column, gsize *length)
{
  gsize n = 0;
  const char *text;
  if (sqlite3_column_type (query->statement, (int) column) == SQLITE_BLOB)
    text = keep_hex (query, (int) column, &n);
  else {
    text = (const char *) sqlite3_column_text (query->statement, (int) column);
    n = text != NULL ? (gsize) sqlite3_column_bytes (query->statement, (int) column) : 0;
  }
  /* char(…) and SQL functions that cut texts may return invalid UTF-8 */
  if (text != NULL && !g_utf8_validate (text, (gssize) n, NULL)) {
    if (query->blobs == NULL)
      query->blobs = g_ptr_array_new_with_free_func (g_free);
    char *valid = g_utf8_make_valid (text, (gssize) n);
    g_ptr_array_add (query->blobs, valid);
    text = valid;
    n = strlen (valid);
  }
  if (length != NULL)
    *length = n;
  return text != NULL ? text : "";
}

/* --- explaining --------------------------------------------------------------------------------------------------- */

/* Returns the nesting depth of a row of EXPLAIN QUERY PLAN. `depths` maps the id of each earlier row to the depth of
 * the rows nested in that row. */
static guint
get_depth (GHashTable *depths, gint64 id, gint64 parent)
{
  guint depth = GPOINTER_TO_UINT (g_hash_table_lookup (depths, GINT_TO_POINTER ((gint) parent)));
  g_hash_table_insert (depths, GINT_TO_POINTER ((gint) id), GUINT_TO_POINTER (depth + 1));
  return depth;
}

/* Appends a line of the plan. For a table of this program, SQLite writes "VIRTUAL TABLE INDEX NUMBER:PLAN". Replaces
 * this text by the conditions that the table evaluates (loom-query-module.c), and by "IN ORDER" if the table returns
 * its rows in the order that the query requires. Does not change lines about other virtual tables, such as json_each(),
 * because their numbers have other meanings. */
static void
append_step (GString *text, guint depth, const char *step)
{
  const char *at = strstr (step, PLAN_OF_TABLE);
  char *plan = NULL;
  guint64 order = at != NULL ? g_ascii_strtoull (at + strlen (PLAN_OF_TABLE), &plan, 10) : 0;
  g_string_append_printf (text, "%*s", (int) MIN (2 * depth, 100), "");
  if (plan == NULL || !g_str_has_prefix (plan, ":" LOOM_QUERY_PLAN_WORDS)) {
    g_string_append_printf (text, "%s\n", step);
    return;
  }
  const char *words = plan + strlen (":" LOOM_QUERY_PLAN_WORDS);
  g_string_append_len (text, step, at + strlen (" VIRTUAL TABLE") - step);
  if (*words != '\0')
    g_string_append_printf (text, " WHERE %s", words);
  g_string_append (text, order % (1 << LOOM_QUERY_ONCE_SHIFT) != 0 ? ", IN ORDER\n" : "\n");
}

/* Returns FALSE with an error if SQLite cannot prepare the query, for example because of a syntax error. */
static gboolean
check_query (LoomQueryRun *run, const char *sql, GError **error)
{
  LoomQuery *query = loom_query_new (run, sql, 0, NULL, error);
  loom_query_free (query);
  return query != NULL;
}

char *
loom_query_explain (LoomQueryRun *run, const char *sql, GError **error)
{
  g_autofree char *question = g_strconcat (is_explained (sql) ? "" : "EXPLAIN QUERY PLAN ", sql, NULL);
  g_autoptr (LoomQuery) query = check_query (run, sql, error) ? loom_query_new (run, question, 0, NULL, error) : NULL;
  g_autoptr (GHashTable) depths = g_hash_table_new (NULL, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  if (query == NULL)
    return NULL;
  query->has_run = TRUE; /* skips loom_query_check_parameters(), because EXPLAIN does not need values of parameters */
  LoomQueryOutcome outcome;
  while ((outcome = loom_query_next (query, error)) == LOOM_QUERY_ROW) {
    guint depth = get_depth (depths, loom_query_get_int (query, 0), loom_query_get_int (query, 1));
    append_step (text, depth, loom_query_get_text (query, 3, NULL));
  }
  return outcome == LOOM_QUERY_DONE ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}
