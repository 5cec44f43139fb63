/* SPDX-License-Identifier: Apache-2.0
 *
 * Evaluates rules of one's own over a frame. Pure; any thread.
 */
#pragma once

#include "loom-custom-rule.h"
#include "loom-data-frame.h"

G_BEGIN_DECLS

/* One result per rule, in their order, appended to `results` (LoomRuleResult). A rule costs a pass over the rows or samples
 * and sorting what it wants; its regular expressions are asked once per name. FALSE only when cancelled. */
gboolean loom_custom_rule_evaluate_all (LoomDataFrame *frame, const LoomCustomRules *rules, GPtrArray *results,
                                        GCancellable *cancellable);

G_END_DECLS
