/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: the graph of a critical path. A node is a moment: the start or end of a call or a work
 * (loom-path-items.h), the last arrival at a collective, or the start or end of a step. An edge from node a to node b
 * means that b cannot be earlier than a plus the weight of the edge in ns. Nodes are sorted by time, so every edge
 * points forward. A replay computes all times again in one pass over the nodes. The first edge that leads to a node is
 * the binding edge, which determined the time of the node.
 *
 * Kinds of edges, each with its first node → its second node, and its weight:
 *   host      one call of a process → the next; weight as measured
 *   return    start → end of a blocking call; weight at most σ
 *   launch    start of the call → start of the work; weight at most λ
 *   gap       end of the previous work of the stream, or of awaited work → start of the work; weight at most γ
 *   sync      end of the awaited work → end of the blocking call; weight at most σ
 *   work      start → end of the work; weight as measured
 *   arrival   start of a member → last arrival; weight 0
 *   transfer  last arrival → end of a member; weight as measured
 *
 * If two works overlap on a stream, the first one ends in the graph when the second one starts (LoomPathWork.left_ns).
 *
 * λ (launch delay), γ (gap on a stream) and σ (return of a blocking call) are the shortest edges of these kinds in the
 * rank. If the edges to a node result in an earlier time than the measured time, the difference is added to the binding
 * edge. So a replay without changes reproduces every measured time. Then times and weights are clipped to the range, so
 * that savings do not include time outside of the range.
 *
 * Memory: 16 bytes for each node and edge; about 160 bytes for a kernel with its launch (3 nodes, 3 to 4 edges, a work
 * and a call), nothing for other spans. Immutable when built; any thread.
 */
#pragma once

#include "loom-path-items.h"

/* Types of nodes, in the order in which nodes of equal times are replayed. */
typedef enum {
  LOOM_PATH_NODE_CALL_BEGIN,
  LOOM_PATH_NODE_WORK_END,
  LOOM_PATH_NODE_WORK_BEGIN,
  LOOM_PATH_NODE_JOIN,
  /* end of a kernel or copy that takes no time, or that ends exactly when the last rank arrives at its collective */
  LOOM_PATH_NODE_WORK_END_LATE,
  LOOM_PATH_NODE_CALL_END,
  LOOM_PATH_NODE_MARK_END,
  LOOM_PATH_NODE_MARK_BEGIN,
  LOOM_PATH_NODE_FINISH, /* the end of all kernels, copies and calls; the last node */
} LoomPathNodeType;

typedef struct {
  gint64 time_ns; /* on the timeline, inside the range */
  /* index of the call, work, join or mark in its array of LoomPathItems; `type` determines the array */
  guint32 item;
  guint32 type; /* LoomPathNodeType of the node */
} LoomPathNode;

typedef enum {
  LOOM_PATH_EDGE_HOST,
  LOOM_PATH_EDGE_RETURN, /* start → end of a blocking call */
  LOOM_PATH_EDGE_LAUNCH,
  LOOM_PATH_EDGE_GAP,
  LOOM_PATH_EDGE_EVENT, /* end of a kernel or copy on another stream → start of the kernel or copy that waits for it */
  LOOM_PATH_EDGE_SYNC,
  LOOM_PATH_EDGE_WORK,
  LOOM_PATH_EDGE_ARRIVAL,
  LOOM_PATH_EDGE_TRANSFER,
  LOOM_PATH_EDGE_RELEASE, /* last arrival → end of a collective of the hosts */
  LOOM_PATH_EDGE_FINISH,
} LoomPathEdgeKind;

typedef struct {
  gint64 weight_ns;
  guint32 from; /* index of the node at which the edge begins */
  guint32 kind; /* LoomPathEdgeKind of the edge */
} LoomPathEdge;

typedef struct _LoomPathGraph {
  LoomPathItems items;
  LoomPathNode *nodes;
  guint32 n;
  guint32 *mark_nodes; /* [mark] index of the mark's node */
  /* [node] index of the first of the edges that lead to this node; the last element is the number of edges */
  guint32 *first_edge;
  /* sorted by the node to which they lead; the first edge to each node is the binding one, see the top of this file */
  LoomPathEdge *edges;
  guint32 n_edges;
  /* number of edges that were dropped because they lead back in time, for example from a launch to a kernel that starts
   * before it */
  guint64 n_dropped;
} LoomPathGraph;

/* Makes the graph of a range. NULL only when cancelled. O(spans of the hosts + w · log w), where w is the number of
 * kernels and copies. */
LoomPathGraph *loom_path_graph_new (LoomTimeline *timeline, LoomRange range, const LoomCollectives *collectives,
                                    const LoomSteps *steps, GCancellable *cancellable);
void loom_path_graph_free (LoomPathGraph *graph);

static inline const LoomPathEdge *
loom_path_graph_get_edges (const LoomPathGraph *graph, guint32 node, guint32 *n)
{
  *n = graph->first_edge[node + 1] - graph->first_edge[node];
  return graph->edges + graph->first_edge[node];
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPathGraph, loom_path_graph_free)
