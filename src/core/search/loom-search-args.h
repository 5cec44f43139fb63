/* SPDX-License-Identifier: Apache-2.0
 *
 * The second phase of a search with filters on args. The first phase has found the names that match the query; the
 * second phase reads the args of the spans with these names from the files. Private to the search. Memory: 64 MB for
 * the spans that are read next, some cached blocks of the files for each processor, and the hits.
 */
#pragma once

#include "loom-search-query.h"
#include "loom-timeline.h"

#include <gio/gio.h>

typedef struct {
  LoomTimeline *timeline;
  const LoomSearchQuery *query;
  /* array indexed by number of a trace or of a detail (loom-run-details.h). Its elements are arrays indexed by name id:
   * 1 if spans with this name are searched, else 0. An element is NULL if no span of the trace is searched */
  const GPtrArray *names;
  /* cancels the search; a LoomProgressCancellable also counts the spans whose args have been read */
  GCancellable *cancellable;

  /* Called from time to time with the hits found so far, sorted and limited like the final result. May be called from
   * any thread, but never by two threads at once. NULL: partial results are not reported. */
  void (*tell) (GArray *hits, guint64 n_found, guint64 n_unread, gpointer user_data);
  gpointer user_data;
} LoomArgsSearch;

/* Sets the time from the start of a search to its first report of partial results, for the whole process; 0: no delay.
 * For tests. */
void loom_search_args_set_patience (gint64 patience_us);

/* Reads the args of all spans with a matching name, and returns the spans that pass all filters: LoomSpanId sorted by
 * trace, then span, at most LOOM_SEARCH_MAX_HITS. `n_found`: number of these spans without the limit; `n_unread`:
 * number of spans whose file cannot be read any more. When cancelled, returns the hits so far. Blocks: about 1 µs per
 * span. */
GArray *loom_search_args (const LoomArgsSearch *search, guint64 *n_found, guint64 *n_unread);
