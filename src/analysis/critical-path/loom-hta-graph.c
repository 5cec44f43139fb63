/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-hta-graph.h"

#include <string.h>

#include "loom-merge-sort.h"

/* HTA's constant KERNEL_KERNEL_DELAY_THRESHOLD_US, in ns. If the pause between two kernels of a stream is longer, there
 * is no edge between them. */
#define MOST_PAUSE_NS 1500000
#define BEGIN_OF(index) (2 * (index))
#define END_OF(index) (2 * (index) + 1)

/* --- the window: time range of the annotated spans ---------------------------------------------------------------- */

static gboolean
find_window (LoomHtaGraph *graph, const char *annotation, guint first, guint last)
{
  const LoomSpans *spans = loom_trace_get_spans (graph->spans.trace);
  guint n = 0;
  for (guint32 i = 0; i < graph->spans.spans->len; i++) {
    const LoomHtaSpan *span = loom_hta_graph_get_span (graph, i);
    const char *name = loom_trace_get_name (graph->spans.trace, spans->name_id[span->span])->text;
    if (strstr (name, annotation) == NULL || (annotation[0] != '\0' && n++ < first))
      continue;
    if (annotation[0] != '\0' && n > last + 1)
      break;
    graph->begin_ns = MIN (graph->begin_ns, span->start_ns);
    graph->end_ns = MAX (graph->end_ns, span->end_ns);
  }
  return graph->begin_ns <= graph->end_ns;
}

/* Sets in_window of the spans. A host span is in the window if it begins in the window and lasts longer than 0 ns. A
 * span of device work is in the window if the call that launched it is in the window. Exception: a span in which a
 * stream waits for an event is in the window if the launching call is known, even if this call is outside the
 * window. */
static void
clip (LoomHtaGraph *graph)
{
  for (guint32 i = 0; i < graph->spans.spans->len; i++) {
    const LoomHtaSpan *span = loom_hta_graph_get_span (graph, i), *of_host = span;
    gboolean on_device = span->klass >= LOOM_HTA_SPAN_DEVICE && span->stream >= 0;
    if (on_device && span->link == LOOM_HTA_NONE)
      continue;
    if (on_device)
      of_host = loom_hta_graph_get_span (graph, span->link);
    graph->in_window[i] =
      of_host->start_ns >= graph->begin_ns && of_host->start_ns <= graph->end_ns && of_host->end_ns > of_host->start_ns;
    if (span->klass == LOOM_HTA_SPAN_SYNC && loom_hta_spans_get_wait (&graph->spans, i) == LOOM_HTA_WAIT_STREAM_EVENT)
      graph->in_window[i] = TRUE;
  }
}

/* --- adding nodes and edges --------------------------------------------------------------------------------------- */

static void
add_node (LoomHtaGraph *graph, guint32 node)
{
  if (!graph->has_edges[node])
    g_array_append_val (graph->order, node);
  graph->has_edges[node] = TRUE;
}

/* Adds an edge. If there already is an edge between the two nodes, the new edge replaces it at the same index in
 * `edges`. */
static void
add_edge (LoomHtaGraph *graph, guint32 from, guint32 to, LoomHtaEdgeKind kind, gint64 weight_ns, guint32 attributed)
{
  LoomHtaEdge edge = { weight_ns, from, to, attributed, kind };
  gpointer key = GSIZE_TO_POINTER ((gsize) from * (2 * (gsize) graph->spans.spans->len) + to + 1);
  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (graph->edge_of, key));
  add_node (graph, from);
  add_node (graph, to);
  if (place != 0) {
    g_array_index (graph->edges, LoomHtaEdge, place - 1) = edge;
    return;
  }
  g_array_append_val (graph->edges, edge);
  g_hash_table_insert (graph->edge_of, key, GUINT_TO_POINTER (graph->edges->len));
}

static gint64
get_passed (const LoomHtaGraph *graph, guint32 from, guint32 to)
{
  return loom_hta_graph_get_time (graph, to) - loom_hta_graph_get_time (graph, from);
}

