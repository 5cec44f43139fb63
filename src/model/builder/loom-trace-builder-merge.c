/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that change all data of a builder: absorbing another builder, and shifting a source in time. The chunks of
 * an absorbed builder are moved, with tables that translate their ids; loom_trace_builder_freeze() later translates the
 * ids.
 */
#include "loom-trace-builder-private.h"

static void
merge_log (LoomImportLog *log, const LoomImportLog *part)
{
  for (guint i = 0; i < loom_import_log_get_n_problems (part); i++) {
    const LoomProblem *problem = loom_import_log_get_problem (part, i);
    loom_import_log_add_n (log, problem->severity, problem->code, problem->offset, problem->count, problem->message);
  }
}

/* Adds the stack frames of `part` to the source, one by one. Usually `part` has few, because the table of stack frames
 * is a top-level member, which only the reader of the whole file reads. */
static void
merge_stacks (LoomSource *source, const LoomStackFrames *part)
{
  for (guint32 i = 0; part != NULL && i < part->frames->len; i++) {
    LoomStackFrame frame = loom_stack_frames_get (part, i);
    if (!loom_source_add_frame (source, &frame))
      return;
  }
}

static void
merge_source (LoomSource *source, LoomSource *part)
{
  source->n_events += part->n_events;
  source->n_spans += part->n_spans;
  source->n_instants += part->n_instants;
  source->n_counters += part->n_counters;
  source->n_flows += part->n_flows;
  source->incomplete |= part->incomplete;
  merge_log (source->log, part->log);
  merge_stacks (source, part->stacks);
  for (guint i = 0; i + 1 < part->facts->len; i += 2)
    loom_source_add_fact (source, part->facts->pdata[i], part->facts->pdata[i + 1]);
  if (source->text == NULL)
    source->text = g_steal_pointer (&part->text);
  if (source->node == NULL)
    source->node = g_steal_pointer (&part->node);
  if (source->rank < 0)
    source->rank = part->rank;
}

static void
merge_sources (LoomTraceBuilder *builder, LoomTraceBuilder *part)
{
  for (guint i = 0; i < part->sources->len; i++) {
    LoomSourceEntry *theirs = loom_trace_builder_peek_source (part, i);
    if (i >= builder->sources->len)
      loom_trace_builder_append_source (builder, g_steal_pointer (&theirs->source));
    else
      merge_source (loom_trace_builder_peek_source (builder, i)->source, theirs->source);
  }
}

static void
merge_clocks (LoomTraceBuilder *builder, LoomTraceBuilder *part)
{
  for (guint i = 0; i < part->clocks->len; i++) {
    LoomDeclaredClock **theirs = &g_array_index (part->clocks, LoomDeclaredClock *, i);
    if (i >= builder->clocks->len) {
      g_array_append_val (builder->clocks, *theirs);
      *theirs = NULL;
      continue;
    }
    LoomDeclaredClock *ours = g_array_index (builder->clocks, LoomDeclaredClock *, i);
    if (ours->basis == NULL && (*theirs)->basis != NULL) {
      LoomDeclaredClock undeclared = *ours;
      *ours = **theirs;
      **theirs = undeclared;
    }
  }
}

static void
map_names (LoomTraceBuilder *builder, LoomTraceBuilder *part, LoomRemap *remap)
{
  remap->n_names = part->names.entries->len;
  remap->names = g_new (guint32, remap->n_names);
  for (guint32 i = 0; i < remap->n_names; i++) {
    const LoomNameEntry *name = loom_name_interner_get (&part->names, i);
    remap->names[i] = loom_trace_builder_name (builder, name->text, name->text_length, name->category,
                                               name->category_length, name->cname, name->cname_length);
  }
}

static void
map_keys (LoomTraceBuilder *builder, LoomTraceBuilder *part, LoomRemap *remap)
{
  remap->n_keys = part->keys.count;
  remap->keys = loom_correlation_ids_map (&builder->keys, &part->keys);
}

