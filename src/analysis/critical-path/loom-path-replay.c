/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-path-replay.h"

#include "loom-parallel.h"
#include "loom-path-host.h"
#include "loom-work-kind.h"

#define NODES_PER_PIECE 16384 /* number of nodes whose edges a thread prepares at once */

static LoomPathKind
get_work_kind (const LoomPathGraph *graph, guint32 work)
{
  switch (loom_path_items_get_work (&graph->items, work)->kind) {
  case LOOM_WORK_KIND_COMMUNICATION: return LOOM_PATH_KIND_COMMUNICATION;
  case LOOM_WORK_KIND_MEMCPY:
  case LOOM_WORK_KIND_MEMSET: return LOOM_PATH_KIND_MEMORY;
  default: return LOOM_PATH_KIND_COMPUTE;
  }
}

LoomPathKind
loom_path_replay_get_kind (const LoomPathGraph *graph, guint32 target, guint32 edge_kind)
{
  switch ((LoomPathEdgeKind) edge_kind) {
  case LOOM_PATH_EDGE_HOST:
  case LOOM_PATH_EDGE_RETURN: return LOOM_PATH_KIND_HOST;
  case LOOM_PATH_EDGE_LAUNCH: return LOOM_PATH_KIND_LAUNCH;
  case LOOM_PATH_EDGE_GAP:
  case LOOM_PATH_EDGE_EVENT: return LOOM_PATH_KIND_PAUSE;
  case LOOM_PATH_EDGE_SYNC:
  case LOOM_PATH_EDGE_RELEASE: return LOOM_PATH_KIND_SYNC;
  case LOOM_PATH_EDGE_WORK: return get_work_kind (graph, graph->nodes[target].item);
  case LOOM_PATH_EDGE_TRANSFER: return LOOM_PATH_KIND_TRANSFER;
  default: return LOOM_N_PATH_KINDS;
  }
}

/* --- host tracks of an edge --------------------------------------------------------------------------------------- */

static const LoomPathCall *
get_call (const LoomPathGraph *graph, guint32 node)
{
  const LoomPathNode *own = &graph->nodes[node];
  return own->type == LOOM_PATH_NODE_CALL_BEGIN || own->type == LOOM_PATH_NODE_CALL_END
           ? loom_path_items_get_call (&graph->items, own->item)
           : NULL;
}

static const LoomPathMark *
get_mark (const LoomPathGraph *graph, guint32 node)
{
  const LoomPathNode *own = &graph->nodes[node];
  return own->type == LOOM_PATH_NODE_MARK_BEGIN || own->type == LOOM_PATH_NODE_MARK_END
           ? &g_array_index (graph->items.marks, LoomPathMark, own->item)
           : NULL;
}

/* Implements loom_path_replay_get_tracks() for nodes that are not calls. */
static gboolean
get_tracks_of_marks (const LoomPathGraph *graph, guint32 from, guint32 to, guint32 *trace, guint32 *track,
                     guint32 *other)
{
  const LoomPathMark *before = get_mark (graph, from), *after = get_mark (graph, to);
  const LoomPathMark *any = after != NULL ? after : before;
  if (any == NULL)
    return FALSE;
  *trace = any->trace;
  *track = any->track;
  *other = before != NULL && before->trace == any->trace ? before->track : any->track;
  return TRUE;
}

gboolean
loom_path_replay_get_tracks (const LoomPathGraph *graph, guint32 from, guint32 to, guint32 *trace, guint32 *track,
                             guint32 *other)
{
  const LoomPathCall *before = get_call (graph, from), *after = get_call (graph, to);
  const LoomPathCall *any = after != NULL ? after : before;
  if (any == NULL)
    return get_tracks_of_marks (graph, from, to, trace, track, other);
  *trace = any->trace;
  *track = any->track;
  *other = before != NULL && before->trace == any->trace ? before->track : any->track;
  return TRUE;
}

/* --- parts of edges on the host, by kind and name ----------------------------------------------------------------- */

/* Returns a table for finding a pick (LoomPathPick: the work that a replay makes faster) by name and kind: [name ·
 * LOOM_N_PATH_KINDS + kind] 1 + index of the pick in replay->picks; 0: there is none. The last LOOM_N_PATH_KINDS
 * elements are for time without a span. */
