/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/critical-path: the weights of the edges of a graph, as described in loom-path-graph.h.
 */
#pragma once

#include "loom-path-graph.h"

/* Changes the weight of each edge from the measured time to the shortest time that the edge can take, and moves the
 * binding edge of each node before its other edges. Uses all processors. O(edges). */
void loom_path_weights_compute (LoomPathGraph *graph);

/* Clamps the times of the nodes to the range, and shortens the edges accordingly, so that savings do not include time
 * outside the range. Must be called after loom_path_weights_compute(), which needs the measured times. O(edges). */
void loom_path_weights_cut_to_range (LoomPathGraph *graph);
