/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares two runs, each a file, a folder or a session.
 */
#include <glib/gi18n.h>

#include "loom-archive-path.h"
#include "loom-cli.h"
#include "loom-comparison-report.h"
#include "loom-json-util.h"

static LoomExitStatus
print_comparison (LoomCliJob *job, LoomCliJob *second)
{
  GError *error = NULL;
  g_autofree char *first_name = loom_archive_path_dup_printable (job->options.paths[0]),
                  *second_name = loom_archive_path_dup_printable (second->options.paths[0]);
  const char *const names[] = { first_name, second_name };
  GCancellable *cancellable = loom_progress_get_cancellable (loom_cli_watch_begin (job->watch, "Comparing"));
  g_autoptr (LoomRunComparison) comparison = loom_run_comparison_new (job->timeline, second->timeline, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, &error))
    return loom_cli_job_fail (job, error);
  loom_cli_watch_clear (job->watch);
  LoomExitStatus status = loom_cli_job_finish (second), printed;
  if (job->options.json) {
    g_autoptr (JsonNode) root = loom_comparison_report_to_json (comparison, names);
    printed = loom_cli_job_print (job, loom_json_util_print (root));
  } else {
    printed = loom_cli_job_print (job, loom_comparison_report_to_text (comparison, names));
  }
  return printed == LOOM_EXIT_STATUS_DONE ? status : printed;
}

/* Takes the second path out of the list, so that the first run alone is loaded. */
static LoomExitStatus
check (LoomCliJob *job, gpointer own)
{
  char **second = own, **paths = job->options.paths;
  if (g_strv_length (paths) != 2) {
    loom_cli_usage_error ("compare", "give two runs, each a file, a folder or a session");
    return LOOM_EXIT_STATUS_USAGE;
  }
  *second = g_steal_pointer (&paths[1]);
  return LOOM_EXIT_STATUS_DONE;
}

static LoomExitStatus
run_compare (LoomCliJob *job, gpointer own)
{
  char **second = own;
  return loom_cli_job_run_beside (job, *second, print_comparison);
}

LoomExitStatus
loom_cli_compare (int argc, char **argv)
{
  static const LoomCliVerb verb = {
    .summary = N_ ("What made one of two runs slower."), .has_format = TRUE, .check = check, .run = run_compare
  };
  g_autofree char *second = NULL;
  LoomCliJob job = { 0 };
  return loom_cli_job_run (&job, &verb, NULL, &second, argc, argv);
}
