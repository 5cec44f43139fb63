/* SPDX-License-Identifier: Apache-2.0
 *
 * One page of the analysis with the figures of the range that the analysis is about. While the page is wanted it is computed again
 * whenever the question changes; the previous figures stay until then. Main thread only.
 *
 * Properties, read-only: "content" (pointer to LoomPageContent, NULL: no run is open), notified with each answer; "summary", of
 * which range the figures are, or how far the work is; "working", TRUE once the shown figures have been outdated for a moment.
 */
#pragma once

#include "loom-analysis-context.h"

#define LOOM_TYPE_ANALYSIS_PAGE (loom_analysis_page_get_type ())
G_DECLARE_FINAL_TYPE (LoomAnalysisPage, loom_analysis_page, LOOM, ANALYSIS_PAGE, GObject)

/* Takes a reference to the analysis; `page` is static. A new page is not wanted, so nothing is computed yet. */
LoomAnalysisPage *loom_analysis_page_new (LoomAnalysisContext *analysis, const LoomPage *page);

/* Whether the page is shown, so that its figures are needed. FALSE cancels the work under way. */
void loom_analysis_page_set_wanted (LoomAnalysisPage *self, gboolean wanted);

LoomPageContent *loom_analysis_page_get_content (LoomAnalysisPage *self); /* borrowed; NULL: none */
const char *loom_analysis_page_get_summary (LoomAnalysisPage *self);      /* borrowed; "": none */
gboolean loom_analysis_page_is_working (LoomAnalysisPage *self);
/* TRUE while the figures may be outdated: they are computed, or will be as soon as the page is wanted. */
gboolean loom_analysis_page_is_outdated (LoomAnalysisPage *self);
