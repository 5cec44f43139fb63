/* SPDX-License-Identifier: Apache-2.0
 *
 * Evaluates SageMaker's profiler rules over a LoomDataFrame (smdebug/profiler/analysis/rules in the history of
 * awslabs/sagemaker-debugger). If smdebug's code differs from the intention of a rule, the intended rule is evaluated.
 * Pure; any thread. The cost of a rule is at most that of a few passes over the samples.
 */
#pragma once

#include "loom-data-frame.h"
#include "loom-rule-parameters.h"
#include "loom-rule-result.h"

/* Returns one result per rule, in the order of loom_rule_parameters_rules[]. `settings` may be NULL for the defaults.
 * Returns NULL only when cancelled. */
GPtrArray *loom_builtin_rules_evaluate (LoomDataFrame *frame, const LoomRuleParameters *settings,
                                        GCancellable *cancellable);

/* Replaces the result of HostBound in `results` by one that excludes the time in which ranks wait for data, so that
 * only one rule reports this time. Does so only if `fired` is a result of the custom rule DataLoadingStalls, and this
 * rule fired. Pointers to the earlier result of HostBound become invalid. `results` must begin with the results of
 * loom_builtin_rules_evaluate(); otherwise, changes nothing. */
void loom_builtin_rules_leave_data (GPtrArray *results, const LoomRuleResult *fired);

/* Returns advice for users about a finding of the rule: one or two sentences. Translated, static. */
const char *loom_builtin_rules_get_advice (guint rule);