static guint8 *
index_picks (const LoomPathReplay *replay)
{
  guint8 *made = g_new0 (guint8, (replay->names->n + 1) * LOOM_N_PATH_KINDS);
  for (guint i = 0; i < replay->n_picks; i++)
    if (replay->picks[i].name != LOOM_PATH_NONE)
      made[replay->picks[i].name * LOOM_N_PATH_KINDS + replay->picks[i].kind] = (guint8) (i + 1);
  return made;
}

/* Data for preparing all edges with several threads. */
typedef struct {
  LoomPathReplay *replay;
  const guint8 *picks; /* result of index_picks() */
  LoomPathHost *hosts; /* one element for each thread */
  /* [piece] LoomPathHostPart of the edges of NODES_PER_PIECE nodes, sorted by edge; NULL: no parts are collected */
  GArray **parts;
} Preparation;

typedef struct {
  const LoomPathReplay *replay;
  const guint8 *picks;
  LoomPathHost *host;
  GArray *all; /* LoomPathHostPart */
  /* `edge`: the edge whose parts are being collected; `first`: index of the first part of this edge in `all` */
  guint32 edge, first;
} Parts;

static void
add_part (Parts *parts, guint pick, gint64 part_ns)
{
  GArray *all = parts->all;
  for (guint i = parts->first; i < all->len; i++) {
    LoomPathHostPart *part = &g_array_index (all, LoomPathHostPart, i);
    if (part->pick == pick) {
      part->part_ns += part_ns;
      return;
    }
  }
  LoomPathHostPart part = { part_ns, parts->edge, pick };
  g_array_append_val (all, part);
}

/* Adds the time `part_ns` in a span of the host to the picks that select the class of a module around the span. A pick
 * (LoomPathPick) is the work that a replay makes faster. */
static void
add_part_of_modules (Parts *parts, LoomSpanId span, gint64 part_ns)
{
  const LoomPathReplay *replay = parts->replay;
  guint32 bits = loom_path_sets_get_bits_of_host (replay->sets, span);
  for (guint i = 0; loom_path_sets_has_module_bit (bits) && i < replay->n_picks; i++)
    if ((replay->picks[i].bits & bits) != 0)
      add_part (parts, i, part_ns);
}

static void
add_piece (guint32 trace, guint32 span, gboolean is_data, LoomRange range, gpointer user_data)
{
  Parts *parts = user_data;
  LoomPathKind kind = is_data ? LOOM_PATH_KIND_DATA : LOOM_PATH_KIND_HOST;
  if (is_data)
    add_part (parts, parts->replay->data_pick, range.end_ns - range.begin_ns);
  if (span == G_MAXUINT32)
    return;
  LoomTrace *own = loom_path_items_get_trace (&parts->replay->graph->items, trace);
  guint32 name = parts->replay->names->maps[trace][loom_trace_get_spans (own)->name_id[span]];
  guint8 pick = parts->picks[name * LOOM_N_PATH_KINDS + kind];
  if (pick != 0)
    add_part (parts, pick - 1, range.end_ns - range.begin_ns);
  if (parts->replay->bits != NULL)
    add_part_of_modules (parts, (LoomSpanId) { trace, span }, range.end_ns - range.begin_ns);
}

static void
add_host_parts (Parts *parts, guint32 node, guint32 edge)
{
  const LoomPathGraph *graph = parts->replay->graph;
  guint32 trace, track, other, from = graph->edges[edge].from;
  if (!loom_path_replay_get_tracks (graph, from, node, &trace, &track, &other))
    return;
  LoomRange range = { graph->nodes[from].time_ns, graph->nodes[node].time_ns };
  parts->edge = edge;
  parts->first = parts->all->len;
  if (range.end_ns > range.begin_ns)
    loom_path_host_visit (parts->host, trace, track, other, range, add_piece, parts);
}

static gboolean
picks_host (const LoomPathReplay *replay)
{
  for (guint i = 0; i < replay->n_picks; i++)
    if (loom_path_sets_has_module_bit (replay->picks[i].bits) || replay->picks[i].kind == LOOM_PATH_KIND_DATA ||
        replay->picks[i].kind == LOOM_PATH_KIND_HOST)
      return TRUE;
  return FALSE;
}

