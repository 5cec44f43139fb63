/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/critical-path: follows the binding edges of the graph backwards, and divides them into the
 * segments of the path (LoomPathStretch). For the whole range, first lists the nodes of the path, which is fast; then
 * several threads divide the edges.
 */
#pragma once

#include "loom-path-host.h"
#include "loom-path-sets.h"

typedef struct {
  const LoomPathGraph *graph; /* borrowed */
  const LoomRunNames *names;  /* borrowed; NULL: names of segments are not needed */
  LoomPathSets *sets;         /* borrowed; NULL: times by parallel axis and by class of modules are not needed */
  GCancellable *cancellable;  /* borrowed */
  guint n_threads;
  LoomPathHost *hosts; /* one element for each thread */
  /* [node] NOT_DIVIDED, WITHOUT_DATA or WITH_DATA: whether the time of the node's binding edge was divided into
   * segments, and whether these contain data loading. The binding edge is the edge that determines the time of the
   * node. Only the binding edges on the path of the range are divided. */
  guint8 *divided;
} LoomPathWalk;

void loom_path_walk_init (LoomPathWalk *walk, const LoomPathGraph *graph, const LoomRunNames *names, LoomPathSets *sets,
                          GCancellable *cancellable);
void loom_path_walk_clear (LoomPathWalk *walk);

/* Appends the segments of the path of the whole range to `stretches` (LoomPathStretch), in order of time. Sets
 * LoomPathStretch.name to the id in LoomRunNames; to LOOM_PATH_NONE if the segment has no span; to 0 if walk->names is
 * NULL. Adds the time of the segments to kinds_ns[LoomPathKind] and, unless walk->sets is NULL, to the times in
 * walk->sets. The result is incomplete when cancelled. */
void loom_path_walk_add_stretches (LoomPathWalk *walk, GArray *stretches, gint64 *kinds_ns);

/* Follows the binding edges backwards from a node to the start of a step. Several threads may call this function at
 * the same time after loom_path_walk_add_stretches(), each with its own `thread`, which must be less than
 * walk->n_threads. `begins_ns`: array indexed by the number of a process (LoomPathCall.line); an element is the time
 * at which this process starts the step. Adds the time of the edges to kinds_ns[LoomPathKind]. Returns the last node
 * that was reached. */
guint32 loom_path_walk_sum_step (LoomPathWalk *walk, guint thread, guint32 node, const gint64 *begins_ns,
                                 gint64 *kinds_ns);

/* Returns the number of the process (LoomPathCall.line) to which a node of the host belongs; LOOM_PATH_NONE: the node
 * belongs to a device. */
guint32 loom_path_walk_get_line (const LoomPathGraph *graph, guint32 node);
