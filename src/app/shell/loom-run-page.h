/* SPDX-License-Identifier: Apache-2.0
 *
 * The page of a window that shows a run in several views. One view has the timeline, with the sources beside it, the
 * search bar above it and the details below it. The other views are the analysis, the events, the queries and the
 * Python profiles. The page connects the widgets of these views with the document. Main thread only.
 */
#pragma once

#include "loom-document.h"
#include "loom-run-views.h"
#include "loom-sources-panel.h"
#include "loom-timeline-view.h"
#include "loom-view-snapshot.h"

#include <adwaita.h>

#define LOOM_TYPE_RUN_PAGE (loom_run_page_get_type ())
G_DECLARE_FINAL_TYPE (LoomRunPage, loom_run_page, LOOM, RUN_PAGE, GtkWidget)

/* Makes a page that shows the run, and updates when the document of the run changes. Takes a reference. */
GtkWidget *loom_run_page_new (LoomRunState *run);

LoomTimelineView *loom_run_page_get_timeline_view (LoomRunPage *self);
/* Returns the colors and fonts for drawing. Other windows for the same run use them, too. Borrowed. */
LoomRenderContext *loom_run_page_get_scene (LoomRunPage *self);
/* Returns the overlay for toasts. It covers only the timeline, so that a toast does not hide the rows of a panel.
 * Borrowed; NULL while the timeline is hidden. */
AdwToastOverlay *loom_run_page_get_toasts (LoomRunPage *self);
/* The next two functions return the stack of views, and the view switcher bar below the views. The bar is shown only if
 * the view switcher does not fit in the header bar. Both are borrowed. */
AdwViewStack *loom_run_page_get_views (LoomRunPage *self);
AdwViewSwitcherBar *loom_run_page_get_view_bar (LoomRunPage *self);
LoomRunViews *loom_run_page_get_panels (LoomRunPage *self);
/* Makes a picture of the visible timeline; NULL if the timeline is hidden. Free it with loom_view_snapshot_free(). */
LoomViewSnapshot *loom_run_page_new_snapshot (LoomRunPage *self);
/* Shows a view, see loom_run_views_show_view(). */
void loom_run_page_show_view (LoomRunPage *self, const char *name);
/* Returns the state of the run; borrowed. */
LoomRunState *loom_run_page_get_run_state (LoomRunPage *self);

/* The next two functions get and set the height of the panel below the timeline, in px. */
int loom_run_page_get_panel_height (LoomRunPage *self);
void loom_run_page_set_panel_height (LoomRunPage *self, int height);

/* Updates the colors of the timeline for the current style of the desktop (dark or light). */
void loom_run_page_update_theme (LoomRunPage *self);
