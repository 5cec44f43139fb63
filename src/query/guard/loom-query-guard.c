/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-guard.h: the authorizer, the limits, and safe versions of SQLite's functions.
 */
#define _GNU_SOURCE /* declares memmem() in <string.h> */
#include "loom-query-guard.h"

#include <string.h>

#include "loom-query-concat.h"
#include "loom-query-format.h"
#include "loom-query-limits.h"

/* Number of steps of SQLite's virtual machine between two calls of check(). The number is small, because a single step
 * can allocate several values. */
#define STEPS 256

/* Maximum number of bytes in the set of characters that trim() removes, because the whole set is searched for every
 * character that is removed. */
#define MOST_TRIM_BYTES 64

/* --- functions ---------------------------------------------------------------------------------------------------- */

/* Functions of SQLite that queries may call, sorted by name. They have no side effects, and their time grows at most in
 * proportion to the length of their arguments. All other functions are refused, for example load_extension, readfile,
 * fts3_tokenizer, json_patch (quadratic time) and zeroblob. Functions that later versions of SQLite add are refused,
 * too. */
static const char *const allowed[] = {
  "abs",
  "acos",
  "acosh",
  "arg",
  "asin",
  "asinh",
  "atan",
  "atan2",
  "atanh",
  "avg",
  "ceil",
  "ceiling",
  "char",
  "coalesce",
  "cos",
  "cosh",
  "count",
  "cume_dist",
  "date",
  "datetime",
  "degrees",
  "dense_rank",
  "exp",
  "first_value",
  "floor",
  "format",
  "glob",
  "group_concat",
  "hex",
  "ifnull",
  "iif",
  "instr",
  "interval_set",
  "json",
  "json_array",
  "json_array_length",
  "json_each",
  "json_extract",
  "json_group_array",
  "json_group_object",
  "json_object",
  "json_quote",
  "json_type",
  "json_valid",
  "julianday",
  "lag",
  "last_value",
  "lead",
  "length",
  "like",
  "likelihood",
  "likely",
  "ln",
  "log",
  "log10",
  "log2",
  "lower",
  "ltrim",
  "max",
  "min",
  "mod",
  "nth_value",
  "ntile",
  "nullif",
  "percent_rank",
  "pi",
  "pow",
  "power",
  "printf",
  "quote",
  "radians",
  "rank",
  "replace",
  "round",
  "row_number",
  "rtrim",
  "sign",
  "sin",
  "sinh",
  "sqrt",
  "strftime",
  "substr",
  "substring",
  "sum",
  "tan",
  "tanh",
  "time",
  "total",
  "trim",
  "trunc",
  "typeof",
  "unicode",
  "unixepoch",
  "unlikely",
  "upper",
  "->",
  "->>",
};

static gboolean
is_allowed (const char *function)
{
  for (guint i = 0; i < G_N_ELEMENTS (allowed); i++)
    if (g_ascii_strcasecmp (allowed[i], function) == 0)
      return TRUE;
  return FALSE;
}

/* Returns the first occurrence of `needle` in [text, end); NULL if [text, end) does not contain it. memmem() takes
 * linear time, unlike SQLite's own search. */
static const char *
find (const char *text, const char *end, const char *needle, gsize length)
{
  return memmem (text, (gsize) (end - text), needle, length);
}

static gboolean
is_any_null (sqlite3_value **argv, guint n)
{
  for (guint i = 0; i < n; i++)
    if (sqlite3_value_type (argv[i]) == SQLITE_NULL)
      return TRUE;
  return FALSE;
}

/* Implements instr(X, Y): the position of Y in X in characters, from 1; 0 if X does not contain Y. */
static void
do_instr (sqlite3_context *context, int argc, sqlite3_value **argv)
{
  if (is_any_null (argv, 2))
    return;
  const char *text = (const char *) sqlite3_value_text (argv[0]), *needle = (const char *) sqlite3_value_text (argv[1]);
  if (text == NULL || needle == NULL)
    return;
  gsize length = (gsize) sqlite3_value_bytes (argv[0]);
  const char *found = find (text, text + length, needle, (gsize) sqlite3_value_bytes (argv[1]));
  gint64 place = found != NULL ? 1 : 0;
  for (const char *at = text; found != NULL && at < found; at++)
    place += ((guchar) *at & 0xC0) != 0x80;
  sqlite3_result_int64 (context, place);
}