static guint
find_data_pick (const LoomPathReplay *replay)
{
  guint found = replay->n_picks;
  for (guint i = 0; i < replay->n_picks; i++)
    if (replay->picks[i].kind == LOOM_PATH_KIND_DATA && replay->picks[i].name == LOOM_PATH_NONE)
      found = i;
  return found;
}

static void
add_parts_of_nodes (const Preparation *preparation, guint piece, guint worker, guint32 end)
{
  const LoomPathGraph *graph = preparation->replay->graph;
  LoomPathHost *host = &preparation->hosts[worker];
  if (host->items == NULL)
    loom_path_host_init (host, &graph->items);
  GArray *all = preparation->parts[piece] = g_array_new (FALSE, FALSE, sizeof (LoomPathHostPart));
  Parts parts = { .replay = preparation->replay, .picks = preparation->picks, .host = host, .all = all };
  for (guint32 v = piece * NODES_PER_PIECE; v < end; v++)
    for (guint32 e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++)
      if (graph->edges[e].kind == LOOM_PATH_EDGE_HOST)
        add_host_parts (&parts, v, e);
}

static guint32
get_name_of_work (const LoomPathReplay *replay, guint32 item)
{
  const LoomPathWork *work = loom_path_items_get_work (&replay->graph->items, item);
  LoomTrace *trace = loom_path_items_get_trace (&replay->graph->items, work->trace);
  return replay->names->maps[work->trace][loom_trace_get_spans (trace)->name_id[work->span]];
}

static void
classify_edges (LoomPathReplay *replay, const guint8 *picks, guint32 first, guint32 end)
{
  const LoomPathGraph *graph = replay->graph;
  for (guint32 v = first; v < end; v++)
    for (guint32 e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++) {
      guint32 edge_kind = graph->edges[e].kind;
      LoomPathKind kind = loom_path_replay_get_kind (graph, v, edge_kind);
      replay->kinds[e] = edge_kind == LOOM_PATH_EDGE_RETURN ? LOOM_N_PATH_KINDS : (guint8) kind;
      if (kind == LOOM_N_PATH_KINDS || !loom_path_replay_is_work (&graph->nodes[v]))
        continue;
      replay->own_picks[e] = picks[get_name_of_work (replay, graph->nodes[v].item) * LOOM_N_PATH_KINDS + kind];
      if (replay->bits != NULL)
        replay->bits[e] = loom_path_sets_get_bits_of_work (replay->sets, graph->nodes[v].item, kind);
    }
}

static gboolean
picks_sets (const LoomPathReplay *replay)
{
  for (guint i = 0; i < replay->n_picks; i++)
    if (replay->picks[i].bits != 0)
      return TRUE;
  return FALSE;
}

static void
prepare_nodes (guint item, guint worker, gpointer data)
{
  const Preparation *preparation = data;
  guint32 first = item * NODES_PER_PIECE, end = first + MIN (NODES_PER_PIECE, preparation->replay->graph->n - first);
  classify_edges (preparation->replay, preparation->picks, first, end);
  if (preparation->parts != NULL)
    add_parts_of_nodes (preparation, item, worker, end);
}

/* Moves the LoomPathHostParts of all pieces to replay->parts. */
static void
join_parts (LoomPathReplay *replay, GArray **parts, guint n_pieces)
{
  guint n = 0;
  for (guint i = 0; i < n_pieces; i++)
    n += parts[i]->len;
  replay->parts = g_array_sized_new (FALSE, FALSE, sizeof (LoomPathHostPart), n);
  for (guint i = 0; i < n_pieces; i++) {
    g_array_append_vals (replay->parts, parts[i]->data, parts[i]->len);
    g_array_unref (parts[i]);
  }
}

