/* SPDX-License-Identifier: Apache-2.0
 *
 * The page of a window that shows a run in several views: the timeline, with the sources next to it, the search bar
 * above and the details below; the analysis; the events; and the Python profiles. It connects the widgets of these
 * views with the document.
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

/* Makes a page that shows the run and follows its document. Takes a reference. */
GtkWidget *loom_run_page_new (LoomRunState *run);

LoomTimelineView *loom_run_page_get_timeline_view (LoomRunPage *self);
/* Returns the colors and fonts for drawing, which other windows about the run use too. Borrowed. */
LoomRenderContext *loom_run_page_get_scene (LoomRunPage *self);
/* Returns the overlay for toasts: it covers the timeline only, so that toasts hide no rows of a panel. Borrowed; NULL
 * while the timeline is hidden. */
AdwToastOverlay *loom_run_page_get_toasts (LoomRunPage *self);
/* The next two functions return the stack of views, and the view switcher bar below the views, which is shown only if
 * the header bar has no room for the view switcher. Borrowed. */
AdwViewStack *loom_run_page_get_views (LoomRunPage *self);
AdwViewSwitcherBar *loom_run_page_get_view_bar (LoomRunPage *self);
LoomRunViews *loom_run_page_get_panels (LoomRunPage *self);
/* Makes a picture of the timeline as it is shown; NULL if the timeline is hidden. Free with
 * loom_view_snapshot_free(). */
LoomViewSnapshot *loom_run_page_new_snapshot (LoomRunPage *self);
/* Shows a view, see loom_run_views_show_view(). */
void loom_run_page_show_view (LoomRunPage *self, const char *name);
/* Returns the state of the run; borrowed. */
LoomRunState *loom_run_page_get_run_state (LoomRunPage *self);

/* The next two functions get and set the height of the panel below the timeline, in px. */
int loom_run_page_get_panel_height (LoomRunPage *self);
void loom_run_page_set_panel_height (LoomRunPage *self, int height);

/* Sets the colors of the timeline to the colors of the desktop's current style. */
void loom_run_page_update_theme (LoomRunPage *self);
