/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of hits in time. Private to the search.
 */
#pragma once

#include "loom-timeline.h"

G_BEGIN_DECLS

#define LOOM_SEARCH_SORT_MOST (1u << 20)

/* Hits of one row: they begin one after another. */
typedef struct {
  guint first, end;       /* hits */
  const gint64 *start_ns; /* by span, local; borrowed */
  LoomClockMap map;
} LoomSearchRun;

/* Fills `order` with 0 … n − 1 by ascending start in timeline time, equals by ascending number, and `ticks_ns` with the starts
 * of every step-th in that order. The runs hold all n ≤ LOOM_SEARCH_SORT_MOST hits, in their order. On all processors where
 * they are many; linear but where a run is years long. */
void loom_search_sort (const LoomSpanId *hits, const LoomSearchRun *runs, guint n_runs, guint step, guint32 *order,
                       gint64 *ticks_ns);

G_END_DECLS
