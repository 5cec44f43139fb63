/* SPDX-License-Identifier: Apache-2.0
 *
 * The analysis view of a run: a list of pages, the selected page, and above the page an overview strip of the run. A
 * narrow window shows either the list or the page. A page is created when it is first shown or requested. Called on the
 * main thread.
 *
 * Property "page" (string): the name of the visible page. Signals: "thresholds-changed" after the user changed the
 * thresholds; "window-requested" when the user wants the page in a separate window.
 */
#pragma once

#include "loom-render-context.h"
#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_ANALYSIS_VIEW (loom_analysis_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomAnalysisView, loom_analysis_view, LOOM, ANALYSIS_VIEW, GtkWidget)

/* Makes the view of a run. Takes references to `run` and `scene`. */
GtkWidget *loom_analysis_view_new (LoomRunState *run, LoomRenderContext *scene);

/* Shows the page with this name. The name must be in loom_page_index_get() with the view "analysis"; other names are
 * ignored. */
void loom_analysis_view_set_page (LoomAnalysisView *self, const char *name);
const char *loom_analysis_view_get_page (LoomAnalysisView *self);
/* Returns the widget of a page; makes it if it does not exist yet. Borrowed. */
GtkWidget *loom_analysis_view_get_panel (LoomAnalysisView *self, const char *name);
/* Sets whether the view is in a separate window. If `detached` is TRUE, the view has no button that opens a separate
 * window. */
void loom_analysis_view_set_detached (LoomAnalysisView *self, gboolean detached);
