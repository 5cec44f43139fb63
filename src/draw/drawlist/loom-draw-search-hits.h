/* SPDX-License-Identifier: Apache-2.0
 *
 * Determines which marks of a row are search hits. If marks are tested from left to right, a test takes O(log n), where
 * n is the number of hits since the previous test. Testing in another order takes longer, but gives the same results.
 * Private to the draw list.
 */
#pragma once

#include "loom-draw-list.h"

typedef struct {
  const LoomSpanId *hits; /* the search hits among the spans of one row; `n` elements */
  guint32 n, at;
  const LoomSpans *spans;
} LoomRowHits;

/* Initialises `hits` with the search hits among the spans `first` … `end` − 1 of a trace. */
void loom_draw_search_hits_init (LoomRowHits *hits, const LoomDrawOptions *options, guint trace, const LoomSpans *spans,
                                 guint32 first, guint32 end);

/* Returns TRUE if at least one of the spans `first` … `last` is a search hit. */
gboolean loom_draw_search_hits_has (LoomRowHits *hits, guint32 first, guint32 last);

/* Returns TRUE if a hit overlaps [begin_ns, end_ns), in local time. Must not be called for rows of instants, because
 * instants have no duration. */
gboolean loom_draw_search_hits_touches (LoomRowHits *hits, gint64 begin_ns, gint64 end_ns);
