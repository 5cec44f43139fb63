/* SPDX-License-Identifier: Apache-2.0
 *
 * Helpers that compute pages of the analysis of an open run in a test without a window.
 */
#pragma once

#include "loom-analysis-page.h"
#include "run-fixture.h"

/* Returns the page with the name `id` (see loom_page_find()) after its figures have been computed. */
LoomAnalysisPage *page_fixture_show (LoomRunState *run, const char *id);
/* Waits until the page contains the results for the current settings. Returns the page. */
LoomAnalysisPage *page_fixture_wait (LoomAnalysisPage *page);

/* Returns the number of the block whose chart or table has the title; fails if there is none. */
guint page_fixture_find (LoomAnalysisPage *page, const char *title);
const LoomBlock *page_fixture_get (LoomAnalysisPage *page, const char *title);
gboolean page_fixture_has (LoomAnalysisPage *page, const char *title);
/* Returns TRUE if the page says that data is missing. */
gboolean page_fixture_lacks (LoomAnalysisPage *page);