/* --- calls that take the same lock -------------------------------------------------------------------------------- */

typedef struct {
  gint64 time_ns;
  guint32 node;
} Moment;

static gboolean
is_earlier (const Moment *a, const Moment *b)
{
  return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->node < b->node;
}

#define IS_EARLIER(a, b) is_earlier (a, b)
LOOM_DEFINE_SORT (sort_moments, Moment, IS_EARLIER)

static gboolean
locks (const LoomHtaGraph *graph, guint32 node)
{
  return (loom_hta_graph_get_span (graph, node / 2)->flags & LOOM_HTA_CALL_LOCKS) != 0;
}

static GArray *
list_locking (const LoomHtaGraph *graph)
{
  GArray *moments = g_array_new (FALSE, FALSE, sizeof (Moment));
  for (guint32 i = 0; i < graph->spans.spans->len; i++) {
    if (!loom_hta_graph_has_nodes (graph, i) || !locks (graph, BEGIN_OF (i)))
      continue;
    Moment begin = { loom_hta_graph_get_time (graph, BEGIN_OF (i)), BEGIN_OF (i) },
           end = { loom_hta_graph_get_time (graph, END_OF (i)), END_OF (i) };
    g_array_append_val (moments, begin);
    g_array_append_val (moments, end);
  }
  sort_moments ((Moment *) (gpointer) moments->data, moments->len);
  return moments;
}

static void
add_lock_edges (LoomHtaGraph *graph)
{
  g_autoptr (GArray) moments = list_locking (graph), begun = g_array_new (FALSE, FALSE, sizeof (guint32));
  guint32 last = LOOM_HTA_NONE;
  for (guint i = 0; i < moments->len; i++) {
    guint32 node = g_array_index (moments, Moment, i).node;
    if (node % 2 == 0)
      g_array_append_val (begun, node);
    for (; node % 2 == 1 && begun->len > 0; g_array_set_size (begun, begun->len - 1)) {
      guint32 begin = g_array_index (begun, guint32, begun->len - 1);
      if (begin / 2 == node / 2)
        add_edge (graph, begin, node, LOOM_HTA_EDGE_OPERATOR, get_passed (graph, begin, node), node / 2);
      else
        add_edge (graph, begin, node, LOOM_HTA_EDGE_DEPENDENCY, 0, LOOM_HTA_NONE);
    }
    if (node % 2 == 1 && last != LOOM_HTA_NONE && last % 2 == 1)
      add_edge (graph, last, node, LOOM_HTA_EDGE_DEPENDENCY, 0, LOOM_HTA_NONE);
    last = node;
  }
}

/* --- edges of the call stacks on the host ------------------------------------------------------------------------- */

typedef struct {
  gint64 process, thread; /* pid and tid in the file */
  guint32 node;
  gint64 time_ns, duration_ns;
} Event;

/* Returns TRUE if `a` precedes `b`. Events are ordered by process, thread and time. At equal times, ends come before
 * starts, starts of parents before starts of their children, and ends of children before ends of their parents. */
static gboolean
is_event_before (const Event *a, const Event *b)
{
  if (a->process != b->process || a->thread != b->thread)
    return a->process != b->process ? a->process < b->process : a->thread < b->thread;
  if (a->time_ns != b->time_ns)
    return a->time_ns < b->time_ns;
  if (a->node % 2 != b->node % 2)
    return a->node % 2 == 1;
  if (a->duration_ns != b->duration_ns)
    return a->node % 2 == 0 ? a->duration_ns > b->duration_ns : a->duration_ns < b->duration_ns;
  return a->node % 2 == 0 ? a->node < b->node : a->node > b->node;
}

#define IS_EVENT_BEFORE(a, b) is_event_before (a, b)
LOOM_DEFINE_SORT (sort_events, Event, IS_EVENT_BEFORE)

