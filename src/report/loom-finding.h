/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rules found in a range, ready to be shown: findings first, by time lost, then what found nothing, what had not
 * enough data, what does not apply. Words are translated. Made by one thread, then immutable; ref-counted atomically.
 */
#pragma once

#include "loom-page.h"
#include "loom-own-rule.h"
#include "loom-rule-report.h"
#include "loom-rule.h"

G_BEGIN_DECLS

typedef struct {
  const LoomRuleResult *result;
  LoomRuleSeverity severity; /* of the result, raised when much time was lost */
  LoomRange range;           /* from the first mark to the last; empty: nowhere */
  const char *where;         /* "algo-1 gpu0, gpu1"; "" nowhere or everywhere */
  const char *reported;      /* what the report of the job says otherwise, a sentence; "" nothing */
  LoomSheet *sheet;          /* advice, the numbers behind, evidence, places */
} LoomFinding;

typedef struct _LoomFindings LoomFindings;

/* Evaluates every rule but those that only sum up; `settings` NULL: the defaults; `own` LoomOwnRules, NULL:
 * no more; of rules of the same name the first counts. None when the input has no frame: there is no such range. Cost of the rules, O(samples + rows). NULL only when cancelled. */
LoomFindings *loom_findings_new (const LoomPageInput *input, const LoomRuleSettings *settings, const GPtrArray *own, GCancellable *cancellable);
/* The same of these rules of one's own only, whatever other rules are called. */
LoomFindings *loom_findings_new_own (const LoomPageInput *input, const LoomOwnRules *rules, GCancellable *cancellable);
LoomFindings *loom_findings_ref (LoomFindings *findings);
void loom_findings_unref (LoomFindings *findings); /* NULL: nothing */

LoomRange loom_findings_get_range (const LoomFindings *findings);
guint loom_findings_get_n (const LoomFindings *findings);
const LoomFinding *loom_findings_get (const LoomFindings *findings, guint i);
/* What has to be said besides, a sentence each: files that could not be read. Set once, by who made the findings. */
void loom_findings_set_notes (LoomFindings *findings, const GPtrArray *notes);
const GPtrArray *loom_findings_get_notes (const LoomFindings *findings); /* char * */

/* How many have the status. */
guint loom_findings_count (const LoomFindings *findings, LoomRuleStatus status);

/* "Warning", "Not enough data": for people, translated. */
const char *loom_finding_severity_word (LoomRuleSeverity severity);
const char *loom_finding_status_word (LoomRuleStatus status);

/* The sheet of a result, beside the report of the job (NULL: none). NULL only when cancelled. Owned. */
LoomSheet *loom_finding_sheet_new (const LoomPageInput *input, const LoomRuleResult *result, const LoomRuleReport *report,
                                   GCancellable *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomFindings, loom_findings_unref)

G_END_DECLS
