/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes the time range that --start and --end select. Depending on --unit, these are times or step numbers. Used by
 * all commands that load a run.
 */
#include "loom-cli.h"
#include "loom-error.h"
#include "loom-steps.h"

static void
set_no_step (const LoomCliOptions *options, const LoomSteps *steps, GError **error)
{
  gint64 first, last;
  if (loom_steps_get_numbers (steps, &first, &last))
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_RANGE,
                 "There is no step from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                 " (exclusive); there are %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                 options->start_value, options->end_value, first, last);
  else
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_RANGE, "These traces say nothing about steps; give the range as times");
}

static gboolean
recorded_range (LoomCliJob *job, LoomRange *range, GError **error)
{
  const LoomCliOptions *options = &job->options;
  LoomProgress *progress = loom_cli_watch_begin (job->watch, "Looking for steps");
  g_autoptr (LoomSteps) steps = loom_steps_new (job->timeline, loom_progress_get_cancellable (progress));
  if (steps == NULL) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
    return FALSE;
  }
  if (!loom_steps_range (steps, options->start_value, options->end_value, range, &job->steps)) {
    set_no_step (options, steps, error);
    return FALSE;
  }
  job->has_steps = TRUE;
  range->end_ns--; /* end_ns is the start of the next step, but callers include the instant end_ns in the range */
  return TRUE;
}

static gboolean
step_range (LoomCliJob *job, gboolean smdebug_steps, LoomRange *range, GError **error)
{
  const LoomCliOptions *options = &job->options;
  g_autoptr (GError) problem = NULL;
  if (smdebug_steps &&
      loom_trace_export_smdebug_steps (job->timeline, options->start_value, options->end_value, range, &problem))
    return TRUE;
  if (problem != NULL && !g_error_matches (problem, LOOM_ERROR, LOOM_ERROR_EMPTY)) {
    g_propagate_error (error, g_steal_pointer (&problem));
    return FALSE;
  }
  return recorded_range (job, range, error);
}

gboolean
loom_cli_job_get_range (LoomCliJob *job, gboolean smdebug_steps, gboolean *has_range, LoomRange *range, GError **error)
{
  const LoomCliOptions *options = &job->options;
  *has_range = options->has_start || options->has_end;
  if (!*has_range)
    return TRUE;
  if (options->in_steps)
    return step_range (job, smdebug_steps, range, error);
  range->begin_ns = options->has_start ? options->start_value : G_MININT64 / 2;
  range->end_ns = options->has_end ? options->end_value : G_MAXINT64 / 2;
  return TRUE;
}

/* If the range was given in µs, but its numbers look like step numbers, prints a hint about the unit of steps. */
static void
tell_unit (const LoomCliJob *job)
{
  const LoomCliOptions *options = &job->options;
  gint64 first, last, number = (options->has_start ? options->start_value : options->end_value) / LOOM_NS_PER_US;
  g_autoptr (LoomSteps) steps = loom_steps_new (job->timeline, NULL);
  if (options->unit_word == NULL && loom_steps_get_numbers (steps, &first, &last) && number >= first && number <= last)
    loom_cli_message ("The steps are %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                      "; with --unit step, --start and --end are numbers of steps",
                      first, last);
}

void
loom_cli_job_tell_extent (LoomCliJob *job)
{
  const LoomCliOptions *options = &job->options;
  gboolean in_ns = options->start_ns_text != NULL || options->end_ns_text != NULL;
  gsize (*write) (gint64, char *) = in_ns ? loom_time_write_int : loom_time_write_us;
  LoomRange extent;
  char first[LOOM_TIME_US_MAX + 1], last[LOOM_TIME_US_MAX + 1];
  if (!loom_timeline_get_extent (job->timeline, &extent))
    return;
  first[write (extent.begin_ns, first)] = '\0';
  last[write (extent.end_ns, last)] = '\0';
  loom_cli_message (
    in_ns ? "The run goes from --start-ns %s to --end-ns %s" : "The run goes from --start %s to --end %s", first, last);
  if (!in_ns)
    tell_unit (job);
}

gboolean
loom_cli_job_touches (LoomCliJob *job, const LoomRange *range)
{
  LoomRange extent;
  if (!loom_timeline_get_extent (job->timeline, &extent) ||
      (range->begin_ns <= extent.end_ns && range->end_ns >= extent.begin_ns))
    return TRUE;
  loom_cli_message ("Nothing is in the range: it %s",
                    range->begin_ns > extent.end_ns ? "begins after the run ends" : "ends before the run begins");
  loom_cli_job_tell_extent (job);
  return FALSE;
}
