/* SPDX-License-Identifier: Apache-2.0 */
#include <glib/gi18n.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "loom-archive-path.h"
#include "loom-cli.h"
#include "loom-error.h"

typedef struct {
  char *output;
  char *layout_word;
  gboolean compat;
  LoomExportLayout layout;
} MergeOptions;

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
}

/* Returns free memory to the system: loading leaves it in the heaps of ended threads, where writing could not reuse
 * it. */
static void
return_memory (void)
{
#ifdef __GLIBC__
  malloc_trim (0);
#endif
}

static LoomExitStatus
run_merge (LoomCliJob *job, gpointer data)
{
  const MergeOptions *own = data;
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
  return own->layout_word == NULL || loom_trace_export_layout_from_string (own->layout_word, &own->layout) ||
         loom_cli_usage_error ("merge", "--layout is “ranks”, “smdebug” or “composer”, not “%s”", own->layout_word);
}

static LoomExitStatus
check (LoomCliJob *job, gpointer data)
{
  MergeOptions *own = data;
  if (!check_options (own))
    return LOOM_EXIT_STATUS_USAGE;
  job->output = own->output;
  job->clock = own->layout == LOOM_TRACE_EXPORT_RANKS ? LOOM_ALIGN_AUTO : LOOM_ALIGN_DECLARED;
  return LOOM_EXIT_STATUS_DONE;
}

LoomExitStatus
loom_cli_merge (int argc, char **argv)
{
  static const LoomCliVerb verb = { "-o FILE", N_ ("Write one timeline."), FALSE, check, run_merge };
  LoomCliJob job = { .writes = TRUE, .no_arrows = TRUE };
  MergeOptions own = { .layout = LOOM_TRACE_EXPORT_RANKS };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &own.output,
      N_ ("The file to write, or a folder to write it into; .gz compresses, - is standard output"), "FILE" },
    { "layout", 0, 0, G_OPTION_ARG_STRING, &own.layout_word, N_ ("ranks (default), smdebug or composer"), "WORD" },
    { "compat", 0, 0, G_OPTION_ARG_NONE, &own.compat, N_ ("As the original tool writes it, where that differs"), NULL },
    { NULL }
  };
  LoomExitStatus status = loom_cli_job_run (&job, &verb, entries, &own, argc, argv);
  g_free (own.output);
  g_free (own.layout_word);
  return status;
}
