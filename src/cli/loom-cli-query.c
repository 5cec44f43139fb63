/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `traceloom-cli query`: runs an SQL query on the run. The query is the last argument, the content of a
 * file, or a named query.
 */
#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "loom-archive-path.h"
#include "loom-cli.h"
#include "loom-error.h"
#include "loom-json-slice.h"
#include "loom-json-util.h"
#include "loom-near-word.h"
#include "loom-output-file.h"
#include "loom-query-library.h"
#include "loom-query-schema.h"
#include "loom-query-words.h"
#include "loom-query-writer.h"

/* This character is put before an argument that begins with an SQL comment, so that the argument is not parsed as an
 * option. No path and no query begins with this character. */
#define COMMENT_MARK "\f"

typedef struct {
  char *file, *name;
  char **parameters;
  gboolean explains, shows_schema, lists;
  /* The query to run. If it was given as SQL on the command line, it has no name, title and description, and its
   * parameters have no default values. */
  LoomNamedQuery *query;
} Wishes;

/* --- finding the query to run ------------------------------------------------------------------------------------- */

/* Reads a query from the file `path`; if `path` is "-", from standard input. */
static LoomNamedQuery *
read_file (const char *path, GError **error)
{
  return loom_query_library_read (strcmp (path, "-") == 0 ? "/dev/stdin" : path, error);
}

/* If there are several arguments, the last one is SQL: removes it from the paths, and returns it as a query. If
 * there is only one argument, returns NULL. */
static LoomNamedQuery *
take_last_path (char **paths)
{
  guint n = g_strv_length (paths);
  if (n < 2)
    return NULL;
  LoomNamedQuery *query = g_new0 (LoomNamedQuery, 1);
  query->name = g_strdup ("");
  query->sql = g_strdup (paths[n - 1] + (g_str_has_prefix (paths[n - 1], COMMENT_MARK "--") ? 1 : 0));
  g_clear_pointer (&paths[n - 1], g_free);
  query->defaults = g_new0 (char *, 1);
  return query;
}

static gboolean
check_parameters (const Wishes *wishes)
{
  for (guint i = 0; wishes->parameters != NULL && wishes->parameters[i] != NULL; i++) {
    const char *sign = strchr (wishes->parameters[i], '=');
    if (sign == NULL || sign == wishes->parameters[i])
      return loom_cli_usage_error ("query", "--param is NAME=VALUE, not “%s”", wishes->parameters[i]);
  }
  return TRUE;
}

static gboolean
is_sql (const char *text)
{
  return loom_query_words_is_query (text) && !g_file_test (text, G_FILE_TEST_EXISTS);
}

/* Returns the first of the paths that is SQL text, and thus a second query; NULL if there is none. Also returns NULL if
 * the only query is followed by the path of the run: another message says that the query must be the last argument. */
static const char *
find_second_query (const LoomCliJob *job, const Wishes *wishes)
{
  gboolean is_given = wishes->file != NULL || wishes->name != NULL || is_sql (wishes->query->sql);
  for (char **path = job->options.paths; is_given && path != NULL && *path != NULL; path++)
    if (is_sql (*path))
      return *path;
  return NULL;
}

static void
refuse_name (const char *name)
{
  g_autoptr (GPtrArray) queries = loom_query_library_list (NULL), names = g_ptr_array_new ();
  for (guint i = 0; i < queries->len; i++)
    g_ptr_array_add (names, ((const LoomNamedQuery *) queries->pdata[i])->name);
  g_ptr_array_add (names, NULL);
  const char *near = loom_near_word_find (name, (const char *const *) names->pdata);
  if (near != NULL)
    loom_cli_usage_error ("query", "there is no query “%s”. Did you mean “%s”? --list shows all names", name, near);
  else
    loom_cli_usage_error ("query", "there is no query “%s”; --list shows their names", name);
}

static LoomExitStatus
check (LoomCliJob *job, gpointer own)
{
  Wishes *wishes = own;
  GError *error = NULL;
  if (wishes->file != NULL && wishes->name != NULL)
    loom_cli_usage_error ("query", "-f and --named do not go together");
  else if (wishes->file != NULL) {
    loom_cli_job_hold (job, wishes->file);
    wishes->query = read_file (wishes->file, &error);
    if (wishes->query == NULL) {
      loom_cli_set_failed_file (wishes->file);
      return loom_cli_job_fail (job, error);
    }
  } else if (wishes->name != NULL) {
    wishes->query = loom_query_library_find (wishes->name);
    if (wishes->query == NULL)
      refuse_name (wishes->name);
  } else {
    wishes->query = take_last_path (job->options.paths);
    if (wishes->query == NULL)
      loom_cli_usage_error ("query", "a query is missing: say it last, or with -f FILE or --named NAME");
  }
  const char *second = wishes->query != NULL ? find_second_query (job, wishes) : NULL;
  if (second != NULL) {
    loom_cli_usage_error ("query", "only one query can be asked at a time; “%s” is another one", second);
    return LOOM_EXIT_STATUS_USAGE;
  }
  return wishes->query != NULL && check_parameters (wishes) ? LOOM_EXIT_STATUS_DONE : LOOM_EXIT_STATUS_USAGE;
}

