/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-path-graph.h"

#include "loom-merge-sort.h"
#include "loom-path-recordings.h"
#include "loom-trace-ranks.h"

/* Upper limits in ns of λ (launch delay) and γ (gap on a stream), as in loom-idle-time.h. λ and γ are the shortest
 * delay and gap of the rank. The limits are needed for a rank in which every kernel waits for something else, so that
 * even its shortest delay and gap include a wait. */
#define MOST_LAUNCH_NS 50000
#define MOST_PAUSE_NS 10000
#define CHECK_EVERY 4096 /* number of nodes between two checks of the cancellable */
#define MOST_OVERLAPS 16 /* number of kernels and copies that find_previous_end() looks at */

typedef struct {
  LoomPathGraph *graph;
  /* [index in LoomPathItems.works] node of the start or end of the kernel or copy; LOOM_PATH_NONE until the edges that
   * lead to this node are added */
  guint32 *work_begin, *work_end;
  guint32 *call_begin, *call_end;
  guint32 *join;      /* [join] index of the join's node */
  guint32 *last_host; /* [LoomPathCall.line] last node of this process on the host so far */
  /* [index in LoomPathItems.works or .calls] index in LoomPathItems.waits of the first wait of the kernel, copy or
   * call; LOOM_PATH_NONE: it does not wait */
  guint32 *wait_works, *wait_calls;
  GArray *arrivals; /* Arrival, sorted by join */
  guint next_arrival;
} Building;

/* A kernel, copy or call that takes part in a LoomPathJoin. */
typedef struct {
  guint32 join, item;
  gboolean is_call;
} Arrival;

static gboolean
is_before (const LoomPathNode *a, const LoomPathNode *b)
{
  return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->type < b->type;
}

#define IS_BEFORE(a, b) is_before (a, b)
LOOM_DEFINE_SORT (sort_nodes, LoomPathNode, IS_BEFORE)

/* --- nodes of the graph ------------------------------------------------------------------------------------------- */

static void
add_node (GArray *nodes, gint64 time_ns, guint32 item, LoomPathNodeType type)
{
  LoomPathNode node = { time_ns, item, type };
  g_array_append_val (nodes, node);
}

static void
add_work_nodes (const LoomPathItems *items, GArray *nodes)
{
  for (guint32 i = 0; i < items->works->len; i++) {
    const LoomPathWork *work = loom_path_items_get_work (items, i);
    gint64 earliest_ns =
      work->join != LOOM_PATH_NONE ? g_array_index (items->joins, LoomPathJoin, work->join).arrival_ns : work->begin_ns;
    add_node (nodes, work->begin_ns, i, LOOM_PATH_NODE_WORK_BEGIN);
    gint64 end_ns = MAX (work->left_ns, earliest_ns);
    add_node (nodes, end_ns, i, end_ns == earliest_ns ? LOOM_PATH_NODE_WORK_END_LATE : LOOM_PATH_NODE_WORK_END);
  }
}

static void
add_other_nodes (const LoomPathItems *items, GArray *nodes)
{
  for (guint32 i = 0; i < items->calls->len; i++) {
    const LoomPathCall *call = loom_path_items_get_call (items, i);
    add_node (nodes, call->begin_ns, i, LOOM_PATH_NODE_CALL_BEGIN);
    if (call->flags != 0)
      add_node (nodes, call->end_ns, i, LOOM_PATH_NODE_CALL_END);
  }
  for (guint32 i = 0; i < items->joins->len; i++)
    add_node (nodes, g_array_index (items->joins, LoomPathJoin, i).arrival_ns, i, LOOM_PATH_NODE_JOIN);
  for (guint32 i = 0; i < items->marks->len; i++) {
    const LoomPathMark *mark = &g_array_index (items->marks, LoomPathMark, i);
    add_node (nodes, mark->time_ns, i, mark->begins ? LOOM_PATH_NODE_MARK_BEGIN : LOOM_PATH_NODE_MARK_END);
  }
}

