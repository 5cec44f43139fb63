/* SPDX-License-Identifier: Apache-2.0
 *
 * The page of a window that shows a run: sources beside it, search above, the timeline, the panels below.
 * Wires the parts to one another; what is open comes from the document.
 */
#pragma once

#include "loom-document.h"
#include "loom-panels.h"
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
/* For toasts over the timeline, where they hide no row of a panel. Borrowed; NULL while the timeline does not show. */
AdwToastOverlay *loom_run_view_get_toasts (LoomRunView *view);
LoomSearchBar *loom_run_view_get_search_bar (LoomRunView *view);
LoomSourcesPanel *loom_run_view_get_sources (LoomRunView *view);
LoomPanels *loom_run_view_get_panels (LoomRunView *view);

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