/* --- asking ------------------------------------------------------------------------------------------------------- */

/* Checks that the range on the command line has an effect. Returns FALSE and sets `error` if --start was given and the
 * query does not use the parameter :start; likewise for --end and :end. Exception: if the run was loaded from index
 * files, and only the events of the range were read from the traces (has_read_range), the range always has an
 * effect. */
static gboolean
check_range (const LoomCliJob *job, gboolean has_start, gboolean has_end, GError **error)
{
  const char *missing = !has_start && !has_end ? "parameters :start and :end"
                        : has_end              ? "parameter :start"
                                               : "parameter :end";
  if (job->has_read_range || (job->options.has_start <= has_start && job->options.has_end <= has_end))
    return TRUE;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT,
               "the query has no %s, so the range would have no effect; use them in its SQL, or give no range",
               missing);
  return FALSE;
}

/* Sets the parameters :start and :end to the range on the command line. */
static gboolean
bind_range (LoomCliJob *job, LoomQuery *query, GError **error)
{
  gboolean has_range;
  LoomRange range;
  if (!loom_cli_job_get_range (job, FALSE, &has_range, &range, error))
    return FALSE;
  if (!has_range)
    return TRUE;
  g_autofree char *start = g_strdup_printf ("%" G_GINT64_FORMAT, range.begin_ns),
                  *end = g_strdup_printf ("%" G_GINT64_FORMAT, range.end_ns);
  gboolean has_start = loom_query_bind (query, "start", start, NULL),
           has_end = loom_query_bind (query, "end", end, NULL);
  return check_range (job, has_start, has_end, error);
}

static gboolean
bind_parameters (const Wishes *wishes, LoomQuery *query, GError **error)
{
  if (!loom_query_library_bind_defaults (wishes->query, query, error))
    return FALSE;
  for (guint i = 0; wishes->parameters != NULL && wishes->parameters[i] != NULL; i++) {
    const char *sign = strchr (wishes->parameters[i], '=');
    g_autofree char *name = g_strndup (wishes->parameters[i], (gsize) (sign - wishes->parameters[i]));
    if (!loom_query_library_bind (wishes->query, query, name, sign + 1, error))
      return FALSE;
  }
  return TRUE;
}

/* If a parameter of the query has no value, returns FALSE and sets an error that names the option to set it. */
static gboolean
check_values (LoomQuery *query, GError **error)
{
  if (loom_query_check_parameters (query, error))
    return TRUE;
  if (error != NULL) {
    g_autofree char *message = g_steal_pointer (&(*error)->message);
    (*error)->message = g_strconcat (message, "; give it one with --param NAME=VALUE", NULL);
  }
  return FALSE;
}

/* If the message says that a table or column does not exist, returns a text with advice: how to list the tables and
 * columns and, if Perfetto has a table or column of this name, what it is called in this program. Otherwise returns
 * NULL. Owned by the caller. */
static char *
dup_hint (const char *message)
{
  const char *at = strstr (message, "no such table: ");
  at = at != NULL ? at : strstr (message, "no such column: ");
  if (at == NULL)
    return NULL;
  at = strchr (at, ':') + 2;
  g_autofree char *whole = g_strndup (at, strcspn (at, " ;"));
  const char *dot = strrchr (whole, '.'), *name = dot != NULL ? dot + 1 : whole,
             *own = loom_query_words_translate (name);
  g_autofree char *foreign = own != NULL ? g_strdup_printf ("; Perfetto's “%s” is “%s” here", name, own) : NULL;
  return g_strconcat (foreign != NULL ? foreign : "", "; “traceloom-cli query --schema” lists tables and columns",
                      NULL);
}

/* Prints the error. Returns the exit status, which is USAGE if the query is wrong. */
static LoomExitStatus
fail (LoomCliJob *job, GError *error)
{
  gboolean is_wrong = g_error_matches (error, LOOM_ERROR, LOOM_ERROR_FORMAT);
  g_autofree char *hint = dup_hint (error->message);
  if (hint != NULL) {
    g_autofree char *message = g_steal_pointer (&error->message);
    error->message = g_strconcat (message, hint, NULL);
  }
  LoomExitStatus status = loom_cli_job_fail (job, error);
  return is_wrong ? LOOM_EXIT_STATUS_USAGE : status;
}