static void
merge_processes (LoomTraceBuilder *builder, LoomTraceBuilder *part, LoomRemap *remap)
{
  remap->processes = g_new (guint32, part->processes->len + 1);
  for (guint32 i = 0; i < part->processes->len; i++) {
    LoomProcessEntry *theirs = loom_trace_builder_peek_process (part, i);
    gsize length = loom_string_pool_get_length (part->process_keys, i + 1) - sizeof (guint32);
    builder->offset = theirs->offset;
    guint32 process = loom_trace_builder_process (builder, theirs->source, theirs->key, length);
    loom_trace_builder_process_set_label (builder, process, theirs->label);
    loom_trace_builder_process_add_labels (builder, process, theirs->labels);
    loom_trace_builder_process_add_flags (builder, process, theirs->flags);
    loom_trace_builder_process_set_recorder (builder, process, theirs->path, theirs->format);
    if (theirs->has_sort)
      loom_trace_builder_process_set_sort (builder, process, theirs->sort);
    if (theirs->has_place)
      loom_trace_builder_process_set_place (builder, process, theirs->node, theirs->rank);
    loom_chunk_list_join (&loom_trace_builder_peek_process (builder, process)->instants, &theirs->instants, remap);
    remap->processes[i] = process;
  }
}

static void
merge_threads (LoomTraceBuilder *builder, LoomTraceBuilder *part, LoomRemap *remap)
{
  remap->threads = g_new (guint32, part->threads->len + 1);
  for (guint32 i = 0; i < part->threads->len; i++) {
    LoomThreadEntry *theirs = loom_trace_builder_peek_thread (part, i);
    gsize length = loom_string_pool_get_length (part->thread_keys, i + 1) - sizeof (guint32);
    builder->offset = theirs->offset;
    guint32 thread = loom_trace_builder_thread (builder, remap->processes[theirs->process], theirs->key, length);
    loom_trace_builder_thread_set_label (builder, thread, theirs->label);
    loom_trace_builder_thread_add_flags (builder, thread, theirs->flags);
    if (theirs->has_sort)
      loom_trace_builder_thread_set_sort (builder, thread, theirs->sort);
    LoomThreadEntry *ours = loom_trace_builder_peek_thread (builder, thread);
    loom_chunk_list_join (&ours->spans, &theirs->spans, remap);
    loom_chunk_list_join (&ours->instants, &theirs->instants, remap);
    loom_chunk_list_join (&ours->samples, &theirs->samples, remap);
    remap->threads[i] = thread;
  }
  for (guint32 i = 0; i < part->threads->len; i++) {
    guint32 next = loom_trace_builder_peek_thread (part, i)->next;
    if (next != LOOM_ID_NONE)
      loom_trace_builder_thread_continue (builder, remap->threads[i], remap->threads[next]);
  }
}

static guint32
map_counter (LoomTraceBuilder *builder, LoomTraceBuilder *part, guint32 counter, const LoomRemap *remap)
{
  const LoomCounterEntry *theirs = loom_trace_builder_peek_counter (part, counter);
  const LoomStringPool *labels = part->labels;
  builder->offset = theirs->offset;
  return loom_trace_builder_counter (
    builder, remap->processes[theirs->process], loom_string_pool_get (labels, theirs->category),
    loom_string_pool_get_length (labels, theirs->category), loom_string_pool_get (labels, theirs->name),
    loom_string_pool_get_length (labels, theirs->name), loom_string_pool_get (labels, theirs->id),
    loom_string_pool_get_length (labels, theirs->id));
}

