/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: evaluates a custom rule for each group of spans or samples. Compares the group's windows
 * (intervals of time) with the limit of the rule, and adds the windows beyond the limit to the result. One thread at a
 * time for each evaluation. Times are timeline ns.
 */
#pragma once

#include "loom-collectives.h"
#include "loom-custom-rule-groups.h"
#include "loom-rule-result.h"

typedef struct {
  const LoomCustomRuleGroup *group;
  GArray *slices; /* LoomCustomRuleSlice: the windows of the group */
  /* number of windows beyond the limit, counting only sequences of at least LoomCustomRuleLimits.patience such
   * windows */
  guint n_hits;
  double worst; /* worst value of the windows counted in n_hits; NAN: n_hits is 0 */
} LoomCustomRuleLine;

typedef struct {
  const LoomCustomRule *rule;
  LoomRuleResult *result;
  GPtrArray *groups;
  GArray *lines; /* LoomCustomRuleLine; one for each group with enough spans or samples */
  guint n_most, n_fired, n_windows;
  guint n_cut; /* number of groups that are not compared with the others, because their file ends early */
  /* the line with the worst value among the lines whose n_hits is not 0; NULL: there is no such line */
  const LoomCustomRuleLine *first;
  /* for computing how much of the lost time is spent waiting for other ranks; NULL if the rule is not about time */
  LoomCollectives *collectives;
  /* for finding the ranks that wait for a rank which the rule found slow; NULL if ranks are not compared */
  LoomCollectives *compared;
  guint n_steps; /* number of training steps of the rank with the worst value; 0: not recorded */
  /* set of the collectives whose waits are included in `late`; element: index of the collective, plus 1 */
  GHashTable *seen;
  GHashTable *late; /* how long other ranks waited for each rank; a table for loom_rank_order_add() */
  gint64 wait_ns;   /* time that spans waited for other ranks, in the windows counted in n_hits */
  GCancellable *cancellable;
} LoomCustomRuleEvaluation;

/* Returns a value as text with the unit of the rule. Owned by the caller. */
char *loom_custom_rule_evaluation_format_value (const LoomCustomRule *rule, double value);
gboolean loom_custom_rule_evaluation_is_beyond (const LoomCustomRule *rule, double value);
/* Returns TRUE if `value` is worse than `than`: greater if the rule has an upper limit, smaller if it has a lower
 * limit. Also TRUE if `than` is NAN. */
gboolean loom_custom_rule_evaluation_is_worse (const LoomCustomRule *rule, double value, double than);
/* Returns the lost time in a window. If the rule compares values with their median, this is the time by which spans
 * exceed the median. If it has a fixed upper limit, it is the time that spans took; if it has a fixed lower limit, the
 * time in which no span ran. 0 if the statistic is not a time. */
gint64 loom_custom_rule_evaluation_get_lost (const LoomCustomRule *rule, const LoomCustomRuleSlice *slice);

/* Returns the mean value of all windows of a line, including those within the limit. If the statistic is a share of
 * time, this is the share of the total time of all windows; for other statistics, each window has the same weight.
 * Windows without a value do not count; NAN: no window has a value. */
double loom_custom_rule_evaluation_get_mean (const LoomCustomRule *rule, const LoomCustomRuleLine *line);

/* Finds each sequence of at least LoomCustomRule.patience consecutive windows of the line that are beyond the limit.
 * Adds marks, lost time and counts of these sequences to the result, and updates self->first. O(windows + spans in the
 * sequences). */
void loom_custom_rule_evaluation_add_line (LoomCustomRuleEvaluation *self, LoomCustomRuleLine *line);
