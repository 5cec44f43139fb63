/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the rules: the input and the output of a rule, and functions that several rules use. Each rule has a
 * file of its own, except that rules which share most of their computation share a file.
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
  LoomCollectives **collectives; /* cache of loom_rule_get_collectives(); rules must not read it directly */
  /* LoomRankWaits, shared by several rules; *waits is NULL until a rule needs them for the first time */
  GArray **waits;
} LoomRuleContext;

/* Each function below evaluates one rule. When it is called, `result` has the status PASSED and neither marks nor
 * details; the function fills `result`. */
void loom_rule_batch_size (const LoomRuleContext *context, LoomRuleResult *result);
/* evaluates CPUBottleneck and IOBottleneck */
void loom_rule_bottleneck (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_copy_bound (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_dataloader (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_gpu_memory_increase (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_hang (const LoomRuleContext *context, LoomRuleResult *result);
/* evaluates PipelineBubbles */
void loom_rule_bubbles (const LoomRuleContext *context, LoomRuleResult *result);
/* If hosts take most of the critical path, marks the finding of HostBound as the cause of the finding of
 * PipelineBubbles. If both rules fired, this costs as much as loom_critical_path_new_plain(). */
void loom_rule_bubbles_explain (const LoomRuleContext *context, const LoomRuleResult *bubbles, LoomRuleResult *host);
void loom_rule_host_stall (const LoomRuleContext *context, LoomRuleResult *result);
/* evaluates HostBound and LaunchGaps */
void loom_rule_idle (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_load_balancing (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_low_gpu_utilization (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_max_initialization_time (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_memory_leak (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_slow_link (const LoomRuleContext *context, LoomRuleResult *result);
/* evaluates ExpertImbalance; also evaluates PipelineBubbles for runs in which bubbles cannot be measured */
void loom_rule_waits (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_step_outlier (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_overall_system_usage (const LoomRuleContext *context, LoomRuleResult *result);
void loom_rule_overall_framework_metrics (const LoomRuleContext *context, LoomRuleResult *result);

double loom_rule_value (const LoomRuleContext *context, const LoomRuleResult *result, guint parameter);

/* Returns the collectives of the range; the first call computes them. Borrowed; NULL when cancelled. */
LoomCollectives *loom_rule_get_collectives (const LoomRuleContext *context);

/* Returns the idle time of devices in the range. The first call computes it and stores it in the collectives, so that
 * several rules share the result. Borrowed; NULL when cancelled. */
const LoomIdleTime *loom_rule_get_idle (const LoomRuleContext *context);

/* Adds a mark with the time, the writer and the span of a row of the LoomDataFrame. */
void loom_rule_mark_row (const LoomRuleContext *context, LoomRuleResult *result, guint32 row);

/* Returns the series of a dimension such as "GPUUtilization": GPtrArray of borrowed LoomSampleSeries, in the order of
 * the LoomDataFrame. */
GPtrArray *loom_rule_series_of (const LoomRuleContext *context, const char *dimension);
/* Marks the last `n` samples of a GPU. Counts the unused share of the time of these samples, (100 − `used`) percent, as
 * lost. */
void loom_rule_mark_unused (const LoomRuleContext *context, LoomRuleResult *result, const LoomSampleSeries *gpu,
                            gsize n, double used);

/* Selects the series whose type, name and dimension are equal to these members. A member that is NULL matches every
 * text. */
typedef struct {
  const char *type, *name, *dimension;
} LoomSeriesFilter;

/* Reduces the samples of a node's devices to one value per snapshot (samples taken together). Only series that match
 * `filter` count, and only snapshots in which such a series has a sample. The value is the mean of these samples or, if
 * `sum`, their sum; with `clamp`, negative samples count as 0. Returns an array of double, owned by the caller; empty
 * if no series matches. O(samples of the node). */
GArray *loom_rule_node_values (const LoomDataFrame *frame, guint32 host_id, const LoomSeriesFilter *filter,
                               gboolean sum, gboolean clamp);

/* Returns "GPU 0 of rank 3" or, if the rank is the id of a process, "GPU 0 of process 88359"; "GPU 0" if the rank is
 * unknown (−1). Owned by the caller. */
char *loom_rule_dup_device (const char *device, gint rank, gboolean is_process);

/* Returns an object inside of `details`: the member `name` or, if `inner` is not NULL, the member `inner` of the member
 * `name`. Creates these objects if they are missing. Borrowed. */
JsonObject *loom_rule_details_at (JsonObject *details, const char *name, const char *inner);
/* Sets the member `name` to a number or, if `value` is not finite, to null. */
void loom_rule_details_set (JsonObject *details, const char *name, double value);
/* Writes `n_q` quantiles of `n` values to `out`. `q`: the quantiles to compute, each from 0 to 1. */
void loom_rule_quantiles (const double *values, gsize n, const double *q, guint n_q, double *out);
/* Sets members of `details` to the figures of a box plot of `n` values: "p25" … "upper", "lower". Doesn't reorder the
 * values. */
void loom_rule_details_set_box (JsonObject *details, const double *values, gsize n);