static gint64
get_number (const char *key)
{
  const char *digits = key + strcspn (key, "0123456789");
  return *digits != '\0' ? g_ascii_strtoll (digits, NULL, 10) : -1;
}

/* Returns the only track that has spans whose names have this flag; LOOM_HTA_NONE: no track or several tracks have such
 * spans. */
static guint32
find_only_track (const LoomHtaGraph *graph, LoomHtaNameFlags flag)
{
  guint32 found = LOOM_HTA_NONE;
  for (guint32 i = 0; i < graph->spans.spans->len; i++) {
    const LoomHtaSpan *span = loom_hta_graph_get_span (graph, i);
    if (!graph->in_window[i] || (span->flags & flag) == 0)
      continue;
    if (found != LOOM_HTA_NONE && found != span->track)
      return LOOM_HTA_NONE;
    found = span->track;
  }
  return found;
}

static GArray *
list_events (const LoomHtaGraph *graph)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (Event));
  guint32 forward = find_only_track (graph, LOOM_HTA_NAME_FORWARD),
          backward = find_only_track (graph, LOOM_HTA_NAME_AUTOGRAD);
  for (guint32 i = 0; i < graph->spans.spans->len; i++) {
    const LoomHtaSpan *span = loom_hta_graph_get_span (graph, i);
    if (!graph->in_window[i] || span->klass >= LOOM_HTA_SPAN_DEVICE)
      continue;
    guint32 number = span->track == backward && forward != LOOM_HTA_NONE ? forward : span->track;
    const LoomTrack *track = loom_trace_get_track (graph->spans.trace, number);
    Event event = { get_number (track->process_key), get_number (track->thread_key), 0, 0,
                    span->end_ns - span->start_ns };
    for (event.node = BEGIN_OF (i); event.node <= END_OF (i); event.node++) {
      event.time_ns = loom_hta_graph_get_time (graph, event.node);
      g_array_append_val (events, event);
    }
  }
  sort_events ((Event *) (gpointer) events->data, events->len);
  return events;
}

/* State while the call stack of one thread is processed in order of time. */
typedef struct {
  GArray *open;        /* guint32: indices of the open spans, innermost last */
  guint32 last;        /* last node that was visited; LOOM_HTA_NONE: none yet */
  guint32 last_parent; /* span that encloses the span of the node `last`; LOOM_HTA_NONE: none */
  guint depth;         /* number of spans in `open` that have nodes in the graph */
} Stack;

static gboolean
share_lock (const LoomHtaGraph *graph, guint32 first, guint32 second)
{
  return locks (graph, first) && locks (graph, second) && (first % 2 == 0 || second % 2 == 1);
}

static void
add_stack_edge (LoomHtaGraph *graph, Stack *stack, guint32 node)
{
  gboolean begins = node % 2 == 0,
           blocks = (loom_hta_graph_get_span (graph, node / 2)->flags & LOOM_HTA_CALL_BLOCKS) != 0;
  guint32 parent = stack->open->len > 0 ? g_array_index (stack->open, guint32, stack->open->len - 1) : LOOM_HTA_NONE;
  if (stack->last != LOOM_HTA_NONE && !share_lock (graph, stack->last, node)) {
    gboolean depends = begins && stack->depth == 0;
    gint64 weight_ns = depends || (!begins && blocks) ? 0 : get_passed (graph, stack->last, node);
    guint32 attributed = stack->last % 2 == 0 ? stack->last / 2 : !begins ? node / 2 : stack->last_parent;
    add_edge (graph, stack->last, node, depends ? LOOM_HTA_EDGE_DEPENDENCY : LOOM_HTA_EDGE_OPERATOR, weight_ns,
              depends ? LOOM_HTA_NONE : attributed);
  }
  stack->last = node;
  stack->last_parent = parent;
  stack->depth = begins ? stack->depth + 1 : stack->depth - 1;
}

