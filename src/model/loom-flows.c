/* SPDX-License-Identifier: Apache-2.0
 *
 * Flow events of all threads: sorted by time once, bound thread by thread, linked key by key.
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
#define BY_TARGET(a, b) ((a)->span < (b)->span)
#define BY_SOURCE(a, b) ((a)->from < (b)->from || ((a)->from == (b)->from && (a)->to < (b)->to))

typedef struct {
  guint32 span, arrow;
} Target;

LOOM_DEFINE_SORT (sort_by_time, LoomFlowRecord, BY_TIME)
LOOM_DEFINE_SORT (sort_targets, Target, BY_TARGET)
LOOM_DEFINE_SORT (sort_arrows, LoomArrow, BY_SOURCE)

typedef struct {
  LoomFreeze *freeze;
  LoomFlowRecord *records;
  guint32 n;
  guint32 *by_thread;    /* indices of records: thread by thread, each in order of time */
  guint32 *first;        /* per thread, into by_thread; and one behind the last */
  guint32 *spans;        /* per record */
} Work;

static LoomFlowRecord *
take_records (LoomBuilder *builder, guint64 n)
{
  for (LoomChunk *chunk = builder->flows.first; chunk != NULL; chunk = chunk->next) {
    LoomFlowRecord *records = loom_chunk_data (chunk);
    for (guint32 i = 0; chunk->remap != NULL && i < chunk->n; i++) {
      records[i].key = chunk->remap->keys[records[i].key];
      records[i].fallback_key = chunk->remap->keys[records[i].fallback_key];
      records[i].name_id = chunk->remap->names[records[i].name_id];
      records[i].thread = chunk->remap->threads[records[i].thread];
    }
  }
  LoomFlowRecord *flat = g_new (LoomFlowRecord, n);
  loom_chunks_drain (&builder->flows, sizeof *flat, flat);
  return flat;
}

static void
group_by_thread (Work *work)
{
  guint32 n_threads = work->freeze->builder->threads->len;
  work->first = g_new0 (guint32, n_threads + 2);
  work->by_thread = g_new (guint32, work->n);
  for (guint32 i = 0; i < work->n; i++)
    work->first[work->records[i].thread + 2]++;
  for (guint32 thread = 2; thread < n_threads + 2; thread++)
    work->first[thread] += work->first[thread - 1];
  for (guint32 i = 0; i < work->n; i++)
    work->by_thread[work->first[work->records[i].thread + 1]++] = i;
}

static void
bind_thread (guint thread, guint worker, gpointer user_data)
{
  Work *work = user_data;
  guint32 track = work->freeze->track_of_thread[thread];
  LoomFlowBinding binding = { 0 };
  if (track != G_MAXUINT32 && work->first[thread] < work->first[thread + 1])
    loom_flow_binding_init (&binding, work->freeze->trace, track);
  for (guint32 i = work->first[thread]; i < work->first[thread + 1]; i++) {
    guint32 record = work->by_thread[i];
    gboolean has_spans = binding.before != NULL;
    work->spans[record] = has_spans ? loom_flow_binding_find (&binding, &work->records[record]) : G_MAXUINT32;
  }
  loom_flow_binding_clear (&binding);
}

static void
keep_points (Work *work)
{
  LoomTrace *trace = work->freeze->trace;
  trace->points = g_new (LoomFlowPoint, work->n);
  for (guint32 i = 0; i < work->n; i++) {
    const LoomFlowRecord *record = &work->records[i];
    if (record->phase == 'o' || record->phase == 'i')
      continue;
    guint32 track = work->freeze->track_of_thread[record->thread];
    trace->points[trace->n_points++] = (LoomFlowPoint) { record->time_ns, record->ref, track, record->name_id };
  }
  trace->points = g_renew (LoomFlowPoint, trace->points, MAX (trace->n_points, 1));
}

static void
keep_arrows (LoomTrace *trace, GArray *arrows)
{
  sort_arrows ((LoomArrow *) (gpointer) arrows->data, arrows->len);
  trace->n_arrows = arrows->len;
  trace->arrows = g_memdup2 (arrows->data, arrows->len * sizeof (LoomArrow));
  trace->arrows_by_target = g_new (guint32, MAX (arrows->len, 1));
  g_autofree Target *targets = g_new (Target, MAX (arrows->len, 1));
  for (guint32 i = 0; i < arrows->len; i++)
    targets[i] = (Target) { trace->arrows[i].to, i };
  sort_targets (targets, arrows->len);
  for (guint32 i = 0; i < arrows->len; i++)
    trace->arrows_by_target[i] = targets[i].arrow;
}

static void
connect_points (Work *work)
{
  LoomFreeze *freeze = work->freeze;
  g_autofree guint8 *marks = g_new0 (guint8, work->n);
  g_autoptr (GArray) arrows = g_array_new (FALSE, FALSE, sizeof (LoomArrow));
  LoomFlowChains chains = { work->records, work->spans, work->n, freeze->builder->keys.count, marks,
                            arrows };
  loom_flow_chains_link (&chains);
  for (guint32 i = 0; i < work->n; i++) {
    const LoomThreadEntry *thread = loom_builder_peek_thread (freeze->builder, work->records[i].thread);
    if (!(marks[i] & LOOM_FLOW_DRAWN))
      loom_tally_add (&freeze->tally, LOOM_ISSUE_UNBOUND_FLOW, work->records[i].ref,
                      loom_builder_peek_process (freeze->builder, thread->process)->source);
  }
  keep_arrows (freeze->trace, arrows);
}

gboolean
loom_freeze_bind_flows (LoomFreeze *freeze)
{
  LoomBuilder *builder = freeze->builder;
  if (builder->flows.n == 0)
    return TRUE;
  Work work = { .freeze = freeze, .n = (guint32) builder->flows.n };
  work.records = take_records (builder, work.n);
  sort_by_time (work.records, work.n);
  group_by_thread (&work);
  work.spans = g_new (guint32, work.n);
  gboolean done = loom_parallel_for (builder->threads->len, freeze->n_threads, bind_thread, &work, freeze->progress);
  if (done) {
    keep_points (&work);
    connect_points (&work);
  }
  g_free (work.records);
  g_free (work.by_thread);
  g_free (work.first);
  g_free (work.spans);
  return done;
}