static void
add_nodes (LoomPathGraph *graph)
{
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (LoomPathNode));
  add_other_nodes (&graph->items, nodes);
  add_work_nodes (&graph->items, nodes);
  sort_nodes ((LoomPathNode *) (gpointer) nodes->data, nodes->len);
  if (nodes->len > 0)
    add_node (nodes, g_array_index (nodes, LoomPathNode, nodes->len - 1).time_ns, 0, LOOM_PATH_NODE_FINISH);
  graph->n = nodes->len;
  graph->nodes = (LoomPathNode *) (gpointer) g_array_free (nodes, FALSE);
}

/* --- edges of the graph ------------------------------------------------------------------------------------------- */

static void
add_edge (Building *building, guint32 from, LoomPathEdgeKind kind, guint32 to)
{
  if (from == LOOM_PATH_NONE) { /* the edge would lead back in time, or its first node is not in the file */
    building->graph->n_dropped++;
    return;
  }
  gint64 passed_ns = building->graph->nodes[to].time_ns - building->graph->nodes[from].time_ns;
  LoomPathEdge edge = { passed_ns, from, kind };
  g_array_append_val (building->graph->edges, edge);
}

static void
add_waits (Building *building, gboolean is_call, guint32 target, guint32 to)
{
  const GArray *waits = building->graph->items.waits;
  guint32 first = is_call ? building->wait_calls[target] : building->wait_works[target];
  for (guint32 i = first; i < waits->len; i++) {
    const LoomPathWait *wait = &g_array_index (waits, LoomPathWait, i);
    if (wait->is_call != is_call || wait->target != target)
      break;
    add_edge (building, building->work_end[wait->work], is_call ? LOOM_PATH_EDGE_SYNC : LOOM_PATH_EDGE_EVENT, to);
  }
}

/* Adds an edge from the last host node of a process to the node `to`, which becomes the last host node. */
static void
add_host_edge (Building *building, guint32 line, LoomPathEdgeKind kind, guint32 to)
{
  if (building->last_host[line] != LOOM_PATH_NONE)
    add_edge (building, building->last_host[line], kind, to);
  building->last_host[line] = to;
}

static void
enter_call (Building *building, guint32 node, guint32 item, gboolean begins)
{
  const LoomPathCall *call = loom_path_items_get_call (&building->graph->items, item);
  if (begins) {
    building->call_begin[item] = node;
    add_host_edge (building, call->line, LOOM_PATH_EDGE_HOST, node);
    return;
  }
  building->call_end[item] = node;
  if (call->join != LOOM_PATH_NONE && building->join[call->join] != LOOM_PATH_NONE) {
    add_edge (building, building->join[call->join], LOOM_PATH_EDGE_RELEASE, node);
    building->last_host[call->line] = node;
    return;
  }
  add_host_edge (building, call->line, LOOM_PATH_EDGE_RETURN, node);
  add_waits (building, TRUE, item, node);
}

/* `previous`: the kernel or copy before the current one on its stream. Returns the node at which it ends. This node
 * does not exist yet if `previous` takes part in a collective whose last rank has not arrived; then earlier kernels and
 * copies of the stream are searched. LOOM_PATH_NONE: none of the last MOST_OVERLAPS kernels and copies has ended. */
static guint32
find_previous_end (const Building *building, guint32 previous)
{
  for (guint i = 0; i < MOST_OVERLAPS && previous != LOOM_PATH_NONE; i++) {
    if (building->work_end[previous] != LOOM_PATH_NONE)
      return building->work_end[previous];
    previous = loom_path_items_get_work (&building->graph->items, previous)->previous;
  }
  return LOOM_PATH_NONE;
}