static void
add_stack_edges (LoomHtaGraph *graph)
{
  g_autoptr (GArray) events = list_events (graph), open = g_array_new (FALSE, FALSE, sizeof (guint32));
  Stack stack = { open, LOOM_HTA_NONE, LOOM_HTA_NONE, 0 };
  for (guint i = 0; i < events->len; i++) {
    const Event *event = &g_array_index (events, Event, i), *before = i > 0 ? event - 1 : event;
    if (event->process != before->process || event->thread != before->thread) {
      g_array_set_size (open, 0);
      stack = (Stack) { open, LOOM_HTA_NONE, LOOM_HTA_NONE, 0 };
    }
    guint32 span = event->node / 2;
    /* as in HTA, the end of any span closes the innermost open span, even if that is another span */
    if (event->node % 2 == 1) {
      if (open->len == 0)
        continue;
      span = g_array_index (open, guint32, open->len - 1);
      g_array_set_size (open, open->len - 1);
    }
    if (loom_hta_graph_has_nodes (graph, span))
      add_stack_edge (graph, &stack, 2 * span + event->node % 2);
    if (event->node % 2 == 0)
      g_array_append_val (open, span);
  }
}

/* --- edges of the devices ----------------------------------------------------------------------------------------- */

typedef struct {
  gint64 stream;
  guint32 node;
} LastWork;

typedef struct {
  /* LastWork: the last work so far of each stream; streams are in the order of their first work */
  GArray *last;
  guint32 *awaited; /* [span] device work for which the span waits; LOOM_HTA_NONE: none */
} Devices;

static LastWork *
find_last (const Devices *devices, gint64 stream)
{
  for (guint i = 0; i < devices->last->len; i++)
    if (g_array_index (devices->last, LastWork, i).stream == stream)
      return &g_array_index (devices->last, LastWork, i);
  return NULL;
}

static void
add_host_sync (LoomHtaGraph *graph, guint32 node, guint32 call)
{
  if (loom_hta_graph_has_nodes (graph, call))
    add_edge (graph, node, END_OF (call), LOOM_HTA_EDGE_SYNC, 0, LOOM_HTA_NONE);
}

static void
add_wait (LoomHtaGraph *graph, Devices *devices, guint32 index)
{
  const LoomHtaSpan *wait = loom_hta_graph_get_span (graph, index);
  LoomHtaWait kind = loom_hta_spans_get_wait (&graph->spans, index);
  guint32 work =
    wait->recorded != LOOM_HTA_NONE ? loom_hta_graph_get_span (graph, wait->recorded)->link : LOOM_HTA_NONE;
  if (wait->link == LOOM_HTA_NONE)
    return;
  if (kind == LOOM_HTA_WAIT_STREAM_EVENT) {
    if (work != LOOM_HTA_NONE && wait->released != LOOM_HTA_NONE)
      devices->awaited[loom_hta_graph_get_span (graph, wait->released)->link] = work;
  } else if (kind == LOOM_HTA_WAIT_EVENT) {
    if (loom_hta_graph_has_nodes (graph, work))
      add_host_sync (graph, END_OF (work), wait->link);
  } else if (kind == LOOM_HTA_WAIT_STREAM) {
    const LastWork *last = find_last (devices, wait->stream);
    if (last != NULL)
      add_host_sync (graph, last->node, wait->link);
  } else {
    for (guint i = 0; i < devices->last->len; i++)
      add_host_sync (graph, g_array_index (devices->last, LastWork, i).node, wait->link);
  }
}

