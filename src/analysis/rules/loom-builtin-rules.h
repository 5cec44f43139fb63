/* SPDX-License-Identifier: Apache-2.0
 *
 * Evaluates SageMaker's profiler rules over a LoomDataFrame (smdebug/profiler/analysis/rules in the history of
 * awslabs/sagemaker-debugger). If smdebug's code deviates from what a rule intends, the intended rule is evaluated.
 * Pure; any thread; a rule costs at most a few passes over the samples.
 */
#pragma once

#include "loom-data-frame.h"
#include "loom-rule-parameters.h"
#include "loom-rule-result.h"

/* Returns one result per rule, in the order of loom_rule_parameters_rules[]. `settings` may be NULL for the defaults.
 * NULL only when cancelled. */
GPtrArray *loom_builtin_rules_evaluate (LoomDataFrame *frame, const LoomRuleParameters *settings,
                                        GCancellable *cancellable);

/* Prevents that time in which ranks wait for data is reported twice. If `fired` is the result of the custom rule
 * DataLoadingStalls, and this rule fired, replaces the result of HostBound by the same result without that time.
 * Otherwise changes nothing. `results` must begin with the results of loom_builtin_rules_evaluate(), else nothing
 * changes. Earlier pointers to HostBound's result become invalid. */
void loom_builtin_rules_leave_data (GPtrArray *results, const LoomRuleResult *fired);

/* Returns advice for users about a finding of the rule: one or two sentences. Translated, static. */
const char *loom_builtin_rules_get_advice (guint rule);
