/* SPDX-License-Identifier: Apache-2.0
 *
 * A panel that shows one page of the analysis. The page is computed only while the panel is visible. Outdated results
 * are dimmed when a computation takes long. Activating an element shows it on the timeline. Called on the main thread.
 */
#pragma once

#include "loom-analysis-page.h"
#include "loom-page-view.h"
#include "loom-run-state.h"

#define LOOM_TYPE_ANALYSIS_PANEL (loom_analysis_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomAnalysisPanel, loom_analysis_panel, LOOM, ANALYSIS_PANEL, GtkBox)

GtkWidget *loom_analysis_panel_new (LoomRunState *run, LoomRenderContext *scene, const LoomPage *page);

/* Borrowed. */
LoomPageView *loom_analysis_panel_get_view (LoomAnalysisPanel *self);
LoomAnalysisPage *loom_analysis_panel_get_page (LoomAnalysisPanel *self);
