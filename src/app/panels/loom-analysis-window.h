/* SPDX-License-Identifier: Apache-2.0
 *
 * A window that shows the analysis of a run separately from its timeline, for example on a second screen. Called on the
 * main thread.
 */
#pragma once

#include "loom-analysis-view.h"

/* Makes a window for an analysis view, and takes ownership of the view. The findings in the view use the action
 * "win.profile-range" of `main_window`, which plans a profile of a range for the next run. The main window is borrowed
 * and must live as long as the new window. */
GtkWindow *loom_analysis_window_new (LoomAnalysisView *view, GtkWidget *main_window);
void loom_analysis_window_present (GtkWindow *window, const char *page);