/* A table of texts for output, either as CSV with a first line of column names, or as JSON lines. */
typedef struct {
  GString *text;
  gboolean as_csv;
} Records;

static void
begin_records (Records *records, LoomQueryWriterFormat format, const char *names)
{
  *records = (Records) { g_string_new (NULL), format == LOOM_QUERY_WRITER_CSV };
  if (records->as_csv)
    g_string_append_printf (records->text, "%s\r\n", names);
}

/* Appends a value of a row. `name`: name of the column; must not contain characters that JSON escapes. `is_text`:
 * FALSE if the value is valid JSON and is written without quotation marks. */
static void
put (Records *records, const char *name, const char *value, gboolean is_text, gboolean is_first)
{
  g_string_append (records->text, !is_first ? "," : records->as_csv ? "" : "{");
  if (!records->as_csv)
    g_string_append_printf (records->text, "\"%s\":", name);
  if (!records->as_csv && is_text)
    loom_json_slice_append_string (records->text, value, strlen (value));
  else
    loom_query_writer_append_field (records->text, value);
}

static void
end_record (Records *records)
{
  g_string_append (records->text, records->as_csv ? "\r\n" : "}\n");
}

/* Returns the lines of a query plan as CSV or JSON lines. Owned by the caller. */
static char *
dup_plan_records (LoomQueryWriterFormat format, char *const *lines)
{
  Records records;
  begin_records (&records, format, "depth,step");
  for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++) {
    gsize n_blanks = strspn (lines[i], " ");
    g_autofree char *depth = g_strdup_printf ("%" G_GSIZE_FORMAT, n_blanks / 2);
    put (&records, "depth", depth, FALSE, TRUE);
    put (&records, "step", lines[i] + n_blanks, TRUE, FALSE);
    end_record (&records);
  }
  return g_string_free (records.text, FALSE);
}

/* Prints the lines of a query plan as a JSON object. */
static LoomExitStatus
print_plan (LoomCliJob *job, char *const *lines)
{
  JsonBuilder *builder = json_builder_new ();
  json_builder_begin_object (builder);
  loom_json_util_begin_array (builder, "plan");
  for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++) {
    gsize n_blanks = strspn (lines[i], " ");
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_int (builder, "depth", (gint64) n_blanks / 2);
    loom_json_util_add_text (builder, "step", lines[i] + n_blanks);
  }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return loom_cli_job_print_json (job, builder);
}

static LoomExitStatus
explain (LoomCliJob *job, const Wishes *wishes, LoomQueryRun *run)
{
  GError *error = NULL;
  g_autofree char *text = loom_query_explain (run, wishes->query->sql, &error);
  if (text == NULL)
    return fail (job, error);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  if (job->options.format == LOOM_QUERY_WRITER_JSON)
    return print_plan (job, lines);
  return loom_cli_job_print (job, job->options.format == LOOM_QUERY_WRITER_TABLE
                                    ? g_steal_pointer (&text)
                                    : dup_plan_records (job->options.format, lines));
}

/* Prints rows while the query runs. If the query fails, the rows before the failure have already been printed; JSON
 * output ends with the error. */
static LoomExitStatus
print_rows (LoomCliJob *job, LoomQuery *query)
{
  GError *error = NULL;
  LoomOutputFile *output = loom_output_file_new ("-", &error);
  if (output == NULL)
    return loom_cli_job_fail (job, error);
  guint64 n_rows = 0;
  gboolean good = loom_query_writer_write (query, job->options.format, output, &n_rows, &error);
  if (!good) {
    if (n_rows > 0)
      loom_query_writer_end_failed (job->options.format, output, loom_cli_get_failure_code (error), error->message);
    loom_output_file_commit (output, NULL);
    return loom_cli_job_fail (job, error);
  }
  return loom_output_file_commit (output, &error) ? loom_cli_job_finish (job) : loom_cli_job_fail (job, error);
}

