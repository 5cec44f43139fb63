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
  const gint64 *start_ns; /* start of each span, local time; borrowed */
  LoomClockMap map;
} LoomSearchRun;

/* Fills `places` with 0 … n − 1 sorted by start in timeline time, equal starts by number, and `ticks_ns` with the starts
 * of every `step`-th hit in that order. The runs contain all n ≤ LOOM_SEARCH_SORT_MOST hits in order. Uses all
 * processors for many hits; linear time unless a run is years long. */
void loom_search_sort (const LoomSpanId *hits, const LoomSearchRun *runs, guint n_runs, guint step, guint32 *places,
                       gint64 *ticks_ns);
