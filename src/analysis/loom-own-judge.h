/* SPDX-License-Identifier: Apache-2.0
 *
 * Evaluates rules of one's own over a frame. Pure; any thread.
 */
#pragma once

#include "loom-frame.h"
#include "loom-own-rule.h"

G_BEGIN_DECLS

/* One result per rule, in their order, appended to `results` (LoomRuleResult). A rule costs a pass over the rows or samples
 * and sorting what it wants; its regular expressions are asked once per name. FALSE only when cancelled. */
gboolean loom_own_rules_evaluate (LoomFrame *frame, const LoomOwnRules *rules, GPtrArray *results, GCancellable *cancellable);

G_END_DECLS
