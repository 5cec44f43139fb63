/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-hta-path.h"

#include "loom-hta-graph.h"

/* --- longest path through the graph ------------------------------------------------------------------------------- */

/* The edges of each node: either the edges that begin at the node or those that end at it. The indices of the edges of
 * `node` are the elements first[node] to first[node + 1] − 1 of `edges`, in the order in which the edges were added. */
typedef struct {
  guint32 *first, *edges;
} Adjacency;

static Adjacency
list_edges (const LoomHtaGraph *graph, gboolean by_target)
{
  guint32 n = 2 * graph->spans.spans->len;
  Adjacency made = { g_new0 (guint32, n + 2), g_new (guint32, MAX (graph->edges->len, 1)) };
  for (guint32 i = 0; i < graph->edges->len; i++) {
    const LoomHtaEdge *edge = &g_array_index (graph->edges, LoomHtaEdge, i);
    made.first[(by_target ? edge->to : edge->from) + 2]++;
  }
  for (guint32 i = 2; i < n + 2; i++)
    made.first[i] += made.first[i - 1];
  for (guint32 i = 0; i < graph->edges->len; i++) {
    const LoomHtaEdge *edge = &g_array_index (graph->edges, LoomHtaEdge, i);
    made.edges[made.first[(by_target ? edge->to : edge->from) + 1]++] = i;
  }
  return made;
}

static void
clear_edges (Adjacency *adjacency)
{
  g_free (adjacency->first);
  g_free (adjacency->edges);
}

/* Returns the nodes in the topological order of networkx: in generations, where the predecessors of a node are all in
 * earlier generations. If the graph has a cycle, the nodes of the cycle and the nodes after it are missing. */
static GArray *
sort_topologically (const LoomHtaGraph *graph, const Adjacency *out)
{
  GArray *sorted = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint32 *n_open = g_new0 (guint32, 2 * graph->spans.spans->len + 1);
  for (guint32 i = 0; i < graph->edges->len; i++)
    n_open[g_array_index (graph->edges, LoomHtaEdge, i).to]++;
  for (guint i = 0; i < graph->order->len; i++)
    if (n_open[g_array_index (graph->order, guint32, i)] == 0)
      g_array_append_val (sorted, g_array_index (graph->order, guint32, i));
  for (guint i = 0; i < sorted->len; i++) {
    guint32 node = g_array_index (sorted, guint32, i);
    for (guint32 k = out->first[node]; k < out->first[node + 1]; k++) {
      guint32 to = g_array_index (graph->edges, LoomHtaEdge, out->edges[k]).to;
      if (--n_open[to] == 0)
        g_array_append_val (sorted, to);
    }
  }
  return sorted;
}

/* Returns the weight of an edge in ns; 0 if the weight is −1 µs or less. */
static gint64
get_weight (const LoomHtaEdge *edge)
{
  return edge->weight_ns <= -1000 ? 0 : edge->weight_ns;
}

/* Sets via[node], for each node, to the last edge of the longest path that ends at the node; LOOM_HTA_NONE: this path
 * consists of the node alone. Returns the node at which the longest path of the graph ends, and sets `length_ns` to the
 * length of this path. */
static guint32
find_longest (const LoomHtaGraph *graph, const Adjacency *in, const GArray *sorted, guint32 *via, gint64 *length_ns)
{
  g_autofree gint64 *lengths = g_new (gint64, 2 * graph->spans.spans->len + 1);
  guint32 last = LOOM_HTA_NONE;
  for (guint i = 0; i < sorted->len; i++) {
    guint32 node = g_array_index (sorted, guint32, i);
    lengths[node] = G_MININT64;
    via[node] = LOOM_HTA_NONE;
    for (guint32 k = in->first[node]; k < in->first[node + 1]; k++) {
      const LoomHtaEdge *edge = &g_array_index (graph->edges, LoomHtaEdge, in->edges[k]);
      gint64 length = lengths[edge->from] + get_weight (edge);
      if (length <= lengths[node])
        continue;
      lengths[node] = length;
      via[node] = in->edges[k];
    }
    if (lengths[node] < 0) {
      lengths[node] = 0;
      via[node] = LOOM_HTA_NONE;
    }
    if (last == LOOM_HTA_NONE || lengths[node] > lengths[last])
      last = node;
  }
  *length_ns = last != LOOM_HTA_NONE ? lengths[last] : 0;
  return last;
}

static void
count_edge (LoomHtaEdges *edges, const LoomHtaEdge *edge)
{
  edges[edge->kind].n++;
  edges[edge->kind].n_zero += edge->weight_ns == 0;
  edges[edge->kind].weight_ns += edge->weight_ns;
}