static void
begin_work (Building *building, guint32 node, guint32 item)
{
  const LoomPathWork *work = loom_path_items_get_work (&building->graph->items, item);
  add_waits (building, FALSE, item, node);
  if (work->previous != LOOM_PATH_NONE)
    add_edge (building, find_previous_end (building, work->previous), LOOM_PATH_EDGE_GAP, node);
  if (work->launch != LOOM_PATH_NONE)
    add_edge (building, building->call_begin[work->launch], LOOM_PATH_EDGE_LAUNCH, node);
  building->work_begin[item] = node;
}

static void
end_work (Building *building, guint32 node, guint32 item)
{
  const LoomPathWork *work = loom_path_items_get_work (&building->graph->items, item);
  gboolean joined = work->join != LOOM_PATH_NONE && building->join[work->join] != LOOM_PATH_NONE;
  if (joined)
    add_edge (building, building->join[work->join], LOOM_PATH_EDGE_TRANSFER, node);
  else
    add_edge (building, building->work_begin[item], LOOM_PATH_EDGE_WORK, node);
  building->work_end[item] = node;
}

static void
enter_join (Building *building, guint32 node, guint32 item)
{
  guint low = 0, high = building->arrivals->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (g_array_index (building->arrivals, Arrival, middle).join < item)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < building->arrivals->len; low++) {
    const Arrival *arrival = &g_array_index (building->arrivals, Arrival, low);
    if (arrival->join != item)
      break;
    add_edge (building, arrival->is_call ? building->call_begin[arrival->item] : building->work_begin[arrival->item],
              LOOM_PATH_EDGE_ARRIVAL, node);
  }
  building->join[item] = node;
}

/* Returns an array with one element per recording: TRUE if a replay (a new computation of all times with some work made
 * faster) can change the times of the recording's kernels and copies, because the recording contains calls that launch
 * them, or because they take part in collectives or messages. If the last kernel or copy of the graph is in a recording
 * to which neither applies, all elements are TRUE. Owned by the caller. */
static gboolean *
find_moving (const LoomPathItems *items, const LoomPathRecordings *recordings, gint64 end_ns)
{
  gboolean *moves = g_new0 (gboolean, MAX (recordings->n, 1)), holds_end = FALSE;
  for (guint32 i = 0; i < items->calls->len; i++) {
    const LoomPathCall *call = loom_path_items_get_call (items, i);
    moves[loom_path_recordings_get (recordings, call->trace, call->span)] = TRUE;
  }
  for (guint32 i = 0; i < items->works->len; i++) {
    const LoomPathWork *work = loom_path_items_get_work (items, i);
    if (work->join != LOOM_PATH_NONE)
      moves[loom_path_recordings_get (recordings, work->trace, work->span)] = TRUE;
  }
  for (guint32 i = 0; i < items->works->len && !holds_end; i++) {
    const LoomPathWork *work = loom_path_items_get_work (items, i);
    holds_end = work->end_ns >= end_ns && !moves[loom_path_recordings_get (recordings, work->trace, work->span)];
  }
  for (guint32 i = 0; holds_end && i < recordings->n; i++)
    moves[i] = TRUE;
  return moves;
}

/* Returns an array with one element per kernel or copy: 1 if it is the last one on its stream, else 0. Owned by the
 * caller. */
static guint8 *
find_last_works (const LoomPathItems *items)
{
  guint8 *is_last = g_malloc (MAX (items->works->len, 1));
  memset (is_last, 1, items->works->len);
  for (guint32 i = 0; i < items->works->len; i++)
    if (loom_path_items_get_work (items, i)->previous != LOOM_PATH_NONE)
      is_last[loom_path_items_get_work (items, i)->previous] = 0;
  return is_last;
}

/* Adds the edges to `node`, the last node of the graph: from the last node of each process, and from the last kernel or
 * copy of each stream. Skips kernels and copies whose times no replay can change (find_moving()), such as those of
 * another profiler that recorded no launches. Edges from them would limit all savings. */
