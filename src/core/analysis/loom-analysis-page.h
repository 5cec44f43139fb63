/* SPDX-License-Identifier: Apache-2.0
 *
 * One page of the analysis, computed for the current range of the analysis context. While the page is visible, a
 * worker computes it again after each change of the range or the settings; the previous results are shown until the
 * new ones are ready. Main thread only.
 *
 * Read-only properties: "content" (pointer to LoomPageContent; NULL: no run is open), notified after each computation;
 * "summary", a text with the range of the results or the progress of the computation; "working", TRUE when the shown
 * results have been outdated for a short time.
 */
#pragma once

#include "loom-analysis-context.h"

#define LOOM_TYPE_ANALYSIS_PAGE (loom_analysis_page_get_type ())
G_DECLARE_FINAL_TYPE (LoomAnalysisPage, loom_analysis_page, LOOM, ANALYSIS_PAGE, GObject)

/* Makes the object for one page of an analysis. It takes a reference to `analysis`; `page` must be static. Computes
 * nothing until loom_analysis_page_set_wanted() is called with TRUE. */
LoomAnalysisPage *loom_analysis_page_new (LoomAnalysisContext *analysis, const LoomPage *page);

/* Sets whether the page is visible and so must be computed. FALSE cancels a running computation. */
void loom_analysis_page_set_wanted (LoomAnalysisPage *self, gboolean wanted);

LoomPageContent *loom_analysis_page_get_content (LoomAnalysisPage *self); /* borrowed; NULL: no run is open */
const char *loom_analysis_page_get_summary (LoomAnalysisPage *self);      /* borrowed; "": no results are shown */
gboolean loom_analysis_page_is_working (LoomAnalysisPage *self);
/* Returns TRUE if the shown results may be outdated. New ones are being computed, or will be when the page is
 * wanted. */
gboolean loom_analysis_page_is_outdated (LoomAnalysisPage *self);
/* Returns TRUE if the range of the results is only a part of the run. */
gboolean loom_analysis_page_is_part (LoomAnalysisPage *self);
