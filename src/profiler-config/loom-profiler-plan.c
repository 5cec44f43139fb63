/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-profiler-plan.h"

#include <math.h>
#include <string.h>

#include "loom-profiler-config-effect.h"

/* The steps that each metric profiles by default, as set by the metric's class in the SageMaker Python SDK. */
static const struct {
  gint64 start_step, n_steps;
} defaults[LOOM_N_PROFILER_METRICS] = {
  [LOOM_PROFILER_METRIC_DETAILED] = { 5, 1 },        [LOOM_PROFILER_METRIC_DATALOADER] = { 7, 1 },
  [LOOM_PROFILER_METRIC_PYTHON] = { 9, 3 },          [LOOM_PROFILER_METRIC_HOROVOD] = { 13, 1 },
  [LOOM_PROFILER_METRIC_SMDATAPARALLEL] = { 15, 1 },
};

void
loom_profiler_plan_clear (LoomProfilerPlan *plan)
{
  g_free (plan->s3_output_path);
  g_free (plan->local_path);
  g_free (plan->regex);
  g_free (plan->python_profiler);
  g_free (plan->timer);
  *plan = (LoomProfilerPlan) { 0 };
}

/* --- ranges ------------------------------------------------------------------------------------------------------- */

static gboolean
has_steps (const LoomProfilerPlanRange *range)
{
  return range->has_start_step || range->has_n_steps;
}

static gboolean
has_time (const LoomProfilerPlanRange *range)
{
  return range->has_start_s || range->has_duration;
}

static gboolean
is_given (const LoomProfilerPlanRange *range)
{
  return has_steps (range) || has_time (range);
}

LoomProfilerPlanRange
loom_profiler_plan_default_range (LoomProfilerMetric metric)
{
  return (LoomProfilerPlanRange) { .has_start_step = TRUE,
                                   .has_n_steps = TRUE,
                                   .start_step = defaults[metric].start_step,
                                   .n_steps = defaults[metric].n_steps };
}

/* Completes a range of steps: if the first step is not given, it is 0; if the number of steps is not given, it is 1. */
static void
complete (LoomProfilerPlanRange *range)
{
  if (!has_steps (range))
    return;
  range->start_step = range->has_start_step ? range->start_step : 0;
  range->n_steps = range->has_n_steps ? range->n_steps : 1;
  range->has_start_step = range->has_n_steps = TRUE;
}

static gboolean
is_chosen (const LoomProfilerPlan *plan, LoomProfilerMetric metric)
{
  return (plan->chosen >> metric & 1) != 0;
}

gboolean
loom_profiler_plan_range (const LoomProfilerPlan *plan, LoomProfilerMetric metric, LoomProfilerPlanRange *range)
{
  if (plan->disable || plan->no_framework || plan->smprofiler || (plan->chosen != 0 && !is_chosen (plan, metric)))
    return FALSE;
  gboolean own = plan->chosen != 0 && is_given (&plan->ranges[metric]);
  *range = own ? plan->ranges[metric] : plan->range;
  if ((plan->chosen != 0 && plan->default_steps) || !is_given (range))
    *range = loom_profiler_plan_default_range (metric);
  complete (range);
  return TRUE;
}

const char *
loom_profiler_plan_timer (const LoomProfilerPlan *plan)
{
  gboolean all_defaults = plan->chosen == 0 && !is_given (&plan->range);
  if (plan->chosen != 0 && plan->default_steps)
    return "default";
  if (plan->timer != NULL)
    return plan->timer;
  return all_defaults ? "default" : "total_time";
}

/* --- checks with the SDK's messages ------------------------------------------------------------------------------- */

static void
refuse (GPtrArray *notes, const char *where, const char *message)
{
  loom_profiler_config_note (notes, LOOM_NOTE_ERROR, "sdk", where, "The SDK rejects this value: %s", message);
}

static void
check_range (GPtrArray *notes, const LoomProfilerPlanRange *range, const char *where)
{
  if (range->has_start_step && range->start_step < 0)
    refuse (notes, where, "start_step must be integer greater or equal to 0!");
  if (range->has_n_steps && range->n_steps <= 0)
    refuse (notes, where, "num_steps must be integer greater than 0!");
  if (range->has_start_s && range->start_s < 0)
    refuse (notes, where, "start_unix_time must be valid integer unix time!");
  if (range->has_duration && !(range->duration_s > 0 && isfinite (range->duration_s)))
    refuse (notes, where, "duration must be float greater than 0!");
  if (has_steps (range) && has_time (range))
    refuse (notes, where, "Both step and time fields cannot be specified in the metrics config!");
}

static void
check_defaults (GPtrArray *notes, const LoomProfilerPlan *plan, LoomProfilerMetric metric)
{
  const LoomProfilerPlanRange *own = &plan->ranges[metric], *range = is_given (own) ? own : &plan->range;
  if (plan->default_steps && has_time (range))
    refuse (notes, loom_profiler_config_metric_to_key (metric),
            "Both step and time fields cannot be specified in the metrics config!");
}

