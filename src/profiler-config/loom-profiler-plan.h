/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan for the next profile: the arguments of the SageMaker SDK's classes (ProfilerConfig, FrameworkProfile and its metric
 * configurations, Profiler), with their defaults, exclusions and error messages (sagemaker-python-sdk,
 * src/sagemaker/debugger). A form, command-line options or a selection on the timeline fill it; then it is checked, and
 * written in one of the forms of loom-profiler-plan-write.h. A plain struct: NULL, 0 and FALSE mean "not given" unless
 * stated otherwise.
 */
#pragma once

#include "loom-profiler-config.h"

typedef struct {
  gboolean has_start_step, has_n_steps, has_start_s, has_duration;
  gint64 start_step, n_steps;
  gint64 start_s; /* seconds since 1970 */
  double duration_s;
} LoomProfilerPlanRange;

typedef struct {
  gboolean disable;
  char *s3_output_path;
  gint64 interval_ms;
  /* Members of the framework profile: */
  gboolean no_framework; /* TRUE: only the machine's metrics are recorded */
  char *local_path;
  gint64 rotate_bytes, fail_threshold;
  double rotate_s;
  LoomProfilerPlanRange range; /* range for all metrics, unless some are chosen */
  guint chosen;                /* mask of 1 << LoomProfilerMetric: only these metrics; 0: all five */
  /* ranges for chosen metrics; a range that is not given defaults to `range` */
  LoomProfilerPlanRange ranges[LOOM_N_PROFILER_METRICS];
  gboolean default_steps; /* profile_default_steps for the chosen metrics */
  char *regex;            /* regular expression for the data loader */
  char *python_profiler;  /* "cprofile", "pyinstrument" */
  char *timer;            /* "total_time", "cpu_time", "off_cpu_time", "default" */
  /* Members for the newer SageMaker Profiler, used if `smprofiler` is TRUE: */
  gboolean smprofiler;
  gint64 cpu_duration_s, rotation_s;
  gboolean one_duration_key; /* write only DurationInSeconds, without the SDK's Duration */
} LoomProfilerPlan;

void loom_profiler_plan_clear (LoomProfilerPlan *plan);

/* Makes the plan that would have produced the configuration, as far as possible: members that plans don't have remain
 * in the configuration, which is passed as `base` when the plan is written. Values that are not numbers are "not given".
 * Fills `plan`, which the caller clears. */
void loom_profiler_plan_read (LoomProfilerPlan *plan, const LoomProfilerConfig *config);

/* The default steps of a metric. */
LoomProfilerPlanRange loom_profiler_plan_default_range (LoomProfilerMetric metric);

/* Returns notes: errors in the SDK's words, and warnings if a plan does less than it seems to. Owned by the caller. */
GPtrArray *loom_profiler_plan_check (const LoomProfilerPlan *plan);

/* The range in which a metric is profiled, after the SDK's rules of precedence; FALSE if it is not profiled. */
gboolean loom_profiler_plan_range (const LoomProfilerPlan *plan, LoomProfilerMetric metric,
                                   LoomProfilerPlanRange *range);
/* The timer of Python profiling; static, or owned by the plan. */
const char *loom_profiler_plan_timer (const LoomProfilerPlan *plan);
