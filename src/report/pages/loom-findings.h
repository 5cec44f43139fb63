/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rules found in a range, ready to be shown: findings first, by time lost, then what found nothing, what had not
 * enough data, what does not apply. Words are translated. Made by one thread, then immutable; ref-counted atomically.
 */
#pragma once

#include "loom-builtin-rules.h"
#include "loom-custom-rule.h"
#include "loom-page.h"
#include "loom-sagemaker-rule-report.h"

typedef struct {
  const LoomRuleResult *result;
  LoomRuleSeverity severity; /* severity of the result, raised when much time was lost */
  LoomRange range;           /* from the first mark to the last; empty without marks */
  const char *where;         /* such as "algo-1 gpu0, gpu1"; "": no place, or everywhere */
  const char *reported;      /* how the report of the job differs from the result, a sentence; "": no difference */
  LoomPageContent *sheet;    /* advice, the numbers behind, evidence, places */
} LoomFinding;

typedef struct _LoomFindings LoomFindings;

/* Evaluates every rule but those that only sum up; `settings` NULL: the defaults; `own` LoomCustomRules, NULL:
 * no more; of rules of the same name the first counts. None when the input has no frame: there is no such range. Cost of the rules, O(samples + rows). NULL only when cancelled. */
LoomFindings *loom_findings_new (const LoomPageInput *input, const LoomRuleParameters *settings, const GPtrArray *own,
                                 GCancellable *cancellable);
/* The same of these rules of one's own only, whatever other rules are called. */
LoomFindings *loom_findings_new_custom (const LoomPageInput *input, const LoomCustomRules *rules,
                                        GCancellable *cancellable);
LoomFindings *loom_findings_ref (LoomFindings *findings);
void loom_findings_unref (LoomFindings *findings); /* accepts NULL */

LoomRange loom_findings_get_range (const LoomFindings *findings);
guint loom_findings_get_n (const LoomFindings *findings);
const LoomFinding *loom_findings_get (const LoomFindings *findings, guint i);
/* Sentences shown with the findings, such as which files could not be read. Set once, by the creator of the
 * findings. */
void loom_findings_set_notes (LoomFindings *findings, const GPtrArray *notes);
const GPtrArray *loom_findings_get_notes (const LoomFindings *findings); /* char * */

/* Returns the number of findings with the status. */
guint loom_findings_count (const LoomFindings *findings, LoomRuleStatus status);

/* Names for display, translated: "Warning", "Not enough data". */
const char *loom_findings_severity_word (LoomRuleSeverity severity);
const char *loom_findings_status_word (LoomRuleStatus status);

/* The sheet of a result, beside the report of the job (NULL: none). NULL only when cancelled. Owned. */
LoomPageContent *loom_findings_new_page (const LoomPageInput *input, const LoomRuleResult *result,
                                         const LoomSagemakerRuleReport *report, GCancellable *cancellable);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomFindings, loom_findings_unref)
