/* SPDX-License-Identifier: Apache-2.0
 *
 * Flow events of all threads: sorted by time once, bound in stretches of time, linked key by key; each on all threads.
 */
#include "loom-freeze-private.h"

#include "loom-flow-binding.h"
#include "loom-flow-chains.h"
#include "loom-sort.h"

/* At one instant beginnings go before steps, and steps before ends. */
static inline guint
rank (const LoomFlowRecord *record)
{
  return record->phase == 's' || record->phase == 'o' ? 0 : record->phase == 't' ? 1 : 2;
}

#define BY_TIME(a, b) ((a)->time_ns < (b)->time_ns || ((a)->time_ns == (b)->time_ns && rank (a) < rank (b)))
#define BY_SOURCE(a, b) ((a)->from < (b)->from || ((a)->from == (b)->from && \
                         ((a)->to < (b)->to || ((a)->to == (b)->to && (a)->name_id < (b)->name_id))))

typedef struct {
  guint32 span, arrow;
} Target;

LOOM_DEFINE_PARALLEL_SORT (sort_by_time, LoomFlowRecord, BY_TIME)
LOOM_DEFINE_SORT (sort_arrows, LoomArrow, BY_SOURCE)

#define BLOCK_RECORDS 32768 /* bound at one go */
#define DIGIT_BITS 11

typedef struct {
  LoomFreeze *freeze;
  LoomFlowRecord *records; /* by time */
  guint32 n;
  guint32 *spans;          /* per record */
  guint32 *n_points;       /* per block */
} Work;

/* --- from the builder --------------------------------------------------------------------------------------------- */

typedef struct {
  GArray *chunks; /* LoomChunk * */
  GArray *first;  /* guint64: where each goes */
  LoomFlowRecord *flat;
} Take;

static void
take_chunk (guint item, guint worker, gpointer user_data)
{
  const Take *take = user_data;
  LoomChunk *chunk = g_array_index (take->chunks, LoomChunk *, item);
  const LoomFlowRecord *records = loom_chunk_data (chunk);
  const LoomRemap *remap = chunk->remap;
  LoomFlowRecord *out = take->flat + g_array_index (take->first, guint64, item);
  for (guint32 i = 0; i < chunk->n; i++) {
    out[i] = records[i];
    if (remap == NULL)
      continue;
    out[i].name_id = remap->names[records[i].name_id];
    out[i].thread = remap->threads[records[i].thread];
  }
  loom_chunk_free (chunk);
}

static LoomFlowRecord *
take_records (LoomFreeze *freeze, LoomChunks *flows)
{
  g_autoptr (GArray) chunks = g_array_new (FALSE, FALSE, sizeof (LoomChunk *));
  g_autoptr (GArray) first = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 n = 0;
  for (LoomChunk *chunk = flows->first; chunk != NULL; chunk = chunk->next) {
    g_array_append_val (chunks, chunk);
    g_array_append_val (first, n);
    n += chunk->n;
  }
  Take take = { chunks, first, g_new (LoomFlowRecord, n) };
  loom_parallel_for (chunks->len, freeze->n_threads, take_chunk, &take, NULL);
  *flows = (LoomChunks) { 0 };
  return take.flat;
}

/* --- binding ------------------------------------------------------------------------------------------------------ */

/* Each block asks the tracks from the left anew: one search each, then steps. */
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

static void
bind_block (guint block, guint worker, gpointer user_data)
{
  Work *work = user_data;
  guint32 n_threads = work->freeze->builder->threads->len, first = block * BLOCK_RECORDS;
  LoomFlowBinding **bindings = g_new0 (LoomFlowBinding *, n_threads);
  LoomFlowPoint *points = work->freeze->trace->points + first;
  for (guint32 i = first; i < MIN (work->n, first + BLOCK_RECORDS); i++) {
    const LoomFlowRecord *record = &work->records[i];
    LoomFlowBinding *binding = binding_for (work, bindings, record->thread);
    work->spans[i] = binding != NULL ? loom_flow_binding_find (binding, record) : G_MAXUINT32;
    keep_point (work, record, points, &work->n_points[block]);
  }
  for (guint32 i = 0; i < n_threads; i++) {
    if (bindings[i] != NULL)
      loom_flow_binding_clear (bindings[i]);
    g_free (bindings[i]);
  }
  g_free (bindings);
}

