/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of an open run. It has a reference to the document, and owns the view (LoomTimelineState), the animator of
 * the view, the search, the analysis, the Python profiles, the query, the lanes with results of queries, the lane with
 * launch queues, the arrangement of ranks, the critical path on the timeline, and the name of the visible page. The
 * view shows the document's timeline and sources, with the names that the user gave to sources. Widgets show and
 * change this state; sessions are made from it. Main thread only.
 *
 * Properties: "page", the name of the visible page (loom-page-index.h), NULL before one is shown; "follows-files",
 * whether growing files are read again, initially TRUE; "follows-end", whether the view moves along with the end of a
 * growing run, initially FALSE, and FALSE again when the user moves the view away from the end; "shows-sidebar",
 * whether the list of sources next to the timeline is unfolded, initially TRUE; "shows-details", whether the pages
 * below the timeline are unfolded now, initially FALSE. The pages unfold when a span or a range is selected, and stay
 * unfolded. Exception: if the user has folded the pages, which sets "shows-details" to FALSE, they stay folded until
 * "shows-details" is set to TRUE or one of the pages is opened.
 *
 * Signals: "names-changed" after new names of sources changed the rows of the view; "sources-shown" after the view
 * began to show other sources; "steps-changed" after the user changed the view, the marks or the rows, and this added a
 * step to the undo history or changed its last step.
 */
#pragma once

#include "loom-document.h"
#include "loom-findings-state.h"
#include "loom-launch-queue-display.h"
#include "loom-page-lacks.h"
#include "loom-path-display.h"
#include "loom-python-profiles.h"
#include "loom-query-lanes.h"
#include "loom-query-state.h"
#include "loom-range-details.h"
#include "loom-rank-arrangement.h"
#include "loom-saved-queries.h"
#include "loom-search-state.h"

#define LOOM_TYPE_RUN_STATE (loom_run_state_get_type ())
G_DECLARE_FINAL_TYPE (LoomRunState, loom_run_state, LOOM, RUN_STATE, GObject)

/* Makes the state of an open run. Takes a reference to the document. */
LoomRunState *loom_run_state_new (LoomDocument *document);

/* Returns the document, whose run is shown. Borrowed. */
LoomDocument *loom_run_state_get_document (LoomRunState *self);
LoomPageLacks *loom_run_state_get_lacks (LoomRunState *self);
LoomAnalysisContext *loom_run_state_get_analysis (LoomRunState *self);
LoomFindingsState *loom_run_state_get_findings (LoomRunState *self);
LoomPythonProfiles *loom_run_state_get_profiles (LoomRunState *self);
LoomTimelineState *loom_run_state_get_view (LoomRunState *self);
LoomViewAnimator *loom_run_state_get_flight (LoomRunState *self);
LoomSearchState *loom_run_state_get_search (LoomRunState *self);
LoomRunRules *loom_run_state_get_rules (LoomRunState *self);
LoomQueryState *loom_run_state_get_query (LoomRunState *self);
LoomRankArrangement *loom_run_state_get_ranks (LoomRunState *self);
LoomSavedQueries *loom_run_state_get_saved_queries (LoomRunState *self);
LoomQueryLanes *loom_run_state_get_lanes (LoomRunState *self);
LoomLaunchQueueDisplay *loom_run_state_get_launch_queue (LoomRunState *self);
LoomPathDisplay *loom_run_state_get_path (LoomRunState *self);
LoomRangeDetails *loom_run_state_get_details (LoomRunState *self);

/* Returns TRUE if the overview, steps and collectives were computed for the whole timeline of the view. While a run
 * loads, these results may cover only a part of the timeline. */
gboolean loom_run_state_has_summaries (LoomRunState *self);
/* Sets whether a worker searches for bottlenecks after each load and marks them on the timeline. Initially FALSE. */
void loom_run_state_set_marks_bottlenecks (LoomRunState *self, gboolean marks);

void loom_run_state_set_follows_files (LoomRunState *self, gboolean follows);
/* Sets whether the view follows the end of the run. TRUE moves the view to the end at once. */
void loom_run_state_set_follows_end (LoomRunState *self, gboolean follows);

void loom_run_state_set_shows_sidebar (LoomRunState *self, gboolean shows);
gboolean loom_run_state_get_shows_sidebar (LoomRunState *self);
void loom_run_state_set_shows_details (LoomRunState *self, gboolean shows);
gboolean loom_run_state_get_shows_details (LoomRunState *self);
/* Sets whether the user wants the pages below the timeline. If TRUE, these pages become visible ("shows-details") when
 * something is selected, and stay visible. Initially TRUE. */
void loom_run_state_set_wants_details (LoomRunState *self, gboolean wants);
gboolean loom_run_state_get_wants_details (LoomRunState *self);

/* Sets the names of the pages for which the run has data; NULL-terminated, copied. Initially the list is empty. */
void loom_run_state_set_pages (LoomRunState *self, const char *const *names);
gboolean loom_run_state_has_page (LoomRunState *self, const char *name);
void loom_run_state_set_page (LoomRunState *self, const char *name);
/* returns the name of the page; borrowed until the page changes */
const char *loom_run_state_get_page (LoomRunState *self);
/* Shows a page that the user selected. If it is a page of the details below the timeline, unfolds the details, too. */
void loom_run_state_open_page (LoomRunState *self, const char *name);
/* The rows of the table of events, in the order of the table and with its filter and selection. The setter takes a
 * reference; the getter returns a borrowed object, NULL until the table is shown. */
void loom_run_state_set_event_rows (LoomRunState *self, GListModel *rows);
GListModel *loom_run_state_get_event_rows (LoomRunState *self);
/* Makes the timeline visible. For this, changes to the page "selection", which is shown below the timeline. If the
 * current page is already one of the pages below the timeline, the timeline is visible, and nothing changes. */
void loom_run_state_show_timeline (LoomRunState *self);