static void
merge_series (LoomTraceBuilder *builder, LoomTraceBuilder *part, const LoomRemap *remap)
{
  for (guint32 i = 0; i < part->series->len; i++) {
    LoomSeriesEntry *theirs = loom_trace_builder_peek_series (part, i);
    guint32 counter = map_counter (builder, part, theirs->counter, remap);
    gsize length = loom_string_pool_get_length (part->series_keys, i + 1) - sizeof (guint32);
    builder->offset = theirs->offset;
    guint32 series = loom_trace_builder_series (builder, counter, theirs->name, length);
    loom_trace_builder_series_set_unit (builder, series, theirs->unit);
    LoomSeriesEntry *ours = loom_trace_builder_peek_series (builder, series);
    ours->hold_ns = MAX (ours->hold_ns, theirs->hold_ns);
    loom_chunk_list_join (&loom_trace_builder_peek_series (builder, series)->samples, &theirs->samples, remap);
  }
}

/* Copies the sync events of `part` one by one, because there are far fewer of them than of other events. */
static void
merge_meetings (LoomTraceBuilder *builder, LoomTraceBuilder *part, const LoomRemap *remap)
{
  for (guint i = 0; i < part->meetings->len; i++) {
    const LoomSyncEvent *meeting = &g_array_index (part->meetings, LoomSyncEvent, i);
    loom_trace_builder_sync_event (builder,
                                   meeting->track == LOOM_ID_NONE ? LOOM_ID_NONE : remap->threads[meeting->track],
                                   meeting, loom_string_pool_get (part->meeting_texts, meeting->group),
                                   loom_string_pool_get (part->meeting_texts, meeting->name));
  }
}

/* Gives `builder` the tables (LoomRemap) of all builders that `part` has absorbed, and changes these tables so that
 * they translate to ids of `builder`. */
static void
take_remaps (LoomTraceBuilder *builder, LoomTraceBuilder *part, const LoomRemap *remap)
{
  for (guint r = 0; r < part->remaps->len; r++) {
    LoomRemap *older = part->remaps->pdata[r];
    for (guint32 i = 0; i < older->n_names; i++)
      older->names[i] = remap->names[older->names[i]];
    for (guint32 i = 0; i < older->n_keys; i++)
      older->keys[i] = remap->keys[older->keys[i]];
    for (guint32 i = 0; i < older->n_processes; i++)
      older->processes[i] = remap->processes[older->processes[i]];
    for (guint32 i = 0; i < older->n_threads; i++)
      older->threads[i] = remap->threads[older->threads[i]];
    g_ptr_array_add (builder->remaps, older);
  }
  g_ptr_array_set_free_func (part->remaps, NULL);
}

void
loom_trace_builder_absorb (LoomTraceBuilder *builder, LoomTraceBuilder *part)
{
  g_return_if_fail (part != NULL && part != builder);
  if (part->n_events > LOOM_MOST_EVENTS - builder->n_events) {
    loom_trace_builder_log_full (builder, 0, part->n_events);
    loom_trace_builder_free (part);
    return;
  }
  LoomRemap *remap = g_new0 (LoomRemap, 1);
  merge_sources (builder, part);
  merge_clocks (builder, part);
  map_names (builder, part, remap);
  map_keys (builder, part, remap);
  merge_processes (builder, part, remap);
  merge_threads (builder, part, remap);
  merge_series (builder, part, remap);
  remap->n_processes = part->processes->len;
  remap->n_threads = part->threads->len;
  for (guint i = 0; i < part->sources->len; i++)
    loom_chunk_list_join (&loom_trace_builder_peek_source (builder, i)->instants,
                          &loom_trace_builder_peek_source (part, i)->instants, remap);
  loom_chunk_list_join (&builder->flows, &part->flows, remap);
  loom_chunk_list_join (&builder->async, &part->async, remap);
  merge_meetings (builder, part, remap);
  take_remaps (builder, part, remap);
  g_ptr_array_add (builder->remaps, remap);
  builder->n_events += part->n_events;
  builder->has_open |= part->has_open;
  loom_trace_builder_free (part);
}

/* Returns the time plus `delta_ns`. If `delta_ns` is an epoch (a time since 1970), a time that already counts from 1970
 * is returned unchanged: some recorders write both absolute and relative times to one file. */
