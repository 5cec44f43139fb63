/* SPDX-License-Identifier: Apache-2.0
 *
 * The next profile, as somebody wishes it: what the classes of the SageMaker SDK take (ProfilerConfig, FrameworkProfile and
 * its metric configurations, Profiler), with their defaults, exclusions and error messages;
 * formats/profiler-config-and-rules §A2 and A3. Filled by a form, options or a selection on the timeline; checked; then
 * written as one of loom-profiler-plan-write.h's forms. A plain struct: NULL, 0 and FALSE are "not given" unless said otherwise.
 */
#pragma once

#include "loom-profiler-config.h"

G_BEGIN_DECLS

typedef struct {
  gboolean has_start_step, has_n_steps, has_start_s, has_duration;
  gint64 start_step, n_steps;
  gint64 start_s; /* since 1970 */
  double duration_s;
} LoomProfilerPlanRange;

typedef struct {
  gboolean disable;
  char *s3_output_path;
  gint64 interval_ms;
  /* The framework profile. */
  gboolean no_framework; /* nothing but the machine's metrics */
  char *local_path;
  gint64 rotate_bytes, fail_threshold;
  double rotate_s;
  LoomProfilerPlanRange range; /* of all metrics, unless some are chosen */
  guint chosen;                /* bits 1 << LoomProfilerMetric: those only; without, all five */
  LoomProfilerPlanRange ranges[LOOM_N_PROFILER_METRICS]; /* of chosen ones; one that is not given takes `range` */
  gboolean default_steps;                                /* profile_default_steps of the chosen ones */
  char *regex;                                           /* data loader */
  char *python_profiler;                                 /* "cprofile", "pyinstrument" */
  char *timer;                                           /* "total_time", "cpu_time", "off_cpu_time", "default" */
  /* The newer SageMaker Profiler instead. */
  gboolean smprofiler;
  gint64 cpu_duration_s, rotation_s;
  gboolean one_duration_key; /* DurationInSeconds only, not the SDK's Duration as well */
} LoomProfilerPlan;

void loom_profiler_plan_clear (LoomProfilerPlan *plan);

/* The plan that would have written this, as far as one could: what no plan has stays in the configuration, which is given
 * again as `base` when the plan is written. Values that are no numbers are "not given". Fills `plan`, which is to be cleared. */
void loom_profiler_plan_read (LoomProfilerPlan *plan, const LoomProfilerConfig *config);

/* The steps a metric is profiled at when nothing is said. */
LoomProfilerPlanRange loom_profiler_plan_default_range (LoomProfilerMetric metric);

/* Notes with severity error in the SDK's words, and warnings where a plan does less than it seems to. Owned. */
GPtrArray *loom_profiler_plan_check (const LoomProfilerPlan *plan);

/* What one metric is profiled with after the SDK's rules of precedence; FALSE when it is not. */
gboolean loom_profiler_plan_range (const LoomProfilerPlan *plan, LoomProfilerMetric metric,
                                   LoomProfilerPlanRange *range);
/* The timer of Python profiling: static, or the plan's. */
const char *loom_profiler_plan_timer (const LoomProfilerPlan *plan);
gboolean loom_profiler_plan_range_is_given (const LoomProfilerPlanRange *range);

G_END_DECLS