static void
finish (Building *building, guint32 node)
{
  const LoomPathItems *items = &building->graph->items;
  guint n_traces = loom_run_get_n_traces (loom_timeline_get_run (items->timeline));
  LoomPathRecordings recordings;
  loom_path_recordings_init (&recordings, loom_timeline_get_run (items->timeline));
  g_autofree gboolean *moves = find_moving (items, &recordings, building->graph->nodes[node].time_ns);
  g_autofree guint8 *is_last = find_last_works (items);
  for (guint32 i = 0; i < items->first_line[n_traces]; i++)
    if (building->last_host[i] != LOOM_PATH_NONE)
      add_edge (building, building->last_host[i], LOOM_PATH_EDGE_FINISH, node);
  for (guint32 i = 0; i < items->works->len; i++) {
    const LoomPathWork *work = loom_path_items_get_work (items, i);
    if (is_last[i] && moves[loom_path_recordings_get (&recordings, work->trace, work->span)])
      add_edge (building, building->work_end[i], LOOM_PATH_EDGE_FINISH, node);
  }
  loom_path_recordings_clear (&recordings);
}

static void
enter_node (Building *building, guint32 node)
{
  const LoomPathNode *own = &building->graph->nodes[node];
  switch ((LoomPathNodeType) own->type) {
  case LOOM_PATH_NODE_CALL_BEGIN: enter_call (building, node, own->item, TRUE); break;
  case LOOM_PATH_NODE_CALL_END: enter_call (building, node, own->item, FALSE); break;
  case LOOM_PATH_NODE_WORK_BEGIN: begin_work (building, node, own->item); break;
  case LOOM_PATH_NODE_WORK_END:
  case LOOM_PATH_NODE_WORK_END_LATE: end_work (building, node, own->item); break;
  case LOOM_PATH_NODE_JOIN: enter_join (building, node, own->item); break;
  case LOOM_PATH_NODE_FINISH: finish (building, node); break;
  case LOOM_PATH_NODE_MARK_BEGIN:
  case LOOM_PATH_NODE_MARK_END:
    building->graph->mark_nodes[own->item] = node;
    add_host_edge (building, g_array_index (building->graph->items.marks, LoomPathMark, own->item).line,
                   LOOM_PATH_EDGE_HOST, node);
  }
}

/* --- weights of the edges ----------------------------------------------------------------------------------------- */

typedef enum {
  LEAST_LAUNCH,
  LEAST_GAP,
  LEAST_SYNC,
  N_LEAST,
} Least;

/* The weight of an edge of some kinds is at most the shortest time of this kind in the rank: λ (launch delay), γ
 * (gap on a stream) or σ (return of a blocking call), see loom-path-graph.h. Returns which of these times limits an
 * edge of the kind `kind`; N_LEAST: none of them. */
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

/* Returns the number of the rank of a node that is the start of a kernel or copy, or belongs to a call. */
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

/* Returns TRUE if a node is the end of a kernel or copy that ends earlier in the graph than it was recorded
 * (LoomPathWork.left_ns). The time after such a node is not used to find the shortest gap, because the kernel was still
 * running. */
static gboolean
is_early_end (const LoomPathGraph *graph, guint32 node)
{
  const LoomPathNode *own = &graph->nodes[node];
  gboolean is_end = own->type == LOOM_PATH_NODE_WORK_END || own->type == LOOM_PATH_NODE_WORK_END_LATE;
  return is_end && own->time_ns < loom_path_items_get_work (&graph->items, own->item)->end_ns;
}

static void
find_least (const LoomPathGraph *graph, const Ranks *ranks, gint64 *least)
{
  const LoomPathEdge *edges = (const LoomPathEdge *) (gpointer) graph->edges->data;
  for (guint32 v = 0; v < graph->n; v++)
    for (guint32 e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++) {
      Least kind = get_least (edges[e].kind);
      if (kind == N_LEAST || edges[e].kind == LOOM_PATH_EDGE_RETURN || is_early_end (graph, edges[e].from))
        continue;
      gint64 *own = &least[get_rank_of (graph, ranks, v) * N_LEAST + kind];
      *own = MIN (*own, edges[e].weight_ns);
    }
}

