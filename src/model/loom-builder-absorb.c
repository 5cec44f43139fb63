/* SPDX-License-Identifier: Apache-2.0
 *
 * What touches everything a builder holds: taking over another builder, and moving a source in time.
 * Absorbing moves chunks and leaves tables with them; freeze translates the ids while it reads.
 */
#include "loom-builder-private.h"

static void
merge_log (LoomLog *log, const LoomLog *part)
{
  for (guint i = 0; i < loom_log_get_n_problems (part); i++) {
    const LoomProblem *problem = loom_log_get_problem (part, i);
    loom_log_add_n (log, problem->severity, problem->code, problem->offset, problem->count, problem->message);
  }
}

/* Every frame is added anew: a piece of a file has few of them, for the table itself is read with the whole. */
static void
merge_stacks (LoomSource *source, const LoomStacks *part)
{
  for (guint32 i = 0; part != NULL && i < loom_stacks_get_n (part); i++) {
    LoomStackFrame frame = loom_stacks_get (part, i);
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
merge_sources (LoomBuilder *builder, LoomBuilder *part)
{
  for (guint i = 0; i < part->sources->len; i++) {
    LoomSourceEntry *theirs = loom_builder_peek_source (part, i);
    if (i >= builder->sources->len)
      loom_builder_append_source (builder, g_steal_pointer (&theirs->source));
    else
      merge_source (loom_builder_peek_source (builder, i)->source, theirs->source);
  }
}

static void
merge_clocks (LoomBuilder *builder, LoomBuilder *part)
{
  for (guint i = 0; i < part->clocks->len; i++) {
    LoomClockDecl **theirs = &g_array_index (part->clocks, LoomClockDecl *, i);
    if (i >= builder->clocks->len) {
      g_array_append_val (builder->clocks, *theirs);
      *theirs = NULL;
      continue;
    }
    LoomClockDecl *ours = g_array_index (builder->clocks, LoomClockDecl *, i);
    if (ours->basis == NULL && (*theirs)->basis != NULL) {
      LoomClockDecl undeclared = *ours;
      *ours = **theirs;
      **theirs = undeclared;
    }
  }
}

static void
map_names (LoomBuilder *builder, LoomBuilder *part, LoomRemap *remap)
{
  remap->n_names = part->names.entries->len;
  remap->names = g_new (guint32, remap->n_names);
  for (guint32 i = 0; i < remap->n_names; i++) {
    const LoomNameEntry *name = loom_names_get (&part->names, i);
    remap->names[i] = loom_builder_name (builder, name->text, name->text_length, name->category, name->category_length,
                                         name->cname, name->cname_length);
  }
}

static void
map_keys (LoomBuilder *builder, LoomBuilder *part, LoomRemap *remap)
{
  remap->n_keys = part->keys.count;
  remap->keys = loom_keys_map (&builder->keys, &part->keys);
}

static void
merge_processes (LoomBuilder *builder, LoomBuilder *part, LoomRemap *remap)
{
  remap->processes = g_new (guint32, part->processes->len + 1);
  for (guint32 i = 0; i < part->processes->len; i++) {
    LoomProcessEntry *theirs = loom_builder_peek_process (part, i);
    gsize length = loom_strings_get_length (part->process_keys, i + 1) - sizeof (guint32);
    builder->offset = theirs->offset;
    guint32 process = loom_builder_process (builder, theirs->source, theirs->key, length);
    loom_builder_process_set_label (builder, process, theirs->label);
    loom_builder_process_add_labels (builder, process, theirs->labels);
    loom_builder_process_add_flags (builder, process, theirs->flags);
    if (theirs->has_sort)
      loom_builder_process_set_sort (builder, process, theirs->sort);
    if (theirs->has_place)
      loom_builder_process_set_place (builder, process, theirs->node, theirs->rank);
    loom_chunks_join (&loom_builder_peek_process (builder, process)->instants, &theirs->instants, remap);
    remap->processes[i] = process;
  }
}

static void
merge_threads (LoomBuilder *builder, LoomBuilder *part, LoomRemap *remap)
{
  remap->threads = g_new (guint32, part->threads->len + 1);
  for (guint32 i = 0; i < part->threads->len; i++) {
    LoomThreadEntry *theirs = loom_builder_peek_thread (part, i);
    gsize length = loom_strings_get_length (part->thread_keys, i + 1) - sizeof (guint32);
    builder->offset = theirs->offset;
    guint32 thread = loom_builder_thread (builder, remap->processes[theirs->process], theirs->key, length);
    loom_builder_thread_set_label (builder, thread, theirs->label);
    loom_builder_thread_add_flags (builder, thread, theirs->flags);
    if (theirs->has_sort)
      loom_builder_thread_set_sort (builder, thread, theirs->sort);
    LoomThreadEntry *ours = loom_builder_peek_thread (builder, thread);
    loom_chunks_join (&ours->spans, &theirs->spans, remap);
    loom_chunks_join (&ours->instants, &theirs->instants, remap);
    loom_chunks_join (&ours->samples, &theirs->samples, remap);
    remap->threads[i] = thread;
  }
  for (guint32 i = 0; i < part->threads->len; i++) {
    guint32 next = loom_builder_peek_thread (part, i)->next;
    if (next != LOOM_ID_NONE)
      loom_builder_thread_continue (builder, remap->threads[i], remap->threads[next]);
  }
}

static guint32
map_counter (LoomBuilder *builder, LoomBuilder *part, guint32 counter, const LoomRemap *remap)
{
  const LoomCounterEntry *theirs = loom_builder_peek_counter (part, counter);
  const LoomStrings *labels = part->labels;
  builder->offset = theirs->offset;
  return loom_builder_counter (builder, remap->processes[theirs->process],
                               loom_strings_get (labels, theirs->category),
                               loom_strings_get_length (labels, theirs->category),
                               loom_strings_get (labels, theirs->name), loom_strings_get_length (labels, theirs->name),
                               loom_strings_get (labels, theirs->id), loom_strings_get_length (labels, theirs->id));
}

static void
merge_series (LoomBuilder *builder, LoomBuilder *part, const LoomRemap *remap)
{
  for (guint32 i = 0; i < part->series->len; i++) {
    LoomSeriesEntry *theirs = loom_builder_peek_series (part, i);
    guint32 counter = map_counter (builder, part, theirs->counter, remap);
    gsize length = loom_strings_get_length (part->series_keys, i + 1) - sizeof (guint32);
    builder->offset = theirs->offset;
    guint32 series = loom_builder_series (builder, counter, theirs->name, length);
    loom_builder_series_set_unit (builder, series, theirs->unit);
    loom_chunks_join (&loom_builder_peek_series (builder, series)->samples, &theirs->samples, remap);
  }
}

/* Few against the events, so they are copied. */
static void
merge_meetings (LoomBuilder *builder, LoomBuilder *part, const LoomRemap *remap)
{
  for (guint i = 0; i < part->meetings->len; i++) {
    const LoomMeeting *meeting = &g_array_index (part->meetings, LoomMeeting, i);
    loom_builder_meeting (builder, meeting->track == LOOM_ID_NONE ? LOOM_ID_NONE : remap->threads[meeting->track], meeting,
                          loom_strings_get (part->meeting_texts, meeting->group),
                          loom_strings_get (part->meeting_texts, meeting->name));
  }
}

/* Tables of builders that `part` itself absorbed now have to lead here. */
static void
take_remaps (LoomBuilder *builder, LoomBuilder *part, const LoomRemap *remap)
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
loom_builder_absorb (LoomBuilder *builder, LoomBuilder *part)
{
  g_return_if_fail (part != NULL && part != builder);
  if (part->n_events > LOOM_MOST_EVENTS - builder->n_events) {
    loom_builder_log_full (builder, 0, part->n_events);
    loom_builder_free (part);
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
    loom_chunks_join (&loom_builder_peek_source (builder, i)->instants, &loom_builder_peek_source (part, i)->instants,
                      remap);
  loom_chunks_join (&builder->flows, &part->flows, remap);
  loom_chunks_join (&builder->async, &part->async, remap);
  merge_meetings (builder, part, remap);
  take_remaps (builder, part, remap);
  g_ptr_array_add (builder->remaps, remap);
  builder->n_events += part->n_events;
  loom_builder_free (part);
}

/* Every record begins with its time; `ref_offset` is where its ref stands. */
static void
shift_chunks (const LoomBuilder *builder, LoomChunks *chunks, gsize record_size, gsize ref_offset, guint owner,
              guint source, gint64 delta_ns)
{
  for (LoomChunk *chunk = chunks->first; chunk != NULL; chunk = chunk->next) {
    char *record = loom_chunk_data (chunk);
    for (guint32 i = 0; i < chunk->n; i++, record += record_size) {
      LoomRef ref = *(const LoomRef *) (record + ref_offset);
      gint64 *time_ns = (gint64 *) record;
      if (loom_builder_source_of (builder, ref, owner) == source)
        *time_ns = loom_time_add (*time_ns, delta_ns);
    }
  }
}

static void
shift_meetings (LoomBuilder *builder, guint source, gint64 delta_ns)
{
  for (guint i = 0; i < builder->meetings->len; i++) {
    LoomMeeting *meeting = &g_array_index (builder->meetings, LoomMeeting, i);
    if (loom_ref_source (meeting->ref) != source)
      continue;
    meeting->start_ns = loom_time_add (meeting->start_ns, delta_ns);
    meeting->end_ns = loom_time_add (meeting->end_ns, delta_ns);
  }
}

static guint
owner_of_thread (const LoomBuilder *builder, guint32 thread)
{
  return loom_builder_peek_process (builder, loom_builder_peek_thread (builder, thread)->process)->source;
}

static guint
owner_of_series (const LoomBuilder *builder, guint32 series)
{
  guint32 counter = loom_builder_peek_series (builder, series)->counter;
  return loom_builder_peek_process (builder, loom_builder_peek_counter (builder, counter)->process)->source;
}

#define SHIFT(chunks, Type, owner) \
  shift_chunks (builder, (chunks), sizeof (Type), G_STRUCT_OFFSET (Type, ref), (owner), source, delta_ns)

void
loom_builder_shift_source (LoomBuilder *builder, guint source, gint64 delta_ns)
{
  g_return_if_fail (source < builder->sources->len);
  for (guint i = 0; i < builder->sources->len; i++)
    SHIFT (&loom_builder_peek_source (builder, i)->instants, LoomRecord, i);
  for (guint32 i = 0; i < builder->processes->len; i++)
    SHIFT (&loom_builder_peek_process (builder, i)->instants, LoomRecord, loom_builder_peek_process (builder, i)->source);
  for (guint32 i = 0; i < builder->threads->len; i++) {
    SHIFT (&loom_builder_peek_thread (builder, i)->spans, LoomRecord, owner_of_thread (builder, i));
    SHIFT (&loom_builder_peek_thread (builder, i)->instants, LoomRecord, owner_of_thread (builder, i));
    SHIFT (&loom_builder_peek_thread (builder, i)->samples, LoomRecord, owner_of_thread (builder, i));
  }
  for (guint32 i = 0; i < builder->series->len; i++)
    SHIFT (&loom_builder_peek_series (builder, i)->samples, LoomSample, owner_of_series (builder, i));
  SHIFT (&builder->flows, LoomFlowRecord, source);
  SHIFT (&builder->async, LoomAsyncRecord, source);
  shift_meetings (builder, source, delta_ns);
}
