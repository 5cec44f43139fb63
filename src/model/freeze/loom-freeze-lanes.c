/* SPDX-License-Identifier: Apache-2.0
 *
 * The step of loom_trace_builder_freeze() that arranges events in rows: first the spans of threads, then async spans,
 * then instants. Async spans without an end event last until the end of their source. Async events without a duration
 * are instants.
 */
#include "loom-freeze-private.h"

#include "loom-async-spans.h"
#include "loom-begin-end-pairing.h"
#include "loom-recording-ends.h"

/* A chain: the lanes of a thread, and of the threads that continue it in later files (loom-lane.h). They are `n_lanes`
 * consecutive elements of freeze->lanes. */
typedef struct {
  guint first_lane, n_lanes;
  guint64 n_records;
} Chain;

typedef struct {
  LoomFreeze *freeze;
  GArray *chains; /* Chain: all chains, those with most records first */
  /* array indexed by worker thread: object that pairs the events of the lanes that it processes */
  LoomBeginEndPairing **pairings;
  /* index of the first lane that does not belong to a chain; the lanes from there on are arranged one by one */
  guint first_lane;
} Work;

static LoomLane *
add_lane (LoomFreeze *freeze, LoomTrackKind kind, guint source, guint32 process, guint32 thread, LoomChunkList *chunks)
{
  LoomLane *lane = loom_lane_new (kind, source, loom_freeze_is_anchored (freeze, source), chunks);
  g_ptr_array_add (freeze->lanes, lane);
  loom_freeze_add_draft (freeze, kind, lane, source, process, thread);
  return lane;
}

static guint
source_of_process (const LoomFreeze *freeze, guint32 process)
{
  return loom_trace_builder_peek_process (freeze->builder, process)->source;
}

/* Adds a chain with the lanes of `thread`, and of the threads that continue it. */
static void
add_chain (LoomFreeze *freeze, guint32 thread, GArray *chains)
{
  Chain chain = { freeze->lanes->len, 0, 0 };
  for (; thread != LOOM_ID_NONE; thread = loom_trace_builder_peek_thread (freeze->builder, thread)->next) {
    LoomThreadEntry *entry = loom_trace_builder_peek_thread (freeze->builder, thread);
    if (entry->spans.n == 0)
      continue;
    chain.n_records += entry->spans.n;
    chain.n_lanes++;
    LoomLane *lane = add_lane (freeze, LOOM_TRACK_SPANS, source_of_process (freeze, entry->process), entry->process,
                               thread, &entry->spans);
    lane->also = &entry->instants;
    if (freeze->recording_ends_ns != NULL)
      lane->recording_end_ns = freeze->recording_ends_ns[lane->source];
  }
  if (chain.n_lanes > 0)
    g_array_append_val (chains, chain);
}

static int
compare_chains (gconstpointer a, gconstpointer b)
{
  guint64 first = ((const Chain *) a)->n_records, second = ((const Chain *) b)->n_records;
  return first > second ? -1 : first < second;
}

static void
arrange_chain (guint item, guint worker, gpointer user_data)
{
  Work *work = user_data;
  const Chain *chain = &g_array_index (work->chains, Chain, item);
  LoomLane **lanes = (LoomLane **) work->freeze->lanes->pdata + chain->first_lane;
  if (work->pairings[worker] == NULL)
    work->pairings[worker] = loom_begin_end_pairing_new (&work->freeze->builder->names);
  loom_begin_end_pairing_run (work->pairings[worker], lanes, chain->n_lanes);
  for (guint i = 0; i < chain->n_lanes; i++)
    loom_lane_arrange_nested (lanes[i]);
}

static gboolean
arrange_threads (LoomFreeze *freeze)
{
  g_autoptr (GArray) chains = g_array_new (FALSE, FALSE, sizeof (Chain));
  for (guint32 i = 0; i < freeze->builder->threads->len; i++) {
    if (loom_trace_builder_peek_thread (freeze->builder, i)->previous == LOOM_ID_NONE)
      add_chain (freeze, i, chains);
  }
  g_array_sort (chains, compare_chains);
  Work work = { .freeze = freeze, .chains = chains, .pairings = g_new0 (LoomBeginEndPairing *, freeze->n_threads) };
  gboolean done = loom_parallel_for (chains->len, freeze->n_threads, arrange_chain, &work, freeze->progress);
  for (guint i = 0; i < freeze->n_threads; i++)
    loom_begin_end_pairing_free (work.pairings[i]);
  g_free (work.pairings);
  return done;
}

/* Returns an array with one element per source: the latest time of the source's spans and async events, or the end of
 * its recording (loom-recording-ends.h) if that is later; LOOM_TIME_NONE: the source has neither. Owned by the
 * caller. */
