/* SPDX-License-Identifier: Apache-2.0
 *
 * The analysis view of a run: a list of pages, the selected page, and above it an overview strip of the run. In a
 * narrow window either the list or the page is shown. Pages are created when they are first shown or requested. Called
 * on the main thread.
 *
 * Property "page" (string): the name of the visible page. Signals: "thresholds-changed" after the user changed the
 * thresholds; "window-requested" when the user asks for the page in a separate window.
 */
#pragma once

#include "loom-render-context.h"
#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_ANALYSIS_VIEW (loom_analysis_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomAnalysisView, loom_analysis_view, LOOM, ANALYSIS_VIEW, GtkWidget)

/* Makes the view of a run. Takes references to `run` and `scene`. */
GtkWidget *loom_analysis_view_new (LoomRunState *run, LoomRenderContext *scene);

/* Shows the page with this name, which loom_page_index_get() must list for the view "analysis"; other names are
 * ignored. */
void loom_analysis_view_set_page (LoomAnalysisView *self, const char *name);
const char *loom_analysis_view_get_page (LoomAnalysisView *self);
/* Returns the widget of a page, which is created if necessary; borrowed. */
GtkWidget *loom_analysis_view_get_panel (LoomAnalysisView *self, const char *name);
/* Sets whether the view is in a separate window. If so, it does not have the button that opens a separate window. */
void loom_analysis_view_set_detached (LoomAnalysisView *self, gboolean detached);
