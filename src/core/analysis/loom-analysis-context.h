/* SPDX-License-Identifier: Apache-2.0
 *
 * The settings that all analysis panels of a run share: the scope (which range is analysed: the whole run, the
 * training loop, the visible range or the selected range), the number convention and the thresholds. Also starts the
 * workers that compute results. If an object asks a new question before its previous question is answered, the
 * previous question is cancelled, and the callback of the cancelled question is not called. Called on the main thread.
 *
 * Signals: "range-changed" when the range, the timeline, the number convention or the thresholds change;
 * "scope-changed", emitted before "range-changed", when the scope or the previous scope changes; "loop-found" when the
 * training loop is known; "range-left" when the selection no longer contains a range, except during
 * loom_analysis_context_keep_range().
 */
#pragma once

#include "loom-analysis-question.h"
#include "loom-debounced-task.h"
#include "loom-run-rules.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_ANALYSIS_CONTEXT (loom_analysis_context_get_type ())
G_DECLARE_FINAL_TYPE (LoomAnalysisContext, loom_analysis_context, LOOM, ANALYSIS_CONTEXT, GObject)

LoomAnalysisContext *loom_analysis_context_new (LoomTimelineState *state);
LoomTimelineState *loom_analysis_context_get_state (LoomAnalysisContext *self);
/* Returns the rule files and the dismissed findings of the run. Borrowed. */
LoomRunRules *loom_analysis_context_get_rules (LoomAnalysisContext *self);

void loom_analysis_context_set_scope (LoomAnalysisContext *self, LoomRangeScope scope);
LoomRangeScope loom_analysis_context_get_scope (LoomAnalysisContext *self);
/* Returns the scope that loom_analysis_context_restore_scope() would set; LOOM_N_RANGE_SCOPES: no scope is remembered.
 * When the user selects a range on the timeline, LOOM_RANGE_SCOPE_SELECTION replaces the current scope, which is
 * remembered and restored when the range is removed. Setting a scope forgets the remembered scope, but setting
 * LOOM_RANGE_SCOPE_SELECTION while no range is selected remembers the current scope. */
LoomRangeScope loom_analysis_context_get_previous_scope (LoomAnalysisContext *self);
void loom_analysis_context_restore_scope (LoomAnalysisContext *self);
/* returns the translated name of a scope, such as "Visible" */
const char *loom_analysis_context_scope_get_title (LoomRangeScope scope);

/* Sets `range` to the current range of a scope, or to an empty range, for example if no range is selected. Returns
 * FALSE while a worker looks for the training loop; the signal "loop-found" is emitted afterwards. */
gboolean loom_analysis_context_get_range (LoomAnalysisContext *self, LoomRangeScope scope, LoomRange *range);

/* Sets whether the numbers of the results follow Traceloom's convention (LOOM_NUMBER_CONVENTION_INTENDED, the initial
 * value) or SageMaker's convention (smdebug). SageMaker's convention takes effect only for runs with files that smdebug
 * can read. */
void loom_analysis_context_set_numbers (LoomAnalysisContext *self, LoomNumberConvention numbers);
/* Returns the convention that loom_analysis_context_set_numbers() set. */
LoomNumberConvention loom_analysis_context_get_numbers (LoomAnalysisContext *self);
LoomNumberConvention loom_analysis_context_get_numbers_of (LoomAnalysisContext *self,
                                                           /* the run; the result is the convention that applies to this
                                                            * run */
                                                           LoomRun *run);

/* The next two functions set and get the thresholds of the analyses; LOOM_THRESHOLDS at first. */
void loom_analysis_context_set_thresholds (LoomAnalysisContext *self, LoomAnalysisThresholds thresholds);
LoomAnalysisThresholds loom_analysis_context_get_thresholds (LoomAnalysisContext *self);

/* Must be called when names of sources have changed. The pages are then computed again, because they contain these
 * names. */
void loom_analysis_context_names_changed (LoomAnalysisContext *self);

/* Calls `show`, which must select on the timeline what an element of a panel refers to, or move the view to it. The
 * panels do not follow this change: they show the results for the present range until the user selects something else
 * or moves the view. */
typedef void (*LoomAnalysisContextShow) (gpointer data);
void loom_analysis_context_keep_range (LoomAnalysisContext *self, LoomAnalysisContextShow show, gpointer data);
/* Returns the range for which the panels show results. This is the kept range, if loom_analysis_context_keep_range()
 * keeps one; otherwise the range of the scope, which may be empty. */
LoomRange loom_analysis_context_get_asked_range (LoomAnalysisContext *self);
/* Sets the animator that moves the view to elements of panels; takes a reference. NULL: the view moves at once. */
void loom_analysis_context_set_flight (LoomAnalysisContext *self, LoomViewAnimator *flight);

/* The functions below must be called only while a timeline is open. A worker's result is NULL if the timeline changed
 * while the result was computed. */

/* Returns the number of spans in the traces of the run. O(traces). */
guint64 loom_analysis_context_count_spans (LoomAnalysisContext *self);

/* Computes a page (LoomPageContent) for the current range. Must be called by the start function of a debounced task. */
void loom_analysis_context_make (LoomAnalysisContext *self, const LoomPage *page, LoomDebouncedTask *task);

/* Finds the bottlenecks of the whole run: a GArray of gint64, timeline ns, ascending. `running` and `done`: see
 * loom_worker_start(). */
void loom_analysis_context_find_bottlenecks (LoomAnalysisContext *self, GCancellable **running, LoomWorkerDone done,
                                             gpointer owner);
/* Finds which pages lack data of the whole run. The result is an array with one static, translated text for each page,
 * in the order of loom_pages_get(): the data that the page lacks; NULL: the page lacks nothing. Free the array with
 * g_free(). */
void loom_analysis_context_find_lacks (LoomAnalysisContext *self, GCancellable **running, LoomWorkerDone done,
                                       gpointer owner);
/* Finds the ranks of the whole run for which others wait: a GArray of LoomRowLateness, see loom-late-rank-words.h. */
void loom_analysis_context_find_late_ranks (LoomAnalysisContext *self, GCancellable **running, LoomWorkerDone done,
                                            gpointer owner);
/* Evaluates the built-in rules and the rule files for the whole run. The result is a LoomFindings. `files`: paths of more
 * rule files; NULL: there are no more. */
void loom_analysis_context_find (LoomAnalysisContext *self, const char *const *files, GCancellable **running,
                                 LoomWorkerDone done, gpointer owner);
/* Evaluates all rules, like loom_analysis_context_find(), but only for the range of the current scope. `task`: the task
 * whose function `start` calls this function. */
void loom_analysis_context_find_in_range (LoomAnalysisContext *self, const char *const *files, LoomDebouncedTask *task);
/* Evaluates only the rules in `rules`, for the range of the current scope. The result is a LoomFindings. */
void loom_analysis_context_try_rules (LoomAnalysisContext *self, GPtrArray *rules, GCancellable **running,
                                      LoomWorkerDone done, gpointer owner);
