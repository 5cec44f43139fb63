/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. What a rank that a rule found slow costs the others. The figures are those of the page of stragglers
 * (loom-slowdown.h); where these are unknown or by them the rank is not a straggler, they are the waits in collectives in
 * which it came last.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-rule-result.h"

/* Extends the sentence of a fired result, sets holds_up and lost_ns, and lets a single mark show the rank where it is
 * slowest. `rank` −1: unknown, nothing happens. The collectives
 * are those of the frame's range. Without effect when cancelled. */
void loom_custom_rule_slow_rank_explain (LoomRuleResult *result, gint rank, LoomCollectives *collectives,
                                         GCancellable *cancellable);