static void
add_work (LoomHtaGraph *graph, Devices *devices, guint32 index)
{
  const LoomHtaSpan *work = loom_hta_graph_get_span (graph, index), *call = loom_hta_graph_get_span (graph, work->link);
  LastWork *last = find_last (devices, work->stream);
  guint32 awaited = devices->awaited[index], begin = BEGIN_OF (index);
  gint64 last_ns = last != NULL ? loom_hta_graph_get_time (graph, last->node) : G_MININT64;
  add_edge (graph, begin, END_OF (index), LOOM_HTA_EDGE_OPERATOR, work->end_ns - work->start_ns, index);
  awaited = loom_hta_graph_has_nodes (graph, awaited) ? awaited : LOOM_HTA_NONE;
  gint64 awaited_ns = awaited != LOOM_HTA_NONE ? loom_hta_graph_get_span (graph, awaited)->end_ns : G_MININT64;
  if (awaited != LOOM_HTA_NONE)
    add_edge (graph, END_OF (awaited), begin, LOOM_HTA_EDGE_SYNC, 0, LOOM_HTA_NONE);
  if (call->queue == 1 && work->queue == 0 && last_ns < call->start_ns && awaited_ns < call->start_ns)
    add_edge (graph, BEGIN_OF (work->link), begin, LOOM_HTA_EDGE_LAUNCH, work->start_ns - call->start_ns,
              LOOM_HTA_NONE);
  else if (last != NULL && work->start_ns - last_ns < MOST_PAUSE_NS && awaited_ns < last_ns)
    add_edge (graph, last->node, begin, LOOM_HTA_EDGE_KERNEL, work->start_ns - last_ns, last->node / 2);
  LastWork own = { work->stream, END_OF (index) };
  if (last != NULL)
    *last = own;
  else
    g_array_append_val (devices->last, own);
}

static void
add_device_edges (LoomHtaGraph *graph)
{
  g_autoptr (GArray) moments = g_array_new (FALSE, FALSE, sizeof (Moment)),
                     last = g_array_new (FALSE, FALSE, sizeof (LastWork));
  guint32 n = graph->spans.spans->len;
  Devices devices = { last, g_new (guint32, MAX (n, 1)) };
  memset (devices.awaited, 0xff, MAX (n, 1) * sizeof *devices.awaited);
  /* Waits are processed in the order of their ends, device work in the order of its starts. */
  for (guint32 i = 0; i < n; i++) {
    const LoomHtaSpan *span = loom_hta_graph_get_span (graph, i);
    Moment moment = { span->klass == LOOM_HTA_SPAN_SYNC ? span->end_ns : span->start_ns, i };
    if (graph->in_window[i] && span->klass >= LOOM_HTA_SPAN_DEVICE)
      g_array_append_val (moments, moment);
  }
  sort_moments ((Moment *) (gpointer) moments->data, moments->len);
  for (guint i = 0; i < moments->len; i++) {
    guint32 index = g_array_index (moments, Moment, i).node;
    if (loom_hta_graph_get_span (graph, index)->klass == LOOM_HTA_SPAN_SYNC)
      add_wait (graph, &devices, index);
    else
      add_work (graph, &devices, index);
  }
  g_free (devices.awaited);
}

/* --- making and freeing the graph --------------------------------------------------------------------------------- */

gboolean
loom_hta_graph_init (LoomHtaGraph *graph, const LoomTrace *trace, const char *annotation, guint first, guint last)
{
  *graph = (LoomHtaGraph) { .begin_ns = G_MAXINT64, .end_ns = G_MININT64 };
  loom_hta_spans_init (&graph->spans, trace);
  graph->in_window = g_new0 (gboolean, graph->spans.spans->len + 1);
  graph->has_edges = g_new0 (gboolean, 2 * graph->spans.spans->len + 1);
  graph->edges = g_array_new (FALSE, FALSE, sizeof (LoomHtaEdge));
  graph->order = g_array_new (FALSE, FALSE, sizeof (guint32));
  graph->edge_of = g_hash_table_new (NULL, NULL);
  if (!find_window (graph, annotation, first, last))
    return FALSE;
  clip (graph);
  add_lock_edges (graph);
  add_stack_edges (graph);
  add_device_edges (graph);
  return TRUE;
}

void
loom_hta_graph_clear (LoomHtaGraph *graph)
{
  g_hash_table_unref (graph->edge_of);
  g_array_unref (graph->order);
  g_array_unref (graph->edges);
  g_free (graph->has_edges);
  g_free (graph->in_window);
  loom_hta_spans_clear (&graph->spans);
}
