/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query. Computes the rows of the table “finding”: the results of all rules that find performance
 * problems, evaluated over the whole run. The report and the window show the same results.
 */
#pragma once

#include "loom-rule-result.h"

typedef struct {
  /* result of the rule. The hosts and devices of its marks (LoomRuleOccurrence: the places on the timeline where the
   * rule found something) are NULL, because these texts belonged to a data frame that was freed */
  LoomRuleResult *result;
  LoomRuleSeverity severity;
  gint64 explained_ns; /* the part of the result's lost time that other findings explain */
  /* rank to which all marks (LoomRuleOccurrence) of the result belong; −1: they belong to several ranks, or their rank
   * is unknown */
  gint rank;
} LoomQueryFinding;

/* Evaluates the program's rules and the rules in the user's folder, with the user's parameters. A file that cannot be
 * read becomes a result with the status LOOM_RULE_NOT_APPLICABLE, whose sentence is the reason. Reads files, so call it
 * on a worker thread. Returns a GArray of LoomQueryFinding, owned by the caller; NULL only when cancelled. O(run ·
 * rules). */
GArray *loom_query_findings_new (LoomTimeline *timeline, GCancellable *cancellable);
