/* SPDX-License-Identifier: Apache-2.0
 *
 * A panel with one page of the analysis. It asks for its page while it is seen, again when what is asked about changes,
 * and says of which range the figures are; those of an old range are dimmed as soon as they may be wrong. Main thread.
 *
 * An element that is activated is shown on the timeline. Signal: "close".
 */
#pragma once

#include "loom-page-view.h"
#include "loom-run-state.h"

#define LOOM_TYPE_ANALYSIS_PANEL (loom_analysis_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomAnalysisPanel, loom_analysis_panel, LOOM, ANALYSIS_PANEL, GtkWidget)

GtkWidget *loom_analysis_panel_new (LoomRunState *run, LoomRenderContext *scene, const LoomPage *page);

LoomPageView *loom_analysis_panel_get_view (LoomAnalysisPanel *self);
/* TRUE while the shown figures may be outdated: an analysis runs, or starts as soon as the panel is shown. */
gboolean loom_analysis_panel_is_working (LoomAnalysisPanel *self);
/* The text of the line above the figures. */
const char *loom_analysis_panel_get_summary (LoomAnalysisPanel *self);
