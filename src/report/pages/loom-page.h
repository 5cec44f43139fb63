/* SPDX-License-Identifier: Apache-2.0
 *
 * The pages of the analysis, such as "Steps" or "Memory". Each page converts results of src/analysis into sentences,
 * facts, charts and tables, which the window's panels and the reports show. Each page is implemented in its own file.
 * Texts are translated. The functions have no side effects, and may be called on any thread.
 */
#pragma once

#include "loom-analysis-thresholds.h"
#include "loom-data-frame.h"
#include "loom-job-phases.h"
#include "loom-page-content.h"
#include "loom-source-overrides.h"

typedef struct {
  LoomDataFrame *frame; /* the data from which the page is computed: the data frame of the whole run, or of a range */
  LoomJobPhases phases; /* phases of the job (initialization, training, finalization), from the data in `frame` */
  LoomRange range;      /* the time range that the page covers, in timeline ns */
  /* the instant from which the times on the page count, as a timeline time in ns; always 0 in reports */
  gint64 zero_offset_ns;
  LoomAnalysisThresholds thresholds;
  const LoomSourceOverrides *names; /* names that the user gave to sources; NULL: the user named no source */
  /* amount of progress that is added to a LoomProgressCancellable whenever a part of a page is finished; 0: no progress
   * is shown */
  guint64 part;
} LoomPageInput;

/* A sentence for users about all pages and reports: it states which numbers include only the time inside the range. The
 * caller translates it. It is shown once per document, and in the heading of each panel. */
extern const char loom_page_range_rule[];

/* Computes the content of a page. Returns NULL only when cancelled. */
typedef LoomPageContent *(*LoomPageFunc) (const LoomPageInput *input, GCancellable *cancellable);

typedef struct {
  const char *id;    /* identifies the page, for example "steps" */
  const char *title; /* English title, marked for translation */
  LoomPageFunc make;
  guint n_parts; /* number of parts of about equal duration into which the computation is divided */
  /* Returns a few translated words for the data that the page needs and the run does not have; static. NULL: the run
   * has all this data. The member itself is NULL if the page needs no special data. O(tracks). */
  const char *(*find_lack) (const LoomPageInput *input);
} LoomPage;

/* Returns all pages in the order in which they are shown. Static. */
const LoomPage *loom_pages_get (guint *n);
const LoomPage *loom_page_find (const char *id); /* NULL: no page has this id */

/* Makes a page. Adds a note if numbers on the page are computed from traces whose records contradict each other (page
 * "Trace Health"). Returns NULL only when cancelled. */
LoomPageContent *loom_page_make (const LoomPage *page, const LoomPageInput *input, GCancellable *cancellable);

/* Returns TRUE if all traces of the run are indexes. An index contains neither the calls and launches of hosts nor
 * allocations. O(traces). */
gboolean loom_page_has_only_indexes (LoomTimeline *timeline);
/* Returns TRUE if the run contains allocations, as a memory snapshot does, but neither work of devices nor steps.
 * `steps`: all steps of the timeline; NULL if they are not known yet. Returns FALSE if `timeline` or `steps` is NULL.
 * O(names + tracks). */
gboolean loom_page_has_only_memory (LoomTimeline *timeline, const LoomSteps *steps);
/* Returns a few translated words for a page whose data is not contained in indexes; can be returned by
 * LoomPage.find_lack. Static. */
const char *loom_page_get_lack_of_indexes (void);

/* Returns the instant from which the page counts time, in timeline ns. */
gint64 loom_page_get_zero (const LoomPageInput *input);

/* Returns the time range in which the job ran, in timeline ns, with both ends included. This is the extent of the run's
 * system metrics. If the run has no system metrics, it is the part of the range of `input` that contains events.
 * O(sources). */
LoomRange loom_page_job_range (const LoomPageInput *input);

LoomPageContent *loom_page_overview (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_utilization (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_steps (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_bottlenecks (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_loading (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_balance (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_stragglers (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_work (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_collectives (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_parallelism (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_hang (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_idle (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_memory (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_path (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_health (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_efficiency (const LoomPageInput *input, GCancellable *cancellable);
LoomPageContent *loom_page_operators (const LoomPageInput *input, GCancellable *cancellable);
