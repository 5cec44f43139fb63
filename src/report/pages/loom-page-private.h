/* SPDX-License-Identifier: Apache-2.0
 *
 * What pages share. Private to src/report.
 */
#pragma once

#include "loom-chart.h"
#include "loom-page.h"
#include "loom-statistics.h"

/* Why something cannot be said (formats/analysis.md §13): a sentence, or NULL when it can. Static. */
const char *loom_page_no_device (const LoomPageInput *input, LoomDevice device);
const char *loom_page_no_loop (const LoomPageInput *input);

/* What some nodes have and others do not: a sentence for those that have no spans, or no system metrics. O(rows). */
void loom_page_add_missing_nodes (LoomPageContent *sheet, const LoomPageInput *input, gboolean of_metrics);

/* Such as "algo-1 gpu0", or only "gpu0" in runs with one host. Owned by the caller. */
char *loom_page_device_name (const LoomPageInput *input, const char *host, const char *name);
/* "rank 3", "algo-1 rank 3 · the slow one" where a person called it so, or the name of the host. Owned. */
char *loom_page_worker_name (const LoomPageInput *input, guint worker);

/* Of a mark of a rule: the writer of rows as above, a device, or the whole host. Owned. O(workers). */
char *loom_page_place_name (const LoomPageInput *input, const char *host, const char *device);

/* Of a rank that is known by its spans: the same, or the name of its first file. Owned. */
char *loom_page_rank_name (const LoomPageInput *input, const char *node, gint rank, const guint *sources);

/* For what a page says of its sources: "trace.json", "8 files". `sources`: flat numbers in the run. Owned. */
char *loom_page_dup_files (const LoomPageInput *input, const guint *sources, guint n);
/* "64 training steps of 8 ranks (kineto, smdebug)"; NULL without steps. O(rows + steps · log steps). Owned. */
char *loom_page_dup_steps (const LoomPageInput *input);

/* An instant in full: "2025-06-17 10:00:00.5 UTC (+12.4 s)"; the offset alone where the run has no date. Owned. */
char *loom_page_dup_instant (LoomTimeline *timeline, gint64 time_ns);
/* What "+0" is: "2025-06-17 10:00:00 UTC, the first event". Owned. */
char *loom_page_dup_zero (LoomTimeline *timeline);

/* Whether times go before the latest sample and after the first: what a row of the frame covers. */
LoomRange loom_page_row_range (const LoomPageInput *input, guint32 row);

/* A histogram as a chart; NULL when nothing was counted. Owned. */
LoomChart *loom_page_new_histogram (const char *title, const char *x_name, const char *x_unit, const char *what,
                                    const LoomHistogram *histogram);

/* A span, or the gap between two spans. */
typedef struct {
  LoomRange range;
  LoomSpanId span;
} LoomPageStretch;

/* Adds a histogram of the durations of stretches (LoomPageStretch) with their median; the target of each bin is the
 * longest stretch that it counts. Returns the chart, which belongs to the sheet; NULL without stretches. */
LoomChart *loom_page_add_durations (LoomPageContent *sheet, const char *title, const char *what,
                                    const GArray *stretches);

/* Adds a fact whose value is formatted like the values of charts. */
void loom_page_add_number (LoomPageContent *sheet, const char *name, double value, const char *unit);

/* Counts one part of the page as finished in the progress of `cancellable`. */
void loom_page_count_part (const LoomPageInput *input, GCancellable *cancellable);

/* Returns the sheet, or NULL when cancelled. */
LoomPageContent *loom_page_finish (LoomPageContent *sheet, GCancellable *cancellable);

/* Sets the target of an element to an instant, with some time before and after, so that the view shows something. */
void loom_page_set_instant (LoomPageContent *sheet, guint element, gint64 time_ns);
