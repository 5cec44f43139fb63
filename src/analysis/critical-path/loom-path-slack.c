/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-path-slack.h"

#include "loom-int64-hash.h"
#include "loom-merge-sort.h"
#include "loom-path-graph.h"
#include "loom-path-replay.h"
#include "loom-time-bsearch.h"

/* The slack of the end of a kernel or copy. */
typedef struct {
  LoomSpanId span;
  gint64 slack_ns;
} WorkSlack;

/* The slack of a node on the host. */
typedef struct {
  gint64 time_ns, slack_ns;
} HostSlack;

struct _LoomPathSlack {
  LoomTimeline *timeline;
  LoomRange range;    /* range of the graph from which the slack was computed */
  GArray *works;      /* WorkSlack, sorted by trace, then by span */
  HostSlack *moments; /* sorted by process, then time */
  /* [process] index of the first node of the process in `moments`; the last element is the length of `moments` */
  guint32 *first;
  guint32 *first_line; /* [trace] number of the trace's first process, see LoomPathItems.first_line */
  GHashTable *callers; /* set of the tracks that have calls; a track is stored as trace << 32 | track (gint64) */
};

static gboolean
is_before (const WorkSlack *a, const WorkSlack *b)
{
  return a->span.trace != b->span.trace ? a->span.trace < b->span.trace : a->span.span < b->span.span;
}

#define IS_BEFORE(a, b) is_before (a, b)
LOOM_DEFINE_SORT (sort_works, WorkSlack, IS_BEFORE)

static gint64
get_key (guint32 trace, guint32 track)
{
  return (gint64) trace << 32 | track;
}

/* Returns the number of the process (LoomPathCall.line) to which a node of the host belongs; LOOM_PATH_NONE: the node
 * belongs to a device. */
static guint32
get_line (const LoomPathGraph *graph, const LoomPathNode *node)
{
  switch ((LoomPathNodeType) node->type) {
  case LOOM_PATH_NODE_CALL_BEGIN:
  case LOOM_PATH_NODE_CALL_END: return loom_path_items_get_call (&graph->items, node->item)->line;
  case LOOM_PATH_NODE_MARK_BEGIN:
  case LOOM_PATH_NODE_MARK_END: return g_array_index (graph->items.marks, LoomPathMark, node->item).line;
  default: return LOOM_PATH_NONE;
  }
}

static void
add_works (LoomPathSlack *slack, const LoomPathGraph *graph, const gint64 *slack_ns)
{
  for (guint32 v = 0; v < graph->n; v++) {
    const LoomPathNode *node = &graph->nodes[v];
    if (node->type != LOOM_PATH_NODE_WORK_END && node->type != LOOM_PATH_NODE_WORK_END_LATE)
      continue;
    const LoomPathWork *work = loom_path_items_get_work (&graph->items, node->item);
    WorkSlack one = { { work->trace, work->span }, slack_ns[v] };
    g_array_append_val (slack->works, one);
  }
  sort_works ((WorkSlack *) (gpointer) slack->works->data, slack->works->len);
}

/* Fills slack->moments with the nodes of each process. The nodes of a process are in order of time, because the nodes
 * of the graph are in order of time. */
static void
add_moments (LoomPathSlack *slack, const LoomPathGraph *graph, const gint64 *slack_ns, guint32 n_lines)
{
  slack->first = g_new0 (guint32, n_lines + 1);
  for (guint32 v = 0; v < graph->n; v++) {
    guint32 line = get_line (graph, &graph->nodes[v]);
    if (line != LOOM_PATH_NONE)
      slack->first[line + 1]++;
  }
  for (guint32 i = 0; i < n_lines; i++)
    slack->first[i + 1] += slack->first[i];
  slack->moments = g_new (HostSlack, MAX (slack->first[n_lines], 1));
  g_autofree guint32 *next = g_memdup2 (slack->first, (n_lines + 1) * sizeof *slack->first);
  for (guint32 v = 0; v < graph->n; v++) {
    guint32 line = get_line (graph, &graph->nodes[v]);
    if (line != LOOM_PATH_NONE)
      slack->moments[next[line]++] = (HostSlack) { graph->nodes[v].time_ns, slack_ns[v] };
  }
}

