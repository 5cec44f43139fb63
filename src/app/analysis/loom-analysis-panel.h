/* SPDX-License-Identifier: Apache-2.0
 *
 * A panel with one page of the analysis, which is computed while the panel is seen. Outdated figures are dimmed once computing
 * takes a moment. An element that is activated is shown on the timeline. Main thread.
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
