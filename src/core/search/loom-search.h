/* SPDX-License-Identifier: Apache-2.0
 *
 * Spans whose name and args are what a query wants. The names are tried once each, then the columns are walked, but for what the index
 * knows to have none of them; args are read again from the files. Workers do it, and what an older question found is dropped.
 */
#pragma once

#include "loom-search-index.h"
#include "loom-search-query.h"
#include "loom-timeline.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* More hits than this are counted, not listed. */
#define LOOM_SEARCH_MAX_HITS 1000000
/* Places of hits for the overview. */
#define LOOM_SEARCH_MAX_TICKS 4096

/* Immutable, ref-counted atomically, any thread. */
typedef struct {
  gatomicrefcount refs;
  guint64 n_found;  /* all of them */
  GArray *hits;     /* LoomSpanId, sorted by trace, then span; at most LOOM_SEARCH_MAX_HITS */
  GArray *by_time;  /* guint32 indices into hits, sorted by start */
  GArray *ticks_ns; /* gint64 starts, ascending, thinned to LOOM_SEARCH_MAX_TICKS */
  GPtrArray *
    names; /* by trace: a byte for each name, whether it was found; NULL where none was. NULL: args decided, only hits count */
  guint64 n_unread; /* spans whose args nobody knows, for their file cannot be read any more */
} LoomSearchResult;

LoomSearchResult *loom_search_result_ref (LoomSearchResult *result);
void loom_search_result_unref (LoomSearchResult *result);

/* The same hits by the times of another timeline of the same run; without names. O(hits · log hits). */
LoomSearchResult *loom_search_result_new_timed (LoomTimeline *timeline, const LoomSearchResult *result);

/* Blocking, any thread. NULL when cancelled. `index` may be NULL or of an older run: traces it does not know are read to their end. */
LoomSearchResult *loom_search (LoomTimeline *timeline, LoomSearchIndex *index, LoomSearchQuery *query,
                               GCancellable *cancellable);

/* What is found by now, borrowed; on the main thread, unless it is cancelled. Only where args are read, which takes its time. */
typedef void (*LoomSearchPartly) (LoomSearchResult *result, gpointer user_data);
/* `partly` may be NULL; a `cancellable` that is a LoomProgressCancellable counts where args are read. */
void loom_search_async (LoomTimeline *timeline, LoomSearchIndex *index, LoomSearchQuery *query,
                        GCancellable *cancellable, LoomSearchPartly partly, GAsyncReadyCallback ready,
                        gpointer user_data);
LoomSearchResult *loom_search_finish (GAsyncResult *result, GError **error);

/* The position in by_time of the first hit that starts after `time_ns` (or at it, when `at` is TRUE); the number of
 * hits when there is none. */
guint loom_search_result_after (LoomTimeline *timeline, const LoomSearchResult *result, gint64 time_ns, gboolean at);

G_END_DECLS
