/* SPDX-License-Identifier: Apache-2.0
 *
 * The pages of a run other than the timeline itself: the details and the search results below the timeline, which this widget
 * contains, and the views "analysis", "events" and "python", which it adds to the stack of views. Connects them to the timeline
 * and the document, and shows the page that the run state names. A view is made when it is first shown or requested. A
 * run that contains only Python profiles shows them. Main thread.
 *
 * Signal: "settings-changed" after a person set other thresholds, which apply to all windows.
 */
#pragma once

#include "loom-analysis-view.h"
#include "loom-document.h"
#include "loom-events-panel.h"
#include "loom-python-panel.h"
#include "loom-run-state.h"
#include "loom-timeline-view.h"

#include <adwaita.h>

#define LOOM_TYPE_RUN_VIEWS (loom_run_views_get_type ())
G_DECLARE_FINAL_TYPE (LoomRunViews, loom_run_views, LOOM, RUN_VIEWS, GtkBox)

/* Sets the run, taking a reference, and the timeline view, which must live as long, and the stack of views, which has the view
 * "timeline" already. Call once. */
void loom_run_views_set_run (LoomRunViews *self, LoomRunState *run, LoomTimelineView *timeline, AdwViewStack *views);
/* Sets the timeline; NULL: none. `has_extent` FALSE: nothing in the timeline has times. */
void loom_run_views_set_timeline (LoomRunViews *self, LoomTimeline *timeline, gboolean has_extent);

/* Shows a view, "timeline", "analysis", "events" or "python", with the page that it showed last, and moves the focus into it; does
 * nothing if the run has no such view. */
void loom_run_views_show_view (LoomRunViews *self, const char *name);
/* The widget of the visible page. Borrowed, as are the panels that follow. */
GtkWidget *loom_run_views_get_seen (LoomRunViews *self);
LoomAnalysisView *loom_run_views_get_analysis (LoomRunViews *self);
LoomEventsPanel *loom_run_views_get_events (LoomRunViews *self);
LoomPythonPanel *loom_run_views_get_python (LoomRunViews *self);
