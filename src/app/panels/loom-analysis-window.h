/* SPDX-License-Identifier: Apache-2.0
 *
 * A window that shows the analysis of a run separately from its timeline, for example on a second screen. Called on the
 * main thread.
 */
#pragma once

#include "loom-analysis-view.h"

/* Makes a window for an analysis view, and takes ownership of the view. The view's findings use an action of
 * `main_window` to plan a profile. The main window is borrowed and must live as long as the new window. */
GtkWindow *loom_analysis_window_new (LoomAnalysisView *view, GtkWidget *main_window);
void loom_analysis_window_present (GtkWindow *window, const char *page);
