/* SPDX-License-Identifier: Apache-2.0
 *
 * Searches spans by name and args. Each name is tested once; then the columns of spans are searched, without the chunks
 * that the index of names (loom-search-index.h) excludes. Args are read from the files. Searches run in workers; the
 * results of a cancelled search are dropped.
 */
#pragma once

#include "loom-row-list.h"
#include "loom-search-index.h"
#include "loom-search-query.h"
#include "loom-timeline.h"

#include <gio/gio.h>

/* Hits beyond this number are counted, but not listed. */
#define LOOM_SEARCH_MAX_HITS 1000000
/* Maximum number of hits that are marked in the overview. */
#define LOOM_SEARCH_MAX_TICKS 4096

/* The result of a search. It is immutable, is ref-counted atomically, and may be used on any thread. */
typedef struct {
  gatomicrefcount refs;
  guint64 n_found; /* total number of hits */
  GArray *hits;    /* LoomSpanId, sorted by trace, then span; at most LOOM_SEARCH_MAX_HITS */
  GArray *by_time; /* guint32 indices into `hits`, sorted by the start of the span */
  /* guint32 indices into `by_time`: the hits in the order in which the user visits them. Hits on devices come first,
   * then hits on the host; within each of the two groups, hits are in order of start. NULL: the user visits the hits in
   * the order of `by_time`, because all hits are on devices, or none of them is */
  GArray *visits;
  guint n_device; /* number of hits on devices in `visits`; 0 if `visits` is NULL */
  /* gint64: the starts of every n-th hit, ascending, for the overview; n is the smallest number that gives at most
   * LOOM_SEARCH_MAX_TICKS starts */
  GArray *ticks_ns;
  /* Shows quickly whether a span is a hit. For each trace: an array with one byte per name id, 1 if all spans with this
   * name are hits. The array of a trace is NULL if the trace has no hits, or if the name alone does not decide: with
   * `has_details`, the start of a span decides, too. `names` itself is NULL if filters accept some spans of a
   * name and reject others. Without an array, only `hits` says which spans are hits. */
  GPtrArray *names;
  gboolean has_details; /* TRUE if spans of details (loom-run-details.h) were searched in place of their traces */
  guint64 n_unread; /* number of spans that were not tested because the file with their args cannot be read any more */
} LoomSearchResult;

LoomSearchResult *loom_search_result_ref (LoomSearchResult *result);
void loom_search_result_unref (LoomSearchResult *result);

/* Returns a result for `timeline`, another timeline of the same run: the same hits, sorted by their times in
 * `timeline`. Hits in details (events of a time range that were read in place of an index, loom-run-details.h) are
 * omitted, because the rows of another timeline do not show details. The member `names` of the result is NULL. O(hits ·
 * log hits). */
LoomSearchResult *loom_search_result_new_timed (LoomTimeline *timeline, const LoomSearchResult *result);

/* Returns a result without the hits in details that the rows do not show any more, because such details may be removed
 * from the run. A detail contains events of a time range that were read from a trace in place of its index
 * (loom-run-details.h). If no hits must be removed, returns `result` with another reference. Must be called on the main
 * thread. O(hits in details), or O(hits · log hits) if hits are removed. */
LoomSearchResult *loom_search_result_new_remaining (LoomTimeline *timeline, const LoomRowList *rows,
                                                    LoomSearchResult *result);

/* Searches the timeline. Blocks; may be called in any thread. Returns NULL when cancelled. `index` may be NULL or
 * belong to an earlier run; traces that are not in the index are searched without it. `details` (loom-run-details.h):
 * LoomRowDetail, at most one per trace, sorted by number; NULL: there are no details. In the range of a detail, the
 * spans of the detail are searched in place of the spans of its trace. */
LoomSearchResult *loom_search (LoomTimeline *timeline, LoomSearchIndex *index, const GArray *details,
                               LoomSearchQuery *query, GCancellable *cancellable);

/* Receives the hits found so far, as a borrowed result. Called on the main thread, and only while args are read, which
 * takes long. Not called after the search was cancelled. */
typedef void (*LoomSearchPartly) (LoomSearchResult *result, gpointer owner);
/* Searches in a worker. Takes a reference to `details` (as for loom_search()). `done` receives the result unless the
 * search is cancelled, see loom_worker_run(). `partly` may be NULL. If `cancellable` is a LoomProgressCancellable, it
 * counts the spans whose args have been read. */
void loom_search_async (LoomTimeline *timeline, LoomSearchIndex *index, GArray *details, LoomSearchQuery *query,
                        GCancellable *cancellable, LoomSearchPartly partly, LoomWorkerDone done, gpointer owner);

/* Returns a position in by_time: if `at` is TRUE, of the first hit that starts at or after `time_ns`; if FALSE, of the
 * first hit that starts after `time_ns`. Returns the number of hits if there is no such hit. */
guint loom_search_result_after (LoomTimeline *timeline, const LoomSearchResult *result, gint64 time_ns, gboolean at);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomSearchResult, loom_search_result_unref)
