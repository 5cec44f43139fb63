/* SPDX-License-Identifier: Apache-2.0
 *
 * Which data the run lacks for each page of the analysis. A worker finds it out when it is first needed. Main thread
 * only. Signal "changed": emitted when the results for a new timeline are known.
 */
#pragma once

#include "loom-analysis-context.h"

#define LOOM_TYPE_PAGE_LACKS (loom_page_lacks_get_type ())
G_DECLARE_FINAL_TYPE (LoomPageLacks, loom_page_lacks, LOOM, PAGE_LACKS, GObject)

LoomPageLacks *loom_page_lacks_new (LoomAnalysisContext *analysis);

/* Starts the worker, unless the results for the current timeline are known or being computed. */
void loom_page_lacks_ask (LoomPageLacks *self);
/* Returns a few translated words: the data that the run lacks for the page with this name, for example "no system
 * metrics". NULL: it lacks nothing, or this is not known yet. Static. */
const char *loom_page_lacks_get (LoomPageLacks *self, const char *page);
