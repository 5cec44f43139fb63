/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The time that other ranks lose because of a rank that a rule found slow. Taken from the results for
 * stragglers (loom-slowdown.h); if these are unknown, or do not show the rank as a straggler, it is the time of waits
 * in collectives to which the rank came last.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-rule-result.h"

/* Extends the sentence of a result that fired, and sets its holds_up and lost_ns. If the result has a single mark,
 * moves the mark to where the rank is slowest. Does nothing if `rank` is −1 (unknown), or when cancelled.
 * `collectives`: the collectives in the range of the LoomDataFrame. */
void loom_custom_rule_slow_rank_explain (LoomRuleResult *result, gint rank, LoomCollectives *collectives,
                                         GCancellable *cancellable);
