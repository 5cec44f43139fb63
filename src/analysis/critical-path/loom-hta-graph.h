/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/critical-path: builds the graph of one trace with the same nodes and edges as Holistic Trace
 * Analysis (HTA); loom-hta-path.h finds the critical path in it. One thread.
 */
#pragma once

#include "loom-hta-path.h"
#include "loom-hta-spans.h"

typedef struct {
  gint64 weight_ns;
  guint32 from, to;
  guint32 attributed; /* index of the span to which HTA attributes the edge; LOOM_HTA_NONE: none */
  guint32 kind;
} LoomHtaEdge;

typedef struct {
  LoomHtaSpans spans;
  gint64 begin_ns, end_ns; /* the graph contains only spans in this window; both ends are included */
  gboolean *in_window;     /* [span] TRUE if the span is in the window */
  GArray *edges;           /* LoomHtaEdge, in the order in which HTA adds them */
  GHashTable *edge_of;     /* key: from · number of nodes + to + 1; value: index of the edge in `edges`, plus 1 */
  GArray *order;           /* guint32: nodes in the order in which they get their first edge */
  gboolean *has_edges;     /* [node] TRUE if an edge begins or ends at the node */
} LoomHtaGraph;

static inline LoomHtaSpan *
loom_hta_graph_get_span (const LoomHtaGraph *graph, guint32 index)
{
  return loom_hta_spans_get (&graph->spans, index);
}

/* Returns the time of a node: node 2 · i is the start of span i, node 2 · i + 1 its end. */
static inline gint64
loom_hta_graph_get_time (const LoomHtaGraph *graph, guint32 node)
{
  const LoomHtaSpan *span = loom_hta_graph_get_span (graph, node / 2);
  return node % 2 == 0 ? span->start_ns : span->end_ns;
}

/* Returns TRUE if a span has nodes: it is an operator, a call or work of a device, and it is in the window. */
static inline gboolean
loom_hta_graph_has_nodes (const LoomHtaGraph *graph, guint32 index)
{
  return index != LOOM_HTA_NONE && graph->in_window[index] &&
         loom_hta_graph_get_span (graph, index)->klass != LOOM_HTA_SPAN_OTHER;
}

/* Makes the graph. The parameters are those of loom_hta_path_new(). Returns FALSE if the window is empty, because the
 * trace has too few spans whose names contain `annotation`. The caller must clear the graph in any case. */
gboolean loom_hta_graph_init (LoomHtaGraph *graph, const LoomTrace *trace, const char *annotation, guint first,
                              guint last);
void loom_hta_graph_clear (LoomHtaGraph *graph);
