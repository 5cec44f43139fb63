/* SPDX-License-Identifier: Apache-2.0
 *
 * The findings of a run, which are the results of the profiler rules. A worker evaluates the built-in rules and the
 * rule files when a load has ended, and when the rule files or their limits change. If the range of the analysis is a
 * part of the run, another worker evaluates this part while a view shows its findings; a large run is evaluated only on
 * request. The findings of the whole run are kept. Marks in the overview, notices and the number of findings are always
 * those of the whole run: each place of a finding that is not dismissed is marked. Main thread only.
 *
 * Read-only properties: "findings" (pointer to LoomFindings), notified also when findings are dismissed or restored;
 * "working", TRUE while a worker evaluates, notified late for work that does not take long; "outdated", TRUE while the
 * findings are not those of the range of the analysis; "hang", see loom_findings_state_get_hang(); "main-finding", see
 * loom_findings_state_get_main_finding().
 */
#pragma once

#include "loom-analysis-context.h"
#include "loom-findings-answer.h"

#define LOOM_TYPE_FINDINGS_STATE (loom_findings_state_get_type ())
G_DECLARE_FINAL_TYPE (LoomFindingsState, loom_findings_state, LOOM, FINDINGS_STATE, GObject)

/* Makes an object that evaluates the rules on the run of `analysis`, to which it takes a reference. */
LoomFindingsState *loom_findings_state_new (LoomAnalysisContext *analysis);

/* Evaluates the run, unless it has more than 5 million spans. Must be called when the whole run is loaded. */
void loom_findings_state_loaded (LoomFindingsState *self);
/* Evaluates the rules for the current range of the analysis, also in a large run. */
void loom_findings_state_evaluate (LoomFindingsState *self);
/* Must be called when a view begins or ceases to show the findings. While there is at least one view, the range of the
 * analysis is evaluated whenever it changes. */
void loom_findings_state_add_view (LoomFindingsState *self);
void loom_findings_state_remove_view (LoomFindingsState *self);
/* Returns TRUE if the range of the analysis is evaluated only on request: loom_findings_state_evaluate(). */
gboolean loom_findings_state_needs_request (LoomFindingsState *self);
/* Evaluates the rules again if they were evaluated before. Must be called when a rule file has changed. */
void loom_findings_state_refresh (LoomFindingsState *self);
/* Adds a rule file to the rule files of the run and evaluates it. A file in the user's rule folder applies to every run
 * already: such a file is only read again, and the function returns FALSE. */
gboolean loom_findings_state_add_file (LoomFindingsState *self, const char *path);

/* Returns the findings of the range of the analysis, or those shown before while "outdated" is TRUE; borrowed; NULL: the
 * rules were not evaluated. */
LoomFindings *loom_findings_state_get_findings (LoomFindingsState *self);
/* Returns the finding of the rule with this name; NULL: the rule was not evaluated, or no rule has this name. Borrowed
 * until the property "findings" is notified. */
const LoomFinding *loom_findings_state_find (LoomFindingsState *self, const char *rule);
gboolean loom_findings_state_is_working (LoomFindingsState *self);
/* Returns the note with which a finding was dismissed; NULL: the finding is not dismissed. Borrowed. */
const char *loom_findings_state_get_note (LoomFindingsState *self, const LoomFinding *finding);
/* Returns the number of findings of the whole run that are not dismissed. */
guint loom_findings_state_count (LoomFindingsState *self);
/* Returns the number of findings in loom_findings_state_get_findings() that are not dismissed. */
guint loom_findings_state_count_shown (LoomFindingsState *self);
/* Returns the headline for the summary page: what the first finding that is shown costs; without one, the largest loss
 * of time that is below the limit of its rule (loom_findings_find_small_loss()). If there is neither, or if the findings
 * are of another range, returns the headline of `page`, which states the main figures. NULL: there is none. Owned by the
 * caller. */
char *loom_findings_state_dup_page_headline (LoomFindingsState *self, const LoomPageContent *page);
/* Returns one line about a rule that found nothing: the name of the rule as separate words, and the sentence of its
 * result, for example "Idle GPU: lowest value 98 %". Owned by the caller. */
char *loom_findings_state_dup_rule_line (const LoomRuleResult *result);
/* Returns the sentence of the notice that the job hangs, which is the sentence of the rule "Hang". NULL: the rule did
 * not fire, the finding was dismissed, or the user closed the notice. Translated; borrowed until "hang" is notified. */
const char *loom_findings_state_get_hang (LoomFindingsState *self);
/* Closes the notice that the job hangs. It is shown again when an evaluation finds another sentence. */
void loom_findings_state_close_hang (LoomFindingsState *self);
/* Returns the main finding: the first one that names a rank for which the other ranks wait; else the first severe
 * finding; else the first finding of any severity. Ignores hangs, which have a notice of their own, and dismissed
 * findings. NULL: no finding is left. Borrowed until "findings" is notified. */
const LoomFinding *loom_findings_state_find_main (LoomFindingsState *self);
/* Returns the late rank whose span the main finding marks; −1: the main finding does not mark a span of a late rank. */
gint loom_findings_state_get_late_rank (LoomFindingsState *self);
/* Returns the sentence of the notice about the main finding. NULL: there is not a main finding, or the user closed the
 * notice. Translated; borrowed until "main-finding" is notified, which also happens when only the severity of the
 * finding changes. */
const char *loom_findings_state_get_main_finding (LoomFindingsState *self);
/* Closes the notice about the main finding. It is shown again when an evaluation finds another sentence. */
void loom_findings_state_close_main_finding (LoomFindingsState *self);
/* Sets `answer` to what a list without findings says, for example that the run is too large to be evaluated without a
 * request. Its texts may be borrowed until "findings" is notified. Returns FALSE if findings are shown, or if the
 * evaluation of a run of normal size has not ended yet. */
gboolean loom_findings_state_get_answer (LoomFindingsState *self, LoomFindingsAnswer *answer);