static gint64 *
find_ends (LoomFreeze *freeze)
{
  gint64 *ends_ns = g_new (gint64, freeze->trace->sources->len);
  for (guint i = 0; i < freeze->trace->sources->len; i++)
    ends_ns[i] = freeze->recording_ends_ns != NULL ? freeze->recording_ends_ns[i] : LOOM_TIME_NONE;
  for (guint l = 0; l < freeze->lanes->len; l++) {
    LoomLane *lane = freeze->lanes->pdata[l];
    LoomStretch stretch = { 0 };
    while (loom_lane_next_stretch (lane, &stretch)) {
      for (guint32 i = 0; i < stretch.n; i++) {
        guint source = loom_trace_builder_source_of (freeze->builder, stretch.at[i].ref, lane->source);
        ends_ns[source] = MAX (ends_ns[source], stretch.at[i].time_ns + stretch.at[i].dur_ns);
      }
    }
  }
  for (LoomChunk *chunk = freeze->builder->async.first; chunk != NULL; chunk = chunk->next) {
    const LoomAsyncRecord *records = loom_chunk_list_data (chunk);
    for (guint32 i = 0; i < chunk->n; i++) {
      guint source = loom_trace_builder_source_of (freeze->builder, records[i].ref, 0);
      ends_ns[source] = MAX (ends_ns[source], records[i].time_ns);
    }
  }
  return ends_ns;
}

static void
add_async_lane (LoomFreeze *freeze, LoomAsyncTrack *track)
{
  LoomLane *lane =
    add_lane (freeze, LOOM_TRACK_ASYNC, source_of_process (freeze, track->process), track->process, LOOM_ID_NONE, NULL);
  lane->n = track->spans->len;
  lane->flat = (LoomRecord *) (gpointer) g_array_free (g_steal_pointer (&track->spans), FALSE);
  lane->end_refs = g_steal_pointer (&track->end_refs);
  LoomNameInterner *names = &freeze->builder->names;
  const char *text = loom_string_pool_get (names->texts, track->text_id);
  guint32 label = loom_string_pool_intern (freeze->trace->labels, text, strlen (text));
  loom_freeze_last_draft (freeze)->track.name = loom_string_pool_get (freeze->trace->labels, label);
}

static void
add_async (LoomFreeze *freeze)
{
  if (freeze->builder->async.n == 0)
    return;
  g_autofree gint64 *ends_ns = find_ends (freeze);
  LoomAsyncSpans async;
  loom_async_spans_init (&async, freeze->builder, ends_ns);
  for (guint i = 0; i < async.tracks->len; i++)
    add_async_lane (freeze, async.tracks->pdata[i]);
  loom_problem_counts_clear (&freeze->tally);
  freeze->tally = async.tally;
  async.tally = (LoomProblemCounts) { 0 };
  loom_async_spans_clear (&async);
}

static void
add_instants (LoomFreeze *freeze)
{
  LoomTraceBuilder *builder = freeze->builder;
  for (guint i = 0; i < builder->sources->len; i++) {
    LoomChunkList *instants = &loom_trace_builder_peek_source (builder, i)->instants;
    if (instants->n > 0)
      add_lane (freeze, LOOM_TRACK_INSTANTS, i, LOOM_ID_NONE, LOOM_ID_NONE, instants);
  }
  for (guint32 i = 0; i < builder->processes->len; i++) {
    LoomChunkList *instants = &loom_trace_builder_peek_process (builder, i)->instants;
    if (instants->n > 0)
      add_lane (freeze, LOOM_TRACK_INSTANTS, source_of_process (freeze, i), i, LOOM_ID_NONE, instants);
  }
  for (guint32 i = 0; i < builder->threads->len; i++) {
    LoomThreadEntry *thread = loom_trace_builder_peek_thread (builder, i);
    if (thread->instants.n > 0)
      add_lane (freeze, LOOM_TRACK_INSTANTS, source_of_process (freeze, thread->process), thread->process, i,
                &thread->instants);
    if (thread->samples.n > 0) {
      add_lane (freeze, LOOM_TRACK_INSTANTS, source_of_process (freeze, thread->process), thread->process, i,
                &thread->samples);
      loom_freeze_last_draft (freeze)->track.name = "samples";
    }
  }
}

static void
arrange_single (guint item, guint worker, gpointer user_data)
{
  Work *work = user_data;
  LoomLane *lane = work->freeze->lanes->pdata[work->first_lane + item];
  if (lane->kind == LOOM_TRACK_INSTANTS)
    loom_lane_arrange_instants (lane);
  else
    loom_lane_arrange_packed (lane);
}

gboolean
loom_freeze_arrange (LoomFreeze *freeze)
{
  freeze->recording_ends_ns = loom_recording_ends_find (freeze);
  if (!arrange_threads (freeze))
    return FALSE;
  Work work = { .freeze = freeze, .first_lane = freeze->lanes->len };
  add_async (freeze);
  add_instants (freeze);
  return loom_parallel_for (freeze->lanes->len - work.first_lane, freeze->n_threads, arrange_single, &work,
                            freeze->progress);
}
