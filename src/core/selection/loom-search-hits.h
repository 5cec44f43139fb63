/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/core: the hits of a search as the timeline shows them, and the filter that shows only rows with hits.
 * Called on the main thread.
 */
#pragma once

#include "loom-row-list.h"
#include "loom-timeline-painter.h"

/* The hits that the timeline shows. A zeroed struct means that nothing is searched. */
typedef struct {
  GArray *spans;    /* LoomSpanId: the hits, sorted by trace, then span; NULL: there is no search */
  GArray *times_ns; /* gint64: start times of the hits, ascending */
  gboolean only;    /* TRUE if only rows with hits are shown */
} LoomSearchHits;

/* Sets the hits and takes ownership of the arrays; NULL: there is no search. `only` is not changed. */
void loom_search_hits_take (LoomSearchHits *self, GArray *spans, GArray *times_ns);
/* Shows only rows with hits if `only` is TRUE and there are hits; else shows all rows. Returns TRUE if this hid or
 * showed any rows. O(rows · log hits). */
gboolean loom_search_hits_filter (const LoomSearchHits *self, const LoomTimeline *timeline, LoomRowList *outline);
/* Sets the members ticks_ns and n_ticks of `options`: the start times of the hits, which are marked in the overview.
 * The array is borrowed until other hits are set. Without a search, the members are not changed. */
void loom_search_hits_fill_options (const LoomSearchHits *self, LoomPaintOptions *options);
