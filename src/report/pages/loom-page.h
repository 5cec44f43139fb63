/* SPDX-License-Identifier: Apache-2.0
 *
 * The pages of the analysis: each turns results of src/analysis into a sheet of charts and tables, for the window's
 * panels and for a report. A page is one file. Words are translated. Pure functions, any thread.
 */
#pragma once

#include "loom-analysis-thresholds.h"
#include "loom-data-frame.h"
#include "loom-job-phases.h"
#include "loom-page-content.h"
#include "loom-source-overrides.h"

typedef struct {
  LoomDataFrame *frame; /* frame of the whole run, or of a range */
  LoomJobPhases phases; /* of that frame */
  LoomRange range;      /* what is asked about, on the timeline */
  LoomAnalysisThresholds thresholds;
  const LoomSourceOverrides *names; /* what sources are called by hand; NULL: nothing */
  guint64 part; /* what each part of a page counts on a LoomProgressCancellable; 0 where nobody looks */
} LoomPageInput;

/* The one rule for figures of a range that is not the whole run, for every page and report; to be translated by who shows it.
 * It is said once per document, and in the heading of each panel. */
extern const char loom_page_range_rule[];

/* Returns NULL only when cancelled. */
typedef LoomPageContent *(*LoomPageFunc) (const LoomPageInput *input, GCancellable *cancellable);

typedef struct {
  const char *id;    /* such as "steps" */
  const char *title; /* marked for translation */
  LoomPageFunc make;
  guint n_parts; /* in which it is made, about as long as one another */
} LoomPage;

/* All pages in the order in which they are shown. Static. */
const LoomPage *loom_pages_get (guint *n);
const LoomPage *loom_page_find (const char *id); /* NULL: there is no such page */

/* From when to when the job ran: its system metrics, or without these what its events cover of the range that is asked about. Both
 * ends included, timeline ns. O(sources). */
LoomRange loom_page_job_range (const LoomPageInput *input);

LoomPageContent *loom_page_overview (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_utilization (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_steps (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_bottlenecks (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_loading (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_balance (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_stragglers (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_work (const LoomPageInput *input, GCancellable *cancellable);
