/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/critical-path: walks back along the binding edges of the graph, and divides them into the
 * segments of the path (LoomPathStretch). The walk of the whole range first lists its nodes, which is fast; then several
 * threads divide the edges, each a part of them.
 */
#pragma once

#include "loom-path-host.h"
#include "loom-path-sets.h"

typedef struct {
  const LoomPathGraph *graph; /* borrowed */
  const LoomRunNames *names;  /* borrowed; NULL: names of segments are not wanted */
  LoomPathSets *sets;         /* borrowed; NULL: times by parallel axis and by class of modules are not wanted */
  GCancellable *cancellable;  /* borrowed */
  guint n_threads;
  LoomPathHost *hosts; /* [thread] */
  /* [node] how the edge was divided that binds the node, if this edge is on the path of the range */
  guint8 *divided;
} LoomPathWalk;

void loom_path_walk_init (LoomPathWalk *walk, const LoomPathGraph *graph, const LoomRunNames *names, LoomPathSets *sets,
                          GCancellable *cancellable);
void loom_path_walk_clear (LoomPathWalk *walk);

/* Appends the segments of the path of the whole range to `stretches` (LoomPathStretch), in order of time. Sets
 * LoomPathStretch.name to the id in LoomRunNames; LOOM_PATH_NONE: the segment has no span; 0: names are not wanted.
 * Adds the time of the segments to kinds_ns[LoomPathKind] and, unless walk->sets is NULL, to the time of the sets. The
 * result is incomplete when cancelled. */
void loom_path_walk_add_stretches (LoomPathWalk *walk, GArray *stretches, gint64 *kinds_ns);

/* Walks back from a node to the start of a step. Several threads may call this function at the same time after
 * loom_path_walk_add_stretches(), each with its own `thread`, which must be less than walk->n_threads. `begins_ns`: [LoomPathCall.line] time at which the process with this
 * number starts the step. Adds the time of the edges to kinds_ns[LoomPathKind]. Returns the node where the walk
 * ends. */
guint32 loom_path_walk_sum_step (LoomPathWalk *walk, guint thread, guint32 node, const gint64 *begins_ns,
                                 gint64 *kinds_ns);

/* Returns the number of the process (LoomPathCall.line) to which a node of the host belongs; LOOM_PATH_NONE: the node
 * belongs to a device. */
guint32 loom_path_walk_get_line (const LoomPathGraph *graph, guint32 node);
