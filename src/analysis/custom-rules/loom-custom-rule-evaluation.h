/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: compares the windows of a rule with its limit, and adds what it finds to the result. One
 * thread at a time for the same evaluation. Times are timeline ns.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-custom-rule-groups.h"
#include "loom-rule-result.h"

typedef struct {
  const LoomCustomRuleGroup *group;
  GArray *slices; /* LoomCustomRuleSlice */
  guint n_hits;   /* number of windows beyond the limit, in runs of at least `patience` consecutive windows */
  double worst;   /* worst value of the windows counted in n_hits; NAN: none */
} LoomCustomRuleLine;

typedef struct {
  const LoomCustomRule *rule;
  LoomRuleResult *result;
  GPtrArray *groups;
  GArray *lines; /* LoomCustomRuleLine; one for each group with enough spans or samples */
  guint n_most, n_fired, n_windows;
  const LoomCustomRuleLine *first; /* the line with the worst value among those beyond the limit; NULL: none */
  /* used to find how much of the lost time is waiting for other ranks; NULL if the rule is not about time */
  const LoomCollectives *collectives;
  /* used to find who waits for a rank that the rule found slow; NULL if ranks are not compared */
  LoomCollectives *compared;
  guint n_steps;    /* number of training steps of the rank with the worst value; 0: not recorded */
  GHashTable *seen; /* index + 1 of each collective whose waits are in `late` */
  GHashTable *late; /* waits by the rank that caused them, for loom_rank_order_add() */
  gint64 wait_ns;   /* sum of the waits for other ranks in the spans of windows beyond the limit */
  GCancellable *cancellable;
} LoomCustomRuleEvaluation;

/* Returns a value in the unit of the rule, for people. Owned by the caller. */
char *loom_custom_rule_evaluation_format_value (const LoomCustomRule *rule, double value);
gboolean loom_custom_rule_evaluation_is_beyond (const LoomCustomRule *rule, double value);
/* `than` NAN: every value is worse. */
gboolean loom_custom_rule_evaluation_is_worse (const LoomCustomRule *rule, double value, double than);
/* Returns the lost time in a window. If the rule limits values from above, this is the time that spans took; if from
 * below, the time in which no span ran. 0 for other statistics than times. */
gint64 loom_custom_rule_evaluation_get_lost (const LoomCustomRule *rule, const LoomCustomRuleSlice *slice);

/* Finds the runs of at least `patience` consecutive windows of the line that are beyond the limit. Adds marks, lost time
 * and counts to the result, and updates `first`. O(windows + spans in the windows found). */
void loom_custom_rule_evaluation_add_line (LoomCustomRuleEvaluation *self, LoomCustomRuleLine *line);
