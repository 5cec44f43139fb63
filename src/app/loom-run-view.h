/* SPDX-License-Identifier: Apache-2.0
 *
 * The page of a window that shows a run: sources beside it, search above, the timeline, the panels below.
 * Wires the parts to one another; what is open comes from the document.
 */
#pragma once

#include "loom-analysis.h"
#include "loom-clocks-panel.h"
#include "loom-document.h"
#include "loom-events-panel.h"
#include "loom-findings-panel.h"
#include "loom-found-panel.h"
#include "loom-python-panel.h"
#include "loom-search-bar.h"
#include "loom-sources-panel.h"
#include "loom-timeline-view.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LOOM_TYPE_RUN_VIEW (loom_run_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomRunView, loom_run_view, LOOM, RUN_VIEW, GtkWidget)

/* Follows the document's timeline. Once. */
void loom_run_view_set_document (LoomRunView *view, LoomDocument *document);

LoomTimelineView *loom_run_view_get_timeline_view (LoomRunView *view);
/* A toast over the timeline, where it hides no row of a panel. Taken over; FALSE, and it is not: the timeline does not show. */
gboolean loom_run_view_add_toast (LoomRunView *view, AdwToast *toast);
LoomSearchBar *loom_run_view_get_search_bar (LoomRunView *view);
LoomSourcesPanel *loom_run_view_get_sources (LoomRunView *view);
LoomPythonPanel *loom_run_view_get_python (LoomRunView *view);
LoomClocksPanel *loom_run_view_get_clocks (LoomRunView *view);
LoomEventsPanel *loom_run_view_get_events (LoomRunView *view);
LoomFoundPanel *loom_run_view_get_found (LoomRunView *view);
/* The pages below the timeline, by name: "selection", "found" while the search is open, "events", "findings", those of loom_pages_get(), "clocks", "python". */
GtkStack *loom_run_view_get_panels (LoomRunView *view);
/* The panel that shows; it is made when nobody looked at it before, and so are those above. */
GtkWidget *loom_run_view_get_panel (LoomRunView *view);
LoomFindingsPanel *loom_run_view_get_findings (LoomRunView *view);
/* From where on something counts in the panels, and whether bottlenecks are marked on the timeline. */
void loom_run_view_set_thresholds (LoomRunView *view, LoomThresholds thresholds);
void loom_run_view_set_bottleneck_marks (LoomRunView *view, gboolean show);
LoomAnalysis *loom_run_view_get_analysis (LoomRunView *view);

/* Parts that can be folded away. Properties "show-sources" and "show-panel"; "follow-end": the view goes along with a run
 * that grows. */
void loom_run_view_set_show_sources (LoomRunView *view, gboolean show);
void loom_run_view_set_show_panel (LoomRunView *view, gboolean show);
gboolean loom_run_view_get_show_sources (LoomRunView *view);
gboolean loom_run_view_get_show_panel (LoomRunView *view);

/* Height of the panel, in pixels. */
int loom_run_view_get_panel_height (LoomRunView *view);
void loom_run_view_set_panel_height (LoomRunView *view, int height);

/* Colours as the desktop wants them. */
void loom_run_view_update_theme (LoomRunView *view);

G_END_DECLS
