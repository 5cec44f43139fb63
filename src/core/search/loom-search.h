/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the spans whose names and args match a query. Each name is tested once, then the columns are searched, except
 * for parts that the index excludes; args are read from the files. Workers run the search, and results of an earlier
 * query are dropped.
 */
#pragma once

#include "loom-search-index.h"
#include "loom-search-query.h"
#include "loom-timeline.h"

#include <gio/gio.h>

/* Hits beyond this number are counted, but not listed. */
#define LOOM_SEARCH_MAX_HITS 1000000
/* Maximum number of hits marked in the overview. */
#define LOOM_SEARCH_MAX_TICKS 4096

/* Immutable, ref-counted atomically, any thread. */
typedef struct {
  gatomicrefcount refs;
  guint64 n_found;  /* total number of hits */
  GArray *hits;     /* LoomSpanId, sorted by trace, then span; at most LOOM_SEARCH_MAX_HITS */
  GArray *by_time;  /* guint32 indices into hits, sorted by start */
  GArray *ticks_ns; /* gint64 starts, ascending, thinned to LOOM_SEARCH_MAX_TICKS */
  /* by trace: one byte per name, whether it was found; NULL: no hits in the trace. `names` is NULL if filters decide
   * about single spans, so that only `hits` contains what was found */
  GPtrArray *names;
  guint64 n_unread; /* spans whose args are unknown because their file cannot be read any more */
} LoomSearchResult;

LoomSearchResult *loom_search_result_ref (LoomSearchResult *result);
void loom_search_result_unref (LoomSearchResult *result);

/* Returns a result with the same hits, sorted by the times of another timeline of the same run, and without names.
 * O(hits · log hits). */
LoomSearchResult *loom_search_result_new_timed (LoomTimeline *timeline, const LoomSearchResult *result);

/* Blocks, any thread. NULL when cancelled. `index` may be NULL or of an earlier run: traces that it doesn't contain are
 * searched completely. */
LoomSearchResult *loom_search (LoomTimeline *timeline, LoomSearchIndex *index, LoomSearchQuery *query,
                               GCancellable *cancellable);

/* Receives the result so far, borrowed; called on the main thread unless cancelled. Only called while args are read,
 * which takes long. */
typedef void (*LoomSearchPartly) (LoomSearchResult *result, gpointer owner);
/* Searches in a worker; `done` gets the result unless it is cancelled, see loom_worker_run(). `partly` may be NULL. A
 * LoomProgressCancellable counts the spans whose args are read. */
void loom_search_async (LoomTimeline *timeline, LoomSearchIndex *index, LoomSearchQuery *query,
                        GCancellable *cancellable, LoomSearchPartly partly, LoomWorkerDone done, gpointer owner);

/* The position in by_time of the first hit that starts after `time_ns` (if `at` is TRUE: at or after it); the number of
 * hits if there is none. */
guint loom_search_result_after (LoomTimeline *timeline, const LoomSearchResult *result, gint64 time_ns, gboolean at);