static void
append_replaced (GString *out, const char *text, gsize length, sqlite3_value *old_value, sqlite3_value *new_value)
{
  const char *needle = (const char *) sqlite3_value_text (old_value),
             *fresh = (const char *) sqlite3_value_text (new_value), *end = text + length, *found;
  gsize needle_length = (gsize) sqlite3_value_bytes (old_value), fresh_length = (gsize) sqlite3_value_bytes (new_value);
  while (out->len <= LOOM_QUERY_VALUE_BYTES && (found = find (text, end, needle, needle_length)) != NULL) {
    g_string_append_len (out, text, found - text);
    g_string_append_len (out, fresh, (gssize) fresh_length);
    text = found + needle_length;
  }
  g_string_append_len (out, text, end - text);
}

static void
do_replace (sqlite3_context *context, int argc, sqlite3_value **argv)
{
  if (is_any_null (argv, 3))
    return;
  const char *text = (const char *) sqlite3_value_text (argv[0]);
  for (guint i = 1; i < 3; i++)
    if (text == NULL || sqlite3_value_text (argv[i]) == NULL)
      return;
  if (sqlite3_value_bytes (argv[1]) == 0) {
    sqlite3_result_value (context, argv[0]);
    return;
  }
  GString *out = g_string_new (NULL);
  append_replaced (out, text, (gsize) sqlite3_value_bytes (argv[0]), argv[1], argv[2]);
  gsize length = out->len;
  sqlite3_result_text64 (context, g_string_free (out, FALSE), length, g_free, SQLITE_UTF8);
}

/* Returns the length in bytes of the first character of [text, end) or, if `at_end` is TRUE, of the last one. Returns 0
 * if `set` does not contain this character. */
static gsize
match_trimmed (const char *text, const char *end, const char *set, gboolean at_end)
{
  for (const char *at = set; *at != '\0'; at = g_utf8_next_char (at)) {
    gsize length = (gsize) (g_utf8_next_char (at) - at);
    if (length <= (gsize) (end - text) && memcmp (at_end ? end - length : text, at, length) == 0)
      return length;
  }
  return 0;
}

/* Implements trim(X, Y), ltrim(X, Y) and rtrim(X, Y). The user data is a mask of the ends at which characters are
 * removed: 1 is the left end, 2 the right end. */
static void
do_trim (sqlite3_context *context, int argc, sqlite3_value **argv)
{
  if (is_any_null (argv, 2))
    return;
  const char *text = (const char *) sqlite3_value_text (argv[0]), *set = (const char *) sqlite3_value_text (argv[1]);
  guint sides = GPOINTER_TO_UINT (sqlite3_user_data (context));
  if (text == NULL || set == NULL)
    return;
  if (strlen (set) > MOST_TRIM_BYTES || !g_utf8_validate (set, -1, NULL)) {
    sqlite3_result_error (context, "the characters to trim are more than 64 bytes, or no UTF-8", -1);
    return;
  }
  const char *end = text + sqlite3_value_bytes (argv[0]);
  for (gsize length = 1; (sides & 1) && length > 0; text += length)
    length = match_trimmed (text, end, set, FALSE);
  for (gsize length = 1; (sides & 2) && length > 0; end -= length)
    length = match_trimmed (text, end, set, TRUE);
  sqlite3_result_text64 (context, text, (sqlite3_uint64) (end - text), SQLITE_TRANSIENT, SQLITE_UTF8);
}

static int
replace_functions (sqlite3 *database)
{
  static const struct {
    const char *name;
    int n_arguments;
    void (*call) (sqlite3_context *, int, sqlite3_value **);
    guint data;
  } functions[] = {
    { "instr", 2, do_instr, 0 }, { "replace", 3, do_replace, 0 }, { "trim", 2, do_trim, 3 },
    { "ltrim", 2, do_trim, 1 },  { "rtrim", 2, do_trim, 2 },
  };
  int code = SQLITE_OK;
  for (guint i = 0; i < G_N_ELEMENTS (functions) && code == SQLITE_OK; i++)
    code = sqlite3_create_function (database, functions[i].name, functions[i].n_arguments,
                                    SQLITE_UTF8 | SQLITE_DETERMINISTIC, GUINT_TO_POINTER (functions[i].data),
                                    functions[i].call, NULL, NULL);
  return code;
}

/* --- the authorizer, which decides what queries may do ------------------------------------------------------------ */

