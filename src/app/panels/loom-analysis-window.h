/* SPDX-License-Identifier: Apache-2.0
 *
 * A window that shows the analysis of a run beside its timeline, for a second screen. Main thread.
 */
#pragma once

#include "loom-analysis-view.h"

/* Takes the view, whose findings can plan a profile with an action of `main_window`. The main window is borrowed and must live as
 * long. */
GtkWindow *loom_analysis_window_new (LoomAnalysisView *view, GtkWidget *main_window);
void loom_analysis_window_present (GtkWindow *window, const char *page);
