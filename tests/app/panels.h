/* SPDX-License-Identifier: Apache-2.0
 *
 * The panels of the analysis in a test of the window.
 */
#pragma once

#include "fixture.h"
#include "loom-analysis-panel.h"
#include "loom-findings-panel.h"
#include "loom-range-chooser.h"
#include "loom-threshold-button.h"

LoomWindow *panels_open_sample (void);
/* Turns to the page. */
void panels_turn (LoomWindow *window, const char *page);
/* The choice of the range of the analysis, and the list of such a choice. */
GtkWidget *panels_range_chooser (LoomWindow *window);
GtkDropDown *panels_range (GtkWidget *chooser);
LoomAnalysisView *panels_analysis (LoomWindow *window);
LoomFindingsPanel *panels_findings (LoomWindow *window);
LoomThresholdButton *panels_thresholds (LoomWindow *window);
void panels_set_scope (LoomWindow *window, LoomRangeScope scope);

/* Turns to the page, and waits for its figures. */
LoomAnalysisPanel *panels_show (LoomWindow *window, const char *page);
/* Until the panel is seen and answers the question there is now; gives it back. */
LoomAnalysisPanel *panels_wait (LoomAnalysisPanel *panel);

LoomPageContent *panels_sheet (LoomAnalysisPanel *panel);
/* The number of the block whose chart or table has the title; it has to be there. */
guint panels_find_block (LoomAnalysisPanel *panel, const char *title);
gboolean panels_has_block (LoomAnalysisPanel *panel, const char *title);
/* The chart or table of that title. */
GtkWidget *panels_widget (LoomAnalysisPanel *panel, const char *title);

void panels_wait_for_layout (GtkWidget *chart);
/* The primary button on an element of a chart, once it is laid out; a key that the chart has. */
void panels_click (GtkWidget *chart, guint element);
gboolean panels_press (GtkWidget *chart, guint keyval);

/* The view moves until all of the range is in it. */
void panels_wait_in_view (LoomWindow *window, LoomRange range);
