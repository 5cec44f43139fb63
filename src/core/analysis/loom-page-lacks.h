/* SPDX-License-Identifier: Apache-2.0
 *
 * For each page of the analysis: the data that the page needs but the run does not contain. A worker thread finds the
 * missing data when they are first requested. Main thread only.
 *
 * Signal "changed": emitted when the results for a new timeline are known.
 */
#pragma once

#include "loom-analysis-context.h"

#define LOOM_TYPE_PAGE_LACKS (loom_page_lacks_get_type ())
G_DECLARE_FINAL_TYPE (LoomPageLacks, loom_page_lacks, LOOM, PAGE_LACKS, GObject)

LoomPageLacks *loom_page_lacks_new (LoomAnalysisContext *analysis);

/* Starts the worker thread, unless the results for the current timeline are already known or being computed. */
void loom_page_lacks_ask (LoomPageLacks *self);
/* Returns a few translated words that name the data which the page with this name lacks in this run, for example "no
 * system metrics". Returns NULL if the page lacks nothing, or if this is not known yet. Static. */
const char *loom_page_lacks_get (LoomPageLacks *self, const char *page);
