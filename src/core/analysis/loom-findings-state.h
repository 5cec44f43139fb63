/* SPDX-License-Identifier: Apache-2.0
 *
 * The findings of a run, which are the results of the profiler rules. A worker thread evaluates the built-in rules and
 * the rule files when loading has ended, and when the rule files or their limits change.
 *
 * If the range of the analysis is only a part of the run, another worker thread evaluates this part while a view shows
 * its findings. A large run is evaluated only when the user requests it.
 *
 * The findings of the whole run are kept. The marks in the overview, the notices and the number of findings are always
 * those of the whole run. Each place of a finding is marked, unless the finding was dismissed. Main thread only.
 *
 * Read-only properties: "findings" is a pointer to LoomFindings; it is also notified when findings are dismissed or
 * restored. "working" is TRUE while a worker thread evaluates rules; it becomes TRUE after a short time, so that it
 * stays FALSE during short work. "outdated" is TRUE while the shown findings are not those of the range of the
 * analysis. "hang": see loom_findings_state_get_hang(). "main-finding": see loom_findings_state_get_main_finding().
 */
#pragma once

#include "loom-analysis-context.h"
#include "loom-findings-answer.h"

#define LOOM_TYPE_FINDINGS_STATE (loom_findings_state_get_type ())
G_DECLARE_FINAL_TYPE (LoomFindingsState, loom_findings_state, LOOM, FINDINGS_STATE, GObject)

/* Makes an object that evaluates the rules on the run of `analysis`. Takes a reference to `analysis`. */
LoomFindingsState *loom_findings_state_new (LoomAnalysisContext *analysis);

/* Evaluates the run, unless it has more than 5 million spans. Must be called when the whole run is loaded. */
void loom_findings_state_loaded (LoomFindingsState *self);
/* Evaluates the rules for the current range of the analysis, even if the run is large. */
void loom_findings_state_evaluate (LoomFindingsState *self);
/* Must be called when a view starts or stops showing the findings. While there is at least one such view, the range
 * of the analysis is evaluated each time it changes. */
void loom_findings_state_add_view (LoomFindingsState *self);
void loom_findings_state_remove_view (LoomFindingsState *self);
/* Returns TRUE if the range of the analysis is not evaluated until loom_findings_state_evaluate() is called. */
gboolean loom_findings_state_needs_request (LoomFindingsState *self);
/* Evaluates the rules again, if they were evaluated before. Must be called when a rule file has changed. */
void loom_findings_state_refresh (LoomFindingsState *self);
/* Adds a rule file to the rule files of the run, and evaluates it. The files in the user's rule folder are used for
 * every run already. If the file is in that folder, the function only reads the file again, and returns FALSE. */
gboolean loom_findings_state_add_file (LoomFindingsState *self, const char *path);

/* Returns the findings that are shown; borrowed. The findings are of the range of the analysis or, while "outdated" is
 * TRUE, of an earlier range. NULL if the rules were not evaluated. */
LoomFindings *loom_findings_state_get_findings (LoomFindingsState *self);
/* Returns the finding of the rule with this name. Returns NULL if the rule was not evaluated, or if no rule has this
 * name. Borrowed until the property "findings" is notified. */
const LoomFinding *loom_findings_state_find (LoomFindingsState *self, const char *rule);
gboolean loom_findings_state_is_working (LoomFindingsState *self);
/* Returns the note that the user wrote when dismissing a finding; NULL if the finding is not dismissed. Borrowed. */
const char *loom_findings_state_get_note (LoomFindingsState *self, const LoomFinding *finding);
/* Returns the number of findings of the whole run that the user has not dismissed. */
guint loom_findings_state_count (LoomFindingsState *self);
/* Returns the number of findings in loom_findings_state_get_findings() that the user has not dismissed. */
guint loom_findings_state_count_shown (LoomFindingsState *self);
/* Returns the headline for the summary page, owned by the caller. It is the first of these that exists: what the first
 * shown finding costs; the largest loss of time that is below the limit of its rule (loom_findings_find_small_loss());
 * the headline of `page`, which gives the main figures. While the shown findings are those of another range, it is
 * always the headline of `page`. NULL if `page` would give the headline, but has none. */
char *loom_findings_state_dup_page_headline (LoomFindingsState *self, const LoomPageContent *page);
/* Returns one line about a rule that found nothing: the name of the rule, split into words, and the sentence of its
 * result. Example: "Idle GPU: lowest value 98 %". Owned by the caller. */
char *loom_findings_state_dup_rule_line (const LoomRuleResult *result);
/* Returns the text of the notice that the job hangs, which is the sentence of the rule "Hang". Returns NULL if the
 * rule has no finding, if the finding was dismissed, or if the user closed the notice. Translated; borrowed until
 * "hang" is notified. */
const char *loom_findings_state_get_hang (LoomFindingsState *self);
/* Closes the notice that the job hangs. The notice is shown again when an evaluation gives another sentence. */
void loom_findings_state_close_hang (LoomFindingsState *self);
/* Returns the main finding. This is the first of these that exists: the first finding that names a rank for which the
 * other ranks wait; the first severe finding; the first finding of any severity. Dismissed findings do not count. Hangs
 * do not count either, because they have their own notice. Returns NULL if there is no finding that counts. Borrowed
 * until "findings" is notified. */
const LoomFinding *loom_findings_state_find_main (LoomFindingsState *self);
/* If the main finding marks a span of a late rank, returns this rank. If not, returns −1. */
gint loom_findings_state_get_late_rank (LoomFindingsState *self);
/* Returns the text of the notice about the main finding. Returns NULL if there is no main finding, or if the user
 * closed the notice. Translated; borrowed until "main-finding" is notified. "main-finding" is also notified when only
 * the severity of the finding changes. */
const char *loom_findings_state_get_main_finding (LoomFindingsState *self);
/* Closes the notice about the main finding. The notice is shown again when an evaluation gives another sentence. */
void loom_findings_state_close_main_finding (LoomFindingsState *self);
/* Sets `answer` to the text for a list without findings. The text says, for example, that the run is so large that it
 * is evaluated only on request. The texts are valid until "findings" is notified. Returns FALSE if findings are shown,
 * or if a run of normal size is still being evaluated. */
gboolean loom_findings_state_get_answer (LoomFindingsState *self, LoomFindingsAnswer *answer);