static gboolean
bind (Work *work)
{
  LoomTrace *trace = work->freeze->trace;
  guint n_blocks = (work->n + BLOCK_RECORDS - 1) / BLOCK_RECORDS;
  trace->points = g_new (LoomFlowPoint, work->n);
  work->spans = g_new (guint32, work->n);
  work->n_points = g_new0 (guint32, n_blocks);
  gboolean done = loom_parallel_for (n_blocks, work->freeze->n_threads, bind_block, work, work->freeze->progress);
  for (guint block = 0; block < n_blocks && done; block++) {
    LoomFlowPoint *from = trace->points + (gsize) block * BLOCK_RECORDS, *to = trace->points + trace->n_points;
    if (from != to)
      memmove (to, from, work->n_points[block] * sizeof *to);
    trace->n_points += work->n_points[block];
  }
  if (trace->n_points < work->n)
    trace->points = g_renew (LoomFlowPoint, trace->points, MAX (trace->n_points, 1));
  return done;
}

/* --- linking ------------------------------------------------------------------------------------------------------ */

/* Stable, from the lowest digits up. */
static void
sort_targets (Target **targets, guint32 n, guint32 most)
{
  Target *from = *targets, *to = g_new (Target, MAX (n, 1));
  for (guint shift = 0; shift < 32 && most >> shift > 0; shift += DIGIT_BITS) {
    guint32 first[(1 << DIGIT_BITS) + 1] = { 0 };
    for (guint32 i = 0; i < n; i++)
      first[(from[i].span >> shift) % (1 << DIGIT_BITS) + 1]++;
    for (guint digit = 1; digit <= 1 << DIGIT_BITS; digit++)
      first[digit] += first[digit - 1];
    for (guint32 i = 0; i < n; i++)
      to[first[(from[i].span >> shift) % (1 << DIGIT_BITS)]++] = from[i];
    Target *sorted = to;
    to = from;
    from = sorted;
  }
  *targets = from;
  g_free (to);
}

static Target *
sort_by_span (const LoomTrace *trace, const LoomArrow *arrows, guint32 n, gboolean by_target)
{
  Target *targets = g_new (Target, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    targets[i] = (Target) { by_target ? arrows[i].to : arrows[i].from, i };
  sort_targets (&targets, n, trace->spans.n);
  return targets;
}

/* Arrows between the same two spans, and those of one span, in an order that does not depend on the threads. */
static void
sort_runs (LoomArrow *arrows, guint32 n)
{
  for (guint32 first = 0, end; first < n; first = end) {
    for (end = first + 1; end < n && arrows[end].from == arrows[first].from;)
      end++;
    sort_arrows (arrows + first, end - first);
  }
}

static void
keep_arrows (LoomFreeze *freeze, GArray *arrows)
{
  LoomTrace *trace = freeze->trace;
  guint32 n = trace->n_arrows = arrows->len;
  const LoomArrow *unsorted = (const LoomArrow *) (gpointer) arrows->data;
  g_autofree Target *by_source = sort_by_span (trace, unsorted, n, FALSE);
  trace->arrows = g_new (LoomArrow, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    trace->arrows[i] = unsorted[by_source[i].arrow];
  sort_runs (trace->arrows, n);
  g_autofree Target *by_target = sort_by_span (trace, trace->arrows, n, TRUE);
  trace->arrows_by_target = g_new (guint32, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    trace->arrows_by_target[i] = by_target[i].arrow;
  g_array_unref (arrows);
}

static gboolean
connect (Work *work)
{
  LoomFreeze *freeze = work->freeze;
  g_autofree guint8 *is_drawn = g_new0 (guint8, work->n);
  LoomFlowChains chains = { work->records, work->spans, work->n, &freeze->builder->names, is_drawn };
  GArray *arrows = loom_flow_chains_link (&chains, freeze->n_threads, freeze->progress);
  if (arrows == NULL)
    return FALSE;
  for (guint32 i = 0; i < work->n; i++) {
    if (is_drawn[i])
      continue;
    const LoomThreadEntry *thread = loom_builder_peek_thread (freeze->builder, work->records[i].thread);
    loom_tally_add (&freeze->tally, LOOM_ISSUE_UNBOUND_FLOW, work->records[i].ref,
                    loom_builder_peek_process (freeze->builder, thread->process)->source);
  }
  keep_arrows (freeze, arrows);
  return TRUE;
}

gboolean
loom_freeze_bind_flows (LoomFreeze *freeze)
{
  LoomBuilder *builder = freeze->builder;
  if (builder->flows.n == 0)
    return TRUE;
  Work work = { .freeze = freeze, .n = (guint32) builder->flows.n };
  work.records = take_records (freeze, &builder->flows);
  sort_by_time_parallel (work.records, work.n, freeze->n_threads);
  gboolean done = bind (&work) && connect (&work);
  g_free (work.records);
  g_free (work.spans);
  g_free (work.n_points);
  return done;
}
