/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/query: the results of the rules over a run, as the report and the window evaluate them.
 */
#pragma once

#include "loom-rule-result.h"

typedef struct {
  LoomRuleResult *result; /* hosts and devices of its marks are NULL, because they are borrowed from a data frame */
  LoomRuleSeverity severity;
  gint rank; /* the rank that all marks are about; −1: none, several or unknown */
} LoomQueryFinding;

/* Evaluates the rules of the program and those of the user's folder, with the user's parameters. A file that cannot be
 * read becomes a result that is not applicable and has the reason as its sentence. Reads the rule files, so call it on a
 * worker thread. Returns a GArray of LoomQueryFinding that the caller owns; NULL only when cancelled.
 * O(run · rules). */
GArray *loom_query_findings_new (LoomTimeline *timeline, GCancellable *cancellable);
