/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds when the recording of a source ended. The interface is described in loom-recording-ends.h.
 */
#include "loom-recording-ends.h"

#include "loom-time.h"

typedef struct {
  const LoomFreeze *freeze;
  gint64 *ends_ns; /* [source] */
} Search;

static gboolean
is_wanted (const Search *search, guint source)
{
  const LoomTraceBuilder *builder = search->freeze->builder;
  return source < builder->sources->len && loom_trace_builder_peek_source (builder, source)->extends_open;
}

static void
note_time (Search *search, guint source, gint64 time_ns, LoomRef ref)
{
  if ((loom_source_ref_flags (ref) & LOOM_REF_SUSPECT) != 0)
    return;
  if (loom_freeze_is_anchored (search->freeze, source) &&
      (time_ns < LOOM_TIME_PLAUSIBLE_MIN || time_ns > LOOM_TIME_PLAUSIBLE_MAX))
    return;
  search->ends_ns[source] = MAX (search->ends_ns[source], time_ns);
}

/* Finds the latest end of the records in the list, and notes it as the end of the source if no later time is known.
 * `have_durations`: FALSE for instants, whose LoomRecord.dur_ns holds the phase instead of a duration. */
static void
note_records (Search *search, guint source, const LoomChunkList *list, gboolean have_durations)
{
  for (LoomChunk *chunk = list->first; chunk != NULL; chunk = chunk->next) {
    const LoomRecord *records = loom_chunk_list_data (chunk);
    for (guint32 i = 0; i < chunk->n; i++) {
      gint64 dur_ns = have_durations ? MAX (records[i].dur_ns, 0) : 0;
      note_time (search, source, loom_time_add (records[i].time_ns, dur_ns), records[i].ref);
    }
  }
}

static void
note_samples (Search *search, guint source, const LoomChunkList *list)
{
  for (LoomChunk *chunk = list->first; chunk != NULL; chunk = chunk->next) {
    const LoomSample *samples = loom_chunk_list_data (chunk);
    for (guint32 i = 0; i < chunk->n; i++)
      note_time (search, source, samples[i].time_ns, samples[i].ref);
  }
}

static void
note_async (Search *search)
{
  const LoomTraceBuilder *builder = search->freeze->builder;
  for (LoomChunk *chunk = builder->async.first; chunk != NULL; chunk = chunk->next) {
    const LoomAsyncRecord *records = loom_chunk_list_data (chunk);
    for (guint32 i = 0; i < chunk->n; i++) {
      guint source = loom_trace_builder_peek_process (builder, records[i].process)->source;
      if (is_wanted (search, source))
        note_time (search, source, records[i].time_ns, records[i].ref);
    }
  }
}

static guint
find_source (const LoomTraceBuilder *builder, guint32 process)
{
  return loom_trace_builder_peek_process (builder, process)->source;
}

static void
note_tracks (Search *search)
{
  const LoomTraceBuilder *builder = search->freeze->builder;
  for (guint32 i = 0; i < builder->threads->len; i++) {
    const LoomThreadEntry *thread = loom_trace_builder_peek_thread (builder, i);
    guint source = find_source (builder, thread->process);
    if (!is_wanted (search, source))
      continue;
    note_records (search, source, &thread->spans, TRUE);
    note_records (search, source, &thread->instants, FALSE);
    note_records (search, source, &thread->samples, FALSE);
  }
  for (guint32 i = 0; i < builder->series->len; i++) {
    const LoomSeriesEntry *series = loom_trace_builder_peek_series (builder, i);
    guint source = find_source (builder, loom_trace_builder_peek_counter (builder, series->counter)->process);
    if (is_wanted (search, source))
      note_samples (search, source, &series->samples);
  }
}

static void
note_shared_instants (Search *search)
{
  const LoomTraceBuilder *builder = search->freeze->builder;
  for (guint i = 0; i < builder->sources->len; i++)
    if (is_wanted (search, i))
      note_records (search, i, &loom_trace_builder_peek_source (builder, i)->instants, FALSE);
  for (guint32 i = 0; i < builder->processes->len; i++)
    if (is_wanted (search, find_source (builder, i)))
      note_records (search, find_source (builder, i), &loom_trace_builder_peek_process (builder, i)->instants, FALSE);
}

gint64 *
loom_recording_ends_find (const LoomFreeze *freeze)
{
  Search search = { .freeze = freeze };
  gboolean is_needed = FALSE;
  for (guint i = 0; i < freeze->builder->sources->len; i++)
    is_needed |= is_wanted (&search, i);
  if (!freeze->builder->has_open || !is_needed)
    return NULL;
  search.ends_ns = g_new (gint64, freeze->builder->sources->len);
  for (guint i = 0; i < freeze->builder->sources->len; i++) {
    search.ends_ns[i] = LOOM_TIME_NONE;
    if (is_wanted (&search, i))
      note_time (&search, i, loom_trace_builder_peek_source (freeze->builder, i)->until_ns, LOOM_REF_NONE);
  }
  note_tracks (&search);
  note_shared_instants (&search);
  note_async (&search);
  return search.ends_ns;
}
