/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-path-walk.h"

#include "loom-merge-sort.h"
#include "loom-parallel.h"
#include "loom-path-replay.h"

#define CHECK_EVERY 4096     /* number of edges between two checks of the cancellable */
#define EDGES_PER_PIECE 8192 /* number of edges that a thread divides into segments as one piece */
#define PIECES_PER_THREAD 8  /* number of pieces per thread that are divided before their segments are joined */

/* Values of LoomPathWalk.divided: whether an edge was divided into segments, and whether these contain data loading. */
enum {
  NOT_DIVIDED,
  WITHOUT_DATA, /* the segments of the edge contain no data loading */
  WITH_DATA,
};

/* The segments that one thread has found. */
typedef struct {
  LoomPathStretch *all;
  gsize n, n_room;
} Stretches;

/* A piece of the path: EDGES_PER_PIECE edges, or fewer at the start of the path. */
typedef struct {
  guint thread;   /* the thread that divided the edges */
  gsize begin, n; /* range of the piece's segments among the segments of this thread, in order of time */
  guint32 first;  /* index of the piece's first segment among all segments of the path */
  gint64 kinds_ns[LOOM_N_PATH_KINDS];
} Piece;

typedef struct {
  LoomPathWalk *walk;
  GArray *nodes;           /* guint32: the nodes of the path whose edges are not divided yet, latest first */
  Piece *pieces;           /* the pieces that are divided at the same time, earliest first */
  Stretches *found;        /* [thread] segments that this thread has found */
  LoomPathSetTimes *times; /* [thread] time by parallel axis and by classes of modules; NULL: not needed */
  LoomPathStretch *all;    /* the segments of the path */
} Division;

/* Destinations for the segments of an edge. */
typedef struct {
  const LoomPathWalk *walk;
  Stretches *stretches;    /* the array to which the segments are appended; NULL: they are not stored */
  LoomPathSetTimes *times; /* NULL: time by parallel axis and by classes of modules is not summed */
  gint64 *kinds_ns;
} Target;

#define BEGINS_EARLIER(a, b) ((a)->range.begin_ns < (b)->range.begin_ns)
LOOM_DEFINE_SORT (sort_stretches, LoomPathStretch, BEGINS_EARLIER)

/* --- segments of an edge ------------------------------------------------------------------------------------------ */

static guint32
get_name (const LoomPathWalk *walk, LoomSpanId span)
{
  if (walk->names == NULL)
    return 0;
  if (loom_timeline_span_id_is_none (span))
    return LOOM_PATH_NONE;
  const LoomTrace *trace = loom_path_items_get_trace (&walk->graph->items, span.trace);
  return walk->names->maps[span.trace][loom_trace_get_spans (trace)->name_id[span.span]];
}

static void
add_room (Stretches *stretches)
{
  stretches->n_room = MAX (4 * EDGES_PER_PIECE, 2 * stretches->n_room);
  stretches->all = g_renew (LoomPathStretch, stretches->all, stretches->n_room);
}

static void
add_stretch (Target *target, LoomPathKind kind, LoomSpanId span, LoomRange range)
{
  Stretches *stretches = target->stretches;
  target->kinds_ns[kind] += range.end_ns - range.begin_ns;
  if (stretches == NULL)
    return;
  if (stretches->n == stretches->n_room)
    add_room (stretches);
  stretches->all[stretches->n++] = (LoomPathStretch) { kind, get_name (target->walk, span), span, range };
}

static void
add_host_piece (guint32 trace, guint32 span, gboolean is_data, LoomRange range, gpointer user_data)
{
  LoomSpanId id = span != G_MAXUINT32 ? (LoomSpanId) { trace, span } : LOOM_SPAN_ID_NONE;
  Target *target = user_data;
  if (target->times != NULL && span != G_MAXUINT32)
    loom_path_sets_add_host (target->walk->sets, target->times, id, range.end_ns - range.begin_ns);
  add_stretch (target, is_data ? LOOM_PATH_KIND_DATA : LOOM_PATH_KIND_HOST, id, range);
}

static LoomSpanId
get_span (const LoomPathGraph *graph, const LoomPathNode *node)
{
  if (loom_path_replay_is_work (node)) {
    const LoomPathWork *work = loom_path_items_get_work (&graph->items, node->item);
    return (LoomSpanId) { work->trace, work->span };
  }
  if (node->type != LOOM_PATH_NODE_CALL_BEGIN && node->type != LOOM_PATH_NODE_CALL_END)
    return LOOM_SPAN_ID_NONE;
  const LoomPathCall *call = loom_path_items_get_call (&graph->items, node->item);
  return (LoomSpanId) { call->trace, call->span };
}

/* Divides the binding edge of the node `to` into segments. The binding edge is the edge that determined the time of the
 * node. */
