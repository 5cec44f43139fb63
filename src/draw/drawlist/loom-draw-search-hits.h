/* SPDX-License-Identifier: Apache-2.0
 *
 * The search hits of one row, asked for mark after mark. Marks come from left to right, so a question costs O(log) of
 * the hits between it and the one before; any order gives the right answer. Private to the draw list.
 */
#pragma once

#include "loom-draw-list.h"

G_BEGIN_DECLS

typedef struct {
  const LoomSpanId *hits; /* those of the row */
  guint32 n, at;
  const LoomSpans *spans;
} LoomRowHits;

/* Those among the spans first … end − 1 of a trace. */
void loom_draw_search_hits_init (LoomRowHits *hits, const LoomDrawOptions *options, guint trace, const LoomSpans *spans,
                                 guint32 first, guint32 end);

/* TRUE when one of the spans first … last is a hit. */
gboolean loom_draw_search_hits_has (LoomRowHits *hits, guint32 first, guint32 last);

/* TRUE when a hit touches [begin_ns, end_ns), in local time. Not for instants. */
gboolean loom_draw_search_hits_touches (LoomRowHits *hits, gint64 begin_ns, gint64 end_ns);

G_END_DECLS
