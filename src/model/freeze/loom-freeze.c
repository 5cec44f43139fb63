/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes a trace from a builder, in five steps: makes spans and arranges them in rows; sorts the tracks; copies the
 * events into columns and makes summaries; binds flow events to spans; moves names, logs and other tables to the trace.
 */
#include "loom-freeze-private.h"

#include "loom-deferred-free.h"
#include "loom-merge-sort.h"
#include "loom-page-allocator.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* If a trace has at least this many events, heap memory is returned to the kernel after the memory of the events was
 * freed. */
#define MANY_EVENTS 1000000

/* A trace with fewer events than this is made on one thread, because starting threads would take longer than the time
 * that they save. */
#define FEW_EVENTS 50000

#define BY_BEGIN(a, b) ((a)->begin < (b)->begin)

LOOM_DEFINE_SORT (sort_end_refs, LoomEndRef, BY_BEGIN)

gboolean
loom_freeze_is_anchored (const LoomFreeze *freeze, guint source)
{
  const LoomSource *owner = freeze->trace->sources->pdata[source];
  const LoomDeclaredClock *clock = freeze->trace->clocks->pdata[owner->clock];
  return clock->state != LOOM_CLOCK_NONE;
}

static void
free_clock (gpointer data)
{
  loom_declared_clock_clear (data);
  g_free (data);
}

/* Ensures that the trace has a source and a clock, and that every process belongs to one of its sources. */
static void
complete_builder (LoomTraceBuilder *builder)
{
  if (builder->clocks->len == 0)
    loom_trace_builder_add_clock (builder);
  if (builder->sources->len == 0)
    loom_trace_builder_add_source (builder, loom_source_new (""), 0);
  for (guint i = 0; i < builder->sources->len; i++) {
    LoomSource *source = loom_trace_builder_peek_source (builder, i)->source;
    source->clock = MIN (source->clock, builder->clocks->len - 1);
  }
  for (guint32 i = 0; i < builder->processes->len; i++) {
    LoomProcessEntry *process = loom_trace_builder_peek_process (builder, i);
    process->source = MIN (process->source, builder->sources->len - 1);
  }
}

static LoomTrace *
start_trace (LoomTraceBuilder *builder)
{
  LoomTrace *trace = g_new0 (LoomTrace, 1);
  g_atomic_ref_count_init (&trace->refs);
  trace->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_source_free);
  trace->clocks = g_ptr_array_new_with_free_func (free_clock);
  trace->labels = loom_string_pool_new ();
  for (guint i = 0; i < builder->sources->len; i++)
    g_ptr_array_add (trace->sources, g_steal_pointer (&loom_trace_builder_peek_source (builder, i)->source));
  for (guint i = 0; i < builder->clocks->len; i++) {
    LoomDeclaredClock **decl = &g_array_index (builder->clocks, LoomDeclaredClock *, i);
    if ((*decl)->basis == NULL)
      (*decl)->basis = g_strdup ("");
    g_ptr_array_add (trace->clocks, g_steal_pointer (decl));
  }
  trace->extents = g_new (LoomRange, trace->clocks->len);
  for (guint i = 0; i < trace->clocks->len; i++)
    trace->extents[i] = (LoomRange) { LOOM_TIME_NONE, LOOM_TIME_NONE };
  return trace;
}

static void
take_names (LoomTrace *trace, LoomNameInterner *names)
{
  trace->n_names = names->entries->len;
  trace->names = g_new (LoomName, trace->n_names);
  for (guint32 i = 0; i < trace->n_names; i++) {
    const LoomNameEntry *name = loom_name_interner_get (names, i);
    guint32 hash = (guint32) loom_string_pool_hash (name->text, name->text_length);
    trace->names[i] = (LoomName) { name->text, name->category, name->cname, hash };
  }
  trace->texts = g_steal_pointer (&names->texts);
}

static void
take_end_refs (LoomFreeze *freeze)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (LoomEndRef));
  for (guint i = 0; i < freeze->lanes->len; i++) {
    LoomLane *lane = freeze->lanes->pdata[i];
    if (lane->end_refs == NULL)
      continue;
    g_array_append_vals (all, lane->end_refs->data, lane->end_refs->len);
    g_clear_pointer (&lane->end_refs, g_array_unref);
  }
  sort_end_refs ((LoomEndRef *) (gpointer) all->data, all->len);
  freeze->trace->n_end_refs = all->len;
  freeze->trace->end_refs = g_memdup2 (all->data, all->len * sizeof (LoomEndRef));
}