static void
prepare_edges (LoomPathReplay *replay)
{
  guint n_threads = loom_parallel_resolve (0), n_pieces = (replay->graph->n + NODES_PER_PIECE - 1) / NODES_PER_PIECE;
  gboolean with_parts = picks_host (replay);
  g_autofree guint8 *picks = index_picks (replay);
  g_autofree LoomPathHost *hosts = g_new0 (LoomPathHost, n_threads);
  g_autofree GArray **parts = with_parts ? g_new0 (GArray *, MAX (n_pieces, 1)) : NULL;
  Preparation preparation = { replay, picks, hosts, parts };
  loom_parallel_for (n_pieces, n_threads, prepare_nodes, &preparation, NULL);
  join_parts (replay, parts, with_parts ? n_pieces : 0);
  for (guint i = 0; i < n_threads; i++)
    if (hosts[i].items != NULL)
      loom_path_host_clear (&hosts[i]);
}

void
loom_path_replay_init (LoomPathReplay *replay, const LoomPathGraph *graph, const LoomRunNames *names,
                       const LoomPathPick *picks, guint n_picks, const LoomPathSets *sets)
{
  g_return_if_fail (n_picks < 255);
  *replay = (LoomPathReplay) { .graph = graph,
                               .names = names,
                               .picks = picks,
                               .n_picks = n_picks,
                               .sets = sets,
                               .kinds = g_new (guint8, MAX (graph->n_edges, 1)),
                               .own_picks = g_new0 (guint8, MAX (graph->n_edges, 1)) };
  replay->data_pick = find_data_pick (replay);
  if (picks_sets (replay))
    replay->bits = g_new0 (guint32, MAX (graph->n_edges, 1));
  prepare_edges (replay);
}

void
loom_path_replay_clear (LoomPathReplay *replay)
{
  g_free (replay->kinds);
  g_free (replay->own_picks);
  g_free (replay->bits);
  g_array_unref (replay->parts);
}

/* --- replaying the graph with changed durations ------------------------------------------------------------------- */

static gint64
get_reduction (gint64 part_ns, LoomPathChange change)
{
  return change == LOOM_PATH_CHANGE_FREE ? part_ns : part_ns / 5;
}

/* The state of a replay for one pick (LoomPathPick: the work that the replay makes faster). An edge becomes faster as a
 * whole in three cases: its bits overlap `bits`, its own pick is `own_pick`, or its kind is `kind`. A member that is
 * not needed for the pick has a value that matches no edge. */
typedef struct {
  const LoomPathReplay *replay;
  guint pick;
  guint32 bits;   /* LoomPathPick.bits; 0: the pick selects neither an axis nor a class of modules */
  guint own_pick; /* value of LoomPathReplay.own_picks for edges that have the name and kind of the pick */
  guint kind;     /* LoomPathKind of all selected edges; G_MAXUINT: the pick selects by name or by bits */
  /* `next`: index of the first element of replay->parts that may belong to the current edge or a later one; `n_parts`:
   * length of replay->parts */
  guint32 next, n_parts;
} Run;

static Run
begin_run (const LoomPathReplay *replay, guint pick)
{
  const LoomPathPick *own = &replay->picks[pick];
  return (Run) { .replay = replay,
                 .pick = pick,
                 .bits = own->bits,
                 .own_pick = own->bits == 0 ? pick + 1 : G_MAXUINT,
                 .kind = own->bits == 0 && own->name == LOOM_PATH_NONE ? own->kind : G_MAXUINT,
                 .n_parts = replay->parts->len };
}

static inline gboolean
changes_whole_edge (const Run *run, guint32 edge)
{
  const LoomPathReplay *replay = run->replay;
  return replay->own_picks[edge] == run->own_pick || replay->kinds[edge] == run->kind ||
         (run->bits != 0 && (replay->bits[edge] & run->bits) != 0);
}

/* Returns how many ns of a host edge lie in spans with the kind and name of a pick (LoomPathPick: the work that a
 * replay makes faster). Must be called in the order of edges. */
static inline gint64
get_part_ns (Run *run, guint pick, guint32 edge)
{
  const LoomPathHostPart *parts = (const LoomPathHostPart *) (gpointer) run->replay->parts->data;
  gint64 part_ns = 0;
  while (run->next < run->n_parts && parts[run->next].edge < edge)
    run->next++;
  for (guint32 i = run->next; i < run->n_parts && parts[i].edge == edge; i++)
    if (parts[i].pick == pick)
      part_ns += parts[i].part_ns;
  return part_ns;
}

