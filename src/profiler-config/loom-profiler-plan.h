/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan: how the next training job is to be profiled. Its members are the arguments of classes of the SageMaker SDK
 * (ProfilerConfig, FrameworkProfile and its metric configurations, Profiler). They have the defaults of the SDK
 * (sagemaker-python-sdk, src/sagemaker/debugger), and arguments that exclude each other cause the errors of the SDK. A
 * form in the window, the options of the command line or a selection on the timeline set the members; the plan is then
 * checked, and written in one of the formats of loom-profiler-plan-write.h. NULL, 0 and FALSE mean “not given” unless
 * stated otherwise.
 */
#pragma once

#include "loom-profiler-config.h"

typedef struct {
  gboolean has_start_step, has_n_steps, has_start_s, has_duration;
  gint64 start_step, n_steps;
  gint64 start_s; /* time at which profiling begins, in seconds since 1970 */
  double duration_s;
} LoomProfilerPlanRange;

typedef struct {
  gboolean disable;
  char *s3_output_path;
  gint64 interval_ms;
  /* The next members determine how the metrics of the training framework are profiled: */
  gboolean no_framework; /* TRUE: only the machine's metrics are recorded */
  char *local_path;
  gint64 rotate_bytes, fail_threshold;
  double rotate_s;
  LoomProfilerPlanRange range; /* range in which all metrics are profiled if `chosen` is 0 */
  guint chosen;                /* mask of 1 << LoomProfilerMetric: only these metrics are profiled; 0: all five */
  /* ranges in which the chosen metrics are profiled; a metric without a range here is profiled in `range` */
  LoomProfilerPlanRange ranges[LOOM_N_PROFILER_METRICS];
  /* TRUE: the chosen metrics are profiled in their default steps, as with the SDK's argument profile_default_steps */
  gboolean default_steps;
  char *regex;           /* regular expression that selects the data loader metrics to record */
  char *python_profiler; /* profiler of Python code: "cprofile" or "pyinstrument" */
  char *timer;           /* timer of cProfile: "total_time", "cpu_time", "off_cpu_time" or "default" */
  /* The next members are for the newer SageMaker Profiler, and are used if `smprofiler` is TRUE: */
  gboolean smprofiler;
  gint64 cpu_duration_s, rotation_s;
  /* TRUE: only the key DurationInSeconds is written; FALSE: the key Duration is written too, as by the SDK */
  gboolean one_duration_key;
} LoomProfilerPlan;

void loom_profiler_plan_clear (LoomProfilerPlan *plan);

/* Sets `plan` to a plan that would produce the configuration; the caller clears the plan. Members of the configuration
 * that a plan cannot express are kept only if the configuration is passed as `base` when the plan is written. A value
 * that should be a number but is not one is treated as not given. */
void loom_profiler_plan_read (LoomProfilerPlan *plan, const LoomProfilerConfig *config);

/* Returns the range of steps in which the SDK profiles a metric by default. */
LoomProfilerPlanRange loom_profiler_plan_default_range (LoomProfilerMetric metric);

/* Returns notes about the plan: errors, in the words of the SDK, and warnings if the plan profiles less than its
 * members suggest. Owned by the caller. */
GPtrArray *loom_profiler_plan_check (const LoomProfilerPlan *plan);

/* Sets `range` to the range in which a metric is profiled, according to the SDK's rules of precedence. Returns FALSE if
 * the metric is not profiled. */
gboolean loom_profiler_plan_range (const LoomProfilerPlan *plan, LoomProfilerMetric metric,
                                   LoomProfilerPlanRange *range);
/* Returns the timer that cProfile uses if Python code is profiled; static, or owned by the plan. */
const char *loom_profiler_plan_timer (const LoomProfilerPlan *plan);
