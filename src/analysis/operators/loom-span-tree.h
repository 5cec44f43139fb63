/* SPDX-License-Identifier: Apache-2.0
 *
 * A call tree made of the nested spans of CPU threads in a range. Spans with equal names whose parents are the same
 * node are added up in one node, for all threads, ranks and times. Numbers after an equals sign are replaced:
 * "forward_step mb=3" counts as "forward_step mb=…".
 *
 * Top-down, the children of a node are the spans that it contains, and the width of a node is the total time of its
 * spans. Bottom-up, the children of a node are its callers, and the width is self time, so that the width of a root is
 * the whole self time of its name. The total width of both trees is equal to the sum of all self times.
 *
 * Marks of the profiler itself (Kineto's category "Trace") are omitted, because they are not calls. Marks of steps,
 * such as "ProfilerStep#12", are not calls either: the calls in a step are shown without it, and time of a step outside
 * of its calls does not count.
 *
 * Only time inside the range counts. Spans that overlap without nesting are in different lanes (loom-trace.h), and each
 * lane has its own stack. Times of several threads are added. Any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-call-tree.h"
#include "loom-run-names.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

/* The largest number of kept nodes. A tree can have up to twice as many nodes plus one, because each kept node and the
 * root can have one child that represents its smaller children. */
#define LOOM_SPAN_TREE_MOST_KEPT 5000

typedef enum {
  LOOM_SPAN_TREE_TOP_DOWN,
  LOOM_SPAN_TREE_BOTTOM_UP,
} LoomSpanTreeDirection;

typedef struct {
  LoomTimeline *timeline;
  LoomRange range;
  /* the threads that count; NULL: all CPU threads. Tracks that are not CPU threads are skipped. */
  const LoomTrackId *tracks;
  gsize n_tracks;
  LoomSpanTreeDirection direction;
  /* TRUE: omits calls that only wait for a device, such as cudaDeviceSynchronize, with all that they contain */
  gboolean omits_waits;
} LoomSpanTreeQuery;

/* Returns TRUE if a call of this name only waits until work of a device has finished. */
gboolean loom_span_tree_is_wait (const char *name);

/* Returns TRUE if a track contains the spans of a CPU thread: it is not a track of a device, and not derived from
 * other tracks. */
gboolean loom_span_tree_is_cpu (const LoomTrack *track);

/* Returns a sentence that says why a call tree of the run is empty. Translated, static. */
const char *loom_span_tree_get_missing (LoomRun *run);

/* Makes the call tree of the spans in the range. Skips traces read from an index file, which keep no calls. NULL only
 * when cancelled. Sets LoomCallTree.waits_ns and .omits_waits. O(spans in the range + nodes · log nodes), on all
 * processors; twice that if long waits are omitted. */
LoomCallTree *loom_span_tree_new (const LoomSpanTreeQuery *query, GCancellable *cancellable);

/* Returns the spans that a node of `tree` adds up: LoomSpanId, at most `most` of them, in order of the tracks. `tree`
 * must be made from the same query. A node that represents smaller nodes (LOOM_CALL_TREE_OTHER) has no spans. Sets
 * `n_all` to the number of all such spans. O(spans in the range). NULL only when cancelled. */
GArray *loom_span_tree_find_spans (const LoomSpanTreeQuery *query, const LoomCallTree *tree, guint32 node, guint most,
                                   guint64 *n_all, GCancellable *cancellable);
