/* SPDX-License-Identifier: Apache-2.0
 *
 * The pages of the analysis. Each turns results of src/analysis into notes, facts, charts and tables, for the window's
 * panels and for reports. A page is one file. Texts are translated. Pure functions, any thread.
 */
#pragma once

#include "loom-analysis-thresholds.h"
#include "loom-data-frame.h"
#include "loom-job-phases.h"
#include "loom-page-content.h"
#include "loom-source-overrides.h"

typedef struct {
  LoomDataFrame *frame;  /* the data of the whole run, or of a range */
  LoomJobPhases phases;  /* phases of `frame` */
  LoomRange range;       /* the range that the page covers, timeline ns */
  gint64 zero_offset_ns; /* timeline time of the instant from which the page counts time; 0 in reports */
  LoomAnalysisThresholds thresholds;
  const LoomSourceOverrides *names; /* names that the user gave to sources; NULL: none */
  /* amount by which each finished part of a page advances a LoomProgressCancellable; 0: no progress is shown */
  guint64 part;
} LoomPageInput;

/* The sentence that explains the figures of a range, the same for all pages and reports; the caller translates it.
 * It is shown once per document, and in the heading of each panel. */
extern const char loom_page_range_rule[];

/* Returns NULL only when cancelled. */
typedef LoomPageContent *(*LoomPageFunc) (const LoomPageInput *input, GCancellable *cancellable);

typedef struct {
  const char *id;    /* id of the page, for example "steps" */
  const char *title; /* marked for translation */
  LoomPageFunc make;
  guint n_parts; /* number of parts of about equal duration into which the computation is divided */
  /* Returns a few translated words that say which data the run lacks to fill the page; NULL: it lacks nothing. Static.
   * The member is NULL if the page needs no special data. O(tracks). */
  const char *(*find_lack) (const LoomPageInput *input);
} LoomPage;

/* Returns all pages in the order in which they are shown. Static. */
const LoomPage *loom_pages_get (guint *n);
const LoomPage *loom_page_find (const char *id); /* NULL: no page has this id */

/* Makes a page. Adds a note if its figures come from traces that contradict themselves. NULL only when cancelled. */
LoomPageContent *loom_page_make (const LoomPage *page, const LoomPageInput *input, GCancellable *cancellable);

/* Returns TRUE if all traces are indexes, which contain neither calls and launches of hosts nor allocations.
 * O(traces). */
gboolean loom_page_has_only_indexes (LoomTimeline *timeline);
/* Returns a few translated words that say that indexes lack the data of a page, as LoomPage.find_lack does. Static. */
const char *loom_page_get_lack_of_indexes (void);

/* Returns the instant from which the page counts time, in timeline ns. */
gint64 loom_page_get_zero (const LoomPageInput *input);

/* Returns the time in which the job ran: the extent of its system metrics; without them, the part of the input's range
 * that has events. Both ends are included, timeline ns. O(sources). */
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
LoomPageContent *loom_page_operators (const LoomPageInput *input, GCancellable *cancellable);
