/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats a batch of events as lines of the ranks layout, the layout of Traceloom's own merged JSON files
 * (loom-trace-export.h). The line of a span or flow event is normally built from a copy of its text
 * (loom-ranks-fast-path.c). Events for which this is not possible are parsed with loom_export_event_reader_read() and
 * written with loom_trace_event_writer_append().
 */
#include <stdlib.h>
#include <string.h>

#include "loom-event-ref-hint.h"
#include "loom-flow-id.h"
#include "loom-ranks-private.h"

G_STATIC_ASSERT (LOOM_SHARED_BLOCK_PADDING >= LOOM_STRICT_EVENT_PADDING);

/* Number of events whose texts are prefetched (the current event and those that follow), and the number of bytes
 * that are prefetched of each text. */
#define AHEAD 7u
#define AHEAD_BYTES 384
/* Size of the ring of prefetched texts: a power of two, at least AHEAD. */
#define N_TEXTS 8u
/* If the formatted lines of a batch exceed this number of bytes in total, they are written before the other events of
 * the batch are formatted. */
#define MOST_LINE_BYTES (8u * 1024 * 1024)

/* The text of an event, of which `available` bytes are in memory. `begin` NULL: the event has no text, or the text is
 * not in memory. */
typedef struct {
  const char *begin;
  gsize available;
} Text;

struct _LoomRankWriter {
  const LoomRanks *ranks;
  LoomRanksWorkers *crew;
  LoomEventTemplates *patterns, *args_patterns;
  LoomExportEventReader *reader;
  LoomRanksBatch *batch;
  /* TRUE: all batches before the writer's batch were written, so that this writer may write to the file */
  gboolean has_turn;
};

LoomRankWriter *
loom_rank_writer_new (const LoomRanks *ranks, LoomRanksWorkers *crew)
{
  LoomRankWriter *writer = g_new0 (LoomRankWriter, 1);
  writer->ranks = ranks;
  writer->crew = crew;
  writer->patterns = loom_event_templates_new (LOOM_PATTERNS_OF_EVENTS);
  writer->args_patterns = loom_event_templates_new (LOOM_PATTERNS_OF_OBJECTS);
  writer->reader = loom_export_event_reader_new (ranks->merge->timeline, TRUE);
  return writer;
}

void
loom_rank_writer_free (LoomRankWriter *writer)
{
  loom_export_event_reader_free (writer->reader);
  loom_event_templates_free (writer->patterns);
  loom_event_templates_free (writer->args_patterns);
  g_free (writer);
}

/* --- pid and tid of an event -------------------------------------------------------------------------------------- */

static void
put_track_place (LoomRankWriter *writer, const LoomMergeItem *item, LoomTraceEventLine *line)
{
  const LoomPidTidMap *places = writer->ranks->merge->places;
  const LoomPidTidProcess *process = loom_pid_tid_map_process_of (places, item->trace, item->track);
  const LoomPidTidThread *thread = loom_pid_tid_map_thread_of (places, item->trace, item->track);
  line->has_pid = process->written;
  line->pid = process->pid;
  line->has_tid = thread->written;
  line->tid = thread->tid;
}

static gint64
get_stray (LoomRankWriter *writer, guint trace, const char *pid, const char *tid)
{
  if (!writer->has_turn)
    loom_ranks_workers_wait_for_turn (writer->crew, writer->batch);
  writer->has_turn = TRUE;
  return loom_ranks_workers_get_stray (writer->crew, trace, pid, tid);
}

/* Sets the pid and tid of the line to those in the event's text. Used for flow events on threads without spans, and for
 * the threads of async events. */
static void
put_literal_place (LoomRankWriter *writer, const LoomMergeItem *item, const LoomExportEvent *drawn,
                   LoomTraceEventLine *line)
{
  LoomJsonSlice pid = drawn->event.member[LOOM_MEMBER_PID], tid = drawn->event.member[LOOM_MEMBER_TID];
  if (!drawn->has_event)
    return;
  line->keep_place = TRUE;
  g_autofree char *pid_key = g_strndup (pid.text != NULL ? pid.text : "", pid.length);
  g_autofree char *tid_key = g_strndup (tid.text != NULL ? tid.text : "", tid.length);
  if (!loom_pid_tid_map_find (writer->ranks->merge->places, item->trace, pid_key, tid_key, &line->pid, &line->tid,
                              &line->has_tid))
    line->pid = get_stray (writer, item->trace, pid_key, NULL);
  line->has_pid = TRUE;
  if (line->has_tid || tid.text == NULL)
    return;
  line->has_tid = TRUE;
  line->tid = get_stray (writer, item->trace, pid_key, tid_key);
}