/* If several edges give a node the same time, the edge for whose kind this function returns the lowest value binds.
 * Returns 0 for a wait for an event, 1 for the previous kernel or copy of the stream, and 2 for all other kinds, such
 * as the launch. */
static guint
get_order (guint32 kind)
{
  return kind == LOOM_PATH_EDGE_EVENT ? 0 : kind == LOOM_PATH_EDGE_GAP || kind == LOOM_PATH_EDGE_SYNC ? 1 : 2;
}

/* Moves the binding edge of a node, which determines the node's time, before the node's other edges. Of several edges
 * that give the same time, the one with the lowest get_order() binds. If several have the same get_order(), the first
 * of them binds, which comes from the lowest rank. */
static void
bind_node (LoomPathGraph *graph, guint32 v)
{
  LoomPathEdge *edges = (LoomPathEdge *) (gpointer) graph->edges->data + graph->first_edge[v];
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
weigh (LoomPathGraph *graph)
{
  LoomRun *run = loom_timeline_get_run (graph->items.timeline);
  LoomPathEdge *edges = (LoomPathEdge *) (gpointer) graph->edges->data;
  Ranks ranks;
  init_ranks (&ranks, run);
  guint n_least = ranks.first[loom_run_get_n_traces (run)] * N_LEAST;
  g_autofree gint64 *least = g_new (gint64, MAX (n_least, 1));
  for (guint i = 0; i < n_least; i++)
    least[i] = i % N_LEAST == LEAST_LAUNCH ? MOST_LAUNCH_NS : MOST_PAUSE_NS;
  find_least (graph, &ranks, least);
  for (guint32 v = 0; v < graph->n; v++) {
    for (guint32 e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++) {
      Least kind = get_least (edges[e].kind);
      if (kind != N_LEAST)
        edges[e].weight_ns = MIN (edges[e].weight_ns, least[get_rank_of (graph, &ranks, v) * N_LEAST + kind]);
      else if (edges[e].kind == LOOM_PATH_EDGE_ARRIVAL || edges[e].kind == LOOM_PATH_EDGE_FINISH)
        edges[e].weight_ns = 0;
    }
    bind_node (graph, v);
  }
  clear_ranks (&ranks);
}

/* Clamps the times of the nodes to the range, and shortens the edges accordingly, so that a replay changes no time
 * outside the range. The weights and the binding edges were determined from the measured times before. */
static void
cut_to_range (LoomPathGraph *graph)
{
  LoomPathEdge *edges = (LoomPathEdge *) (gpointer) graph->edges->data;
  LoomRange range = graph->items.range;
  for (guint e = 0; e < graph->edges->len; e++) {
    gint64 begin_ns = graph->nodes[edges[e].from].time_ns;
    edges[e].weight_ns = CLAMP (loom_time_add (begin_ns, edges[e].weight_ns), range.begin_ns, range.end_ns) -
                         CLAMP (begin_ns, range.begin_ns, range.end_ns);
  }
  for (guint32 v = 0; v < graph->n; v++)
    graph->nodes[v].time_ns = CLAMP (graph->nodes[v].time_ns, range.begin_ns, range.end_ns);
}

/* --- making the graph --------------------------------------------------------------------------------------------- */

static guint32 *
new_indices (guint n)
{
  guint32 *made = g_new (guint32, MAX (n, 1));
  memset (made, 0xff, MAX (n, 1) * sizeof *made);
  return made;
}

static int
compare_arrivals (gconstpointer a, gconstpointer b)
{
  const Arrival *x = a, *y = b;
  if (x->join != y->join)
    return x->join < y->join ? -1 : 1;
  return x->item < y->item ? -1 : x->item > y->item;
}

static void
find_arrivals (Building *building)
{
  const LoomPathItems *items = &building->graph->items;
  for (guint32 i = 0; i < items->works->len; i++) {
    Arrival arrival = { loom_path_items_get_work (items, i)->join, i, FALSE };
    if (arrival.join != LOOM_PATH_NONE)
      g_array_append_val (building->arrivals, arrival);
  }
  for (guint32 i = 0; i < items->calls->len; i++) {
    Arrival arrival = { loom_path_items_get_call (items, i)->join, i, TRUE };
    if (arrival.join != LOOM_PATH_NONE)
      g_array_append_val (building->arrivals, arrival);
  }
  g_array_sort (building->arrivals, compare_arrivals);
}

static void
find_first_waits (Building *building)
{
  const GArray *waits = building->graph->items.waits;
  for (guint32 i = waits->len; i-- > 0;) {
    const LoomPathWait *wait = &g_array_index (waits, LoomPathWait, i);
    (wait->is_call ? building->wait_calls : building->wait_works)[wait->target] = i;
  }
}

static void
init_building (Building *building, LoomPathGraph *graph)
{
  const LoomPathItems *items = &graph->items;
  guint n_traces = loom_run_get_n_traces (loom_timeline_get_run (items->timeline));
  *building = (Building) { .graph = graph,
                           .work_begin = new_indices (items->works->len),
                           .work_end = new_indices (items->works->len),
                           .call_begin = new_indices (items->calls->len),
                           .call_end = new_indices (items->calls->len),
                           .join = new_indices (items->joins->len),
                           .last_host = new_indices (items->first_line[n_traces]),
                           .wait_works = new_indices (items->works->len),
                           .wait_calls = new_indices (items->calls->len),
                           .arrivals = g_array_new (FALSE, FALSE, sizeof (Arrival)) };
  find_arrivals (building);
  find_first_waits (building);
}

static void
clear_building (Building *building)
{
  guint32 *all[] = { building->work_begin, building->work_end,  building->call_begin, building->call_end,
                     building->join,       building->last_host, building->wait_works, building->wait_calls };
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    g_free (all[i]);
  g_array_unref (building->arrivals);
}

static void
add_edges (LoomPathGraph *graph, GCancellable *cancellable)
{
  Building building;
  init_building (&building, graph);
  graph->first_edge = g_new (guint32, graph->n + 1);
  graph->mark_nodes = g_new0 (guint32, MAX (graph->items.marks->len, 1));
  for (guint32 i = 0; i < graph->n; i++) {
    if (i % CHECK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      break;
    graph->first_edge[i] = graph->edges->len;
    enter_node (&building, i);
  }
  graph->first_edge[graph->n] = graph->edges->len;
  clear_building (&building);
}

LoomPathGraph *
loom_path_graph_new (LoomTimeline *timeline, LoomRange range, const LoomCollectives *collectives,
                     const LoomSteps *steps, GCancellable *cancellable)
{
  g_autoptr (LoomPathGraph) graph = g_new0 (LoomPathGraph, 1);
  graph->edges = g_array_new (FALSE, FALSE, sizeof (LoomPathEdge));
  if (!loom_path_items_init (&graph->items, timeline, range, collectives, steps, cancellable))
    return NULL;
  add_nodes (graph);
  if (!g_cancellable_is_cancelled (cancellable))
    add_edges (graph, cancellable);
  if (!g_cancellable_is_cancelled (cancellable)) {
    weigh (graph);
    cut_to_range (graph);
  }
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&graph);
}

void
loom_path_graph_free (LoomPathGraph *graph)
{
  if (graph == NULL)
    return;
  loom_path_items_clear (&graph->items);
  g_free (graph->nodes);
  g_free (graph->first_edge);
  g_free (graph->mark_nodes);
  g_clear_pointer (&graph->edges, g_array_unref);
  g_free (graph);
}
