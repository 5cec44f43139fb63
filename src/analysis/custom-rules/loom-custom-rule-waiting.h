/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. How much of the spans that a rule of one's own found is waiting for ranks that come late to collectives: what such
 * a finding advises would not shorten that. Waits are those of loom-collectives.h, within each span; whom they are for is
 * shared as in loom-wait-attribution.h. One thread.
 */
#pragma once

#include "loom-custom-rule-groups.h"

G_BEGIN_DECLS

typedef struct _LoomCustomRuleWaiting LoomCustomRuleWaiting;

/* Of the collectives of a run, O(collectives · ranks). NULL only when cancelled. */
LoomCustomRuleWaiting *loom_custom_rule_waiting_new (LoomTimeline *timeline, GCancellable *cancellable);
void loom_custom_rule_waiting_free (LoomCustomRuleWaiting *waiting); /* NULL: nothing */

void loom_custom_rule_waiting_clear (LoomCustomRuleWaiting *waiting); /* as new: for the next rule */
void loom_custom_rule_waiting_add (LoomCustomRuleWaiting *waiting, const LoomCustomRuleItem *items, guint n);

gint64 loom_custom_rule_waiting_get_time (const LoomCustomRuleWaiting *waiting); /* of all spans added */
/* The ranks that make up most of it, at most LOOM_CUSTOM_RULE_WAITING_NAMED, the longest waited for first: "3, 2". How many: `n`, 0
 * where ranks are not known. Owned. */
char *loom_custom_rule_waiting_dup_ranks (const LoomCustomRuleWaiting *waiting, guint *n);

#define LOOM_CUSTOM_RULE_WAITING_NAMED 4

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomCustomRuleWaiting, loom_custom_rule_waiting_free)

G_END_DECLS