static void
add_callers (LoomPathSlack *slack, const LoomPathItems *items)
{
  gint64 last = -1;
  for (guint32 i = 0; i < items->calls->len; i++) {
    const LoomPathCall *call = loom_path_items_get_call (items, i);
    gint64 key = get_key (call->trace, call->track);
    if (key != last)
      g_hash_table_add (slack->callers, g_memdup2 (&key, sizeof key));
    last = key;
  }
}

LoomPathSlack *
loom_path_slack_new (const LoomPathGraph *graph)
{
  const LoomPathItems *items = &graph->items;
  guint n_traces = loom_run_get_n_traces (loom_timeline_get_run (items->timeline));
  LoomPathSlack *slack = g_new0 (LoomPathSlack, 1);
  g_autofree gint64 *slack_ns = g_new (gint64, MAX (graph->n, 1));
  loom_path_replay_get_slack (graph, slack_ns);
  slack->timeline = loom_timeline_ref (items->timeline);
  slack->range = items->range;
  slack->works = g_array_sized_new (FALSE, FALSE, sizeof (WorkSlack), items->works->len);
  slack->callers = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  slack->first_line = g_memdup2 (items->first_line, (n_traces + 1) * sizeof *items->first_line);
  add_works (slack, graph, slack_ns);
  add_moments (slack, graph, slack_ns, items->first_line[n_traces]);
  add_callers (slack, items);
  return slack;
}

void
loom_path_slack_free (LoomPathSlack *slack)
{
  if (slack == NULL)
    return;
  loom_timeline_unref (slack->timeline);
  g_array_unref (slack->works);
  g_hash_table_unref (slack->callers);
  g_free (slack->moments);
  g_free (slack->first);
  g_free (slack->first_line);
  g_free (slack);
}

static gint64
get_work_key (gconstpointer works, guint32 at)
{
  LoomSpanId span = ((const WorkSlack *) works)[at].span;
  return get_key (span.trace, span.span);
}

static gint64
get_time (gconstpointer moments, guint32 at)
{
  return ((const HostSlack *) moments)[at].time_ns;
}

static gboolean
find_of_host (const LoomPathSlack *slack, LoomSpanId span, gint64 *slack_ns)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (slack->timeline), span.trace);
  guint32 track, row;
  gint64 begin_ns, end_ns;
  loom_trace_locate_span (trace, span.span, &track, &row);
  gint64 key = get_key (span.trace, track);
  if (!g_hash_table_contains (slack->callers, &key))
    return FALSE;
  guint32 line = slack->first_line[span.trace] + loom_trace_get_track (trace, track)->process_id;
  loom_timeline_get_span (slack->timeline, span, &begin_ns, &end_ns);
  guint32 at = loom_time_bsearch_by (get_time, slack->moments, slack->first[line], slack->first[line + 1], end_ns);
  if (at == slack->first[line + 1] || end_ns < slack->range.begin_ns || end_ns > slack->range.end_ns)
    return FALSE;
  *slack_ns = slack->moments[at].slack_ns;
  return TRUE;
}

gboolean
loom_path_slack_get (const LoomPathSlack *slack, LoomSpanId span, gint64 *slack_ns)
{
  g_return_val_if_fail (slack != NULL && slack_ns != NULL, FALSE);
  if (span.trace >= loom_run_get_n_traces (loom_timeline_get_run (slack->timeline)))
    return FALSE;
  const WorkSlack *works = (const WorkSlack *) (gpointer) slack->works->data;
  gint64 key = get_key (span.trace, span.span);
  guint32 at = loom_time_bsearch_by (get_work_key, works, 0, slack->works->len, key);
  if (at == slack->works->len || get_work_key (works, at) != key)
    return find_of_host (slack, span, slack_ns);
  *slack_ns = works[at].slack_ns;
  return TRUE;
}
