/* SPDX-License-Identifier: Apache-2.0
 *
 * What the panels of the analysis speak of: the range a person chose, followed as it changes, and the worker that makes
 * pages for it. A question that is asked anew drops the one under way; answers to old questions never arrive. Main thread.
 *
 * Signals: "range-changed" when what is asked about is another range, or another timeline, in other numbers or with other thresholds;
 * "loop-found" when it is known where the training loop is.
 */
#pragma once

#include "loom-finding.h"
#include "loom-timeline-view.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_SCOPE_ALL,
  LOOM_SCOPE_LOOP,      /* the training loop */
  LOOM_SCOPE_VISIBLE,
  LOOM_SCOPE_SELECTION,
  LOOM_N_SCOPES
} LoomScope;

#define LOOM_TYPE_ANALYSIS (loom_analysis_get_type ())
G_DECLARE_FINAL_TYPE (LoomAnalysis, loom_analysis, LOOM, ANALYSIS, GObject)

LoomAnalysis *loom_analysis_new (LoomViewState *state);
LoomViewState *loom_analysis_get_state (LoomAnalysis *analysis);

void loom_analysis_set_scope (LoomAnalysis *analysis, LoomScope scope);
LoomScope loom_analysis_get_scope (LoomAnalysis *analysis);
const char *loom_scope_get_title (LoomScope scope); /* "Visible", translated */

/* The range of a scope as it is now, empty where there is none. FALSE while a worker looks for the training loop:
 * "loop-found" tells. */
gboolean loom_analysis_get_range (LoomAnalysis *analysis, LoomScope scope, LoomRange *range);

/* What pages are made from; as written only where the run has files of smdebug. LOOM_NUMBERS_INTENDED when new. */
void loom_analysis_set_numbers (LoomAnalysis *analysis, LoomNumbers numbers);
LoomNumbers loom_analysis_get_numbers (LoomAnalysis *analysis); /* as set */
LoomNumbers loom_analysis_get_numbers_of (LoomAnalysis *analysis, LoomRun *run); /* as they are made for the run */

/* From where on something counts. LOOM_THRESHOLDS when new. */
void loom_analysis_set_thresholds (LoomAnalysis *analysis, LoomThresholds thresholds);
LoomThresholds loom_analysis_get_thresholds (LoomAnalysis *analysis);

/* What sources are called stands on pages. */
void loom_analysis_names_changed (LoomAnalysis *analysis);

/* While held, neither a changed selection nor a moved view is followed: the panel itself makes them, to show what it speaks of. The
 * range it speaks of is kept until a person selects something else or moves the view away from where that led. */
void loom_analysis_hold (LoomAnalysis *analysis, gboolean hold);
gboolean loom_analysis_is_held (LoomAnalysis *analysis);
/* The range of the scope, or the one that is kept. Empty where there is none. */
LoomRange loom_analysis_get_asked_range (LoomAnalysis *analysis);
/* What moves the view step by step to where a panel sends it; a weak reference. NULL: the view is moved at once. */
void loom_analysis_set_timeline_view (LoomAnalysis *analysis, LoomTimelineView *view);

/* Makes a page for the range there is now; `ready` gets it by loom_analysis_finish(), or is not called when cancelled. */
void loom_analysis_make_async (LoomAnalysis *analysis, const LoomPage *page, GCancellable *cancellable, GAsyncReadyCallback ready,
                               gpointer user_data);
/* NULL when cancelled: `user_data` may be gone. Owned. */
LoomSheet *loom_analysis_finish (GAsyncResult *result);

/* The instants of bottlenecks of the whole run: gint64, timeline ns, ascending. */
void loom_analysis_find_bottlenecks_async (LoomAnalysis *analysis, GCancellable *cancellable, GAsyncReadyCallback ready, gpointer user_data);
GArray *loom_analysis_find_bottlenecks_finish (GAsyncResult *result); /* NULL when cancelled. Owned. */

/* The same for what the rules find, those of rule files among them; `files`: paths of more of them, NULL none. */
void loom_analysis_find_async (LoomAnalysis *analysis, const char *const *files, GCancellable *cancellable, GAsyncReadyCallback ready, gpointer user_data);
/* What these rules alone find. */
void loom_analysis_try_rules_async (LoomAnalysis *analysis, LoomOwnRules *rules, GCancellable *cancellable, GAsyncReadyCallback ready, gpointer user_data);
/* Of both. */
LoomFindings *loom_analysis_find_finish (GAsyncResult *result);

G_END_DECLS
