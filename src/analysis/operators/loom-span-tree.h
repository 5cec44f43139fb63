/* SPDX-License-Identifier: Apache-2.0
 *
 * The nested spans of the CPU threads of a range, added up as a call tree: spans of equal names under equal names are one
 * node, whichever thread, rank and time they have. The number of a step ("ProfilerStep#12") is no part of its name.
 *
 * Top-down, the children of a node are what it calls; widths are times of whole calls. Bottom-up, the children of a node
 * are its callers; widths are self times, so that a root has all self time of its name. The sum of self times of the
 * first tree, its width and the width of the second tree are equal.
 *
 * Times add up what lies in the range; spans that do not nest (loom-trace.h: lanes) begin new stacks, and the times of
 * several threads add up. Any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-call-tree.h"
#include "loom-run-names.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

/* A tree has at most twice as many nodes: for each kept node, one may stand for its smaller children. */
#define LOOM_SPAN_TREE_MOST_KEPT 5000

typedef enum {
  LOOM_SPAN_TREE_TOP_DOWN,
  LOOM_SPAN_TREE_BOTTOM_UP,
} LoomSpanTreeDirection;

typedef struct {
  LoomTimeline *timeline;
  LoomRange range;
  const LoomTrackId *tracks; /* NULL: all CPU threads; others than CPU threads are left out */
  gsize n_tracks;
  LoomSpanTreeDirection direction;
} LoomSpanTreeQuery;

/* Returns TRUE if the spans of a track are those of a CPU thread. */
gboolean loom_span_tree_is_cpu (const LoomTrack *track);

/* NULL only when cancelled. O(spans in the range + nodes · log nodes), on all processors. */
LoomCallTree *loom_span_tree_new (const LoomSpanTreeQuery *query, GCancellable *cancellable);

/* The spans that a node of the tree of this query adds up: LoomSpanId, at most `most` of them, in the order of the
 * tracks; for a node of several smaller ones, none. `n_all`: how many there are. O(spans in the range). NULL only when
 * cancelled. */
GArray *loom_span_tree_find_spans (const LoomSpanTreeQuery *query, const LoomCallTree *tree, guint32 node, guint most,
                                   guint64 *n_all, GCancellable *cancellable);
