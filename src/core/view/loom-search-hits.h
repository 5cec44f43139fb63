/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/core: what a search found in a timeline, and the rows that are left when only those with hits are wanted.
 * Main thread.
 */
#pragma once

#include "loom-row-list.h"
#include "loom-timeline-painter.h"

G_BEGIN_DECLS

/* Zeroed: nothing was searched for. */
typedef struct {
  GArray *spans;    /* LoomSpanId sorted by trace, then span; NULL none */
  GArray *times_ns; /* gint64, ascending: the instants they start at */
  gboolean only;    /* rows with hits are wanted alone */
} LoomSearchHits;

/* Others are found, NULL: none are; taken over. What is wanted stays. */
void loom_search_hits_take (LoomSearchHits *hits, GArray *spans, GArray *times_ns);
/* Rows without hits go while only the others are wanted; with nothing found all rows stand. TRUE when rows changed.
 * O(rows · log hits). */
gboolean loom_search_hits_filter (const LoomSearchHits *hits, const LoomTimeline *timeline, LoomRowList *outline);
/* Of the options only the ticks. Borrowed until others are taken. */
void loom_search_hits_fill_options (const LoomSearchHits *hits, LoomPaintOptions *options);

G_END_DECLS
