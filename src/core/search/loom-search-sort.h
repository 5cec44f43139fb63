/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts the hits of a search by their start on the timeline, in parallel. Private to the search.
 */
#pragma once

#include "loom-timeline.h"

#define LOOM_SEARCH_SORT_MOST (1u << 20)

/* Consecutive hits in one row of a trace (LoomRow), sorted by start like all spans of a row. `map` converts the starts
 * in `start_ns` to timeline time. */
typedef struct {
  guint first, end;       /* range of indices in the array of hits */
  const gint64 *start_ns; /* for each span of the trace, its start in local time; borrowed */
  LoomClockMap map;
} LoomSearchRun;

/* Sorts n ≤ LOOM_SEARCH_SORT_MOST hits by start in timeline time, and hits with equal starts by index. `runs` must
 * cover all hits, in order. `places` receives the indices 0 … n − 1 of the hits in the new order; `ticks_ns` receives
 * the starts of every `step`-th hit in that order. Uses all processors if there are many hits. O(n) unless the hits are
 * spread over years. */
void loom_search_sort (const LoomSpanId *hits, const LoomSearchRun *runs, guint n_runs, guint step, guint32 *places,
                       gint64 *ticks_ns);
