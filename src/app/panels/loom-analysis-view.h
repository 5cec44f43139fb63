/* SPDX-License-Identifier: Apache-2.0
 *
 * The analysis of a run as a view of its own: a list of pages, the run as a strip above the page, and the page. In a narrow window
 * the list and the page take turns. Pages are made when they are first shown or requested. Main thread.
 *
 * Property "page" (string): the name of the visible page. Signals: "thresholds-changed" after a person set other thresholds;
 * "window-requested" when they want the page in a window of its own.
 */
#pragma once

#include "loom-render-context.h"
#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_ANALYSIS_VIEW (loom_analysis_view_get_type ())
G_DECLARE_FINAL_TYPE (LoomAnalysisView, loom_analysis_view, LOOM, ANALYSIS_VIEW, GtkWidget)

/* Takes references. */
GtkWidget *loom_analysis_view_new (LoomRunState *run, LoomRenderContext *scene);

/* A name of loom_page_index_get() whose view is "analysis"; others are ignored. */
void loom_analysis_view_set_page (LoomAnalysisView *self, const char *name);
const char *loom_analysis_view_get_page (LoomAnalysisView *self);
/* The widget of a page, made when it was not yet; borrowed. */
GtkWidget *loom_analysis_view_get_panel (LoomAnalysisView *self, const char *name);
/* The button that opens another window is hidden in that window. */
void loom_analysis_view_set_detached (LoomAnalysisView *self, gboolean detached);
