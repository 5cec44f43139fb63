/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the rules: the input and the output of a rule, and functions that several rules use. Each rule has its own
 * file; rules that share most of their computation are in one file.
 */
#pragma once

#include "loom-builtin-rules.h"
#include "loom-collectives.h"
#include "loom-idle-time.h"
#include "loom-job-phases.h"

typedef struct {
  LoomDataFrame *frame;
  LoomJobPhases phases;
  const LoomRuleParameters *settings;
  GCancellable *cancellable;
  /* collectives of the range, or NULL; rules must use loom_rule_get_collectives() instead */
  LoomCollectives **collectives;
  /* LoomRankWaits, shared by several rules; *waits is NULL until the first rule needs them */
  GArray **waits;
} LoomRuleContext;

/* Each function below evaluates one rule and fills `result`. The caller must pass a `result` with the status PASSED and
 * without marks and details. */
void loom_rule_batch_size (const LoomRuleContext *context, LoomRuleResult *result);
/* evaluates the rules CPUBottleneck and IOBottleneck */
void loom_rule_bottleneck (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_copy_bound (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_dataloader (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_gpu_memory_increase (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_hang (const LoomRuleContext *context, LoomRuleResult *result);
/* evaluates the rule PipelineBubbles */
void loom_rule_bubbles (const LoomRuleContext *context, LoomRuleResult *result);
/* If PipelineBubbles (`bubbles`) and HostBound (`host`) both fired, and hosts take most of the time of the critical
 * path, marks `host` as the cause of `bubbles`. Otherwise does nothing. If both rules fired, the function computes the
 * critical path, which takes as long as loom_critical_path_new_plain(). */
void loom_rule_bubbles_explain (const LoomRuleContext *context, const LoomRuleResult *bubbles, LoomRuleResult *host);
void loom_rule_host_stall (const LoomRuleContext *context, LoomRuleResult *result);
/* evaluates the rules HostBound and LaunchGaps */
void loom_rule_idle (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_load_balancing (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_low_gpu_utilization (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_max_initialization_time (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_memory_leak (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_slow_link (const LoomRuleContext *context, LoomRuleResult *result);
/* evaluates the rule ExpertImbalance; in runs in which bubbles cannot be measured, also evaluates the rule
 * PipelineBubbles */
void loom_rule_waits (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_step_outlier (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_overall_system_usage (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_overall_framework_metrics (const LoomRuleContext *context, LoomRuleResult *result);

double loom_rule_value (const LoomRuleContext *context, const LoomRuleResult *result, guint parameter);

/* Returns the collectives of the range. The first call computes them. Borrowed. Returns NULL when cancelled. */
LoomCollectives *loom_rule_get_collectives (const LoomRuleContext *context);

/* Returns the idle time of devices in the range. The first call computes it and stores it in the collectives, so that
 * several rules share the result. Borrowed; NULL when cancelled. */
const LoomIdleTime *loom_rule_get_idle (const LoomRuleContext *context);

/* Adds a mark with the time, the worker and the span of a row of the LoomDataFrame. */
void loom_rule_mark_row (const LoomRuleContext *context, LoomRuleResult *result, guint32 row);

/* Returns the series of a dimension such as "GPUUtilization": GPtrArray of borrowed LoomSampleSeries, in the order of
 * the LoomDataFrame. */
GPtrArray *loom_rule_series_of (const LoomRuleContext *context, const char *dimension);
/* Marks the last `n` samples of a GPU. Of the time of these samples, counts (100 − `used`) percent as lost. */
void loom_rule_mark_unused (const LoomRuleContext *context, LoomRuleResult *result, const LoomSampleSeries *gpu,
                            gsize n, double used);

/* Selects series by their type, name and dimension. A member that is NULL admits every text. */
typedef struct {
  const char *type, *name, *dimension;
} LoomSeriesFilter;

/* Computes one value for each snapshot (samples taken together) of a node's devices. Only the samples of series that
 * match `filter` count; snapshots without such samples have no value. The value is the sum of the samples if `sum` is
 * TRUE, else their mean. If `clamp` is TRUE, negative samples count as 0. Returns an array of double, owned by the
 * caller; empty if no series matches. O(samples of the node). */
GArray *loom_rule_node_values (const LoomDataFrame *frame, guint32 host_id, const LoomSeriesFilter *filter,
                               gboolean sum, gboolean clamp);

/* Returns the name of a device, such as "GPU 0 of rank 3"; if the rank is a process id, such as "GPU 0 of process
 * 88359"; if the rank is unknown (−1), such as "GPU 0". Owned by the caller. */
char *loom_rule_dup_device (const char *device, gint rank, gboolean is_process);

/* Returns an object inside of `details`: the member `name` or, if `inner` is not NULL, the member `inner` of the member
 * `name`. Creates these objects if they are missing. Borrowed. */
JsonObject *loom_rule_details_at (JsonObject *details, const char *name, const char *inner);
/* Sets the member `name` to a number or, if `value` is not finite, to null. */
void loom_rule_details_set (JsonObject *details, const char *name, double value);
/* Writes `n_q` quantiles of `n` values to `out`. `q`: the quantiles to compute, each from 0 to 1. */
void loom_rule_quantiles (const double *values, gsize n, const double *q, guint n_q, double *out);
/* Sets members of `details` to the numbers of a box plot of `n` values: "p25" … "upper", "lower". Does not change the
 * order of `values`. */
void loom_rule_details_set_box (JsonObject *details, const double *values, gsize n);
