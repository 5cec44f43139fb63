/* SPDX-License-Identifier: Apache-2.0
 *
 * Determines which marks of a row are search hits. Marks are tested from left to right: then a test takes O(log n) for
 * n hits since the previous test. Another order takes longer, but gives the same results. Private to the draw list.
 */
#pragma once

#include "loom-draw-list.h"

typedef struct {
  const LoomSpanId *hits; /* the search hits among the spans of one row; `n` elements */
  guint32 n, at;
  const LoomSpans *spans;
} LoomRowHits;

/* Selects the hits among the spans `first` … `end` − 1 of a trace. */
void loom_draw_search_hits_init (LoomRowHits *hits, const LoomDrawOptions *options, guint trace, const LoomSpans *spans,
                                 guint32 first, guint32 end);

/* Returns TRUE if one of the spans `first` … `last` is a hit. */
gboolean loom_draw_search_hits_has (LoomRowHits *hits, guint32 first, guint32 last);

/* Returns TRUE if a hit touches [begin_ns, end_ns), in local time. Not for rows of instants. */
gboolean loom_draw_search_hits_touches (LoomRowHits *hits, gint64 begin_ns, gint64 end_ns);