static void
divide_edge (Target *target, LoomPathHost *host, guint32 to)
{
  const LoomPathGraph *graph = target->walk->graph;
  guint32 n, trace, track, other;
  const LoomPathEdge *edge = loom_path_graph_get_edges (graph, to, &n);
  LoomPathKind kind = loom_path_replay_get_kind (graph, to, edge->kind);
  LoomRange range = { graph->nodes[edge->from].time_ns, graph->nodes[to].time_ns };
  if (kind == LOOM_N_PATH_KINDS || range.end_ns <= range.begin_ns)
    return;
  if (target->times != NULL && loom_path_replay_is_work (&graph->nodes[to]))
    loom_path_sets_add_work (target->walk->sets, target->times, graph->nodes[to].item, kind,
                             range.end_ns - range.begin_ns);
  if (kind != LOOM_PATH_KIND_HOST)
    add_stretch (target, kind, get_span (graph, &graph->nodes[to]), range);
  else if (loom_path_replay_get_tracks (graph, edge->from, to, &trace, &track, &other))
    loom_path_host_visit (host, trace, track, other, range, add_host_piece, target);
  else
    add_stretch (target, kind, LOOM_SPAN_ID_NONE, range);
}

/* --- the path of the range ---------------------------------------------------------------------------------------- */

guint32
loom_path_walk_get_line (const LoomPathGraph *graph, guint32 node)
{
  const LoomPathNode *own = &graph->nodes[node];
  if (own->type == LOOM_PATH_NODE_MARK_BEGIN || own->type == LOOM_PATH_NODE_MARK_END)
    return g_array_index (graph->items.marks, LoomPathMark, own->item).line;
  if (own->type == LOOM_PATH_NODE_CALL_BEGIN || own->type == LOOM_PATH_NODE_CALL_END)
    return loom_path_items_get_call (&graph->items, own->item)->line;
  return LOOM_PATH_NONE;
}

static GArray *
list_nodes (const LoomPathWalk *walk)
{
  const LoomPathGraph *graph = walk->graph;
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 n, node = graph->n - 1;;) {
    const LoomPathEdge *edges = loom_path_graph_get_edges (graph, node, &n);
    if (n == 0 || graph->nodes[node].time_ns <= graph->items.range.begin_ns)
      return nodes;
    g_array_append_val (nodes, node);
    if (nodes->len % CHECK_EVERY == 0 && g_cancellable_is_cancelled (walk->cancellable))
      return nodes;
    node = edges[0].from;
  }
}

static LoomPathHost *
get_host (LoomPathWalk *walk, guint thread)
{
  if (walk->hosts[thread].items == NULL)
    loom_path_host_init (&walk->hosts[thread], &walk->graph->items);
  return &walk->hosts[thread];
}

static void
divide_piece (guint item, guint worker, gpointer data)
{
  Division *division = data;
  LoomPathWalk *walk = division->walk;
  Piece *piece = &division->pieces[item];
  const guint32 *nodes = (const guint32 *) (gpointer) division->nodes->data;
  guint end = division->nodes->len - MIN (division->nodes->len, item * EDGES_PER_PIECE);
  if (g_cancellable_is_cancelled (walk->cancellable))
    return;
  piece->thread = worker;
  piece->begin = division->found[worker].n;
  Target target = { walk, &division->found[worker], division->times != NULL ? &division->times[worker] : NULL,
                    piece->kinds_ns };
  for (guint i = end; i-- > end - MIN (end, EDGES_PER_PIECE);) {
    gint64 data_ns = piece->kinds_ns[LOOM_PATH_KIND_DATA];
    divide_edge (&target, get_host (walk, worker), nodes[i]);
    walk->divided[nodes[i]] = piece->kinds_ns[LOOM_PATH_KIND_DATA] == data_ns ? WITHOUT_DATA : WITH_DATA;
  }
  piece->n = division->found[worker].n - piece->begin;
}

static void
copy_piece (guint item, guint worker, gpointer data)
{
  const Division *division = data;
  const Piece *piece = &division->pieces[item];
  if (piece->n > 0)
    memcpy (division->all + piece->first, division->found[piece->thread].all + piece->begin,
            piece->n * sizeof (LoomPathStretch));
}

/* Appends the segments of the pieces to `stretches`. */
static void
append_pieces (Division *division, guint n_pieces, GArray *stretches, gint64 *kinds_ns)
{
  guint n = stretches->len;
  for (guint i = 0; i < n_pieces; i++) {
    Piece *piece = &division->pieces[i];
    piece->first = n;
    n += piece->n;
    for (guint kind = 0; kind < LOOM_N_PATH_KINDS; kind++)
      kinds_ns[kind] += piece->kinds_ns[kind];
  }
  g_array_set_size (stretches, n);
  division->all = (LoomPathStretch *) (gpointer) stretches->data;
  loom_parallel_for (n_pieces, division->walk->n_threads, copy_piece, division, NULL);
  for (guint i = 0; i < division->walk->n_threads; i++)
    division->found[i].n = 0;
}

/* Divides all edges of the path into segments (LoomPathStretch), piece by piece; a piece has EDGES_PER_PIECE edges.
 * After PIECES_PER_THREAD pieces per thread, appends their segments, so that the threads need little memory. */
