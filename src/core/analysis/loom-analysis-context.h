/* SPDX-License-Identifier: Apache-2.0
 *
 * The settings that all analysis panels of a run share: the scope, the number convention and the thresholds. The scope
 * is the range that is analysed: the whole run, the training loop, the visible range or the selected range.
 *
 * The context also starts the worker threads that compute results. A request for a result is called a question. When an
 * object requests a result before its previous result is ready, the previous computation is cancelled, and its callback
 * is not called. All functions must be called on the main thread.
 *
 * Signals: "range-changed" when the range, the timeline, the number convention or the thresholds change.
 * "scope-changed", which is emitted before "range-changed", when the scope or the previous scope changes. "loop-found"
 * when the training loop is known. "range-left" when the selection no longer contains a range, except during
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
/* Returns the rule files and the dismissed findings of the run; borrowed. */
LoomRunRules *loom_analysis_context_get_rules (LoomAnalysisContext *self);

void loom_analysis_context_set_scope (LoomAnalysisContext *self, LoomRangeScope scope);
LoomRangeScope loom_analysis_context_get_scope (LoomAnalysisContext *self);
/* Returns the remembered scope, which is the scope that loom_analysis_context_restore_scope() would set;
 * LOOM_N_RANGE_SCOPES if none is remembered.
 *
 * When the user selects a range on the timeline, the current scope is remembered and replaced by
 * LOOM_RANGE_SCOPE_SELECTION. When the selection is removed, the remembered scope is set again. When a scope is set,
 * no scope is remembered any more, with one exception: setting LOOM_RANGE_SCOPE_SELECTION while no range is selected
 * remembers the current scope. */
LoomRangeScope loom_analysis_context_get_previous_scope (LoomAnalysisContext *self);
void loom_analysis_context_restore_scope (LoomAnalysisContext *self);
/* Returns the translated name of a scope, such as "Visible". */
const char *loom_analysis_context_scope_get_title (LoomRangeScope scope);

/* Sets `range` to the current range of a scope. The range is empty if the scope has none, for example if no range is
 * selected. Returns FALSE while a worker thread looks for the training loop. In that case, the signal "loop-found"
 * is emitted later. */
gboolean loom_analysis_context_get_range (LoomAnalysisContext *self, LoomRangeScope scope, LoomRange *range);

/* Sets the convention of the numbers in the results: Traceloom's own (LOOM_NUMBER_CONVENTION_INTENDED, the initial
 * value) or the one of SageMaker's analysis library smdebug. SageMaker's convention is applied only to runs with
 * files that smdebug can read. */
void loom_analysis_context_set_numbers (LoomAnalysisContext *self, LoomNumberConvention numbers);
/* loom_analysis_context_get_numbers() returns the convention that was set with loom_analysis_context_set_numbers();
 * loom_analysis_context_get_numbers_of() returns the convention that is applied to `run`. */
LoomNumberConvention loom_analysis_context_get_numbers (LoomAnalysisContext *self);
LoomNumberConvention loom_analysis_context_get_numbers_of (LoomAnalysisContext *self, LoomRun *run);

/* The next two functions set and get the thresholds of the analyses. The initial value is LOOM_THRESHOLDS. */
void loom_analysis_context_set_thresholds (LoomAnalysisContext *self, LoomAnalysisThresholds thresholds);
LoomAnalysisThresholds loom_analysis_context_get_thresholds (LoomAnalysisContext *self);

/* Must be called when the name of a source has changed. The pages are then computed again, because the pages contain
 * the names of sources. */
void loom_analysis_context_names_changed (LoomAnalysisContext *self);

/* Calls `show`, which must show an element of a panel on the timeline: `show` selects what the element refers to, or
 * moves the view there. The panels do not react to the new selection or view; they continue to show the results for the
 * present range until the user selects something else or moves the view. */
typedef void (*LoomAnalysisContextShow) (gpointer data);
void loom_analysis_context_keep_range (LoomAnalysisContext *self, LoomAnalysisContextShow show, gpointer data);
/* Returns the range for which the panels show results. If loom_analysis_context_keep_range() keeps a range, it is
 * this range. If not, it is the range of the scope, which may be empty. */
LoomRange loom_analysis_context_get_asked_range (LoomAnalysisContext *self);
/* Sets the animator that moves the view to the span or time of an element that the user chooses in a panel, and takes a
 * reference to it. With NULL, the view moves at once. */
void loom_analysis_context_set_flight (LoomAnalysisContext *self, LoomViewAnimator *flight);

/* The functions below must be called only while a timeline is open. The result of a worker thread is NULL if the
 * timeline changed while the result was computed. */

/* Returns the number of spans in all traces of the run. O(number of traces). */
guint64 loom_analysis_context_count_spans (LoomAnalysisContext *self);

/* Computes a page (LoomPageContent) for the current range. Only the start function of `task` may call this function. */
void loom_analysis_context_make (LoomAnalysisContext *self, const LoomPage *page, LoomDebouncedTask *task);

/* Finds the bottlenecks of the whole run. The result is a GArray of gint64: the times of the bottlenecks in timeline
 * ns, ascending. `running` and `done`: see loom_worker_start(). */
void loom_analysis_context_find_bottlenecks (LoomAnalysisContext *self, GCancellable **running, LoomWorkerDone done,
                                             gpointer owner);
/* Finds, for each page, which data the whole run lacks. The result is an array with one static, translated text for
 * each page, in the order of loom_pages_get(). The text names the missing data; it is NULL if nothing is missing.
 * The caller must free the array with g_free(). */
void loom_analysis_context_find_lacks (LoomAnalysisContext *self, GCancellable **running, LoomWorkerDone done,
                                       gpointer owner);
/* Finds the ranks of the whole run for which other ranks wait. The result is a GArray of LoomRowLateness; see
 * loom-late-rank-words.h. */
void loom_analysis_context_find_late_ranks (LoomAnalysisContext *self, GCancellable **running, LoomWorkerDone done,
                                            gpointer owner);
/* Evaluates the built-in rules and the rule files for the whole run. The result is a LoomFindings. `files`: paths of
 * more rule files, or NULL. */
void loom_analysis_context_find (LoomAnalysisContext *self, const char *const *files, GCancellable **running,
                                 LoomWorkerDone done, gpointer owner);
/* Evaluates all rules, like loom_analysis_context_find(), but only for the range of the current scope. Only the
 * start function of `task` may call this function. */
void loom_analysis_context_find_in_range (LoomAnalysisContext *self, const char *const *files, LoomDebouncedTask *task);
/* Evaluates only the given `rules`, for the range of the current scope. The result is a LoomFindings. */
void loom_analysis_context_try_rules (LoomAnalysisContext *self, GPtrArray *rules, GCancellable **running,
                                      LoomWorkerDone done, gpointer owner);
