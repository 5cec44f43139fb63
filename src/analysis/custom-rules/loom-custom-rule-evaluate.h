/* SPDX-License-Identifier: Apache-2.0
 *
 * Evaluates the custom rules (the user's own rules, loom-custom-rule.h) over a LoomDataFrame. Pure; any thread.
 */
#pragma once

#include "loom-custom-rule.h"
#include "loom-data-frame.h"

/* Appends one LoomRuleResult per rule to `results`, in the order of the rules. Each rule costs one pass over the rows
 * or samples of the LoomDataFrame, and sorting the matching ones; its regular expressions run once per name. Returns
 * FALSE only when cancelled. */
gboolean loom_custom_rule_evaluate_all (LoomDataFrame *frame, const GPtrArray *rules, GPtrArray *results,
                                        GCancellable *cancellable);