static LoomExitStatus
ask (LoomCliJob *job, gpointer own)
{
  const Wishes *wishes = own;
  GError *error = NULL;
  GCancellable *cancellable = loom_progress_get_cancellable (loom_cli_watch_begin (job->watch, "Asking"));
  loom_cli_set_failure_code ("query");
  loom_cli_set_failed_file (wishes->file);
  g_autoptr (LoomQueryRun) run = loom_query_run_new (job->timeline);
  if (wishes->explains)
    return explain (job, wishes, run);
  g_autoptr (LoomQuery) query =
    loom_query_new (run, wishes->query->sql, job->options.memory_budget, cancellable, &error);
  gint64 place = query == NULL ? loom_query_find_place (wishes->query->sql, error) : -1;
  if (place >= 0)
    loom_cli_set_failure_offset ((guint64) place);
  if (query == NULL || !bind_range (job, query, &error) || !bind_parameters (wishes, query, &error) ||
      !check_values (query, &error))
    return fail (job, error);
  return print_rows (job, query);
}

/* --- options that read no run: --list and --schema ---------------------------------------------------------------- */

/* Appends a query to the list. Escapes control characters, because a query file may contain any characters. */
static void
append_listed (GString *text, const LoomNamedQuery *query)
{
  g_autofree char *name = loom_archive_path_dup_printable (query->name),
                  *title = loom_archive_path_dup_printable (query->title),
                  *description = loom_archive_path_dup_printable (query->description);
  g_string_append_printf (text, "%-24s %s\n%24s %s\n", name, title, "", description);
}

static char *
list_queries (gboolean as_json)
{
  g_autoptr (GPtrArray) all = loom_query_library_list (NULL);
  GString *text = g_string_new (as_json ? "[" : NULL);
  for (guint i = 0; i < all->len; i++) {
    const LoomNamedQuery *query = all->pdata[i];
    const char *const members[] = { "name", query->name, "title", query->title, "description", query->description };
    if (!as_json) {
      append_listed (text, query);
      continue;
    }
    g_string_append (text, i > 0 ? ",\n" : "\n");
    for (guint k = 0; k < G_N_ELEMENTS (members); k++) {
      g_string_append (text, k == 0 ? "{" : k % 2 == 0 ? "," : ":");
      loom_json_slice_append_string (text, members[k], strlen (members[k]));
    }
    g_string_append_c (text, '}');
  }
  g_autofree char *answers = loom_query_library_dup_answers ();
  if (as_json)
    g_string_append (text, "\n]\n");
  else if (answers != NULL)
    g_string_append_printf (text, "\nQuestions of Perfetto's documentation, with their queries: %s\n", answers);
  return g_string_free (text, FALSE);
}

/* Returns the list of named queries as CSV or JSON lines. Owned by the caller. */
static char *
dup_query_records (LoomQueryWriterFormat format)
{
  g_autoptr (GPtrArray) all = loom_query_library_list (NULL);
  Records records;
  begin_records (&records, format, "name,title,description");
  for (guint i = 0; i < all->len; i++) {
    const LoomNamedQuery *query = all->pdata[i];
    put (&records, "name", query->name, TRUE, TRUE);
    put (&records, "title", query->title, TRUE, FALSE);
    put (&records, "description", query->description, TRUE, FALSE);
    end_record (&records);
  }
  return g_string_free (records.text, FALSE);
}

static void
put_column (Records *records, const LoomQueryTable *table, guint i)
{
  const LoomQueryColumn *column = &table->columns[i];
  put (records, "table", table->name, TRUE, TRUE);
  put (records, "column", column->name, TRUE, FALSE);
  put (records, "type", loom_query_schema_type_to_string (column->type), TRUE, FALSE);
  put (records, "unit", column->unit, TRUE, FALSE);
  put (records, "nullable", column->nullable ? "true" : "false", FALSE, FALSE);
  put (records, "argument", i >= table->n_columns ? "true" : "false", FALSE, FALSE);
  put (records, "meaning", column->meaning, TRUE, FALSE);
  end_record (records);
}

/* Returns the columns and arguments of all tables as CSV or JSON lines. Owned by the caller. */
static char *
dup_column_records (LoomQueryWriterFormat format)
{
  Records records;
  begin_records (&records, format, "table,column,type,unit,nullable,argument,meaning");
  for (guint t = 0; t < LOOM_N_QUERY_TABLES_AND_FUNCTIONS; t++) {
    const LoomQueryTable *table = loom_query_schema_get (t);
    for (guint i = 0; i < table->n_columns + table->n_arguments; i++)
      put_column (&records, table, i);
  }
  return g_string_free (records.text, FALSE);
}

static char *
dup_list_or_schema (LoomQueryWriterFormat format, gboolean lists)
{
  gboolean as_json = format == LOOM_QUERY_WRITER_JSON;
  if (!as_json && format != LOOM_QUERY_WRITER_TABLE)
    return lists ? dup_query_records (format) : dup_column_records (format);
  if (lists)
    return list_queries (as_json);
  return as_json ? loom_query_schema_to_json () : loom_query_schema_describe ();
}

