/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-path-weights.h"

#include "loom-parallel.h"
#include "loom-trace-ranks.h"

/* Upper limits in ns of λ (launch delay) and γ (gap on a stream), as in loom-idle-time.h. λ and γ are the shortest
 * delay and the shortest gap of the rank. The limits are needed for ranks in which every kernel waits for something
 * else: there, even the shortest delay and gap include a wait. */
#define MOST_LAUNCH_NS 50000
#define MOST_PAUSE_NS 10000

#define NODES_PER_PIECE 16384 /* number of nodes whose edges a thread processes at once */

typedef enum {
  LEAST_LAUNCH,
  LEAST_GAP,
  LEAST_SYNC,
  N_LEAST,
} Least;

/* The weights of some kinds of edges are limited to the shortest launch delay (λ), gap on a stream (γ) or return of a
 * blocking call (σ) of the rank, see loom-path-graph.h. Returns which of these limits applies to edges of the kind
 * `kind`; N_LEAST: the weight is not limited. */
static Least
get_least (guint32 kind)
{
  switch (kind) {
  case LOOM_PATH_EDGE_LAUNCH: return LEAST_LAUNCH;
  case LOOM_PATH_EDGE_GAP:
  case LOOM_PATH_EDGE_EVENT: return LEAST_GAP;
  case LOOM_PATH_EDGE_SYNC:
  case LOOM_PATH_EDGE_RETURN: return LEAST_SYNC;
  default: return N_LEAST;
  }
}

/* The ranks of all traces, numbered in the order of the traces. */
typedef struct {
  LoomRun *run;
  LoomTraceRanks *traces;
  guint32 *first; /* [trace] number of the first rank of the trace; the last element is the number of ranks */
} Ranks;

static void
init_ranks (Ranks *ranks, LoomRun *run)
{
  guint n = loom_run_get_n_traces (run);
  *ranks = (Ranks) { run, g_new (LoomTraceRanks, MAX (n, 1)), g_new0 (guint32, n + 1) };
  for (guint i = 0; i < n; i++) {
    loom_trace_ranks_init (&ranks->traces[i], loom_run_get_trace (run, i), i);
    ranks->first[i + 1] = ranks->first[i] + ranks->traces[i].n;
  }
}

static void
clear_ranks (Ranks *ranks)
{
  for (guint i = 0; i < loom_run_get_n_traces (ranks->run); i++)
    loom_trace_ranks_clear (&ranks->traces[i]);
  g_free (ranks->traces);
  g_free (ranks->first);
}

static guint32
get_piece_end (const LoomPathGraph *graph, guint piece)
{
  guint32 first = piece * NODES_PER_PIECE;
  return first + MIN (NODES_PER_PIECE, graph->n - first);
}

/* Returns the number of the rank to which a node belongs. The node must be the start of a kernel or copy, or belong to
 * a call. */
static guint32
get_rank_of (const LoomPathGraph *graph, const Ranks *ranks, guint32 node)
{
  const LoomPathNode *own = &graph->nodes[node];
  gboolean is_work = own->type == LOOM_PATH_NODE_WORK_BEGIN;
  guint32 row, trace = is_work ? loom_path_items_get_work (&graph->items, own->item)->trace
                               : loom_path_items_get_call (&graph->items, own->item)->trace;
  guint32 track = is_work ? 0 : loom_path_items_get_call (&graph->items, own->item)->track;
  if (is_work && ranks->traces[trace].n > 1)
    loom_trace_locate_span (loom_run_get_trace (ranks->run, trace),
                            loom_path_items_get_work (&graph->items, own->item)->span, &track, &row);
  return ranks->first[trace] + ranks->traces[trace].of_track[track];
}

/* Returns TRUE if a node is the end of a kernel or copy that ends earlier in the graph than in the recording
 * (LoomPathWork.left_ns). The time after such a node does not count as a gap, because the kernel was still running. */
static gboolean
is_early_end (const LoomPathGraph *graph, guint32 node)
{
  const LoomPathNode *own = &graph->nodes[node];
  gboolean is_end = own->type == LOOM_PATH_NODE_WORK_END || own->type == LOOM_PATH_NODE_WORK_END_LATE;
  return is_end && own->time_ns < loom_path_items_get_work (&graph->items, own->item)->end_ns;
}

/* Data for computing the weights with several threads. */
typedef struct {
  LoomPathGraph *graph;
  Ranks ranks;
  guint n_least;
  /* [thread · n_least + rank · N_LEAST + kind] the shortest time of the kind (a value of Least) that the thread has
   * found for the rank; `n_least`: number of elements of one thread. At the end, the elements of thread 0 contain the
   * minima over all threads, which weigh_nodes() uses. */
  gint64 *least;
} Weighing;

static void
find_least (guint item, guint worker, gpointer data)
{
  const Weighing *weighing = data;
  const LoomPathGraph *graph = weighing->graph;
  const LoomPathEdge *edges = graph->edges;
  gint64 *least = weighing->least + (gsize) worker * weighing->n_least;
  for (guint32 v = item * NODES_PER_PIECE; v < get_piece_end (graph, item); v++)
    for (guint32 e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++) {
      Least kind = get_least (edges[e].kind);
      if (kind == N_LEAST || edges[e].kind == LOOM_PATH_EDGE_RETURN || is_early_end (graph, edges[e].from))
        continue;
      gint64 *own = &least[get_rank_of (graph, &weighing->ranks, v) * N_LEAST + kind];
      *own = MIN (*own, edges[e].weight_ns);
    }
}

