/* SPDX-License-Identifier: Apache-2.0
 *
 * The step of loom_trace_builder_freeze() that makes the arrows and flow points of a trace from the flow events of all
 * threads. It first sorts the flow events by time within their chunks, while other threads fill the columns; then finds
 * the span of each event and partitions the events by key, chunk by chunk; and at last links the events with the same
 * key. Each of these three parts uses all threads.
 */
#include "loom-freeze-private.h"

#include "loom-chunk-sort.h"
#include "loom-flow-arrows.h"
#include "loom-flow-binding.h"
#include "loom-flow-linker.h"

/* Returns the position of an event among events at the same time: starts come first, then steps, then ends. */
static inline guint
rank (const LoomFlowRecord *record)
{
  return record->phase == 's' || record->phase == 'o' ? 0 : record->phase == 't' ? 1 : 2;
}

#define BY_TIME(a, b) ((a)->time_ns < (b)->time_ns || ((a)->time_ns == (b)->time_ns && rank (a) < rank (b)))

LOOM_DEFINE_SORT (sort_by_time, LoomFlowRecord, BY_TIME)
LOOM_DEFINE_CHUNK_SORT (sort_by_time, LoomFlowRecord, BY_TIME)

#define BLOCK_CHUNKS 16    /* number of chunks that one work item sorts */
#define BLOCK_STRETCHES 16 /* number of stretches whose events one work item binds to spans */

typedef struct {
  LoomFreeze *freeze;
  const GArray *stretches; /* LoomFlowStretch: all flow events, in order of time */
  guint32 n;
  LoomFlowLinker chains;
  /* array indexed by stretch: number of flow points (LoomFlowPoint) from this stretch, which are made from flow events
   * s, t and f */
  guint32 *n_points;
} Work;

/* --- sorting the flow events of the builder ----------------------------------------------------------------------- */

static void
sort_chunk (LoomChunk *chunk)
{
  LoomFlowRecord *records = loom_chunk_list_data (chunk);
  const LoomRemap *remap = chunk->remap;
  for (guint32 i = 0; remap != NULL && i < chunk->n; i++) {
    records[i].name_id = remap->names[records[i].name_id];
    records[i].thread = remap->threads[records[i].thread];
  }
  chunk->remap = NULL;
  sort_by_time (records, chunk->n);
}

static void
add_stretch (LoomSortedFlows *sorted, LoomFlowRecord *records, guint32 n)
{
  LoomFlowStretch stretch = { records, n, sorted->n };
  /* neither a chunk nor a stretch made by flatten() has more records */
  g_assert (n <= LOOM_FLOW_STRETCH_RECORDS);
  g_array_append_val (sorted->stretches, stretch);
  sorted->n += n;
}

/* Copies the records of all chunks into one sorted array. Called if sources overlap in time. */
static void
flatten (LoomSortedFlows *sorted, LoomChunkList *flows)
{
  guint64 n = flows->n;
  sorted->flat = g_new (LoomFlowRecord, n);
  loom_chunk_list_drain (flows, sizeof *sorted->flat, sorted->flat);
  sort_by_time (sorted->flat, n);
  for (guint64 first = 0; first < n; first += LOOM_FLOW_STRETCH_RECORDS)
    add_stretch (sorted, sorted->flat + first, (guint32) MIN (n - first, LOOM_FLOW_STRETCH_RECORDS));
}

static void
stitch (LoomFreeze *freeze)
{
  LoomSortedFlows *sorted = &freeze->flows;
  LoomChunk **chunks = (LoomChunk **) sorted->chunks->pdata;
  guint n_chunks = sorted->chunks->len;
  sorted->stretches = g_array_new (FALSE, FALSE, sizeof (LoomFlowStretch));
  if (!sort_by_time_chunks (chunks, n_chunks)) {
    flatten (sorted, &freeze->builder->flows);
    return;
  }
  for (guint i = 0; i < n_chunks; i++)
    add_stretch (sorted, loom_chunk_list_data (chunks[i]), chunks[i]->n);
}

guint
loom_freeze_list_flows (LoomFreeze *freeze)
{
  LoomSortedFlows *sorted = &freeze->flows;
  sorted->chunks = g_ptr_array_new ();
  for (LoomChunk *chunk = freeze->builder->flows.first; chunk != NULL; chunk = chunk->next)
    if (chunk->n > 0)
      g_ptr_array_add (sorted->chunks, chunk);
  return sorted->n_left = (sorted->chunks->len + BLOCK_CHUNKS - 1) / BLOCK_CHUNKS;
}

void
loom_freeze_sort_flows (LoomFreeze *freeze, guint block)
{
  LoomSortedFlows *sorted = &freeze->flows;
  for (guint i = block * BLOCK_CHUNKS; i < MIN (sorted->chunks->len, (block + 1) * BLOCK_CHUNKS); i++)
    sort_chunk (g_ptr_array_index (sorted->chunks, i));
  if (g_atomic_int_dec_and_test (&sorted->n_left))
    stitch (freeze);
}

void
loom_freeze_clear_flows (LoomFreeze *freeze)
{
  g_clear_pointer (&freeze->flows.chunks, g_ptr_array_unref);
  g_clear_pointer (&freeze->flows.stretches, g_array_unref);
}

