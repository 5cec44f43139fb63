/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `traceloom-cli compare`: compares two runs. Each run is a file, a folder or a session. Options can limit
 * the comparison to a range of each run.
 */
#include <glib/gi18n.h>

#include "loom-archive-path.h"
#include "loom-cli.h"
#include "loom-output-file.h"

typedef struct {
  char *second; /* path of the second run */
  char *output;
  /* range of the second run, as typed by the user; NULL if the second run has the same range as the first */
  char *start, *end;
  LoomReportKind kind;
} CompareOptions;

/* Sets ranges[i] to the range that the options select in run i. Sets `has_range` to FALSE if no option selects a range.
 * Returns DONE. On failure, or if the range of a run is empty, prints a message and returns another status. */
static LoomExitStatus
get_ranges (LoomCliJob *const jobs[2], gboolean *has_range, LoomRunComparisonRange ranges[2])
{
  GError *error = NULL;
  for (guint i = 0; i < 2; i++) {
    ranges[i] = (LoomRunComparisonRange) { 0 };
    if (!loom_cli_job_get_range (jobs[i], FALSE, has_range, &ranges[i].range, &error))
      return loom_cli_job_fail (jobs[i], error);
    if (*has_range && !loom_cli_job_touches (jobs[i], &ranges[i].range))
      return LOOM_EXIT_STATUS_FAILED;
    /* if the range was given in steps, end_ns is the last instant of the last step (loom-cli-range.c); extend the range
     * by 1 ns, so that it contains the whole step */
    if (*has_range && jobs[i]->has_steps)
      ranges[i].range.end_ns = loom_time_add (ranges[i].range.end_ns, 1);
    ranges[i].has_steps = jobs[i]->has_steps;
    ranges[i].steps = jobs[i]->steps;
  }
  return LOOM_EXIT_STATUS_DONE;
}

/* Prints a note if the second run is the older one, because the signs of all changes are then probably not those that
 * the user expects. */
static void
note_order (LoomCliJob *job, LoomCliJob *second)
{
  if (job->options.quiet || loom_timeline_compare_dates (job->timeline, second->timeline) <= 0)
    return;
  g_autofree char *first_date = loom_time_format_date (loom_timeline_get_start (job->timeline)),
                  *second_date = loom_time_format_date (loom_timeline_get_start (second->timeline));
  loom_cli_message ("the second run was recorded before the first (%s; first run: %s). To see what changed over time, "
                    "give the older run first",
                    second_date, first_date);
}

static LoomExitStatus
print_comparison (LoomCliJob *job, LoomCliJob *second, gpointer data)
{
  const CompareOptions *own = data;
  GError *error = NULL;
  g_autofree char *first_name = loom_archive_path_dup_printable (job->options.paths[0]),
                  *second_name = loom_archive_path_dup_printable (own->second);
  const char *const names[] = { first_name, second_name };
  LoomRunComparisonRange ranges[2];
  gboolean has_range;
  if (!loom_cli_options_set_range (&second->options, "compare", own->start, own->end))
    return LOOM_EXIT_STATUS_USAGE;
  LoomExitStatus found = get_ranges ((LoomCliJob *const[]) { job, second }, &has_range, ranges);
  if (found != LOOM_EXIT_STATUS_DONE)
    return found;
  GCancellable *cancellable = loom_progress_get_cancellable (loom_cli_watch_begin (job->watch, "Comparing"));
  g_autoptr (LoomRunComparison) comparison =
    loom_run_comparison_new (job->timeline, second->timeline, has_range ? ranges : NULL, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, &error))
    return loom_cli_job_fail (job, error);
  g_autoptr (GBytes) report = loom_report_file_make_comparison (comparison, names, own->kind, cancellable, &error);
  if (report == NULL)
    return loom_cli_job_fail (job, error);
  loom_cli_watch_clear (job->watch);
  note_order (job, second);
  LoomExitStatus status = loom_cli_job_finish (second);
  if (!loom_output_file_write (own->output != NULL ? own->output : "-", report, &error))
    return loom_cli_job_fail (job, error);
  loom_cli_job_tell_output (job, "comparison", own->output);
  LoomExitStatus first_status = loom_cli_job_finish (job);
  return first_status == LOOM_EXIT_STATUS_DONE ? status : first_status;
}

/* Checks --second-start and --second-end, which set the range of the second run. --second-start is allowed only
 * together with --start, and --second-end only together with --end. */
static gboolean
check_second_range (const LoomCliJob *job, const CompareOptions *own)
{
  LoomCliOptions options = job->options;
  if ((own->start != NULL && !options.has_start) || (own->end != NULL && !options.has_end))
    return loom_cli_usage_error ("compare", "--second-start goes with --start, and --second-end with --end");
  return loom_cli_options_set_range (&options, "compare", own->start, own->end);
}

/* Checks the arguments. Removes the path of the second run from the list of paths, because the job must load only
 * the first run. */
static LoomExitStatus
check (LoomCliJob *job, gpointer data)
{
  CompareOptions *own = data;
  char **paths = job->options.paths;
  if (g_strv_length (paths) != 2) {
    loom_cli_usage_error ("compare", "give two runs, each a file, a folder or a session");
    return LOOM_EXIT_STATUS_USAGE;
  }
  if (!loom_cli_options_choose_kind ("compare", &job->options, own->output, &own->kind) ||
      !check_second_range (job, own))
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
      N_ ("The report to write: a file name that ends in .html, .pdf, .json or .txt; - is standard output (default)"),
      "FILE" },
    { "second-start", 0, 0, G_OPTION_ARG_STRING, &own.start,
      N_ ("Start of the range of the second run (default: as for the first run, see --start)"), "N" },
    { "second-end", 0, 0, G_OPTION_ARG_STRING, &own.end,
      N_ ("End of the range of the second run (default: as for the first run, see --end)"), "N" },
    { NULL }
  };
  LoomExitStatus status = loom_cli_job_run (&job, &verb, entries, &own, argc, argv);
  g_free (own.second);
  g_free (own.output);
  g_free (own.start);
  g_free (own.end);
  return status;
}