static void
put_place (LoomRankWriter *writer, const LoomMergeItem *item, const LoomExportEvent *drawn, LoomTraceEventLine *line)
{
  if (item->track != G_MAXUINT)
    put_track_place (writer, item, line);
  else
    put_literal_place (writer, item, drawn, line);
}

/* --- events that cannot be copied --------------------------------------------------------------------------------- */

static const char *
mark_of (const LoomMergeItem *item)
{
  static const char *const words[] = { NULL, "open", "suspect", "open suspect" };
  if (item->ref == LOOM_REF_NONE)
    return NULL;
  guint flags = loom_source_ref_flags (item->ref);
  return words[((flags & LOOM_REF_OPEN) != 0) + 2 * ((flags & LOOM_REF_SUSPECT) != 0)];
}

static void
set_stacks (const LoomRanks *ranks, const LoomMergeItem *item, LoomTraceEventLine *line)
{
  const LoomRankTrace *trace = &ranks->traces[item->trace];
  guint source = loom_source_ref_source (item->ref);
  if (!ranks->rename_frames || line->event == NULL || source >= trace->n_sources)
    return;
  line->stacks = loom_trace_get_source (trace->trace, source)->stacks;
  line->source = trace->first_source + source;
}

/* Memory for the texts that are put before and after an id to make it unique in the merged file. */
typedef struct {
  char prefix[24], suffix[24];
} IdRoom;

static inline gboolean
is_async (const LoomMergeItem *item)
{
  return item->kind == LOOM_KWAY_MERGE_ASYNC || item->kind == LOOM_KWAY_MERGE_ASYNC_END;
}

/* Sets the prefix and the suffix of the ids in a line. Two kinds of async events get a suffix that makes their id
 * unique: spans without an event in a file, and end events without a begin event. Such an end event is shown as a span
 * that starts with the first event of its id. With an unchanged id, its end would close other spans. */
static void
set_ids (const LoomRanks *ranks, const LoomMergeItem *item, const LoomExportEvent *drawn, LoomTraceEventLine *line,
         IdRoom *room)
{
  gboolean is_alone = is_async (item) && (!drawn->has_event || loom_event_phase (&drawn->event) == 'e');
  line->number_flows = TRUE;
  line->trace = ranks->prefix_ids ? item->trace : LOOM_FLOW_ID_ALONE;
  if (ranks->prefix_ids) {
    gsize n = loom_time_write_int (item->trace, room->prefix);
    memcpy (room->prefix + n, ".", 2);
    line->id_prefix = room->prefix;
  }
  if (is_alone) {
    guint64 number = drawn->has_event ? loom_source_ref_offset (item->ref) : item->index;
    room->suffix[0] = '~';
    gsize n = loom_time_write_int ((gint64) number, room->suffix + 1);
    room->suffix[1 + n] = '\0';
    line->id_suffix = room->suffix;
  }
}

/* Returns TRUE for a step of an async span. The timeline shows the name in the step's args. The file gets the name of
 * the event, because readers find the step's span by this name. */
static gboolean
is_step (const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  return item->kind == LOOM_KWAY_MERGE_INSTANT && drawn->has_event && (drawn->phase == 'T' || drawn->phase == 'p');
}

static gint
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Returns the name under which a counter event is written. If the events of a counter have different series, each set
 * of series becomes a counter of its own. Its name consists of the counter's name and the sorted names of the series.
 * Returns NULL if all events of the counter have the same series: the name is kept. */
static char *
dup_counter_name (const LoomRankWriter *writer, const LoomRankEntry *entry, const LoomExportEvent *drawn)
{
  const LoomMergeItem *item = &entry->item;
  const LoomRankTrace *trace = &writer->ranks->traces[item->trace];
  if (item->kind != LOOM_KWAY_MERGE_COUNTER || !trace->uneven[item->track])
    return NULL;
  g_autofree const char **series = g_new0 (const char *, entry->n_samples + 1);
  for (guint i = 0; i < entry->n_samples; i++) {
    const LoomMergeSample *sample = &g_array_index (writer->batch->samples, LoomMergeSample, entry->first_sample + i);
    series[i] = loom_trace_get_series (trace->trace, sample->series)->name;
  }
  qsort (series, entry->n_samples, sizeof *series, compare_texts);
  g_autofree char *names = g_strjoinv (", ", (char **) series);
  return g_strdup_printf ("%s %s", drawn->name, names);
}