/* --- finding the span of each flow event -------------------------------------------------------------------------- */

/* Returns the binding for the track of a thread, and makes it if it does not exist yet. NULL: the thread has no track.
 * Each block of stretches has bindings of its own. The first query of a binding searches for the position; later
 * queries only move the position a little. */
static LoomFlowBinding *
binding_for (const Work *work, LoomFlowBinding **bindings, guint32 thread)
{
  guint32 track = work->freeze->track_of_thread[thread];
  if (track == G_MAXUINT32)
    return NULL;
  if (bindings[thread] == NULL) {
    bindings[thread] = g_new (LoomFlowBinding, 1);
    loom_flow_binding_init (bindings[thread], work->freeze->trace, track);
  }
  return bindings[thread];
}

static void
keep_point (const Work *work, const LoomFlowRecord *record, LoomFlowPoint *points, guint32 *n)
{
  if (record->phase == 'o' || record->phase == 'i')
    return;
  guint32 track = work->freeze->track_of_thread[record->thread];
  points[(*n)++] = (LoomFlowPoint) { record->time_ns, record->ref, track, record->name_id };
}

/* Memory that a worker thread needs to bind the flow events of a block of stretches to spans. */
typedef struct {
  LoomFlowBinding **bindings; /* array indexed by thread of the builder: binding for its track; NULL until needed */
  guint32 spans[LOOM_FLOW_STRETCH_RECORDS];
  LoomFlowEvent events[LOOM_FLOW_STRETCH_RECORDS];
} Room;

static void
bind_stretch (Work *work, guint item, Room *room)
{
  const LoomFlowStretch *stretch = &g_array_index (work->stretches, LoomFlowStretch, item);
  LoomFlowPoint *points = work->freeze->trace->points + stretch->first;
  gboolean with_arrows = !work->freeze->builder->no_arrows;
  for (guint32 i = 0; i < stretch->n; i++) {
    const LoomFlowRecord *record = &stretch->records[i];
    keep_point (work, record, points, &work->n_points[item]);
    LoomFlowBinding *binding = with_arrows ? binding_for (work, room->bindings, record->thread) : NULL;
    room->spans[i] = binding != NULL ? loom_flow_binding_find (binding, record) : G_MAXUINT32;
  }
  if (with_arrows)
    loom_flow_linker_deal (&work->chains, item, room->spans, room->events);
}

static void
bind_block (guint block, guint worker, gpointer user_data)
{
  Work *work = user_data;
  guint32 n_threads = work->freeze->builder->threads->len;
  g_autofree Room *room = g_new (Room, 1);
  room->bindings = g_new0 (LoomFlowBinding *, n_threads);
  for (guint i = block * BLOCK_STRETCHES; i < MIN (work->stretches->len, (block + 1) * BLOCK_STRETCHES); i++)
    bind_stretch (work, i, room);
  for (guint32 i = 0; i < n_threads; i++) {
    if (room->bindings[i] != NULL)
      loom_flow_binding_clear (room->bindings[i]);
    g_free (room->bindings[i]);
  }
  g_free (room->bindings);
}

static gboolean
bind (Work *work)
{
  LoomTrace *trace = work->freeze->trace;
  guint n = work->stretches->len;
  trace->points = g_new (LoomFlowPoint, work->n);
  if (!work->freeze->builder->no_arrows)
    loom_flow_linker_init (&work->chains, work->freeze->builder,
                           (const LoomFlowStretch *) (gpointer) work->stretches->data, n, work->n);
  work->n_points = g_new0 (guint32, n);
  guint n_blocks = (n + BLOCK_STRETCHES - 1) / BLOCK_STRETCHES;
  gboolean done = loom_parallel_for (n_blocks, work->freeze->n_threads, bind_block, work, work->freeze->progress);
  for (guint i = 0; i < n && done; i++) {
    LoomFlowPoint *from = trace->points + g_array_index (work->stretches, LoomFlowStretch, i).first;
    LoomFlowPoint *to = trace->points + trace->n_points;
    if (from != to)
      memmove (to, from, work->n_points[i] * sizeof *to);
    trace->n_points += work->n_points[i];
  }
  if (trace->n_points < work->n)
    trace->points = g_renew (LoomFlowPoint, trace->points, MAX (trace->n_points, 1));
  return done;
}

/* --- linking the flow events -------------------------------------------------------------------------------------- */

static gboolean
connect (Work *work)
{
  LoomFreeze *freeze = work->freeze;
  GArray *found = loom_flow_linker_link (&work->chains, &freeze->tally, freeze->n_threads, freeze->progress);
  if (found == NULL)
    return FALSE;
  loom_flow_arrows_keep (freeze->trace, found, freeze->n_threads);
  loom_flow_arrows_free (found);
  return TRUE;
}

gboolean
loom_freeze_bind_flows (LoomFreeze *freeze)
{
  LoomSortedFlows *sorted = &freeze->flows;
  Work work = { .freeze = freeze, .stretches = sorted->stretches, .n = sorted->n };
  gboolean done = sorted->n == 0 || (bind (&work) && (freeze->builder->no_arrows || connect (&work)));
  loom_flow_linker_clear (&work.chains);
  g_free (work.n_points);
  return done;
}
