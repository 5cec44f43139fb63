/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows pages of the analysis of an open run in a test, without a window.
 */
#pragma once

#include "loom-analysis-page.h"
#include "run-fixture.h"

/* Returns a page that is wanted, with its figures. For `id` see loom_page_find(). */
LoomAnalysisPage *page_fixture_show (LoomRunState *run, const char *id);
/* Waits until the page shows the results for the current settings; returns the page. */
LoomAnalysisPage *page_fixture_wait (LoomAnalysisPage *page);

/* Returns the number of the block whose chart or table has the title; fails if there is none. */
guint page_fixture_find (LoomAnalysisPage *page, const char *title);
const LoomBlock *page_fixture_get (LoomAnalysisPage *page, const char *title);
gboolean page_fixture_has (LoomAnalysisPage *page, const char *title);
/* Returns TRUE if the page says that data is missing. */
gboolean page_fixture_lacks (LoomAnalysisPage *page);
