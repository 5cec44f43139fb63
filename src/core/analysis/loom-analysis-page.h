/* SPDX-License-Identifier: Apache-2.0
 *
 * One page of the analysis, computed for the current range of the analysis context. While the page is visible, a worker
 * thread computes it again after each change of the range or the settings. The previous results are shown until the new
 * ones are ready. Main thread only.
 *
 * Read-only properties: "content" is a pointer to LoomPageContent, or NULL if no run is open; it is notified after each
 * computation. "summary" is a text with the range of the results or the progress of the computation. "working" becomes
 * TRUE when the shown results have been outdated for a short time.
 */
#pragma once

#include "loom-analysis-context.h"

#define LOOM_TYPE_ANALYSIS_PAGE (loom_analysis_page_get_type ())
G_DECLARE_FINAL_TYPE (LoomAnalysisPage, loom_analysis_page, LOOM, ANALYSIS_PAGE, GObject)

/* Makes the object for one page of an analysis. Takes a reference to `analysis`; `page` must be static. The page is
 * not computed until loom_analysis_page_set_wanted() is called with TRUE. */
LoomAnalysisPage *loom_analysis_page_new (LoomAnalysisContext *analysis, const LoomPage *page);

/* Sets whether the page is visible. Only a visible page is computed. FALSE cancels a running computation. */
void loom_analysis_page_set_wanted (LoomAnalysisPage *self, gboolean wanted);

LoomPageContent *loom_analysis_page_get_content (LoomAnalysisPage *self); /* borrowed; NULL if no run is open */
const char *loom_analysis_page_get_summary (LoomAnalysisPage *self);      /* borrowed; "" if no results are shown */
gboolean loom_analysis_page_is_working (LoomAnalysisPage *self);
/* Returns TRUE if the shown results may be outdated. The new results are already being computed; if the page is not
 * visible, the new results will be computed when the page becomes visible. */
gboolean loom_analysis_page_is_outdated (LoomAnalysisPage *self);
/* Returns TRUE if the results are of only a part of the run. */
gboolean loom_analysis_page_is_part (LoomAnalysisPage *self);
