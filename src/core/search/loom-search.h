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
/* Maximum number of hits that are marked in the overview. */
#define LOOM_SEARCH_MAX_TICKS 4096

/* The result of a search. Immutable, ref-counted atomically, any thread. */
typedef struct {
  gatomicrefcount refs;
  guint64 n_found; /* total number of hits */
  GArray *hits;    /* LoomSpanId, sorted by trace, then span; at most LOOM_SEARCH_MAX_HITS */
  GArray *by_time; /* guint32 indices into `hits`, sorted by the start of the span */
  /* gint64: the starts of every n-th hit, ascending; n is so large that there are at most LOOM_SEARCH_MAX_TICKS */
  GArray *ticks_ns;
  /* for each trace: one byte per name id, 1 if the name was found; NULL: no hits in the trace. `names` is NULL if
   * filters accept only some of the spans of a name: then only `hits` says what was found */
  GPtrArray *names;
  guint64 n_unread; /* number of spans whose args are unknown because their file cannot be read any more */
} LoomSearchResult;

LoomSearchResult *loom_search_result_ref (LoomSearchResult *result);
void loom_search_result_unref (LoomSearchResult *result);

/* Returns a result with the same hits, sorted by the times of another timeline of the same run, and without names.
 * O(hits · log hits). */
LoomSearchResult *loom_search_result_new_timed (LoomTimeline *timeline, const LoomSearchResult *result);

/* Searches the timeline. Blocks, any thread. NULL when cancelled. `index` may be NULL or belong to an earlier run;
 * traces that it lacks are searched completely. */
LoomSearchResult *loom_search (LoomTimeline *timeline, LoomSearchIndex *index, LoomSearchQuery *query,
                               GCancellable *cancellable);

/* Receives the result so far, borrowed. Called on the main thread unless the search is cancelled, and only while args
 * are read, which takes long. */
typedef void (*LoomSearchPartly) (LoomSearchResult *result, gpointer owner);
/* Searches in a worker. `done` gets the result unless the search is cancelled, see loom_worker_run(). `partly` may be
 * NULL. If `cancellable` is a LoomProgressCancellable, it counts the spans whose args are read. */
void loom_search_async (LoomTimeline *timeline, LoomSearchIndex *index, LoomSearchQuery *query,
                        GCancellable *cancellable, LoomSearchPartly partly, LoomWorkerDone done, gpointer owner);

/* Returns the position in by_time of the first hit that starts after `time_ns` (with `at` TRUE: at or after it); the
 * number of hits if there is none. */
guint loom_search_result_after (LoomTimeline *timeline, const LoomSearchResult *result, gint64 time_ns, gboolean at);
