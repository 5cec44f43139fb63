/* SPDX-License-Identifier: Apache-2.0
 *
 * The critical path of one trace as Holistic Trace Analysis (HTA) computes it (hta/analyzers/critical_path_analysis.py
 * at f4d0062c382f, MIT), for comparison with HTA's results. loom-critical-path.h is Traceloom's own method.
 *
 * Nodes are the starts and ends of operators, calls and device work that began in a window. The critical path is the
 * path with the greatest sum of edge weights. Of several such paths, it is the one that networkx 2.8.8 finds in HTA:
 * nodes and edges have the same order as there. HTA computes in µs as floating-point numbers, this code in whole ns.
 *
 * Memory during the computation: about 170 bytes for each span of the window; the result has 40 bytes for each node of
 * the path. Immutable when made, freed by its owner; any thread. Times are ns of the trace's own clock.
 */
#pragma once

#include "loom-timeline.h"

typedef enum {
  /* an edge within an operator, a call or a kernel, or between operators with the same parent */
  LOOM_HTA_EDGE_OPERATOR,
  LOOM_HTA_EDGE_DEPENDENCY,
  LOOM_HTA_EDGE_LAUNCH,
  LOOM_HTA_EDGE_KERNEL, /* an edge between kernels of one stream */
  LOOM_HTA_EDGE_SYNC,
  LOOM_N_HTA_EDGES,
} LoomHtaEdgeKind;

typedef enum {
  LOOM_HTA_BOUND_HOST,
  LOOM_HTA_BOUND_COMPUTE,
  LOOM_HTA_BOUND_COMMUNICATION,
  LOOM_HTA_BOUND_KERNEL,
  LOOM_HTA_BOUND_LAUNCH,
  LOOM_N_HTA_BOUNDS,
} LoomHtaBound;

typedef struct {
  guint64 n, n_zero; /* `n`: number of edges; `n_zero`: number of edges with weight 0 */
  gint64 weight_ns;
} LoomHtaEdges;

typedef struct {
  guint32 span;
  gboolean is_end;
  gint64 time_ns;
  /* The members below describe the edge from the previous node of the path; unset for the first node. */
  LoomHtaEdgeKind kind;
  gint64 weight_ns;
  guint32 attributed; /* span to which HTA attributes the edge; G_MAXUINT32: none */
} LoomHtaNode;

typedef struct {
  guint64 n_spans; /* number of spans of the window whose start and end are nodes */
  guint64 n_nodes; /* number of nodes that have an edge */
  LoomHtaEdges edges[LOOM_N_HTA_EDGES], path_edges[LOOM_N_HTA_EDGES];
  gint64 length_ns;
  gint64 bound_ns[LOOM_N_HTA_BOUNDS]; /* [LoomHtaBound] sum of the weights of the path's edges with this bound */
  GArray *path;                       /* LoomHtaNode, in order of time */
} LoomHtaPath;

/* Computes the critical path as HTA does. The window is from instance `first` to instance `last` of the spans whose
 * names contain `annotation`; "": the whole trace. Returns NULL if there are no such instances, or if the graph has a
 * cycle. O(spans · log spans). */
LoomHtaPath *loom_hta_path_new (const LoomTrace *trace, const char *annotation, guint first, guint last);
void loom_hta_path_free (LoomHtaPath *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomHtaPath, loom_hta_path_free)
