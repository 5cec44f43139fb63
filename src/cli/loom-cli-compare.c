/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares two runs, each a file, a folder or a session.
 */
#include <glib/gi18n.h>

#include "loom-archive-path.h"
#include "loom-cli.h"
#include "loom-output-file.h"

typedef struct {
  char *second; /* path of the second run */
  char *output;
  LoomReportKind kind;
} CompareOptions;

static LoomExitStatus
print_comparison (LoomCliJob *job, LoomCliJob *second, gpointer data)
{
  const CompareOptions *own = data;
  GError *error = NULL;
  g_autofree char *first_name = loom_archive_path_dup_printable (job->options.paths[0]),
                  *second_name = loom_archive_path_dup_printable (own->second);
  const char *const names[] = { first_name, second_name };
  GCancellable *cancellable = loom_progress_get_cancellable (loom_cli_watch_begin (job->watch, "Comparing"));
  g_autoptr (LoomRunComparison) comparison = loom_run_comparison_new (job->timeline, second->timeline, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, &error))
    return loom_cli_job_fail (job, error);
  g_autoptr (GBytes) report = loom_report_file_make_comparison (comparison, names, own->kind, cancellable, &error);
  if (report == NULL)
    return loom_cli_job_fail (job, error);
  loom_cli_watch_clear (job->watch);
  LoomExitStatus status = loom_cli_job_finish (second);
  if (!loom_output_file_write (own->output != NULL ? own->output : "-", report, &error))
    return loom_cli_job_fail (job, error);
  LoomExitStatus first_status = loom_cli_job_finish (job);
  return first_status == LOOM_EXIT_STATUS_DONE ? status : first_status;
}

/* Checks the arguments. Removes the path of the second run from the list, so that the job loads only the first run. */
static LoomExitStatus
check (LoomCliJob *job, gpointer data)
{
  CompareOptions *own = data;
  char **paths = job->options.paths;
  if (g_strv_length (paths) != 2) {
    loom_cli_usage_error ("compare", "give two runs, each a file, a folder or a session");
    return LOOM_EXIT_STATUS_USAGE;
  }
  if (!loom_cli_options_choose_kind ("compare", &job->options, own->output, &own->kind))
    return LOOM_EXIT_STATUS_USAGE;
  own->second = g_steal_pointer (&paths[1]);
  job->output = own->output;
  return LOOM_EXIT_STATUS_DONE;
}

static LoomExitStatus
run_compare (LoomCliJob *job, gpointer data)
{
  CompareOptions *own = data;
  return loom_cli_job_run_beside (job, own->second, print_comparison, own);
}

LoomExitStatus
loom_cli_compare (int argc, char **argv)
{
  static const LoomCliVerb verb = { .summary = N_ ("Finds out what made one of two runs slower."),
                                    .has_format = TRUE,
                                    .check = check,
                                    .run = run_compare };
  CompareOptions own = { 0 };
  LoomCliJob job = { .options.allows_html = TRUE };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &own.output,
      N_ ("The report to write: .html, .pdf, .json or .txt; - is standard output, the default"), "FILE" },
    { NULL }
  };
  LoomExitStatus status = loom_cli_job_run (&job, &verb, entries, &own, argc, argv);
  g_free (own.second);
  g_free (own.output);
  return status;
}
