/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-path-graph.h"

#include "loom-merge-sort.h"
#include "loom-parallel.h"
#include "loom-path-recordings.h"
#include "loom-path-weights.h"

#define CHECK_EVERY 4096 /* number of nodes between two checks of the cancellable */
/* If the graph has at least LEAST_SORTED_IN_PARTS nodes, several threads sort N_PARTS parts of them. N_PARTS is a power
 * of two. */
#define LEAST_SORTED_IN_PARTS 32768
#define N_PARTS 16
#define MOST_OVERLAPS 16 /* maximum number of kernels and copies that find_previous_end() examines */

typedef struct {
  LoomPathGraph *graph;
  guint32 n_room; /* number of elements for which graph->edges has memory */
  /* [index in LoomPathItems.works] node of the start or end of the kernel or copy; LOOM_PATH_NONE until the edges that
   * lead to this node are added */
  guint32 *work_begin, *work_end;
  guint32 *call_begin, *call_end;
  guint32 *join;      /* [join] index of the node of the last arrival at this collective or message */
  guint32 *last_host; /* [LoomPathCall.line] node on the host that was added last for this process */
  /* [index in LoomPathItems.works or .calls] index of the first wait of this kernel, copy or call in
   * LoomPathItems.waits; LOOM_PATH_NONE: it does not wait */
  guint32 *wait_works, *wait_calls;
  GArray *arrivals; /* Arrival, sorted by join */
  guint next_arrival;
} Building;

/* A kernel, copy or call that takes part in a collective or message (LoomPathJoin). */
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
add_node (LoomPathGraph *graph, gint64 time_ns, guint32 item, LoomPathNodeType type)
{
  graph->nodes[graph->n++] = (LoomPathNode) { time_ns, item, type };
}

static void
add_work_nodes (LoomPathGraph *graph)
{
  const LoomPathItems *items = &graph->items;
  for (guint32 i = 0; i < items->works->len; i++) {
    const LoomPathWork *work = loom_path_items_get_work (items, i);
    gint64 earliest_ns =
      work->join != LOOM_PATH_NONE ? g_array_index (items->joins, LoomPathJoin, work->join).arrival_ns : work->begin_ns;
    add_node (graph, work->begin_ns, i, LOOM_PATH_NODE_WORK_BEGIN);
    gint64 end_ns = MAX (work->left_ns, earliest_ns);
    add_node (graph, end_ns, i, end_ns == earliest_ns ? LOOM_PATH_NODE_WORK_END_LATE : LOOM_PATH_NODE_WORK_END);
  }
}

static void
add_other_nodes (LoomPathGraph *graph)
{
  const LoomPathItems *items = &graph->items;
  for (guint32 i = 0; i < items->calls->len; i++) {
    const LoomPathCall *call = loom_path_items_get_call (items, i);
    add_node (graph, call->begin_ns, i, LOOM_PATH_NODE_CALL_BEGIN);
    if (call->flags != 0)
      add_node (graph, call->end_ns, i, LOOM_PATH_NODE_CALL_END);
  }
  for (guint32 i = 0; i < items->joins->len; i++)
    add_node (graph, g_array_index (items->joins, LoomPathJoin, i).arrival_ns, i, LOOM_PATH_NODE_JOIN);
  for (guint32 i = 0; i < items->marks->len; i++) {
    const LoomPathMark *mark = &g_array_index (items->marks, LoomPathMark, i);
    add_node (graph, mark->time_ns, i, mark->begins ? LOOM_PATH_NODE_MARK_BEGIN : LOOM_PATH_NODE_MARK_END);
  }
}

static gsize
count_nodes (const LoomPathItems *items)
{
  gsize n = 2 * (gsize) items->works->len + items->calls->len + items->joins->len + items->marks->len + 1;
  for (guint32 i = 0; i < items->calls->len; i++)
    n += loom_path_items_get_call (items, i)->flags != 0;
  return n;
}

/* Data for sorting the nodes with several threads: parts of the nodes are sorted, then merged. */
typedef struct {
  LoomPathNode *nodes, *room;
  gsize first[N_PARTS + 1]; /* index of the first node of each part */
  /* number of parts in each sorted sequence; the nodes consist of such sequences, which are merged in pairs */
  guint n_joined;
} NodeSort;

static void
sort_part (guint item, guint worker, gpointer data)
{
  const NodeSort *sort = data;
  sort_nodes (sort->nodes + sort->first[item], sort->first[item + 1] - sort->first[item]);
}