/* Returns how many ns of an edge a pick selects (LoomPathPick: the work that a replay makes faster). A pick of all time
 * of hosts does not select data loading, because data loading has its own LoomPathKind. */
static inline gint64
get_picked_ns (Run *run, guint32 edge, gint64 weight_ns)
{
  gboolean on_host = run->replay->kinds[edge] == LOOM_PATH_KIND_HOST;
  if (!changes_whole_edge (run, edge)) /* only host edges are divided into LoomPathHostParts */
    return on_host ? get_part_ns (run, run->pick, edge) : 0;
  if (run->bits != 0 || !on_host)
    return weight_ns;
  return MAX (0, weight_ns - get_part_ns (run, run->replay->data_pick, edge));
}

/* Sets the times of a node, one for each LoomPathChange: the time that the node would have if this change were applied
 * to the work of the pick. The pick does not change most edges (then picked_ns is 0). */
static inline void
replay_node (Run *run, guint32 node, LoomPathTimes *times)
{
  const LoomPathGraph *graph = run->replay->graph;
  const LoomPathEdge *edges = graph->edges;
  guint32 e = graph->first_edge[node], end = graph->first_edge[node + 1];
  gint64 begin_ns = e == end ? graph->nodes[node].time_ns : G_MININT64;
  LoomPathTimes own = { { begin_ns, begin_ns } };
  for (; e < end; e++) {
    gint64 weight_ns = edges[e].weight_ns, picked_ns = get_picked_ns (run, e, weight_ns);
    const LoomPathTimes *from = &times[edges[e].from];
    for (guint k = 0; k < LOOM_N_PATH_CHANGES; k++) {
      gint64 left_ns =
        G_LIKELY (picked_ns == 0) ? weight_ns : weight_ns - MIN (get_reduction (picked_ns, k), weight_ns);
      own.ns[k] = MAX (own.ns[k], from->ns[k] + left_ns);
    }
  }
  times[node] = own;
}

void
loom_path_replay_run (const LoomPathReplay *replay, guint pick, LoomPathTimes *times, gint64 *saving_ns)
{
  const LoomPathGraph *graph = replay->graph;
  Run run = begin_run (replay, pick);
  for (guint32 v = 0; v < graph->n; v++)
    replay_node (&run, v, times);
  for (guint k = 0; k < LOOM_N_PATH_CHANGES; k++)
    saving_ns[k] = graph->n > 0 ? graph->nodes[graph->n - 1].time_ns - times[graph->n - 1].ns[k] : 0;
}

guint32
loom_path_replay_count_wrong (const LoomPathGraph *graph)
{
  const LoomPathEdge *edges = graph->edges;
  g_autofree gint64 *times = g_new (gint64, MAX (graph->n, 1));
  guint32 n_wrong = 0;
  for (guint32 v = 0; v < graph->n; v++) {
    guint32 e = graph->first_edge[v], end = graph->first_edge[v + 1];
    times[v] = e == end ? graph->nodes[v].time_ns : G_MININT64;
    for (; e < end; e++)
      times[v] = MAX (times[v], times[edges[e].from] + edges[e].weight_ns);
    n_wrong += times[v] != graph->nodes[v].time_ns;
  }
  return n_wrong;
}

void
loom_path_replay_get_slack (const LoomPathGraph *graph, gint64 *slack_ns)
{
  const LoomPathEdge *edges = graph->edges;
  gint64 end_ns = graph->n > 0 ? graph->nodes[graph->n - 1].time_ns : 0;
  for (guint32 v = 0; v < graph->n; v++)
    slack_ns[v] =
      /* at first, slack_ns[node] is the latest time that the node can have without delaying the end of the path */
      end_ns;
  for (guint32 v = graph->n; v-- > 0;) {
    for (guint32 e = graph->first_edge[v]; e < graph->first_edge[v + 1]; e++)
      slack_ns[edges[e].from] = MIN (slack_ns[edges[e].from], slack_ns[v] - edges[e].weight_ns);
    slack_ns[v] -= graph->nodes[v].time_ns;
  }
}