static void
put_item (LoomRankWriter *writer, const LoomRankEntry *entry, const LoomExportEvent *drawn)
{
  const LoomRanks *ranks = writer->ranks;
  const LoomMergeItem *item = &entry->item;
  g_autofree char *counter_name = dup_counter_name (writer, entry, drawn);
  LoomRanksBatch *batch = writer->batch;
  IdRoom room;
  gint64 time_ns = item->kind == LOOM_KWAY_MERGE_ASYNC_END ? item->end_ns : item->start_ns;
  LoomTraceEventLine line = { .event = drawn->has_event ? &drawn->event : NULL,
                              .strict = drawn->clean,
                              .other_name = counter_name,
                              .name = is_step (item, drawn) ? NULL : drawn->name,
                              .category = drawn->category,
                              .phase = drawn->phase,
                              .scope = drawn->scope,
                              .args = drawn->args,
                              .no_args = drawn->no_args,
                              .mark = mark_of (item),
                              .has_ts = TRUE,
                              .ts_ns = loom_time_sub (time_ns, ranks->origin_ns),
                              .has_dur = item->kind == LOOM_KWAY_MERGE_SPAN,
                              .dur_ns = loom_time_sub (item->end_ns, item->start_ns),
                              .end = drawn->end,
                              .is_end = item->kind == LOOM_KWAY_MERGE_ASYNC_END,
                              .binds_inside = loom_export_binds_inside (ranks->traces[item->trace].trace, item) };
  set_ids (ranks, item, drawn, &line, &room);
  set_stacks (ranks, item, &line);
  put_place (writer, item, drawn, &line);
  g_string_append (batch->lines, ",\n");
  loom_trace_event_writer_append (batch->lines, &line);
  batch->n_repaired += drawn->repaired;
  batch->n_synthesised += !drawn->has_event;
}

/* Returns TRUE if the item becomes a line of its own. Returns FALSE for a flow point that a span states with its
 * bind_id: this is written within the line of the span. */
static gboolean
is_written (const LoomMergeItem *item, const LoomExportEvent *drawn)
{
  return item->kind != LOOM_KWAY_MERGE_FLOW || (drawn->phase != '\0' && strchr ("stf", drawn->phase) != NULL);
}

static void
count (LoomRanksBatch *batch, const LoomMergeItem *item)
{
  batch->n_events++;
  batch->extent.begin_ns = MIN (batch->extent.begin_ns, item->start_ns);
  batch->extent.end_ns = MAX (batch->extent.end_ns, item->end_ns);
}

/* Reads and writes an event. If `phase` is not '\0', the event is written only if it is a flow event of this phase.
 * Returns FALSE with batch->error if the event cannot be read. */
static gboolean
read_and_put (LoomRankWriter *writer, const LoomRankEntry *entry, char phase)
{
  LoomRanksBatch *batch = writer->batch;
  const LoomMergeSample *samples = &g_array_index (batch->samples, LoomMergeSample, entry->first_sample);
  LoomExportEvent drawn;
  if (!loom_export_event_reader_read_sampled (writer->reader, samples, entry->n_samples, &entry->item, &drawn,
                                              &batch->error))
    return FALSE;
  if (drawn.has_event && entry->block != NULL)
    loom_shared_block_cache_note_length (writer->ranks->blocks,
                                         loom_ranks_source_of (writer->ranks, entry->item.trace, entry->item.ref),
                                         drawn.event.text.length);
  if (!is_written (&entry->item, &drawn) || (phase != '\0' && phase != drawn.phase))
    return TRUE;
  put_item (writer, entry, &drawn);
  count (batch, &entry->item);
  if (batch->lines->len > MOST_LINE_BYTES)
    loom_ranks_workers_write_part (writer->crew, batch);
  return TRUE;
}

static inline gboolean
copy (LoomRankWriter *writer, const LoomMergeItem *item, const char *text, gsize available)
{
  if (loom_event_ref_hint_of (item->ref) != 0 &&
      loom_rank_copy_hinted (writer->ranks, writer->args_patterns, item, text, available, writer->batch))
    return TRUE;
  return loom_ranks_copy (writer->ranks, writer->patterns, item, text, available, writer->batch);
}

