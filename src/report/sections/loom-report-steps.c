/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the sections of the report about the job and its steps: the phases of the job, the durations of its steps,
 * outliers, and how busy devices were in them.
 */
#include <math.h>

#include "loom-page.h"
#include "loom-report-private.h"
#include "loom-step-utilization.h"

/* Adds the member `name`: the duration of a phase in percent of the duration of the job; null if `known` is FALSE. */
static void
add_share (const LoomJobPhases *phases, JsonBuilder *builder, const char *name, gboolean known, gint64 ns)
{
  double job_ns = (double) loom_time_sub (phases->job_end_ns, phases->job_begin_ns);
  loom_json_util_add_double (builder, name, known ? loom_statistics_percent ((double) ns, job_ns) : NAN);
}

/* Sets `job` to the time in which the job ran. Returns FALSE if no event has a time. */
static gboolean
find_job (const LoomReport *report, LoomRange *job)
{
  LoomPageInput input;
  if (!loom_report_get_input (report, &input))
    return FALSE;
  *job = loom_page_job_range (&input);
  return TRUE;
}

void
loom_report_build_phases (const LoomReport *report, JsonBuilder *builder)
{
  const LoomJobPhases *phases = &report->phases;
  gboolean both = phases->has_loop && phases->has_samples;
  LoomRange job = { 0, 0 };
  gboolean has_job = find_job (report, &job);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_report_add_missing (builder, phases->has_samples ? loom_report_no_loop (report) : "There are no system metrics");
  loom_json_util_add_int_if (builder, "job_begin_ns", has_job, job.begin_ns);
  loom_json_util_add_int_if (builder, "job_end_ns", has_job, job.end_ns);
  loom_json_util_add_int_if (builder, "job_duration_ns", has_job, loom_time_sub (job.end_ns, job.begin_ns));
  loom_json_util_add_int_if (builder, "loop_begin_ns", phases->has_loop && !phases->is_loop_outside,
                             phases->loop_begin_ns);
  loom_json_util_add_int_if (builder, "loop_end_ns", phases->has_loop && !phases->is_loop_outside, phases->loop_end_ns);
  loom_json_util_add_int_if (builder, "initialization_ns", both, phases->initialization_ns);
  loom_json_util_add_int_if (builder, "training_loop_ns", phases->has_loop, phases->training_loop_ns);
  loom_json_util_add_int_if (builder, "finalization_ns", both, phases->finalization_ns);
  add_share (phases, builder, "initialization_percent", both, phases->initialization_ns);
  add_share (phases, builder, "training_loop_percent", both, phases->training_loop_ns);
  add_share (phases, builder, "finalization_percent", both, phases->finalization_ns);
}

static void
write_duration (GString *out, const char *label, gboolean known, gint64 ns)
{
  g_autofree char *text = known ? loom_time_format_duration (ns) : g_strdup ("–");
  g_string_append_printf (out, "  %-16s %s\n", label, text);
}

void
loom_report_write_phases (const LoomReport *report, GString *out)
{
  const LoomJobPhases *phases = &report->phases;
  gboolean both = phases->has_loop && phases->has_samples;
  const char *why = loom_report_no_loop (report);
  LoomRange job = { 0, 0 };
  gboolean has_job = find_job (report, &job);
  g_string_append (out, "\nJob\n");
  write_duration (out, "duration", has_job, loom_time_sub (job.end_ns, job.begin_ns));
  write_duration (out, "initialization", both, phases->initialization_ns);
  write_duration (out, "training loop", phases->has_loop, phases->training_loop_ns);
  write_duration (out, "finalization", both, phases->finalization_ns);
  if (why != NULL)
    g_string_append_printf (out, "  %s\n", why);
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static void
add_row (const LoomReport *report, JsonBuilder *builder, guint32 row)
{
  const LoomDataFrameRows *rows = &report->frame->rows;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_int_if (builder, "step", rows->step[row] >= 0, rows->step[row]);
  loom_json_util_add_text (builder, "node", report->frame->workers[rows->worker[row]].display);
  loom_json_util_add_int (builder, "start_ns", rows->start_ns[row]);
  loom_json_util_add_int (builder, "duration_ns", rows->end_ns[row] - rows->start_ns[row]);
}

static const char *
node_of_group (const LoomReport *report, const LoomStepGroup *group)
{
  return group->worker < report->frame->n_workers ? report->frame->workers[group->worker].display : "all";
}

void
loom_report_build_steps (const LoomReport *report, JsonBuilder *builder)
{
  const LoomStepDurations *steps = &report->steps;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_report_add_missing (builder, steps->n_groups == 0 ? "There are no training steps" : NULL);
  loom_json_util_add_int (builder, "count", steps->n_steps);
  loom_json_util_begin_array (builder, "ranks");
  for (guint i = 0; i < steps->n_groups; i++) {
    const LoomStepGroup *group = &steps->groups[i];
    g_auto (LoomJsonScope) element = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "node", node_of_group (report, group));
    loom_json_util_add_int (builder, "count", (gint64) group->n);
    loom_json_util_add_double (builder, "median_ns", group->median_ns);
    loom_json_util_add_int (builder, "outliers", (gint64) group->n_outliers);
    loom_json_util_add_int (builder, "normal", (gint64) group->n_normal);
    loom_json_util_add_int (builder, "total_ns", group->total_ns);
    loom_json_util_add_int (builder, "in_range_ns", group->in_range_ns);
  }
  json_builder_end_array (builder);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "outliers");
  for (guint i = 0; i < steps->n_outliers; i++)
    add_row (report, builder, steps->outliers[i]);
}

void
loom_report_write_steps (const LoomReport *report, GString *out)
{
  const LoomStepDurations *steps = &report->steps;
  g_string_append (out, "\nSteps\n");
  if (steps->n_groups == 0)
    g_string_append (out, "  There are no training steps\n");
  if (steps->n_ranks > 1)
    g_string_append_printf (out, "  %u training step%s of %u ranks\n", steps->n_steps,
                            loom_report_plural (steps->n_steps), steps->n_ranks);
  for (guint i = 0; i < steps->n_groups; i++) {
    const LoomStepGroup *group = &steps->groups[i];
    g_autofree char *median = loom_time_format_duration ((gint64) group->median_ns),
                    *name = loom_report_dup_worker (report, group->worker);
    g_string_append_printf (
      out, "  %-20s %" G_GUINT64_FORMAT " training step%s, median %s, %" G_GUINT64_FORMAT " longer than %.3g × that\n",
      name, group->n, loom_report_plural (group->n), median, group->n_outliers,
      report->options.thresholds.outlier_factor);
  }
}

static void
add_usage (const LoomReport *report, JsonBuilder *builder, const char *name, const guint32 *steps, guint n)
{
  LoomStepUtilization usage;
  loom_step_utilization_init (&usage, report->frame, steps, n, LOOM_SELECT_DIMENSION);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, name);
  loom_json_util_add_int (builder, "gpu_samples", (gint64) usage.gpu.n);
  loom_report_add_histogram (builder, "gpu_histogram", &usage.gpu);
  loom_json_util_add_int (builder, "cpu_samples", (gint64) usage.cpu.n);
  loom_report_add_histogram (builder, "cpu_histogram", &usage.cpu);
  loom_step_utilization_clear (&usage);
}

void
loom_report_build_step_usage (const LoomReport *report, JsonBuilder *builder)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_report_add_missing (builder, loom_report_no_loop (report));
  add_usage (report, builder, "outlier_steps", report->steps.outliers, report->steps.n_outliers);
  add_usage (report, builder, "normal_steps", report->steps.normal, report->steps.n_normal);
}
