/* SPDX-License-Identifier: Apache-2.0
 *
 * The panels below the timeline, one of which is visible, with the tabs that choose it. Connects the panels to the timeline, the search
 * and the document. Panels other than the selection and the findings are made when they are first shown or requested. The close
 * button of a panel hides the whole area; a run that contains only Python profiles shows it. Main thread.
 *
 * Signal: "settings-changed" after a person set other thresholds, which apply to all windows.
 */
#pragma once

#include "loom-analysis-context.h"
#include "loom-clocks-panel.h"
#include "loom-document.h"
#include "loom-events-panel.h"
#include "loom-findings-panel.h"
#include "loom-python-panel.h"
#include "loom-run-state.h"
#include "loom-search-bar.h"
#include "loom-search-results-panel.h"
#include "loom-timeline-view.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_PANEL_AREA (loom_panel_area_get_type ())
G_DECLARE_FINAL_TYPE (LoomPanelArea, loom_panel_area, LOOM, PANEL_AREA, GtkBox)

/* Sets the run, taking a reference, and the timeline view and search, which must live as long. Call once. */
void loom_panel_area_set_run (LoomPanelArea *self, LoomRunState *run, LoomTimelineView *timeline,
                              LoomSearchBar *search);
/* Sets the timeline; NULL: none. `has_extent` FALSE: nothing in the timeline has times. */
void loom_panel_area_set_timeline (LoomPanelArea *self, LoomTimeline *timeline, gboolean has_extent);

/* The stack of pages, by name: "selection", "found" while the search is open, "events", "findings", those of
 * loom_pages_get(), "clocks", "python". */
GtkStack *loom_panel_area_get_stack (LoomPanelArea *self);
/* The visible panel. Borrowed, as are the panels that follow. */
GtkWidget *loom_panel_area_get_seen (LoomPanelArea *self);
LoomFindingsPanel *loom_panel_area_get_findings (LoomPanelArea *self);
LoomSearchResultsPanel *loom_panel_area_get_found (LoomPanelArea *self);
LoomEventsPanel *loom_panel_area_get_events (LoomPanelArea *self);
LoomClocksPanel *loom_panel_area_get_clocks (LoomPanelArea *self);
LoomPythonPanel *loom_panel_area_get_python (LoomPanelArea *self);

/* Sets the analysis thresholds. */
void loom_panel_area_set_thresholds (LoomPanelArea *self, LoomAnalysisThresholds thresholds);