static gboolean
put_entry (LoomRankWriter *writer, const LoomRankEntry *entry, const Text *text)
{
  const LoomMergeItem *item = &entry->item;
  if (text->begin == NULL || !copy (writer, item, text->begin, text->available))
    return read_and_put (writer, entry, '\0');
  count (writer->batch, item);
  if (writer->batch->lines->len > MOST_LINE_BYTES)
    loom_ranks_workers_write_part (writer->crew, writer->batch);
  return TRUE;
}

/* --- formatting a batch ------------------------------------------------------------------------------------------- */

static gboolean
is_flow_of (const LoomRankEntry *entry, gint64 time_ns)
{
  return entry->item.kind == LOOM_KWAY_MERGE_FLOW && entry->item.start_ns == time_ns;
}

static inline Text
text_of (const LoomRankEntry *entry)
{
  Text text = { NULL, 0 };
  if (entry->block != NULL)
    text.begin =
      loom_shared_block_cache_get_block (entry->block, loom_source_ref_offset (entry->item.ref), &text.available);
  return text;
}

/* Writes a flow event if its phase is `phase`. If the event's hint (loom-event-ref-hint.h) contains the phase, an event
 * of another phase is skipped without reading its text. An event without such a hint is read once for each phase of
 * put_flows(). Returns FALSE with batch->error if the event cannot be read. */
static gboolean
put_flow (LoomRankWriter *writer, const LoomRankEntry *entry, char phase)
{
  guint hint = loom_event_ref_hint_of (entry->item.ref);
  if (hint == 0)
    return read_and_put (writer, entry, phase);
  if (loom_event_ref_hint_get_phase (hint) != phase)
    return TRUE;
  Text text = text_of (entry);
  return put_entry (writer, entry, &text);
}

/* Writes the flow events of one instant: first all starts (s), then all steps (t), last all ends (f). Readers sort flow
 * events in this order. Returns FALSE with batch->error if an event cannot be read. */
static gboolean
put_flows (LoomRankWriter *writer, const LoomRankEntry *entries, guint n)
{
  static const char phases[] = { 's', 't', 'f' };
  gboolean good = TRUE;
  for (guint pass = 0; pass < G_N_ELEMENTS (phases); pass++)
    for (guint i = 0; good && i < n; i++)
      good = put_flow (writer, &entries[i], phases[pass]);
  return good;
}

/* Prefetches the text of a later event, and returns the text. The processor cannot predict the access, because the
 * texts of successive events are scattered over the files. */
static inline Text
look_ahead (const LoomRankWriter *writer, const LoomRankEntry *entry)
{
  guint hint = loom_event_ref_hint_of (entry->item.ref);
  gsize first = entry->item.kind == LOOM_KWAY_MERGE_SPAN ? loom_event_ref_hint_get_args (hint) : 0;
  Text text = text_of (entry);
  for (gsize i = first; text.begin != NULL && i < first + AHEAD_BYTES; i += 64)
    __builtin_prefetch (text.begin + i);
  if (entry->item.kind == LOOM_KWAY_MERGE_COUNTER)
    return text;
  const LoomRankTrace *trace = &writer->ranks->traces[entry->item.trace];
  if (hint != 0 && trace->heads != NULL) {
    __builtin_prefetch (&trace->heads[entry->item.name_id]);
    return text;
  }
  __builtin_prefetch (&trace->names[entry->item.name_id]);
  __builtin_prefetch (&trace->lengths[entry->item.name_id]);
  return text;
}

void
loom_rank_writer_run (LoomRankWriter *writer, LoomRanksBatch *batch)
{
  const LoomRankEntry *entries = batch->entries;
  loom_ranks_order_flows (writer->ranks, batch->entries, batch->n_entries);
  writer->batch = batch;
  writer->has_turn = FALSE;
  loom_export_event_reader_set_window (writer->reader, batch->window);
  gboolean good = TRUE;
  Text texts[N_TEXTS];
  for (guint i = 0, n = batch->n_entries, seen = 0, same; good && i < n; i += same) {
    for (; seen < MIN (i + AHEAD, n); seen++)
      texts[seen % N_TEXTS] = look_ahead (writer, &entries[seen]);
    same = 1;
    if (entries[i].item.kind == LOOM_KWAY_MERGE_FLOW)
      while (i + same < n && is_flow_of (&entries[i + same], entries[i].item.start_ns))
        same++;
    good = same > 1 ? put_flows (writer, &entries[i], same) : put_entry (writer, &entries[i], &texts[i % N_TEXTS]);
  }
}
