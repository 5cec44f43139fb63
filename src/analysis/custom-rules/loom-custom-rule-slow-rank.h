/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/custom-rules. Computes how much time other ranks lose because of a rank that a custom rule
 * found slow. The time comes from the analysis of stragglers (loom-slowdown.h). If this analysis is not possible, or
 * the rank is not a straggler, the lost time is the time that other ranks wait in collectives in which the rank arrives
 * last.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-data-frame.h"
#include "loom-rule-result.h"

/* Extends the sentence of a result that fired, and sets its holds_up and lost_ns. If the result has a single mark,
 * moves the mark to the place where the rank is slowest. Does nothing if `rank` is −1 (unknown), or when cancelled.
 * `collectives`: the collectives in the range of `frame`. If the range has too few steps to replay, uses the lost time
 * of the whole run that lies in the range. */
void loom_custom_rule_slow_rank_explain (LoomRuleResult *result, gint rank, LoomCollectives *collectives,
                                         LoomDataFrame *frame, GCancellable *cancellable);
/* If a rule passed, but the analysis of stragglers finds a loss, stores this loss in LoomRuleResult.small_loss. Does
 * nothing when cancelled. */
void loom_custom_rule_slow_rank_note_small_loss (LoomRuleResult *result, LoomCollectives *collectives,
                                                 GCancellable *cancellable);
