/* SPDX-License-Identifier: Apache-2.0
 *
 * Manages all pages of a run except the timeline. This widget contains the details and the search results below the
 * timeline, and adds the views "analysis", "events", "query" and "python" to the stack of views. It connects these
 * views to the timeline and the document, and shows the page that is set in the run state. A view is created when it is
 * first shown or requested. A run that contains only Python profiles opens with the view "python". Called on the main
 * thread.
 *
 * Signal: "settings-changed" after the user changed the thresholds, which apply to all windows.
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

/* Sets the run, the timeline view and the stack of views. Takes a reference to the run. The timeline view is
 * borrowed and must live as long as this widget. The stack must contain the view "timeline". May be called only
 * once. */
void loom_run_views_set_run (LoomRunViews *self, LoomRunState *run, LoomTimelineView *timeline, AdwViewStack *views);
/* Sets the timeline; NULL for no timeline. `has_extent`: FALSE if none of the data in the timeline have times. */
void loom_run_views_set_timeline (LoomRunViews *self, LoomTimeline *timeline, gboolean has_extent);

/* Shows a view ("timeline", "analysis", "events", "query" or "python") with the page that it showed last, and moves
 * the focus into the view. Does nothing if the run has no such view. */
void loom_run_views_show_view (LoomRunViews *self, const char *name);
/* loom_run_views_get_seen() returns the widget of the visible page; the functions after it return the panels named
 * in them. All are borrowed. */
GtkWidget *loom_run_views_get_seen (LoomRunViews *self);
LoomAnalysisView *loom_run_views_get_analysis (LoomRunViews *self);
LoomEventsPanel *loom_run_views_get_events (LoomRunViews *self);
LoomPythonPanel *loom_run_views_get_python (LoomRunViews *self);
