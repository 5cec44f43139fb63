/* SPDX-License-Identifier: Apache-2.0
 *
 * Spans whose name contains a text, or matches a regular expression, letter case aside. The names are tried once each, then the columns are walked, but
 * for what the index knows to have none of them; workers do it, and what an older question found is dropped.
 */
#pragma once

#include "loom-search-index.h"
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
  GPtrArray *names; /* by trace: a byte for each name, whether it was found; NULL where none was */
} LoomSearchResult;

LoomSearchResult *loom_search_result_ref (LoomSearchResult *result);
void loom_search_result_unref (LoomSearchResult *result);

/* As people type them; NULL with `error` when it is none. */
GRegex *loom_search_regex_new (const char *text, GError **error);

/* Blocking, any thread. NULL when cancelled. `text` must not be empty; with a `regex` it does not count. `index` may be NULL or of an older run: traces it
 * does not know are read to their end. */
LoomSearchResult *loom_search (LoomTimeline *timeline, LoomSearchIndex *index, const char *text, const GRegex *regex,
                               GCancellable *cancellable);

void loom_search_async (LoomTimeline *timeline, LoomSearchIndex *index, const char *text, GRegex *regex, GCancellable *cancellable,
                        GAsyncReadyCallback ready, gpointer user_data);
LoomSearchResult *loom_search_finish (GAsyncResult *result, GError **error);

/* The position in by_time of the first hit that starts after `time_ns` (or at it, when `at` is TRUE); the number of
 * hits when there is none. */
guint loom_search_result_after (LoomTimeline *timeline, const LoomSearchResult *result, gint64 time_ns, gboolean at);

G_END_DECLS