static LoomExitStatus
print_without_run (LoomCliOptions *options, const Wishes *wishes)
{
  GError *error = NULL;
  if (!loom_cli_options_choose_format ("query", options))
    return LOOM_EXIT_STATUS_USAGE;
  g_autofree char *text = dup_list_or_schema (options->format, wishes->lists);
  if (loom_cli_print (text, &error))
    return LOOM_EXIT_STATUS_DONE;
  loom_cli_message_failure (error, error->message);
  g_error_free (error);
  return LOOM_EXIT_STATUS_FAILED;
}

/* Returns TRUE if --schema or --list is given. These options need no path, because they don't read a run. */
static gboolean
needs_no_run (int argc, char **argv)
{
  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++)
    if (strcmp (argv[i], "--schema") == 0 || strcmp (argv[i], "--list") == 0)
      return TRUE;
  return FALSE;
}

/* Returns a copy of the arguments. Each query in it that begins with an SQL comment gets the prefix COMMENT_MARK.
 * The caller frees the array; the array `held` owns the new arguments. */
static char **
dup_marked (int argc, char **argv, GPtrArray *held)
{
  static const char *const with_value[] = { "--param", "--file", "-f", "--named", "--", NULL };
  char **copy = g_memdup2 (argv, ((gsize) argc + 1) * sizeof *argv);
  for (int i = 1; i < argc; i++)
    if (g_str_has_prefix (argv[i], "--") && strchr (" \t\n", argv[i][2]) != NULL && argv[i][2] != '\0' &&
        !g_strv_contains (with_value, argv[i - 1])) {
      copy[i] = g_strconcat (COMMENT_MARK, argv[i], NULL);
      g_ptr_array_add (held, copy[i]);
    }
  return copy;
}

static LoomExitStatus
run_without_run (LoomCliJob *job, Wishes *wishes, const LoomCliVerb *verb, const GOptionEntry *entries, int argc,
                 char **argv)
{
  const GOptionEntry format[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &job->options.format_word,
      N_ ("Output format: table, csv, json or jsonl (default: table on a terminal, json otherwise)"), "WORD" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &job->options.quiet,
      N_ ("Show no progress, and no messages except errors that end the program"), NULL },
    { NULL }
  };
  if (!loom_cli_options_parse_entries ("query", verb->must, verb->summary, entries, format, argc, argv))
    return LOOM_EXIT_STATUS_USAGE;
  LoomExitStatus status = print_without_run (&job->options, wishes);
  loom_cli_options_clear (&job->options);
  return status;
}

LoomExitStatus
loom_cli_query (int argc, char **argv)
{
  static const LoomCliVerb verb = { "[SQL]", N_ ("Queries the run with SQL: one SELECT, given as the last argument."),
                                    TRUE, check, ask };
  LoomCliJob job = { .options = { .formats = loom_query_writer_formats, .usual_format = LOOM_QUERY_WRITER_JSON } };
  Wishes wishes = { 0 };
  const GOptionEntry entries[] = {
    { "file", 'f', 0, G_OPTION_ARG_FILENAME, &wishes.file, N_ ("Read the query from a file; - is standard input"),
      "FILE" },
    LOOM_CLI_RANK_ENTRIES (&job),
    { "named", 0, 0, G_OPTION_ARG_STRING, &wishes.name, N_ ("Run the query with this name (see --list)"), "NAME" },
    { "param", 0, 0, G_OPTION_ARG_STRING_ARRAY, &wishes.parameters,
      N_ ("Value of the parameter :NAME of the query (repeatable)"), "NAME=VALUE" },
    { "explain", 0, 0, G_OPTION_ARG_NONE, &wishes.explains, N_ ("Print how the query would be evaluated"), NULL },
    { "schema", 0, 0, G_OPTION_ARG_NONE, &wishes.shows_schema, N_ ("Print the tables and their columns; needs no PATH"),
      NULL },
    { "list", 0, 0, G_OPTION_ARG_NONE, &wishes.lists, N_ ("Print the named queries; needs no PATH"), NULL },
    { NULL }
  };
  g_autoptr (GPtrArray) held = g_ptr_array_new_with_free_func (g_free);
  g_autofree char **marked = dup_marked (argc, argv, held);
  LoomExitStatus status = needs_no_run (argc, argv) ? run_without_run (&job, &wishes, &verb, entries, argc, marked)
                                                    : loom_cli_job_run (&job, &verb, entries, &wishes, argc, marked);
  loom_query_library_free_query (wishes.query);
  g_free (wishes.file);
  g_free (wishes.name);
  g_strfreev (wishes.parameters);
  return status;
}
