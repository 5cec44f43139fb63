/* SPDX-License-Identifier: Apache-2.0
 *
 * What the panels of the analysis speak of: the range a person chose, followed as it changes, and the worker that makes
 * pages for it. A question that is asked anew drops the one under way; answers to old questions never arrive. Main thread.
 *
 * Signals: "range-changed" when what is asked about is another range, or another timeline, in other numbers or with other thresholds;
 * "scope-changed" before it when another scope is chosen; "loop-found" when it is known where the training loop is;
 * "range-left" when the selection changes to one without a range, other than by loom_analysis_context_keep_range().
 */
#pragma once

#include "loom-debounced-task.h"
#include "loom-findings.h"
#include "loom-run-rules.h"
#include "loom-view-animator.h"

typedef enum {
  LOOM_RANGE_SCOPE_ALL,
  LOOM_RANGE_SCOPE_LOOP, /* the training loop */
  LOOM_RANGE_SCOPE_VISIBLE,
  LOOM_RANGE_SCOPE_SELECTION,
  LOOM_N_RANGE_SCOPES
} LoomRangeScope;

#define LOOM_TYPE_ANALYSIS_CONTEXT (loom_analysis_context_get_type ())
G_DECLARE_FINAL_TYPE (LoomAnalysisContext, loom_analysis_context, LOOM, ANALYSIS_CONTEXT, GObject)

LoomAnalysisContext *loom_analysis_context_new (LoomTimelineState *state);
LoomTimelineState *loom_analysis_context_get_state (LoomAnalysisContext *self);
/* Rule files of the run and findings that were dismissed. Borrowed. */
LoomRunRules *loom_analysis_context_get_rules (LoomAnalysisContext *self);

void loom_analysis_context_set_scope (LoomAnalysisContext *self, LoomRangeScope scope);
LoomRangeScope loom_analysis_context_get_scope (LoomAnalysisContext *self);
const char *loom_analysis_context_scope_get_title (LoomRangeScope scope); /* "Visible", translated */

/* The range of a scope as it is now, empty where there is none. FALSE while a worker looks for the training loop:
 * "loop-found" tells. */
gboolean loom_analysis_context_get_range (LoomAnalysisContext *self, LoomRangeScope scope, LoomRange *range);

/* What pages are made from; as written only where the run has files of smdebug. LOOM_NUMBER_CONVENTION_INTENDED when new. */
void loom_analysis_context_set_numbers (LoomAnalysisContext *self, LoomNumberConvention numbers);
LoomNumberConvention loom_analysis_context_get_numbers (LoomAnalysisContext *self); /* as set */
LoomNumberConvention loom_analysis_context_get_numbers_of (LoomAnalysisContext *self,
                                                           LoomRun *run); /* as they are made for the run */

/* From where on something counts. LOOM_THRESHOLDS when new. */
void loom_analysis_context_set_thresholds (LoomAnalysisContext *self, LoomAnalysisThresholds thresholds);
LoomAnalysisThresholds loom_analysis_context_get_thresholds (LoomAnalysisContext *self);

/* What sources are called stands on pages. */
void loom_analysis_context_names_changed (LoomAnalysisContext *self);

/* Calls `show`, which selects something and moves the view to show what a panel speaks of. The range of that panel is kept: neither
 * is followed, until a person selects something else or moves the view away from where `show` sent it. */
typedef void (*LoomAnalysisContextShow) (gpointer data);
void loom_analysis_context_keep_range (LoomAnalysisContext *self, LoomAnalysisContextShow show, gpointer data);
/* The range of the scope, or the one that is kept. Empty where there is none. */
LoomRange loom_analysis_context_get_asked_range (LoomAnalysisContext *self);
/* What moves the view step by step to where a panel sends it; a reference is taken. NULL: the view is moved at once. */
void loom_analysis_context_set_flight (LoomAnalysisContext *self, LoomViewAnimator *flight);

/* There has to be a timeline for the following. Each result may be NULL, when the timeline changed meanwhile. */

/* For the start of a debounced task: makes a page, a LoomPageContent, for the range there is now. */
void loom_analysis_context_make (LoomAnalysisContext *self, const LoomPage *page, LoomDebouncedTask *task);

/* The instants of bottlenecks of the whole run: a GArray of gint64, timeline ns, ascending. `running` and `done` as for
 * loom_worker_start(). */
void loom_analysis_context_find_bottlenecks (LoomAnalysisContext *self, GCancellable **running, LoomWorkerDone done,
                                             gpointer owner);
/* LoomFindings of the range: those of the built-in rules and of rule files; `files`: paths of more of them, NULL: none. */
void loom_analysis_context_find (LoomAnalysisContext *self, const char *const *files, GCancellable **running,
                                 LoomWorkerDone done, gpointer owner);
/* LoomFindings of these rules alone. */
void loom_analysis_context_try_rules (LoomAnalysisContext *self, LoomCustomRules *rules, GCancellable **running,
                                      LoomWorkerDone done, gpointer owner);