static gint64
shift_time (gint64 time_ns, gint64 delta_ns)
{
  return time_ns >= LOOM_TIME_EPOCH_MIN && delta_ns >= LOOM_TIME_EPOCH_MIN ? time_ns
                                                                           : loom_time_add (time_ns, delta_ns);
}

/* Adds `delta_ns` to the times of all records that belong to the source `source`. A record without a ref belongs to the
 * source `owner`. Each record begins with its time; `ref_offset` is the byte offset of the ref in a record. */
static void
shift_chunks (const LoomTraceBuilder *builder, LoomChunkList *chunks, gsize record_size, gsize ref_offset, guint owner,
              guint source, gint64 delta_ns)
{
  for (LoomChunk *chunk = chunks->first; chunk != NULL; chunk = chunk->next) {
    char *record = loom_chunk_list_data (chunk);
    for (guint32 i = 0; i < chunk->n; i++, record += record_size) {
      LoomRef ref = *(const LoomRef *) (record + ref_offset);
      gint64 *time_ns = (gint64 *) record;
      if (loom_trace_builder_source_of (builder, ref, owner) == source)
        *time_ns = shift_time (*time_ns, delta_ns);
    }
  }
}

static void
shift_meetings (LoomTraceBuilder *builder, guint source, gint64 delta_ns)
{
  for (guint i = 0; i < builder->meetings->len; i++) {
    LoomSyncEvent *meeting = &g_array_index (builder->meetings, LoomSyncEvent, i);
    if (loom_source_ref_source (meeting->ref) != source)
      continue;
    meeting->start_ns = shift_time (meeting->start_ns, delta_ns);
    meeting->end_ns = shift_time (meeting->end_ns, delta_ns);
  }
}

static guint
owner_of_thread (const LoomTraceBuilder *builder, guint32 thread)
{
  return loom_trace_builder_peek_process (builder, loom_trace_builder_peek_thread (builder, thread)->process)->source;
}

static guint
owner_of_series (const LoomTraceBuilder *builder, guint32 series)
{
  guint32 counter = loom_trace_builder_peek_series (builder, series)->counter;
  return loom_trace_builder_peek_process (builder, loom_trace_builder_peek_counter (builder, counter)->process)->source;
}

#define SHIFT(chunks, Type, owner) \
  shift_chunks (builder, (chunks), sizeof (Type), G_STRUCT_OFFSET (Type, ref), (owner), source, delta_ns)

void
loom_trace_builder_shift_source (LoomTraceBuilder *builder, guint source, gint64 delta_ns)
{
  g_return_if_fail (source < builder->sources->len);
  for (guint i = 0; i < builder->sources->len; i++)
    SHIFT (&loom_trace_builder_peek_source (builder, i)->instants, LoomRecord, i);
  for (guint32 i = 0; i < builder->processes->len; i++)
    SHIFT (&loom_trace_builder_peek_process (builder, i)->instants, LoomRecord,
           loom_trace_builder_peek_process (builder, i)->source);
  for (guint32 i = 0; i < builder->threads->len; i++) {
    SHIFT (&loom_trace_builder_peek_thread (builder, i)->spans, LoomRecord, owner_of_thread (builder, i));
    SHIFT (&loom_trace_builder_peek_thread (builder, i)->instants, LoomRecord, owner_of_thread (builder, i));
    SHIFT (&loom_trace_builder_peek_thread (builder, i)->samples, LoomRecord, owner_of_thread (builder, i));
  }
  for (guint32 i = 0; i < builder->series->len; i++)
    SHIFT (&loom_trace_builder_peek_series (builder, i)->samples, LoomSample, owner_of_series (builder, i));
  SHIFT (&builder->flows, LoomFlowRecord, source);
  SHIFT (&builder->async, LoomAsyncRecord, source);
  shift_meetings (builder, source, delta_ns);
}
