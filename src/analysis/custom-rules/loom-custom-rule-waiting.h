/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. How much of the spans that a user's own rule found is waiting for ranks that come late to collectives: the
 * finding's advice would not shorten such waits. Waits are those of loom-collectives.h within each span, attributed to
 * ranks as in loom-wait-attribution.h. One thread.
 */
#pragma once

#include "loom-custom-rule-groups.h"

typedef struct _LoomCustomRuleWaiting LoomCustomRuleWaiting;

/* Matches the collectives of a run, O(collectives · ranks). NULL only when cancelled. */
LoomCustomRuleWaiting *loom_custom_rule_waiting_new (LoomTimeline *timeline, GCancellable *cancellable);
void loom_custom_rule_waiting_free (LoomCustomRuleWaiting *waiting); /* accepts NULL */

void loom_custom_rule_waiting_clear (LoomCustomRuleWaiting *waiting); /* removes all spans, for the next rule */
void loom_custom_rule_waiting_add (LoomCustomRuleWaiting *waiting, const LoomCustomRuleItem *items, guint n);

/* waits in all spans added, ns */
gint64 loom_custom_rule_waiting_get_time (const LoomCustomRuleWaiting *waiting);
/* The ranks that cause most of the waits, longest first, at most LOOM_CUSTOM_RULE_WAITING_NAMED: "3, 2". `n` receives
 * their number, 0 if ranks are unknown. Owned by the caller. */
char *loom_custom_rule_waiting_dup_ranks (const LoomCustomRuleWaiting *waiting, guint *n);

#define LOOM_CUSTOM_RULE_WAITING_NAMED 4

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCustomRuleWaiting, loom_custom_rule_waiting_free)
