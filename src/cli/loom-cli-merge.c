/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `traceloom-cli merge`: writes the run as one file. The file contains either trace events, in one of
 * several layouts, or an SQLite database.
 */
#include <glib/gi18n.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "loom-archive-path.h"
#include "loom-cli.h"
#include "loom-error.h"
#include "loom-json-util.h"
#include "loom-query-export.h"

typedef struct {
  char *output;
  char *layout_word;
  gboolean compat, is_sqlite;
  LoomExportLayout layout;
} MergeOptions;

/* Prints a JSON object about the written file: its path, and a member `name` with the value `n`, such as the number
 * of events. `left_out`: sentence about events that the layout cannot represent, or NULL. `moved`: sentence about
 * times that the layout changes, or NULL. */
static LoomExitStatus
print_result (LoomCliJob *job, const char *path, const char *name, guint64 n, const char *left_out, const char *moved)
{
  JsonBuilder *builder = json_builder_new ();
  json_builder_begin_object (builder);
  loom_json_util_add_path (builder, "path", path);
  loom_json_util_add_int (builder, name, (gint64) n);
  loom_json_util_add_text (builder, "left_out", left_out);
  loom_json_util_add_text (builder, "moved", moved);
  loom_json_util_add_bool (builder, "incomplete", job->incomplete);
  json_builder_end_object (builder);
  return loom_cli_job_print_json (job, builder);
}

static void
tell_result (const LoomExportResult *result, LoomExportLayout layout)
{
  g_autofree char *left_out = loom_trace_export_result_describe_left_out (result, layout);
  if (result->path != NULL) {
    g_autofree char *shown = loom_archive_path_dup_printable (result->path);
    loom_cli_message ("%" G_GUINT64_FORMAT " %s written to %s", result->n_events,
                      result->n_events == 1 ? "event" : "events", shown);
  }
  if (left_out != NULL)
    loom_cli_message ("%s; --layout ranks keeps what is drawn", left_out);
  g_autofree char *moved = loom_trace_export_result_describe_moved (result, layout);
  if (moved != NULL)
    loom_cli_message ("%s; --layout ranks keeps all times", moved);
}

static LoomExitStatus
print_events (LoomCliJob *job, LoomExportResult *result, LoomExportLayout layout)
{
  g_autofree char *left_out = loom_trace_export_result_describe_left_out (result, layout);
  g_autofree char *moved = loom_trace_export_result_describe_moved (result, layout);
  LoomExitStatus status = print_result (job, result->path, "n_events", result->n_events, left_out, moved);
  loom_trace_export_result_clear (result);
  return status;
}

/* Returns free memory to the system. After loading, the heaps of ended threads contain free memory, which writing
 * could not use. */
static void
return_memory (void)
{
#ifdef __GLIBC__
  malloc_trim (0);
#endif
}

/* Writes an SQLite file with the tables of the run, instead of events. */
static LoomExitStatus
write_sqlite (LoomCliJob *job, const char *output)
{
  GError *error = NULL;
  g_autofree char *path = NULL;
  guint64 n_rows = 0;
  g_autoptr (LoomQueryRun) run = loom_query_run_new (job->timeline);
  LoomProgress *progress = loom_cli_watch_begin (job->watch, "Writing");
  if (!loom_query_export_write (run, output, progress, &path, &n_rows, &error))
    return loom_cli_job_fail (job, error);
  loom_cli_watch_clear (job->watch);
  g_autofree char *shown = loom_archive_path_dup_printable (path);
  if (loom_cli_options_wants_result (&job->options, output))
    return print_result (job, path, "n_rows", n_rows, NULL, NULL);
  if (!job->options.quiet)
    loom_cli_message ("%" G_GUINT64_FORMAT " %s written to %s", n_rows, n_rows == 1 ? "row" : "rows", shown);
  return loom_cli_job_finish (job);
}

static LoomExitStatus
run_merge (LoomCliJob *job, gpointer data)
{
  const MergeOptions *own = data;
  if (own->is_sqlite)
    return write_sqlite (job, own->output);
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  LoomExportResult result = { 0 };
  GError *error = NULL;
  options.layout = own->layout;
  options.compat = own->compat;
  options.edits = job->edits;
  if (!loom_cli_job_get_range (job, own->layout == LOOM_TRACE_EXPORT_SMDEBUG, &options.has_range, &options.range,
                               &error))
    return loom_cli_job_fail (job, error);
  return_memory ();
  LoomProgress *progress = loom_cli_watch_begin (job->watch, "Merging");
  gboolean good = loom_trace_export_write (job->timeline, &options, own->output, progress, &result, &error);
  loom_cli_watch_clear (job->watch);
  if (good && loom_cli_options_wants_result (&job->options, own->output))
    return print_events (job, &result, own->layout);
  gboolean missed = !good && options.has_range && g_error_matches (error, LOOM_ERROR, LOOM_ERROR_RANGE);
  if (good && !job->options.quiet)
    tell_result (&result, own->layout);
  loom_trace_export_result_clear (&result);
  if (!good && g_error_matches (error, LOOM_ERROR, LOOM_ERROR_EMPTY))
    loom_cli_job_tell_profiles (job);
  LoomExitStatus status = good ? loom_cli_job_finish (job) : loom_cli_job_fail (job, error);
  if (status == LOOM_EXIT_STATUS_INCOMPLETE && !job->options.quiet)
    loom_cli_message ("The result is incomplete: some of the input could not be read; the messages above say which");
  if (missed)
    loom_cli_job_tell_extent (job);
  return status;
}

