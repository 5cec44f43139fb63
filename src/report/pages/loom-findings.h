/* SPDX-License-Identifier: Apache-2.0
 *
 * The results of the rules for a range, ready for display: first the rules that fired, sorted by lost time; then the
 * rules that passed, the rules without enough data, and the rules that do not apply. Texts are translated. Made by one
 * thread, then immutable; ref-counted atomically.
 */
#pragma once

#include "loom-builtin-rules.h"
#include "loom-custom-rule.h"
#include "loom-page.h"
#include "loom-rule-weights.h"
#include "loom-sagemaker-rule-report.h"

typedef struct {
  const LoomRuleResult *result;
  /* Results of other rules that are mostly consequences of this finding. They have no findings of their own. */
  const LoomRuleResult *effects[LOOM_RULE_WEIGHTS_MOST_EFFECTS];
  guint n_effects;
  LoomRuleSeverity severity; /* severity of the rule's result, or a higher one if much time was lost */
  LoomRange range;           /* time range from the first to the last mark (LoomRuleOccurrence) of the result, in
                              * timeline ns; empty: no marks */
  /* devices or ranks of the result's marks, for example "algo-1 gpu0, gpu1"; "": they are unknown, or the result is
   * about all devices */
  const char *where;
  /* sentence that says how SageMaker's report of the job differs from the result; "": it does not differ */
  const char *reported;
  /* page of the finding: advice, numbers, charts, and the devices or ranks of the result's marks */
  LoomPageContent *sheet;
  /* the part of the result's lost time that other findings explain. Examples: waits for a rank about which there is
   * another finding; the time by which a slow transfer makes the steps longer */
  gint64 explained_ns;
} LoomFinding;

typedef struct {
  LoomRange range;
  guint n;
  const LoomFinding *all;
  /* char *: sentences to show with the findings, for example that a file could not be read. Set once by the code that
   * made the findings. */
  GPtrArray *notes;
  /* The following members are private: */
  gatomicrefcount ref_count;
  LoomDataFrame *frame; /* data frame that owns the texts of the results */
  GPtrArray *results;   /* LoomRuleResult: the results of all evaluated rules */
  GArray *findings;     /* LoomFinding: the findings in the order of display */
  GStringChunk *texts;
} LoomFindings;

/* Evaluates all rules, except rules that only summarise the results of others, and makes the findings. `settings`:
 * parameters of the rules; NULL: default parameters. `own`: an array whose elements are arrays (GPtrArray) of custom
 * rules; may be NULL. If several rules have the same name, only the first one is evaluated. If `input` has no
 * LoomDataFrame, there are no findings. Takes O(samples + rows) per rule. Returns NULL only when cancelled. */
LoomFindings *loom_findings_new (const LoomPageInput *input, const LoomRuleParameters *settings, const GPtrArray *own,
                                 GCancellable *cancellable);
/* Evaluates only the custom rules in `rules`, even if rules of the program have the same names. */
LoomFindings *loom_findings_new_custom (const LoomPageInput *input, const GPtrArray *rules, GCancellable *cancellable);
LoomFindings *loom_findings_ref (LoomFindings *findings);
void loom_findings_unref (LoomFindings *findings); /* NULL: does nothing */

void loom_findings_set_notes (LoomFindings *findings, const GPtrArray *notes);

/* Returns the number of findings whose result has this status, such as LOOM_RULE_FIRED. */
guint loom_findings_count (const LoomFindings *findings, LoomRuleStatus status);

/* Returns TRUE if the time that the job would save without the cause of the finding is known (LoomRuleResult.saved_ns),
 * and no other finding explains a part of this time. */
gboolean loom_findings_is_saving_known (const LoomFinding *finding);
/* Returns the time that would be saved without the cause of the finding, as a share of the duration of the range (0 to
 * 1). If this time is unknown, uses the time that was lost on average instead (loom_rule_result_get_average_ns()).
 * Excludes the part of the time that other findings explain. */
double loom_findings_get_lost_share (const LoomFindings *findings, const LoomFinding *finding);

/* Some results state a loss of time that is below the limit of the rule (LoomRuleResult.small_loss). Returns the result
 * with the largest loss of this kind; NULL if there is none. Borrowed. */
const LoomRuleResult *loom_findings_find_small_loss (const LoomFindings *findings);

/* The next two functions return translated names for display: "Warning", "Not enough data". */
const char *loom_findings_severity_word (LoomRuleSeverity severity);
const char *loom_findings_status_word (LoomRuleStatus status);

/* Makes the page of a result. `explained_ns`: see LoomFinding. `report`: the result of this rule in SageMaker's report
 * of the job; NULL if there is no such report. Returns NULL only when cancelled. Owned by the caller. */
LoomPageContent *loom_findings_new_page (const LoomPageInput *input, const LoomRuleResult *result, gint64 explained_ns,
                                         const LoomSagemakerRuleReport *report, GCancellable *cancellable);

/* Returns the id of the page that shows the causes of a rule's findings, for example "stragglers" for the rule
 * "SlowRank"; NULL if there is no such page. There is none for the user's own rules. Static. */
const char *loom_findings_find_page_of_rule (const char *rule);
/* Like loom_findings_find_page_of_rule(), but returns "stragglers" for a result that names a late rank, whatever its
 * rule. */
const char *loom_findings_find_page (const LoomRuleResult *result);

/* Returns const LoomPage *: all pages of loom_pages_get(). The first is the summary. Then follow the pages about the
 * findings, in the order in which the summary lists the findings: largest loss first. The other pages follow in the order
 * of loom_pages_get(), but first the page about the largest loss below a limit, if there is one. Owned by the caller. */
GPtrArray *loom_findings_list_pages (const LoomFindings *findings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomFindings, loom_findings_unref)
