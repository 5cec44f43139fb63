/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the rules: what each is given and what it fills. One file per rule, or for two that differ in one series.
 */
#pragma once

#include "loom-builtin-rules.h"
#include "loom-job-phases.h"

G_BEGIN_DECLS

typedef struct {
  LoomDataFrame *frame;
  LoomJobPhases phases;
  const LoomRuleParameters *settings;
  GCancellable *cancellable;
} LoomRuleContext;

/* `result` comes with status PASSED, empty marks and details. */
void loom_rule_batch_size (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_bottleneck (const LoomRuleContext *context, LoomRuleResult *result); /* CPU and I/O */
void loom_rule_dataloader (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_gpu_memory_increase (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_load_balancing (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_low_gpu_utilization (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_max_initialization_time (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_step_outlier (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_overall_system_usage (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_overall_framework_metrics (const LoomRuleContext *context, LoomRuleResult *result);

double loom_rule_value (const LoomRuleContext *context, const LoomRuleResult *result, guint parameter);

/* A row of the frame: its time, its writer, its span. */
void loom_rule_mark_row (const LoomRuleContext *context, LoomRuleResult *result, guint32 row);

/* The series of that dimension ("GPUUtilization"). GPtrArray of borrowed LoomSampleSeries, in the frame's order. */
GPtrArray *loom_rule_series_of (const LoomRuleContext *context, const char *dimension);
/* The object of that name within `details`, made when it is not there. Borrowed. */
JsonObject *loom_rule_details_at (JsonObject *details, const char *name);
/* A real number, or null for what is none. */
void loom_rule_details_set (JsonObject *details, const char *name, double value);
/* Quantiles of the last `n` values of a series: into `out`, for as many of `q` as there are. */
void loom_rule_quantiles (const double *values, gsize n, const double *q, guint n_q, double *out);
/* The figures of a box plot of `n` values: "p25" … "upper", "lower". Reorders nothing. */
void loom_rule_details_set_box (JsonObject *details, const double *values, gsize n);

G_END_DECLS
