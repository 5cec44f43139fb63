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
#include "loom-search-results-panel.h"
#include "loom-timeline-view.h"

#include <adwaita.h>

#define LOOM_TYPE_PANEL_AREA (loom_panel_area_get_type ())
G_DECLARE_FINAL_TYPE (LoomPanelArea, loom_panel_area, LOOM, PANEL_AREA, GtkBox)

/* Sets the run, taking a reference, and the timeline view, which must live as long, and the stack of views, which has the view
 * "timeline" already. Call once. */
void loom_panel_area_set_run (LoomPanelArea *self, LoomRunState *run, LoomTimelineView *timeline, AdwViewStack *views);
/* Sets the timeline; NULL: none. `has_extent` FALSE: nothing in the timeline has times. */
void loom_panel_area_set_timeline (LoomPanelArea *self, LoomTimeline *timeline, gboolean has_extent);

/* Shows a view, "timeline", "analysis", "events" or "python", with the page that it showed last, and moves the focus into it; does
 * nothing if the run has no such view. */
void loom_panel_area_show_view (LoomPanelArea *self, const char *name);
/* The widget of the visible page. Borrowed, as are the panels that follow. */
GtkWidget *loom_panel_area_get_seen (LoomPanelArea *self);
LoomAnalysisView *loom_panel_area_get_analysis (LoomPanelArea *self);
LoomSearchResultsPanel *loom_panel_area_get_found (LoomPanelArea *self);
LoomEventsPanel *loom_panel_area_get_events (LoomPanelArea *self);
LoomPythonPanel *loom_panel_area_get_python (LoomPanelArea *self);
