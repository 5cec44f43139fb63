/* SPDX-License-Identifier: Apache-2.0
 *
 * A separate window for the analysis of a run, for example on a second screen. Called on the main thread.
 */
#pragma once

#include "loom-analysis-view.h"

/* Makes a window for an analysis view; takes ownership of the view. A finding in the view can activate the action
 * "win.profile-range" of `main_window`, which plans a detailed recording of a range in the next run. The main window
 * is borrowed and must live as long as the new window. */
GtkWindow *loom_analysis_window_new (LoomAnalysisView *view, GtkWidget *main_window);
void loom_analysis_window_present (GtkWindow *window, const char *page);
/* Returns the name of the page that an analysis window shows; NULL if `window` is another window. Borrowed. */
const char *loom_analysis_window_get_page (GtkWindow *window);