/* Merges a sorted sequence with the sequence after it. */
static void
merge_parts (guint item, guint worker, gpointer data)
{
  const NodeSort *sort = data;
  const gsize *first = sort->first + 2 * item * sort->n_joined;
  gsize begin = first[0], middle = first[sort->n_joined], end = first[2 * sort->n_joined];
  if (is_before (&sort->nodes[middle], &sort->nodes[middle - 1]))
    sort_nodes_merge (sort->nodes + begin, middle - begin, end - begin, sort->room + begin);
}

static void
sort_all_nodes (LoomPathGraph *graph)
{
  NodeSort sort = { .nodes = graph->nodes };
  if (graph->n < LEAST_SORTED_IN_PARTS) {
    sort_nodes (graph->nodes, graph->n);
    return;
  }
  for (guint i = 0; i <= N_PARTS; i++)
    sort.first[i] = (gsize) graph->n * i / N_PARTS;
  loom_parallel_for (N_PARTS, 0, sort_part, &sort, NULL);
  sort.room = g_new (LoomPathNode, graph->n);
  for (sort.n_joined = 1; sort.n_joined < N_PARTS; sort.n_joined *= 2)
    loom_parallel_for (N_PARTS / 2 / sort.n_joined, 0, merge_parts, &sort, NULL);
  g_free (sort.room);
}

static void
add_nodes (LoomPathGraph *graph)
{
  graph->nodes = g_new (LoomPathNode, count_nodes (&graph->items));
  add_other_nodes (graph);
  add_work_nodes (graph);
  sort_all_nodes (graph);
  if (graph->n > 0)
    add_node (graph, graph->nodes[graph->n - 1].time_ns, 0, LOOM_PATH_NODE_FINISH);
}

/* --- edges of the graph ------------------------------------------------------------------------------------------- */

static void
add_room (Building *building)
{
  building->n_room += building->n_room / 2 + 1;
  building->graph->edges = g_renew (LoomPathEdge, building->graph->edges, building->n_room);
}

static void
add_edge (Building *building, guint32 from, LoomPathEdgeKind kind, guint32 to)
{
  /* the edge would lead back in time, or the node at which it begins is not in the file */
  if (from == LOOM_PATH_NONE) {
    building->graph->n_dropped++;
    return;
  }
  gint64 passed_ns = building->graph->nodes[to].time_ns - building->graph->nodes[from].time_ns;
  if (building->graph->n_edges == building->n_room)
    add_room (building);
  building->graph->edges[building->graph->n_edges++] = (LoomPathEdge) { passed_ns, from, kind };
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

/* Returns the node at which `previous` ends; `previous` is the kernel or copy before the current one on its stream.
 * This node does not exist yet if `previous` takes part in a collective whose last rank has not arrived yet. In that
 * case, returns the end node of the nearest earlier kernel or copy of the stream whose end node exists. LOOM_PATH_NONE:
 * none of the last MOST_OVERLAPS kernels and copies has an end node. */
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

/* Returns an array with one element per recording: TRUE if a replay can change the times of the recording's kernels and
 * copies. A replay computes all times again with some work made faster. It changes the times if the recording contains
 * calls that launch the kernels, or if kernels take part in collectives or messages. If the last kernel or copy of the
 * graph is in a recording with neither such calls nor such kernels, all elements are TRUE. Owned by the caller. */
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
 * copy of each stream. Skips kernels and copies whose times no replay can change (find_moving()), for example those of
 * a profiler that recorded no launches: edges from them would limit all savings. */
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
  building->n_room = graph->n + graph->n / 2;
  graph->edges = g_new (LoomPathEdge, MAX (building->n_room, 1));
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
    graph->first_edge[i] = graph->n_edges;
    enter_node (&building, i);
  }
  graph->first_edge[graph->n] = graph->n_edges;
  clear_building (&building);
}

LoomPathGraph *
loom_path_graph_new (LoomTimeline *timeline, LoomRange range, const LoomCollectives *collectives,
                     const LoomSteps *steps, GCancellable *cancellable)
{
  g_autoptr (LoomPathGraph) graph = g_new0 (LoomPathGraph, 1);
  if (!loom_path_items_init (&graph->items, timeline, range, collectives, steps, cancellable))
    return NULL;
  add_nodes (graph);
  if (!g_cancellable_is_cancelled (cancellable))
    add_edges (graph, cancellable);
  if (!g_cancellable_is_cancelled (cancellable)) {
    loom_path_weights_compute (graph);
    loom_path_weights_cut_to_range (graph);
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
  g_free (graph->edges);
  g_free (graph);
}
