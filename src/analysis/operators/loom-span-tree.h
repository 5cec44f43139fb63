/* SPDX-License-Identifier: Apache-2.0
 *
 * A call tree made of the nested spans of CPU threads in a range. Spans with equal names whose parents are in one node
 * form one node, for all threads, ranks and times. Numbers after an equals sign are replaced: "forward_step mb=3"
 * counts as "forward_step mb=…".
 *
 * In a top-down tree, the children of a node are the calls inside it, and the width of a node is the total time of its
 * spans. In a bottom-up tree, the children of a node are its callers, and the width is self time, so that the width of
 * a root is the whole self time of its name. The total width of each of the two trees is the sum of all self times.
 *
 * Marks of the profiler itself (Kineto's category "Trace") are omitted, because they are not calls. Marks of steps,
 * such as "ProfilerStep#12", are not calls either. They are omitted, too, but the calls inside them are shown; time of
 * a step outside of its calls does not count.
 *
 * Only time inside the range counts. Spans that overlap without nesting are in different lanes (loom-trace.h), and each
 * lane has its own stack. Times of several threads are added up. Any thread.
 */
#pragma once

#include <gio/gio.h>

#include "loom-call-tree.h"
#include "loom-run-names.h"
#include "loom-timeline.h"
#include "loom-track-id.h"

/* Maximum number of nodes that are chosen for a tree. The tree can have up to twice as many nodes plus one, because
 * each chosen node and the root can have one more child, which represents its smaller children. */
#define LOOM_SPAN_TREE_MOST_KEPT 5000

typedef enum {
  LOOM_SPAN_TREE_TOP_DOWN,
  LOOM_SPAN_TREE_BOTTOM_UP,
} LoomSpanTreeDirection;

typedef struct {
  LoomTimeline *timeline;
  LoomRange range;
  /* the threads to examine; NULL: all CPU threads. Tracks that are not CPU threads are skipped. */
  const LoomTrackId *tracks;
  gsize n_tracks;
  LoomSpanTreeDirection direction;
  /* TRUE: omits calls that only wait for a device, such as cudaDeviceSynchronize, and all calls inside them */
  gboolean omits_waits;
} LoomSpanTreeQuery;

/* Returns TRUE if a call of this name only waits until work of a device has finished. */
gboolean loom_span_tree_is_wait (const char *name);

/* Returns TRUE if a track contains the spans of a CPU thread: it is not a track of a device, and not derived from
 * other tracks. */
gboolean loom_span_tree_is_cpu (const LoomTrack *track);

/* Returns a sentence that states why a call tree of the run is empty. Translated, static. */
const char *loom_span_tree_get_missing (LoomRun *run);

/* Makes the call tree of the spans in the range. Skips traces read from an index file, which does not contain calls.
 * Sets LoomCallTree.waits_ns and .omits_waits. NULL only when cancelled. O(spans in the range + nodes · log nodes), on
 * all processors. */
LoomCallTree *loom_span_tree_new (const LoomSpanTreeQuery *query, GCancellable *cancellable);

/* Returns the spans whose times a node of `tree` contains: LoomSpanId, at most `most` elements, in the order of the
 * tracks. `tree` must have been made from the same query. A node that represents smaller nodes (LOOM_CALL_TREE_OTHER)
 * has no spans. Sets `n_all` to the number of all spans of the node. O(spans in the range). NULL only when
 * cancelled. */
GArray *loom_span_tree_find_spans (const LoomSpanTreeQuery *query, const LoomCallTree *tree, guint32 node, guint most,
                                   guint64 *n_all, GCancellable *cancellable);