/* If several edges give a node the same time, the edge with the lowest order is the binding edge. Returns the order of
 * the edges of a kind: 0 for a wait for an event; 1 for the previous kernel or copy of the stream; 2 for all other
 * kinds, such as the launch. */
static guint
get_order (guint32 kind)
{
  return kind == LOOM_PATH_EDGE_EVENT ? 0 : kind == LOOM_PATH_EDGE_GAP || kind == LOOM_PATH_EDGE_SYNC ? 1 : 2;
}

/* Moves the binding edge of a node before the node's other edges. The binding edge is the one that gives the latest
 * time. If several edges give this time, it is the one with the lowest get_order(); if several have this order, the
 * first one, which comes from the lowest rank. */
static void
bind_node (LoomPathGraph *graph, guint32 v)
{
  LoomPathEdge *edges = graph->edges + graph->first_edge[v];
  guint32 n = graph->first_edge[v + 1] - graph->first_edge[v], binding = 0;
  gint64 latest_ns = G_MININT64;
  for (guint32 i = 0; i < n; i++) {
    gint64 time_ns = graph->nodes[edges[i].from].time_ns + edges[i].weight_ns;
    gboolean equal = time_ns == latest_ns && get_order (edges[i].kind) < get_order (edges[binding].kind);
    if (time_ns > latest_ns || equal) {
      binding = i;
      latest_ns = time_ns;
    }
  }
  if (n == 0)
    return;
  LoomPathEdge first = edges[binding];
  first.weight_ns += graph->nodes[v].time_ns - latest_ns;
  edges[binding] = edges[0];
  edges[0] = first;
}

static void
weigh_nodes (guint item, guint worker, gpointer data)
{
  const Weighing *weighing = data;
  LoomPathGraph *graph = weighing->graph;
  LoomPathEdge *edges = graph->edges;
  for (guint32 v = item * NODES_PER_PIECE; v < get_piece_end (graph, item); v++) {
    for (guint32 e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++) {
      Least kind = get_least (edges[e].kind);
      if (kind != N_LEAST)
        edges[e].weight_ns =
          MIN (edges[e].weight_ns, weighing->least[get_rank_of (graph, &weighing->ranks, v) * N_LEAST + kind]);
      else if (edges[e].kind == LOOM_PATH_EDGE_ARRIVAL || edges[e].kind == LOOM_PATH_EDGE_FINISH)
        edges[e].weight_ns = 0;
    }
    bind_node (graph, v);
  }
}

void
loom_path_weights_compute (LoomPathGraph *graph)
{
  LoomRun *run = loom_timeline_get_run (graph->items.timeline);
  guint n_threads = loom_parallel_resolve (0), n_pieces = (graph->n + NODES_PER_PIECE - 1) / NODES_PER_PIECE;
  Weighing weighing = { .graph = graph };
  init_ranks (&weighing.ranks, run);
  weighing.n_least = weighing.ranks.first[loom_run_get_n_traces (run)] * N_LEAST;
  g_autofree gint64 *least = weighing.least = g_new (gint64, MAX ((gsize) n_threads * weighing.n_least, 1));
  for (gsize i = 0; i < (gsize) n_threads * weighing.n_least; i++)
    least[i] = i % weighing.n_least % N_LEAST == LEAST_LAUNCH ? MOST_LAUNCH_NS : MOST_PAUSE_NS;
  loom_parallel_for (n_pieces, n_threads, find_least, &weighing, NULL);
  for (gsize i = weighing.n_least; i < (gsize) n_threads * weighing.n_least; i++)
    least[i % weighing.n_least] = MIN (least[i % weighing.n_least], least[i]);
  loom_parallel_for (n_pieces, n_threads, weigh_nodes, &weighing, NULL);
  clear_ranks (&weighing.ranks);
}

void
loom_path_weights_cut_to_range (LoomPathGraph *graph)
{
  LoomPathEdge *edges = graph->edges;
  LoomRange range = graph->items.range;
  if (graph->n == 0 ||
      (graph->nodes[0].time_ns >= range.begin_ns && graph->nodes[graph->n - 1].time_ns <= range.end_ns))
    return; /* all nodes are inside the range, so nothing has to be clipped */
  for (guint32 e = 0; e < graph->n_edges; e++) {
    gint64 begin_ns = graph->nodes[edges[e].from].time_ns;
    edges[e].weight_ns = CLAMP (loom_time_add (begin_ns, edges[e].weight_ns), range.begin_ns, range.end_ns) -
                         CLAMP (begin_ns, range.begin_ns, range.end_ns);
  }
  for (guint32 v = 0; v < graph->n; v++)
    graph->nodes[v].time_ns = CLAMP (graph->nodes[v].time_ns, range.begin_ns, range.end_ns);
}
