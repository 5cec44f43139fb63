/* SPDX-License-Identifier: Apache-2.0
 *
 * The step of loom_trace_builder_freeze() that makes the arrows and flow points of a trace from its flow events. It
 * has three parts. Several worker threads share the work of each part.
 *
 * First, the flow events are sorted by time. Each worker thread sorts some of the chunks; other worker threads may
 * fill the columns of the trace at the same time. Then, the span of each event is found, and the events are
 * partitioned by key. Finally, the events with the same key are linked.
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
#define BLOCK_STRETCHES 16 /* number of stretches (LoomFlowStretch) whose events one work item binds to spans */
/* Maximum number of runs (sequences of chunks in order of time) that merge_runs() merges. flatten() sorts a greater
 * number of runs faster. */
#define MOST_RUNS 8

typedef struct {
  LoomFreeze *freeze;
  const GArray *stretches; /* LoomFlowStretch: all flow events, in order of time */
  guint32 n;
  LoomFlowLinker chains;
  /* array indexed by stretch (LoomFlowStretch): number of flow points (LoomFlowPoint) that are made from the flow
   * events (phases s, t and f) of this stretch */
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
  /* a LoomFlowStretch has at most this number of records, whether it is a chunk or was made by flatten() */
  g_assert (n <= LOOM_FLOW_STRETCH_RECORDS);
  g_array_append_val (sorted->stretches, stretch);
  sorted->n += n;
}

/* Copies the records of all chunks into one array and sorts it. Used if many sources overlap in time. */
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
list_chunks (LoomSortedFlows *sorted, const LoomChunkList *flows)
{
  g_ptr_array_set_size (sorted->chunks, 0);
  for (LoomChunk *chunk = flows->first; chunk != NULL; chunk = chunk->next)
    if (chunk->n > 0)
      g_ptr_array_add (sorted->chunks, chunk);
}

/* The unread rest of a run: records in order of time, in a sequence of chunks. */
typedef struct {
  LoomChunk **chunks; /* the current chunk and the chunks after it */
  guint n_chunks;
  guint32 at; /* index of the next record in the current chunk */
} Run;

static const LoomFlowRecord *
get_record (const LoomChunk *chunk, guint32 i)
{
  return (const LoomFlowRecord *) loom_chunk_list_data ((LoomChunk *) chunk) + i;
}

/* Divides the chunks into runs, that is, sequences of chunks in order of time. Each chunk must be in order of time.
 * Returns the number of runs; 0 if there are more than MOST_RUNS. */
static guint
find_runs (const GPtrArray *chunks, Run *runs)
{
  guint n = 0;
  for (guint i = 0; i < chunks->len; i++) {
    LoomChunk *chunk = chunks->pdata[i], *before = i > 0 ? chunks->pdata[i - 1] : NULL;
    if (before == NULL || BY_TIME (get_record (chunk, 0), get_record (before, before->n - 1))) {
      if (n == MOST_RUNS)
        return 0;
      runs[n++] = (Run) { (LoomChunk **) &chunks->pdata[i], 0, 0 };
    }
    runs[n - 1].n_chunks++;
  }
  return n;
}

/* Moves on to the next record of the run, and frees a chunk whose records have all been read. Returns FALSE after the
 * last record. */
static inline gboolean
pass_record (Run *run)
{
  if (G_LIKELY (++run->at < run->chunks[0]->n))
    return TRUE;
  loom_chunk_list_free_chunk (*run->chunks++);
  run->at = 0;
  return --run->n_chunks > 0;
}

/* Frees the chunks without records, which `sorted->chunks` does not list. */
static void
free_empty (LoomChunkList *flows)
{
  for (LoomChunk *chunk = flows->first, *next; chunk != NULL; chunk = next) {
    next = chunk->next;
    if (chunk->n == 0)
      loom_chunk_list_free_chunk (chunk);
  }
}

/* Makes new chunks in which all records are in order of time. The old chunks form runs; a run is a sequence of chunks
 * whose records are already in order of time. Merges the runs if there are at most MOST_RUNS of them. This is the case
 * for databases, which contain the flow events of one table after those of another table. An old chunk is freed as
 * soon as its records were read, so that its memory is reused for a new chunk. If there are more than MOST_RUNS runs,
 * changes nothing and returns FALSE. */
static gboolean
merge_runs (LoomSortedFlows *sorted, LoomChunkList *flows)
{
  Run runs[MOST_RUNS];
  guint n = find_runs (sorted->chunks, runs);
  LoomChunkList merged = { 0 };
  if (n == 0)
    return FALSE;
  free_empty (flows);
  while (n > 0) {
    guint first = 0;
    for (guint i = 1; i < n; i++)
      if (BY_TIME (get_record (runs[i].chunks[0], runs[i].at), get_record (runs[first].chunks[0], runs[first].at)))
        first = i;
    LoomFlowRecord *record = loom_chunk_list_append (&merged, sizeof *record);
    *record = *get_record (runs[first].chunks[0], runs[first].at);
    if (!pass_record (&runs[first]))
      memmove (&runs[first], &runs[first + 1], (--n - first) * sizeof *runs);
  }
  *flows = merged;
  list_chunks (sorted, flows);
  return TRUE;
}

static void
stitch (LoomFreeze *freeze)
{
  LoomSortedFlows *sorted = &freeze->flows;
  LoomChunkList *flows = &freeze->builder->flows;
  sorted->stretches = g_array_new (FALSE, FALSE, sizeof (LoomFlowStretch));
  if (!sort_by_time_chunks ((LoomChunk **) sorted->chunks->pdata, sorted->chunks->len) && !merge_runs (sorted, flows)) {
    flatten (sorted, flows);
    return;
  }
  for (guint i = 0; i < sorted->chunks->len; i++) {
    LoomChunk *chunk = sorted->chunks->pdata[i];
    add_stretch (sorted, loom_chunk_list_data (chunk), chunk->n);
  }
}

guint
loom_freeze_list_flows (LoomFreeze *freeze)
{
  LoomSortedFlows *sorted = &freeze->flows;
  sorted->chunks = g_ptr_array_new ();
  list_chunks (sorted, &freeze->builder->flows);
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
 * Each block of stretches (LoomFlowStretch) has separate bindings. The first query of a binding searches for the
 * position in the track; later queries only move the position a little. */
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

/* Memory that a worker thread needs to bind the flow events of a block of stretches (LoomFlowStretch) to spans. */
typedef struct {
  /* array with one element for each thread of the trace builder: the LoomFlowBinding that finds spans on the track of
   * this thread; NULL until it is needed */
  LoomFlowBinding **bindings;
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