static void
divide_all (Division *division, GArray *stretches, gint64 *kinds_ns)
{
  LoomPathWalk *walk = division->walk;
  GArray *nodes = division->nodes;
  guint n_most = PIECES_PER_THREAD * walk->n_threads;
  g_autofree Piece *pieces = division->pieces = g_new (Piece, n_most);
  while (nodes->len > 0 && !g_cancellable_is_cancelled (walk->cancellable)) {
    guint n_pieces = MIN (n_most, (nodes->len + EDGES_PER_PIECE - 1) / EDGES_PER_PIECE);
    memset (pieces, 0, n_pieces * sizeof *pieces);
    loom_parallel_for (n_pieces, walk->n_threads, divide_piece, division, NULL);
    append_pieces (division, n_pieces, stretches, kinds_ns);
    g_array_set_size (nodes, nodes->len - MIN (nodes->len, n_pieces * EDGES_PER_PIECE));
  }
}

static void
init_times (Division *division)
{
  const LoomPathWalk *walk = division->walk;
  if (walk->sets == NULL)
    return;
  division->times = g_new0 (LoomPathSetTimes, walk->n_threads);
  for (guint i = 0; i < walk->n_threads; i++)
    loom_path_sets_init_times (walk->sets, &division->times[i]);
}

static void
take_times (Division *division)
{
  const LoomPathWalk *walk = division->walk;
  for (guint i = 0; division->times != NULL && i < walk->n_threads; i++)
    loom_path_sets_take_times (walk->sets, &division->times[i]);
  g_free (division->times);
}

void
loom_path_walk_add_stretches (LoomPathWalk *walk, GArray *stretches, gint64 *kinds_ns)
{
  g_autoptr (GArray) nodes = list_nodes (walk);
  g_autofree Stretches *found = g_new0 (Stretches, walk->n_threads);
  Division division = { .walk = walk, .nodes = nodes, .found = found };
  init_times (&division);
  divide_all (&division, stretches, kinds_ns);
  take_times (&division);
  sort_stretches ((LoomPathStretch *) (gpointer) stretches->data, stretches->len);
  for (guint i = 0; i < walk->n_threads; i++)
    g_free (found[i].all);
}

/* --- paths of steps ----------------------------------------------------------------------------------------------- */

/* Adds the time of the binding edge of a node to kinds_ns[LoomPathKind]. Host edges are divided into segments for this,
 * unless it is known that they contain no data loading. */
static void
sum_edge (LoomPathWalk *walk, guint thread, guint32 to, gint64 *kinds_ns)
{
  const LoomPathGraph *graph = walk->graph;
  guint32 n;
  const LoomPathEdge *edge = loom_path_graph_get_edges (graph, to, &n);
  LoomPathKind kind = loom_path_replay_get_kind (graph, to, edge->kind);
  Target target = { walk, NULL, NULL, kinds_ns };
  if (kind == LOOM_PATH_KIND_HOST && walk->divided[to] != WITHOUT_DATA)
    divide_edge (&target, get_host (walk, thread), to);
  else if (kind != LOOM_N_PATH_KINDS)
    kinds_ns[kind] += MAX (0, graph->nodes[to].time_ns - graph->nodes[edge->from].time_ns);
}

guint32
loom_path_walk_sum_step (LoomPathWalk *walk, guint thread, guint32 node, const gint64 *begins_ns, gint64 *kinds_ns)
{
  const LoomPathGraph *graph = walk->graph;
  for (guint64 n_walked = 1;; n_walked++) {
    guint32 n, line = loom_path_walk_get_line (graph, node);
    const LoomPathEdge *edges = loom_path_graph_get_edges (graph, node, &n);
    gint64 begin_ns = graph->items.range.begin_ns;
    if (line != LOOM_PATH_NONE)
      begin_ns = MAX (begin_ns, begins_ns[line]);
    if (n == 0 || graph->nodes[node].time_ns <= begin_ns)
      return node;
    if (n_walked % CHECK_EVERY == 0 && g_cancellable_is_cancelled (walk->cancellable))
      return node;
    sum_edge (walk, thread, node, kinds_ns);
    node = edges[0].from;
  }
}

/* --- public functions --------------------------------------------------------------------------------------------- */

void
loom_path_walk_init (LoomPathWalk *walk, const LoomPathGraph *graph, const LoomRunNames *names, LoomPathSets *sets,
                     GCancellable *cancellable)
{
  *walk = (LoomPathWalk) { .graph = graph, .names = names, .sets = sets, .cancellable = cancellable };
  walk->n_threads = loom_parallel_resolve (0);
  walk->hosts = g_new0 (LoomPathHost, walk->n_threads);
  walk->divided = g_new0 (guint8, MAX (graph->n, 1));
}

void
loom_path_walk_clear (LoomPathWalk *walk)
{
  for (guint i = 0; i < walk->n_threads; i++)
    if (walk->hosts[i].items != NULL)
      loom_path_host_clear (&walk->hosts[i]);
  g_free (walk->hosts);
  g_free (walk->divided);
}