static gboolean
check_options (MergeOptions *own)
{
  if (own->output == NULL || own->output[0] == '\0')
    return loom_cli_usage_error ("merge", "say where to with -o FILE");
  own->is_sqlite = g_strcmp0 (own->layout_word, "sqlite") == 0;
  return own->layout_word == NULL || own->is_sqlite ||
         loom_trace_export_layout_from_string (own->layout_word, &own->layout) ||
         loom_cli_usage_error ("merge", "--layout is “ranks”, “perfetto”, “smdebug”, “composer” or “sqlite”, not “%s”",
                               own->layout_word);
}

/* If --layout is not given, chooses the layout by the ending of the output file: for an ending of Perfetto traces
 * (".pftrace" …), the layout of Perfetto; for an ending of SQLite databases, an SQLite file; for other endings, the
 * default layout. */
static void
guess_layout (MergeOptions *own)
{
  static const char *const endings[] = { ".pftrace", ".pftrace.gz", ".perfetto-trace", ".perfetto-trace.gz" };
  static const char *const databases[] = { ".sqlite", ".sqlite3", ".db", ".sqlite.gz", ".sqlite3.gz", ".db.gz" };
  for (guint i = 0; own->layout_word == NULL && i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (own->output, endings[i]))
      own->layout = LOOM_TRACE_EXPORT_PERFETTO;
  for (guint i = 0; own->layout_word == NULL && i < G_N_ELEMENTS (databases); i++)
    own->is_sqlite |= g_str_has_suffix (own->output, databases[i]);
}

/* Checks the options for an SQLite file. A range is not allowed, because the file contains the whole run. A pipe is
 * not allowed, because SQLite writes the pages of the file in any order. */
static gboolean
check_sqlite (const LoomCliJob *job, const MergeOptions *own)
{
  if (!own->is_sqlite)
    return TRUE;
  if (job->options.has_start || job->options.has_end)
    return loom_cli_usage_error ("merge", "--layout sqlite writes the whole run, not a range");
  if (own->compat)
    return loom_cli_usage_error ("merge", "--compat does not go with --layout sqlite");
  if (strcmp (own->output, "-") == 0 || g_str_has_suffix (own->output, ".gz"))
    return loom_cli_usage_error ("merge", "--layout sqlite writes to a file that is not compressed");
  return TRUE;
}

static LoomExitStatus
check (LoomCliJob *job, gpointer data)
{
  MergeOptions *own = data;
  if (!check_options (own))
    return LOOM_EXIT_STATUS_USAGE;
  guess_layout (own);
  if (!check_sqlite (job, own))
    return LOOM_EXIT_STATUS_USAGE;
  job->no_arrows = !own->is_sqlite;
  job->output = own->output;
  job->clock = loom_trace_export_layout_is_aligned (own->layout) ? LOOM_ALIGN_AUTO : LOOM_ALIGN_DECLARED;
  return LOOM_EXIT_STATUS_DONE;
}

LoomExitStatus
loom_cli_merge (int argc, char **argv)
{
  static const LoomCliVerb verb = { "-o FILE", N_ ("Writes one timeline."), TRUE, check, run_merge };
  LoomCliJob job = { .writes = TRUE, .no_arrows = TRUE, .options.writes_result = TRUE };
  MergeOptions own = { .layout = LOOM_TRACE_EXPORT_RANKS };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &own.output,
      N_ ("The file to write (compressed if its name ends in .gz), or a folder to write it into; - is standard output"),
      "FILE" },
    { "layout", 0, 0, G_OPTION_ARG_STRING, &own.layout_word,
      N_ (
        "Layout of the file: ranks (default), perfetto (a binary file; default for names that end in .pftrace), smdebug, composer or sqlite (a database; default for names that end in .sqlite)"),
      "WORD" },
    LOOM_CLI_RANK_ENTRIES (&job),
    { "compat", 0, 0, G_OPTION_ARG_NONE, &own.compat,
      N_ (
        "With --layout smdebug or composer: write exactly what the tool itself writes when it merges, even where Traceloom normally differs"),
      NULL },
    { NULL }
  };
  LoomExitStatus status = loom_cli_job_run (&job, &verb, entries, &own, argc, argv);
  g_free (own.output);
  g_free (own.layout_word);
  return status;
}