static void
report (LoomFreeze *freeze)
{
  for (guint i = 0; i < freeze->lanes->len; i++)
    loom_problem_counts_report (&((LoomLane *) freeze->lanes->pdata[i])->tally, freeze->trace->sources);
  loom_problem_counts_report (&freeze->tally, freeze->trace->sources);
}

static void
clear_freeze (LoomFreeze *freeze)
{
  g_ptr_array_unref (freeze->lanes);
  g_array_unref (freeze->drafts);
  g_array_unref (freeze->series);
  g_free (freeze->track_of_thread);
  g_free (freeze->recording_ends_ns);
  loom_freeze_clear_flows (freeze);
  loom_problem_counts_clear (&freeze->tally);
  loom_trace_builder_free (freeze->builder);
}

/* Memory of the events that can be freed after all events were copied into columns. */
typedef struct {
  LoomChunkList flows;
  LoomFlowRecord *flat;
  guint64 n_events; /* number of events of all kinds */
} Remains;

static void
free_remains (gpointer data)
{
  g_autofree Remains *remains = data;
  loom_chunk_list_clear (&remains->flows);
  g_free (remains->flat);
  loom_page_allocator_trim ();
#ifdef __GLIBC__
  if (remains->n_events >= MANY_EVENTS)
    malloc_trim (0);
#endif
}

/* Frees the memory of the events on a background thread; if n_threads is 1, frees it on this thread, because all
 * processors are then busy with other traces. */
static void
clear_events (LoomFreeze *freeze)
{
  Remains *remains = g_new (Remains, 1);
  *remains = (Remains) { freeze->builder->flows, freeze->flows.flat, freeze->builder->n_events };
  freeze->builder->flows = (LoomChunkList) { 0 };
  gboolean aside = freeze->n_threads > 1;
  clear_freeze (freeze);
  if (aside)
    loom_deferred_free (free_remains, remains);
  else
    free_remains (remains);
}

static void
count_kind (LoomTrace *trace, guint32 first, guint32 end, gboolean is_instant)
{
  for (guint32 next; first < end; first = next) {
    guint source = loom_source_ref_source (trace->ref[first]);
    for (next = first + 1; next < end && loom_source_ref_source (trace->ref[next]) == source;)
      next++;
    if (trace->ref[first] == LOOM_REF_NONE)
      source = 0;
    if (source >= trace->sources->len)
      continue;
    LoomSource *drawn = trace->sources->pdata[source];
    *(is_instant ? &drawn->n_instants : &drawn->n_spans) += next - first;
  }
}

/* Counts the drawn spans and instants of each source; a B/E pair is one span. */
static void
count_drawn (LoomTrace *trace)
{
  if (trace->sources->len == 1) {
    LoomSource *drawn = trace->sources->pdata[0];
    drawn->n_spans += trace->first_instant;
    drawn->n_instants += trace->spans.n - trace->first_instant;
    return;
  }
  count_kind (trace, 0, trace->first_instant, FALSE);
  count_kind (trace, trace->first_instant, trace->spans.n, TRUE);
}

LoomTrace *
loom_trace_builder_freeze (LoomTraceBuilder *builder, guint n_threads, LoomProgress *progress)
{
  guint64 n_events = builder->n_events;
  complete_builder (builder);
  LoomFreeze freeze = {
    .builder = builder,
    .trace = start_trace (builder),
    .progress = progress,
    .n_threads = n_events < FEW_EVENTS ? 1 : loom_parallel_resolve (n_threads),
    .lanes = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_lane_free),
    .drafts = g_array_new (FALSE, TRUE, sizeof (LoomTrackDraft)),
    .series = g_array_new (FALSE, FALSE, sizeof (guint32)),
  };
  gboolean done = loom_freeze_arrange (&freeze);
  if (done) {
    loom_freeze_place (&freeze);
    done = loom_freeze_fill (&freeze) && loom_freeze_bind_flows (&freeze);
  }
  take_names (freeze.trace, &builder->names);
  take_end_refs (&freeze);
  loom_freeze_take_meetings (&freeze);
  if (done)
    count_drawn (freeze.trace);
  report (&freeze);
  clear_events (&freeze);
  if (!done)
    g_clear_pointer (&freeze.trace, loom_trace_unref);
  return freeze.trace;
}