static int
authorize (void *data, int action, const char *first, const char *second, const char *database, const char *trigger)
{
  LoomQueryGuard *guard = data;
  gboolean good = *guard->declaring || action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE ||
                  (action == SQLITE_FUNCTION && second != NULL && is_allowed (second));
  if (action == SQLITE_READ && !*guard->declaring && g_strcmp0 (second, "ROWID") == 0)
    *guard->reads_row_id = TRUE;
  if (good)
    return SQLITE_OK;
  if (guard->refused == NULL)
    guard->refused = action == SQLITE_FUNCTION
                       ? g_strdup_printf ("the function “%s” cannot be used here", second != NULL ? second : "")
                       : g_strdup (LOOM_QUERY_GUARD_REFUSAL);
  return SQLITE_DENY;
}

/* --- limits on time and memory ------------------------------------------------------------------------------------ */

/* Called by SQLite every STEPS steps. Returns a nonzero value if the query must stop: it was cancelled, uses too much
 * memory, or has exceeded its time limit. */
static int
check (void *data)
{
  LoomQueryGuard *guard = data;
  if (sqlite3_memory_used () > guard->most_bytes)
    guard->over = TRUE;
  return guard->over || g_cancellable_is_cancelled (guard->cancellable) ||
         (guard->end_us != 0 && g_get_monotonic_time () >= guard->end_us);
}

static void
set_limits (sqlite3 *database)
{
  static const struct {
    int limit, value;
  } limits[] = {
    { SQLITE_LIMIT_LENGTH, LOOM_QUERY_VALUE_BYTES },
    { SQLITE_LIMIT_SQL_LENGTH, LOOM_QUERY_TEXT_BYTES },
    { SQLITE_LIMIT_COLUMN, 500 },
    { SQLITE_LIMIT_EXPR_DEPTH, 200 },
    { SQLITE_LIMIT_COMPOUND_SELECT, 100 },
    { SQLITE_LIMIT_VDBE_OP, 100000 },
    { SQLITE_LIMIT_FUNCTION_ARG, 64 },
    { SQLITE_LIMIT_ATTACHED, 0 },
    { SQLITE_LIMIT_LIKE_PATTERN_LENGTH, LOOM_QUERY_PATTERN_BYTES },
    { SQLITE_LIMIT_VARIABLE_NUMBER, 1000 },
    { SQLITE_LIMIT_TRIGGER_DEPTH, 1 },
    { SQLITE_LIMIT_WORKER_THREADS, 0 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    sqlite3_limit (database, limits[i].limit, limits[i].value);
}

int
loom_query_guard_install (sqlite3 *database, LoomQueryGuard *guard)
{
  set_limits (database);
  sqlite3_db_config (database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
  sqlite3_db_config (database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  /* Makes a name in double quotes always a column. Without this setting, SQLite would take an unknown name for a
   * text. */
  sqlite3_db_config (database, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
  int code = replace_functions (database);
  if (code == SQLITE_OK)
    code = loom_query_format_register (database, &guard->cancellable);
  if (code == SQLITE_OK)
    code = loom_query_concat_register (database);
  /* Uses json_each and json_tree once, so that SQLite declares these tables now: the authorizer will later refuse
   * declarations. */
  if (code == SQLITE_OK)
    code = sqlite3_exec (database, "SELECT 1 FROM json_each ('1'), json_tree ('1')", NULL, NULL, NULL);
  /* PRAGMA temp_store = FILE does not use a disk, because the VFS keeps temporary files in memory (loom-query-temp.h);
   * a sort uses a file when it needs more than 4096 KiB */
  if (code == SQLITE_OK)
    code = sqlite3_exec (database, "PRAGMA temp_store = FILE; PRAGMA cache_size = -4096", NULL, NULL, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_set_authorizer (database, authorize, guard);
  sqlite3_progress_handler (database, STEPS, check, guard);
  return code;
}

void
loom_query_guard_clear (LoomQueryGuard *guard)
{
  g_clear_pointer (&guard->refused, g_free);
}

static GMutex lock;
static guint n_inside;
static gint64 limit_before, limit_now;

void
loom_query_guard_enter (gint64 memory_bytes)
{
  g_mutex_lock (&lock);
  gint64 wanted = sqlite3_memory_used () + memory_bytes + (gint64) LOOM_QUERY_RESERVE_BYTES;
  if (n_inside++ == 0) {
    limit_before = sqlite3_hard_heap_limit64 (-1);
    limit_now = 0;
  }
  limit_now = MAX (limit_now, wanted);
  sqlite3_hard_heap_limit64 (limit_before > 0 ? MIN (limit_before, limit_now) : limit_now);
  g_mutex_unlock (&lock);
}

void
loom_query_guard_leave (void)
{
  g_mutex_lock (&lock);
  if (--n_inside == 0)
    sqlite3_hard_heap_limit64 (limit_before);
  g_mutex_unlock (&lock);
}
