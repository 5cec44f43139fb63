/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-profiler-plan.h"

#include <math.h>
#include <string.h>

#include "loom-profiler-config-effect.h"

/* Reads the number in a member, with or without quotes, as the program that reads the configuration in the container
 * does. Returns FALSE if the member is missing or not a number. */
static gboolean
real_of (JsonObject *object, const char *key, double *value)
{
  g_autofree char *text = loom_profiler_config_dup_text (object, key);
  char *end = NULL;
  if (text == NULL)
    return FALSE;
  g_strstrip (text);
  *value = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*value);
}

static gboolean
whole_of (JsonObject *object, const char *key, gint64 *value)
{
  double real;
  if (!real_of (object, key, &real) || fabs (real) > 9e15)
    return FALSE;
  *value = (gint64) real;
  return TRUE;
}

static LoomProfilerPlanRange
range_of (JsonObject *metric)
{
  LoomProfilerPlanRange range = { 0 };
  range.has_start_step = whole_of (metric, "StartStep", &range.start_step);
  range.has_n_steps = whole_of (metric, "NumSteps", &range.n_steps);
  range.has_start_s = whole_of (metric, "StartTimeInSecSinceEpoch", &range.start_s);
  range.has_duration =
    real_of (metric, "DurationInSeconds", &range.duration_s) || real_of (metric, "Duration", &range.duration_s);
  return range;
}

static char *
dup_lower (JsonObject *object, const char *key)
{
  g_autofree char *text = loom_profiler_config_dup_text (object, key);
  return text != NULL && text[0] != '\0' ? g_ascii_strdown (text, -1) : NULL;
}

/* Returns the whole number in a member; 0 if the member is missing or not a number. */
static gint64
field_of (JsonObject *object, const char *key)
{
  gint64 value = 0;
  return whole_of (object, key, &value) ? value : 0;
}

static void
take_parameters (LoomProfilerPlan *plan, const LoomProfilerConfig *config)
{
  double seconds = 0;
  plan->local_path = loom_profiler_config_dup_text (config->parameters, "LocalPath");
  plan->rotate_bytes = field_of (config->parameters, "RotateMaxFileSizeInBytes");
  plan->rotate_s = real_of (config->parameters, "RotateFileCloseIntervalInSeconds", &seconds) ? seconds : 0;
  plan->fail_threshold = field_of (config->parameters, "FileOpenFailThreshold");
  plan->cpu_duration_s = field_of (config->parameters, "CPUProfilingDuration");
  plan->rotation_s = field_of (config->parameters, "SMPFileRotationSecs");
  plan->smprofiler = loom_profiler_config_member (config->parameters, "CPUProfilingDuration") != NULL;
}

void
loom_profiler_plan_read (LoomProfilerPlan *plan, const LoomProfilerConfig *config)
{
  g_autoptr (LoomProfilerConfigEffect) effect = loom_profiler_config_effect_new (config);
  JsonObject *const *metrics = config->metrics;
  *plan = (LoomProfilerPlan) { .disable = !effect->system };
  plan->s3_output_path = loom_profiler_config_dup_text (config->request, "S3OutputPath");
  plan->interval_ms = field_of (config->request, "ProfilingIntervalInMilliseconds");
  if (config->parameters != NULL)
    take_parameters (plan, config);
  for (guint i = 0; i < LOOM_N_PROFILER_METRICS; i++)
    if (metrics[i] != NULL) {
      plan->chosen |= 1u << i;
      plan->ranges[i] = range_of (metrics[i]);
    }
  plan->no_framework = plan->chosen == 0;
  if (metrics[LOOM_PROFILER_METRIC_DATALOADER] != NULL)
    plan->regex = loom_profiler_config_dup_text (metrics[LOOM_PROFILER_METRIC_DATALOADER], "MetricsRegex");
  if (metrics[LOOM_PROFILER_METRIC_PYTHON] != NULL) {
    plan->python_profiler = dup_lower (metrics[LOOM_PROFILER_METRIC_PYTHON], "ProfilerName");
    plan->timer = dup_lower (metrics[LOOM_PROFILER_METRIC_PYTHON], "cProfileTimer");
  }
}