static void
check_regex (GPtrArray *notes, const char *text)
{
  const char *key = loom_profiler_config_metric_to_key (LOOM_PROFILER_METRIC_DATALOADER);
  g_autoptr (GRegex) regex = text != NULL ? g_regex_new (text, 0, 0, NULL) : NULL;
  if (text == NULL)
    return;
  if (regex == NULL)
    refuse (notes, key, "metrics_regex is invalid!");
  if (strchr (text, '"') != NULL)
    loom_profiler_config_note (notes, LOOM_NOTE_WARNING, "quote-in-regex", key,
                               "The SDK does not escape quotation marks in this text, but Traceloom does");
}

static gboolean
is_one_of (const char *text, const char *const *words)
{
  return text == NULL || g_strv_contains (words, text);
}

static void
check_python (GPtrArray *notes, const LoomProfilerPlan *plan)
{
  static const char *const profilers[] = { "cprofile", "pyinstrument", NULL };
  static const char *const timers[] = { "total_time", "cpu_time", "off_cpu_time", "default", NULL };
  const char *key = loom_profiler_config_metric_to_key (LOOM_PROFILER_METRIC_PYTHON);
  if (!is_one_of (plan->python_profiler, profilers))
    refuse (notes, key, "python_profiler must be of type PythonProfiler!");
  if (!is_one_of (plan->timer, timers))
    refuse (notes, key, "cprofile_timer must be of type cProfileTimer");
  if (plan->timer != NULL && g_strcmp0 (plan->python_profiler, "pyinstrument") == 0)
    loom_profiler_config_note (notes, LOOM_NOTE_WARNING, "timer-without-use", key,
                               "pyinstrument has no choice of timers; the timer is omitted");
}

static void
check_numbers (GPtrArray *notes, const LoomProfilerPlan *plan)
{
  if (plan->interval_ms != 0 && !loom_profiler_config_effect_allows_interval (plan->interval_ms))
    loom_profiler_config_note (notes, LOOM_NOTE_ERROR, "interval", "ProfilingIntervalInMilliseconds",
                               "The interval must be 100, 200, 500, 1000, 5000 or 60000 milliseconds");
  if (plan->rotate_bytes < 0)
    refuse (notes, "RotateMaxFileSizeInBytes", "file_max_size must be an integer greater than 0!");
  if (plan->rotate_s < 0 || !isfinite (plan->rotate_s))
    refuse (notes, "RotateFileCloseIntervalInSeconds", "file_close_interval must be a float/integer greater than 0!");
  if (plan->fail_threshold < 0)
    refuse (notes, "FileOpenFailThreshold", "file_open_fail threshold must be an integer greater than 0!");
  if (plan->cpu_duration_s < 0)
    refuse (notes, "CPUProfilingDuration", "cpu_profiling_duration must be an integer greater than 0!");
  if (plan->rotation_s < 0)
    refuse (notes, "SMPFileRotationSecs", "file_rotation must be an integer greater than 0!");
}

static gboolean
has_framework (const LoomProfilerPlan *plan)
{
  return !plan->no_framework && (plan->chosen != 0 || is_given (&plan->range));
}

GPtrArray *
loom_profiler_plan_check (const LoomProfilerPlan *plan)
{
  GPtrArray *notes = loom_profiler_config_notes_new ();
  check_numbers (notes, plan);
  check_range (notes, &plan->range, NULL);
  for (guint i = 0; i < LOOM_N_PROFILER_METRICS; i++)
    if (is_chosen (plan, (LoomProfilerMetric) i)) {
      check_range (notes, &plan->ranges[i], loom_profiler_config_metric_to_key ((LoomProfilerMetric) i));
      check_defaults (notes, plan, (LoomProfilerMetric) i);
    }
  check_regex (notes, plan->regex);
  check_python (notes, plan);
  if (plan->smprofiler && has_framework (plan))
    refuse (notes, "CPUProfilingDuration", "Profiler will not work when Framework Profiler is ON");
  if (plan->disable && (has_framework (plan) || plan->smprofiler))
    loom_profiler_config_note (notes, LOOM_NOTE_WARNING, "disabled", "DisableProfiler",
                               "The profiler is disabled, so nothing else is written");
  if (plan->chosen != 0 && plan->local_path != NULL && is_chosen (plan, LOOM_PROFILER_METRIC_DATALOADER) &&
      !g_str_has_suffix (plan->local_path, "/"))
    loom_profiler_config_note (notes, LOOM_NOTE_WARNING, "no-slash", "LocalPath",
                               "For data loader metrics, AWS TensorFlow needs a value that ends in “/”");
  return notes;
}
