/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages of the analysis of an open run in a test, without a window.
 */
#pragma once

#include "loom-analysis-page.h"
#include "run-fixture.h"

/* A page of the run that is wanted, with its figures; `id`: see loom_page_find(). */
LoomAnalysisPage *page_fixture_show (LoomRunState *run, const char *id);
/* Waits until the page answers the question that there is now; returns the page. */
LoomAnalysisPage *page_fixture_wait (LoomAnalysisPage *page);

/* The number of the block whose chart or table has the title; the block has to exist. */
guint page_fixture_find (LoomAnalysisPage *page, const char *title);
const LoomBlock *page_fixture_get (LoomAnalysisPage *page, const char *title);
gboolean page_fixture_has (LoomAnalysisPage *page, const char *title);
/* Whether the page says that something is missing. */
gboolean page_fixture_lacks (LoomAnalysisPage *page);
