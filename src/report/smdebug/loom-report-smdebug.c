/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the results that the analysis notebook of SageMaker Debugger (smdebug) computes, under smdebug's keys. They
 * are computed twice, as in the notebook: from all series whose names begin with "gpu" or "cpu", and from the series of
 * utilization only. Times are in µs and relative to the zero of smdebug's tables.
 */
#include <math.h>

#include "loom-condition-windows.h"
#include "loom-gpu-balance.h"
#include "loom-gpu-usage-classes.h"
#include "loom-report-private.h"
#include "loom-root-cause.h"
#include "loom-step-utilization.h"
#include "loom-utilization.h"

gint64
loom_report_us (const LoomReport *report, gint64 time_ns)
{
  return (time_ns - report->frame->origin_ns) / LOOM_NS_PER_US;
}

char *
loom_report_dup_time (gint64 time_ns)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (time_ns / LOOM_NS_PER_S);
  if (time == NULL)
    return g_strdup ("");
  g_autofree char *seconds = g_date_time_format (time, "%Y-%m-%dT%H:%M:%S");
  return g_strdup_printf ("%s:%06d", seconds, (int) (time_ns % LOOM_NS_PER_S / LOOM_NS_PER_US));
}

static void
add_time (JsonBuilder *builder, const char *name, gboolean known, gint64 time_ns)
{
  g_autofree char *text = known ? loom_report_dup_time (time_ns) : NULL;
  loom_json_util_add_text (builder, name, text);
}

static void
add_job (const LoomReport *report, JsonBuilder *builder)
{
  const LoomJobPhases *phases = &report->phases;
  loom_json_util_add_int (builder, "start_time_us", report->frame->origin_ns / LOOM_NS_PER_US);
  loom_json_util_add_int (builder, "system_rows", (gint64) loom_data_frame_get_n_samples (report->frame));
  loom_json_util_add_int (builder, "framework_rows", report->frame->rows.n);
  add_time (builder, "job_from", phases->has_samples, phases->job_begin_ns);
  add_time (builder, "job_to", phases->has_samples, phases->job_end_ns);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "phases_us");
  loom_json_util_add_int_if (builder, "initialization", phases->has_loop, phases->initialization_ns / LOOM_NS_PER_US);
  loom_json_util_add_int_if (builder, "training_loop", phases->has_loop, phases->training_loop_ns / LOOM_NS_PER_US);
  loom_json_util_add_int_if (builder, "finalization", phases->has_loop, phases->finalization_ns / LOOM_NS_PER_US);
}

static void
add_utilization (const LoomReport *report, JsonBuilder *builder, const char *name, LoomDevice device, LoomSelect select)
{
  LoomUtilization utilization;
  loom_utilization_init (&utilization, report->frame, &report->phases, device, select, FALSE);
  const LoomUtilizationPart *all = &utilization.all;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, name);
  loom_json_util_add_int (builder, "rows", (gint64) all->n_samples);
  loom_json_util_add_int (builder, "at_0", (gint64) all->n_zero);
  loom_json_util_add_int (builder, "below_50", (gint64) all->n_below_50);
  loom_report_add_histogram (builder, "histogram", &all->histogram);
  loom_json_util_add_int (builder, "rows_in_loop", (gint64) all->n_in_loop);
  loom_report_add_histogram (builder, "histogram_in_loop", &all->histogram_in_loop);
  loom_utilization_clear (&utilization);
}

static void
add_bottlenecks (const LoomReport *report, JsonBuilder *builder, const LoomBottlenecks *bottlenecks)
{
  guint n = bottlenecks->n;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "cpu_bottleneck");
  loom_json_util_add_int (builder, "rows", (gint64) bottlenecks->n_rows);
  loom_json_util_add_int (builder, "rows_after_loop_start", (gint64) bottlenecks->n_rows_in_loop);
  loom_json_util_add_int (builder, "timestamps", n);
  add_time (builder, "first", n > 0, n > 0 ? bottlenecks->items[0].time_ns : 0);
  add_time (builder, "last", n > 0, n > 0 ? bottlenecks->items[n - 1].time_ns : 0);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "timestamps_us");
  for (guint i = 0; i < n; i++)
    json_builder_add_int_value (builder, loom_report_us (report, bottlenecks->items[i].time_ns));
}

static void
add_usage (const LoomReport *report, JsonBuilder *builder, const LoomBottlenecks *bottlenecks, LoomSelect select)
{
  LoomGpuUsageClasses classes = loom_gpu_usage_classes_compute (report->frame, &report->phases, bottlenecks, select);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "usage");
  for (guint i = 0; i < LOOM_N_GPU_USAGES; i++)
    loom_json_util_add_int (builder, loom_gpu_usage_classes_to_string (i), (gint64) classes.count[i]);
}

static void
add_balance (const LoomReport *report, JsonBuilder *builder, LoomSelect select)
{
  LoomGpuBalance balance;
  loom_gpu_balance_init (&balance, report->frame, &report->phases, select, FALSE, TRUE,
                         report->options.thresholds.balance_distance);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "imbalance");
  loom_json_util_add_text (builder, "bins", "0,2,..,98");
  loom_json_util_begin_object (builder, "histograms");
  for (guint i = 0; i < balance.n_devices; i++)
    loom_json_util_add_counts (builder, balance.devices[i].name, balance.devices[i].counts, balance.n_bins);
  json_builder_end_object (builder);
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "pairs");
  for (guint i = 0; i < balance.n_pairs; i++) {
    g_auto (LoomJsonScope) element = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_text (builder, "a", balance.devices[balance.pairs[i].a].name);
    loom_json_util_add_text (builder, "b", balance.devices[balance.pairs[i].b].name);
    loom_json_util_add_double (builder, "distance", balance.pairs[i].distance);
    loom_json_util_add_bool (builder, "differs", balance.pairs[i].differs);
  }
  loom_gpu_balance_clear (&balance);
}

