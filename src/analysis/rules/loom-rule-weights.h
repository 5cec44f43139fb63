/* SPDX-License-Identifier: Apache-2.0
 *
 * Compares the results of all rules: their severities, how much of the lost time of each result is explained by
 * other findings, and the order in which the results are shown. The window, the report and the query table “finding”
 * take these figures from here.
 */
#pragma once

#include "loom-rule-result.h"

/* Maximum number of effects that one finding can mention. */
#define LOOM_RULE_WEIGHTS_MOST_EFFECTS 4

typedef struct {
  const LoomRuleResult *result; /* borrowed */
  LoomRuleSeverity severity;    /* severity of the rule's result, or a higher one if much time was lost */
  /* the part of the result's lost time that other findings explain: waits for a rank that another finding names, or the
   * time by which a slow transfer makes the steps longer; in ns */
  gint64 explained_ns;
  /* index in the array of the finding that mentions this result, because it explains most of the result's lost time;
   * −1: the result has a finding of its own */
  gint cause;
  guint n_effects;  /* number of results whose `cause` is this one */
  gint64 weight_ns; /* private: time in ns by which the results are sorted, longest first */
} LoomRuleWeight;

/* Weighs the results of rules over `range` (timeline ns). `results`: LoomRuleResult, not modified; they must outlive
 * the array. Returns an array of LoomRuleWeight with one element for each result, in the order of display: first the
 * rules that fired, causes before their effects, then by lost time; findings that others mostly explain come last. Owned
 * by the caller. O(n²) for n results. Any thread. */
GArray *loom_rule_weights_new (const GPtrArray *results, LoomRange range);

/* Returns the lost time of a result without `explained_ns`, the part that other findings explain. All texts state this
 * time, and the severity counts it. If `is_mean`, this time is divided by the number of nodes, ranks or devices whose
 * times it is the sum of. In ns. */
gint64 loom_rule_weights_get_own_ns (const LoomRuleResult *result, gint64 explained_ns, gboolean is_mean);
