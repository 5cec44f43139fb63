/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers for tests of the analysis panels in a window.
 */
#pragma once

#include "fixture.h"
#include "loom-analysis-panel.h"
#include "loom-findings-panel.h"
#include "loom-range-chooser.h"
#include "loom-threshold-button.h"

LoomWindow *panels_open_sample (void);
/* Selects an analysis page in the panel below the timeline. */
void panels_turn (LoomWindow *window, const char *page);
/* These functions return the range chooser of the analysis, and the drop-down of a range chooser. */
GtkWidget *panels_range_chooser (LoomWindow *window);
GtkDropDown *panels_range (GtkWidget *chooser);
LoomAnalysisView *panels_analysis (LoomWindow *window);
LoomFindingsPanel *panels_findings (LoomWindow *window);
LoomThresholdButton *panels_thresholds (LoomWindow *window);
void panels_set_scope (LoomWindow *window, LoomRangeScope scope);

/* Selects an analysis page, waits until its results are shown, and returns the panel of the page. */
LoomAnalysisPanel *panels_show (LoomWindow *window, const char *page);
/* Waits until the panel is visible and shows the results of the current range; returns the panel. */
LoomAnalysisPanel *panels_wait (LoomAnalysisPanel *panel);

LoomPageContent *panels_sheet (LoomAnalysisPanel *panel);
/* Returns the number of the block whose chart or table has the title; fails if there is none. */
guint panels_find_block (LoomAnalysisPanel *panel, const char *title);
gboolean panels_has_block (LoomAnalysisPanel *panel, const char *title);
/* Returns the chart or table with that title. */
GtkWidget *panels_widget (LoomAnalysisPanel *panel, const char *title);

void panels_wait_for_layout (GtkWidget *chart);
/* panels_click() clicks an element of a chart with the primary button after layout; panels_press() presses a key that
 * the chart handles. */
void panels_click (GtkWidget *chart, guint element);
gboolean panels_press (GtkWidget *chart, guint keyval);

/* Waits until the view has moved so that the whole range is visible. */
void panels_wait_in_view (LoomWindow *window, LoomRange range);