static void
add_steps (const LoomReport *report, JsonBuilder *builder)
{
  const LoomStepDurations *steps = &report->steps;
  gboolean any = steps->n_groups > 0;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "steps");
  loom_json_util_add_int (builder, "count", any ? (gint64) steps->groups[0].n : 0);
  loom_json_util_add_double (builder, "median_us", any ? steps->groups[0].median_ns / LOOM_NS_PER_US : NAN);
  loom_json_util_add_int (builder, "outliers", steps->n_outliers);
  loom_json_util_begin_array (builder, "outlier_steps");
  for (guint i = 0; i < steps->n_outliers; i++)
    json_builder_add_int_value (builder, report->frame->rows.step[steps->outliers[i]]);
  json_builder_end_array (builder);
  loom_json_util_add_int (builder, "normal", steps->n_normal);
  loom_json_util_add_int (builder, "total_us", any ? steps->groups[0].total_ns / LOOM_NS_PER_US : 0);
}

/* --- root causes -------------------------------------------------------------------------------------------------- */

static void
add_sums (const LoomReport *report, JsonBuilder *builder, const char *name, const LoomRootCause *cause, gboolean phases)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, name);
  for (guint i = 0; i < cause->n_metrics; i++)
    if (cause->metrics[i].is_phase == phases)
      loom_json_util_add_int (builder, loom_data_frame_get_text (report->frame, cause->metrics[i].metric),
                              cause->metrics[i].total_ns / LOOM_NS_PER_US);
}

/* Adds the times of the metrics that ran in `windows`. Takes ownership of `windows`. As in smdebug, each average is the
 * sum of one metric divided by the number of rows of all metrics. */
static void
add_cause (const LoomReport *report, JsonBuilder *builder, const char *name, LoomIntervalSet *windows,
           LoomRowChoice choice)
{
  LoomRootCause cause;
  loom_root_cause_init (&cause, report->frame, windows, choice);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, name);
  loom_json_util_add_int (builder, "events", (gint64) cause.n_rows);
  add_sums (report, builder, "cumulative_us", &cause, FALSE);
  add_sums (report, builder, "phase_us", &cause, TRUE);
  g_auto (LoomJsonScope) average_us_object = loom_json_util_open_object (builder, "average_us");
  for (guint i = 0; i < cause.n_metrics; i++)
    loom_json_util_add_double (builder, loom_data_frame_get_text (report->frame, cause.metrics[i].metric),
                               (double) (cause.metrics[i].total_ns / LOOM_NS_PER_US) / (double) cause.n_rows);
  loom_root_cause_clear (&cause);
  loom_interval_set_free (windows);
}

static void
add_causes (const LoomReport *report, JsonBuilder *builder, const LoomBottlenecks *bottlenecks, LoomSelect select)
{
  const LoomStepDurations *steps = &report->steps;
  LoomDataFrame *frame = report->frame;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, "root_cause");
  add_cause (report, builder, "at_cpu_bottleneck", loom_condition_windows_at_bottlenecks (frame, bottlenecks),
             LOOM_ROWS_ALL);
  add_cause (report, builder, "at_high_gpu", loom_condition_windows_at_busy_gpus (frame, select), LOOM_ROWS_ALL);
  add_cause (report, builder, "in_outlier_steps",
             loom_condition_windows_in_steps (frame, steps->outliers, steps->n_outliers), LOOM_ROWS_NO_STEPS);
  add_cause (report, builder, "in_normal_steps",
             loom_condition_windows_in_steps (frame, steps->normal, steps->n_normal), LOOM_ROWS_NO_STEPS);
}

static void
add_step_usage (const LoomReport *report, JsonBuilder *builder, const char *name, const guint32 *steps, guint n,
                LoomSelect select)
{
  LoomStepUtilization usage;
  loom_step_utilization_init (&usage, report->frame, steps, n, select);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, name);
  loom_json_util_add_int (builder, "gpu_rows", (gint64) usage.gpu.n);
  loom_json_util_add_int (builder, "cpu_rows", (gint64) usage.cpu.n);
  loom_report_add_histogram (builder, "gpu_histogram", &usage.gpu);
  loom_report_add_histogram (builder, "cpu_histogram", &usage.cpu);
  loom_step_utilization_clear (&usage);
}

static void
build (const LoomReport *report, JsonBuilder *builder, LoomSelect select)
{
  LoomBottlenecks bottlenecks;
  loom_bottlenecks_init (&bottlenecks, report->frame, &report->phases, select, report->options.thresholds.bottleneck);
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  add_job (report, builder);
  add_utilization (report, builder, "gpu", LOOM_DEVICE_GPU, select);
  add_utilization (report, builder, "cpu", LOOM_DEVICE_CPU, select);
  add_bottlenecks (report, builder, &bottlenecks);
  add_usage (report, builder, &bottlenecks, select);
  add_balance (report, builder, select);
  add_steps (report, builder);
  add_causes (report, builder, &bottlenecks, select);
  add_step_usage (report, builder, "outlier_steps_usage", report->steps.outliers, report->steps.n_outliers, select);
  add_step_usage (report, builder, "normal_steps_usage", report->steps.normal, report->steps.n_normal, select);
  loom_bottlenecks_clear (&bottlenecks);
}

void
loom_report_build_smdebug_prefix (const LoomReport *report, JsonBuilder *builder)
{
  build (report, builder, LOOM_SELECT_PREFIX);
}

void
loom_report_build_smdebug_utilization (const LoomReport *report, JsonBuilder *builder)
{
  build (report, builder, LOOM_SELECT_DIMENSION);
}
