/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts hits by time. Private to the search.
 */
#pragma once

#include "loom-timeline.h"

#define LOOM_SEARCH_SORT_MOST (1u << 20)

/* Hits of one row, sorted by start. */
typedef struct {
  guint first, end;       /* range of hits */
  const gint64 *start_ns; /* start of each span of the trace, local time; borrowed */
  LoomClockMap map;
} LoomSearchRun;

/* Sorts n ≤ LOOM_SEARCH_SORT_MOST hits, all of which are in `runs`, in order: fills `places` with their indices (0 …
 * n − 1), sorted by start in timeline time, and equal starts by index; and `ticks_ns` with the starts of every
 * `step`-th hit in that order. Uses all processors if there are many hits. O(n) unless a run of the program took
 * years. */
void loom_search_sort (const LoomSpanId *hits, const LoomSearchRun *runs, guint n_runs, guint step, guint32 *places,
                       gint64 *ticks_ns);