static void
bound (const LoomHtaGraph *graph, LoomHtaPath *path, const LoomHtaEdge *edge)
{
  if (edge->kind == LOOM_HTA_EDGE_KERNEL)
    path->bound_ns[LOOM_HTA_BOUND_KERNEL] += edge->weight_ns;
  else if (edge->kind == LOOM_HTA_EDGE_LAUNCH)
    path->bound_ns[LOOM_HTA_BOUND_LAUNCH] += edge->weight_ns;
  else if (edge->kind == LOOM_HTA_EDGE_OPERATOR && edge->attributed != LOOM_HTA_NONE) {
    const LoomHtaSpan *span = loom_hta_graph_get_span (graph, edge->attributed);
    LoomHtaBound by = span->stream < 0                                  ? LOOM_HTA_BOUND_HOST
                      : (span->flags & LOOM_HTA_NAME_COMMUNICATES) != 0 ? LOOM_HTA_BOUND_COMMUNICATION
                                                                        : LOOM_HTA_BOUND_COMPUTE;
    path->bound_ns[by] += edge->weight_ns;
  }
}

static void
trace_back (const LoomHtaGraph *graph, LoomHtaPath *path, const guint32 *via, guint32 last)
{
  for (guint32 node = last, next; node != LOOM_HTA_NONE; node = next) {
    const LoomHtaEdge *edge = via[node] != LOOM_HTA_NONE ? &g_array_index (graph->edges, LoomHtaEdge, via[node]) : NULL;
    LoomHtaNode own = { .span = loom_hta_graph_get_span (graph, node / 2)->span,
                        .is_end = node % 2 == 1,
                        .time_ns = loom_hta_graph_get_time (graph, node),
                        .attributed = G_MAXUINT32 };
    next = edge != NULL ? edge->from : LOOM_HTA_NONE;
    if (edge != NULL) {
      own.kind = edge->kind;
      own.weight_ns = edge->weight_ns;
      own.attributed =
        edge->attributed != LOOM_HTA_NONE ? loom_hta_graph_get_span (graph, edge->attributed)->span : G_MAXUINT32;
      count_edge (path->path_edges, edge);
      bound (graph, path, edge);
    }
    g_array_append_val (path->path, own);
  }
  for (guint i = 0, k = path->path->len; i + 1 < k; i++) {
    LoomHtaNode *a = &g_array_index (path->path, LoomHtaNode, i), *b = &g_array_index (path->path, LoomHtaNode, --k),
                kept = *a;
    *a = *b;
    *b = kept;
  }
}

/* Finds the longest path. Returns FALSE if the graph has a cycle. */
static gboolean
find_path (const LoomHtaGraph *graph, LoomHtaPath *path)
{
  Adjacency out = list_edges (graph, FALSE), in = list_edges (graph, TRUE);
  g_autoptr (GArray) sorted = sort_topologically (graph, &out);
  g_autofree guint32 *via = g_new (guint32, 2 * graph->spans.spans->len + 1);
  gboolean acyclic = sorted->len == graph->order->len;
  if (acyclic)
    trace_back (graph, path, via, find_longest (graph, &in, sorted, via, &path->length_ns));
  clear_edges (&out);
  clear_edges (&in);
  return acyclic;
}

/* --- public functions and their helpers --------------------------------------------------------------------------- */

static void
count (const LoomHtaGraph *graph, LoomHtaPath *path)
{
  for (guint32 i = 0; i < graph->spans.spans->len; i++) {
    const LoomHtaSpan *span = loom_hta_graph_get_span (graph, i);
    path->n_spans += loom_hta_graph_has_nodes (graph, i) && (span->klass != LOOM_HTA_SPAN_SYNC || span->stream >= 0);
  }
  path->n_nodes = graph->order->len;
  for (guint i = 0; i < graph->edges->len; i++)
    count_edge (path->edges, &g_array_index (graph->edges, LoomHtaEdge, i));
}

LoomHtaPath *
loom_hta_path_new (const LoomTrace *trace, const char *annotation, guint first, guint last)
{
  g_return_val_if_fail (trace != NULL && annotation != NULL, NULL);
  LoomHtaGraph graph;
  g_autoptr (LoomHtaPath) path = g_new0 (LoomHtaPath, 1);
  path->path = g_array_new (FALSE, FALSE, sizeof (LoomHtaNode));
  gboolean found = loom_hta_graph_init (&graph, trace, annotation, first, last);
  if (found) {
    count (&graph, path);
    found = find_path (&graph, path);
  }
  loom_hta_graph_clear (&graph);
  return found ? g_steal_pointer (&path) : NULL;
}

void
loom_hta_path_free (LoomHtaPath *path)
{
  if (path == NULL)
    return;
  g_array_unref (path->path);
  g_free (path);
}
