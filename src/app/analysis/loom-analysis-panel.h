/* SPDX-License-Identifier: Apache-2.0
 *
 * A panel that shows one page of the analysis. The page is computed only while the panel is visible. Outdated results
 * are dimmed when a computation takes long. Activating an element of the page, such as a bar of a chart or a row of a
 * table, shows the place of the element on the timeline. Called on the main thread.
 */
#pragma once

#include "loom-analysis-page.h"
#include "loom-page-view.h"
#include "loom-run-state.h"

#define LOOM_TYPE_ANALYSIS_PANEL (loom_analysis_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomAnalysisPanel, loom_analysis_panel, LOOM, ANALYSIS_PANEL, GtkBox)

GtkWidget *loom_analysis_panel_new (LoomRunState *run, LoomRenderContext *scene, const LoomPage *page);

/* The next two functions return borrowed objects. */
LoomPageView *loom_analysis_panel_get_view (LoomAnalysisPanel *self);
LoomAnalysisPage *loom_analysis_panel_get_page (LoomAnalysisPanel *self);
