/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the results of all rules. Determines the severity of each result, how much of its lost time other findings
 * explain, and the order in which the results are shown. The window, the report and the query table “finding” use these
 * values.
 */
#pragma once

#include "loom-rule-result.h"

/* Maximum number of effects that one finding can mention. */
#define LOOM_RULE_WEIGHTS_MOST_EFFECTS 4

typedef struct {
  const LoomRuleResult *result; /* borrowed */
  LoomRuleSeverity severity;    /* severity of the result; higher than the severity of the rule if much time was lost */
  /* the part of the result's lost time, in ns, that other findings explain. Two kinds of time are explained: waits for
   * a rank that another finding names, and the time by which a slow transfer makes the steps longer. */
  gint64 explained_ns;
  /* index of another result in the array: the result that explains most of the lost time of this result, and whose
   * finding mentions this result; −1: this result has a finding of its own */
  gint cause;
  guint n_effects;  /* number of results whose `cause` is the index of this result */
  gint64 weight_ns; /* private: the results are sorted by this time in ns, longest first */
} LoomRuleWeight;

/* Weighs the results of rules over `range` (timeline ns). `results`: array of LoomRuleResult; not modified; the results
 * must exist longer than the returned array. Returns an array of LoomRuleWeight with one element for each result, in
 * the order in which the results are shown. The results of rules that fired come first. They are sorted by lost time,
 * with two exceptions: a cause precedes its effects; findings that other findings mostly explain come after all other
 * findings. Owned by the caller. O(n²) for n results. Any thread. */
GArray *loom_rule_weights_new (const GPtrArray *results, LoomRange range);

/* Returns the lost time of a result without `explained_ns`, the part that other findings explain, in ns. If `is_mean`
 * is TRUE, this time is divided by the number of nodes, ranks or devices over which it is summed. All texts state the
 * time that this function returns, and the severity depends on it. */
gint64 loom_rule_weights_get_own_ns (const LoomRuleResult *result, gint64 explained_ns, gboolean is_mean);
