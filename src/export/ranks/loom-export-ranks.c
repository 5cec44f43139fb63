/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the ranks layout: one Chrome trace JSON file with all events of the timeline, sorted by time. Processes and
 * threads are kept, and their ids are made unique.
 */
#include <string.h>

#include "loom-export-stack-frames.h"
#include "loom-parallel.h"
#include "loom-ranks-private.h"

/* Approximate size of a batch (events that one thread formats together): the number of bytes that the texts of its
 * events have in the input files. */
#define BATCH_BYTES (384u * 1024)
#define MIN_BATCH_EVENTS 32
#define MAX_BATCH_EVENTS 4096
/* Assumed compression ratio of compressed source files. The average length of an event is estimated from this ratio and
 * the size of the file. */
#define PACKED_TIMES 8

/* --- metadata events ---------------------------------------------------------------------------------------------- */

static void
put_thread (LoomExport *merge, const LoomPidTidProcess *process, const LoomPidTidThread *thread, guint index)
{
  if (thread->track->thread[0] != '\0')
    loom_export_put_name (merge, process->pid, &thread->tid, thread->track->thread);
  loom_export_put_sort_index (merge, process->pid, &thread->tid, index);
}

/* Writes the name of the node as a label of the process, for trace viewers that ignore the member "otherData", which
 * also contains this name. */
static void
put_labels (LoomExport *merge, const LoomPidTidProcess *process)
{
  const char *node = process->track->node;
  if (node == NULL || *node == '\0')
    return;
  g_autofree char *label = g_strdup_printf ("node %s", node);
  loom_export_put_metadata (merge, "process_labels", process->pid, NULL, "labels", label);
}

static void
put_metadata (LoomExport *merge)
{
  for (guint i = 0; i < merge->places->processes->len; i++) {
    const LoomPidTidProcess *process = merge->places->processes->pdata[i];
    if (!process->written || !loom_export_wants (merge, loom_export_get_source (merge, process)))
      continue;
    g_autofree char *name = loom_export_dup_ranked_name (merge, process);
    loom_export_put_name (merge, process->pid, NULL, name);
    put_labels (merge, process);
    loom_export_put_sort_index (merge, process->pid, NULL, process->pid);
    for (guint j = 0; j < process->threads->len; j++) {
      const LoomPidTidThread *thread = g_ptr_array_index (process->threads, j);
      if (thread->written)
        put_thread (merge, process, thread, j);
    }
  }
}

/* --- handing the events to the workers ---------------------------------------------------------------------------- */

/* Appends an entry for an event to the batch and returns it; the caller fills it. */
static inline LoomRankEntry *
add_entry (LoomRanksBatch *batch)
{
  if (G_UNLIKELY (batch->n_entries == batch->n_room)) {
    batch->n_room = MAX (2 * batch->n_room, MIN_BATCH_EVENTS);
    batch->entries = g_renew (LoomRankEntry, batch->entries, batch->n_room);
  }
  return &batch->entries[batch->n_entries++];
}

static void
take_samples (LoomKwayMerge *sweep, LoomRankEntry *entry, LoomRanksBatch *batch)
{
  entry->first_sample = batch->samples->len;
  entry->n_samples = 0;
  if (entry->item.kind != LOOM_KWAY_MERGE_COUNTER)
    return;
  const LoomMergeSample *samples = loom_kway_merge_get_samples (sweep, &entry->n_samples);
  g_array_append_vals (batch->samples, samples, entry->n_samples);
}

static LoomSharedBlock *
want (const LoomRanks *ranks, LoomRanksBatch *batch, guint trace, LoomRef ref)
{
  guint source = loom_ranks_source_of (ranks, trace, ref);
  return source != G_MAXUINT
           ? loom_shared_block_cache_want (ranks->blocks, batch->window, source, loom_source_ref_offset (ref))
           : NULL;
}

static void
want_texts (const LoomRanks *ranks, LoomRanksBatch *batch, LoomRankEntry *entry)
{
  const LoomMergeItem *item = &entry->item;
  gboolean pair = (item->kind == LOOM_KWAY_MERGE_SPAN || item->kind == LOOM_KWAY_MERGE_ASYNC_END) &&
                  (loom_source_ref_flags (item->ref) & LOOM_REF_END) != 0;
  entry->block = want (ranks, batch, item->trace, item->ref);
  if (pair)
    want (ranks, batch, item->trace, loom_trace_get_end_ref (ranks->traces[item->trace].trace, item->index));
}

/* Returns TRUE if the batch of events is full. Flow events with the same time must be in the same batch, because they
 * are sorted within it. */
static gboolean
is_full (const LoomRanks *ranks, const LoomRanksBatch *batch)
{
  guint n = batch->n_entries;
  if (n < 2 || (n <= ranks->batch_events && !loom_shared_block_cache_window_is_full (batch->window)))
    return FALSE;
  const LoomMergeItem *last = &batch->entries[n - 2].item;
  const LoomMergeItem *next = &batch->entries[n - 1].item;
  return last->kind != LOOM_KWAY_MERGE_FLOW || next->kind != LOOM_KWAY_MERGE_FLOW || last->start_ns != next->start_ns;
}

/* Gives the batch of events, without its last entry, to the threads that format batches. Returns a new batch that
 * begins with this entry; NULL if the export must stop. */
static LoomRanksBatch *
give_full (LoomRanksWorkers *crew, LoomRanksBatch *batch)
{
  LoomMergeItem item = batch->entries[batch->n_entries - 1].item;
  batch->n_entries--;
  loom_ranks_workers_give_batch (crew, batch);
  batch = loom_ranks_workers_get_batch (crew);
  if (batch != NULL)
    add_entry (batch)->item = item;
  return batch;
}

/* Gives all events, in batches, to the threads that format them; returns FALSE if the export must stop. */
static gboolean
give_events (const LoomRanks *ranks, LoomKwayMerge *sweep, LoomRanksWorkers *crew, GError **error)
{
  GCancellable *cancellable = loom_progress_get_cancellable (ranks->merge->progress);
  LoomRanksBatch *batch = loom_ranks_workers_get_batch (crew);
  while (batch != NULL && loom_kway_merge_next (sweep, &add_entry (batch)->item)) {
    if (is_full (ranks, batch)) {
      batch = give_full (crew, batch);
      if (batch == NULL || (cancellable != NULL && g_cancellable_set_error_if_cancelled (cancellable, error)))
        break;
    }
    LoomRankEntry *entry = &batch->entries[batch->n_entries - 1];
    take_samples (sweep, entry, batch);
    want_texts (ranks, batch, entry);
  }
  if (batch == NULL)
    return FALSE;
  /* The last entry is removed in both cases: after the last event, it is empty; after an error, it must not be
   * written. */
  batch->n_entries--;
  loom_ranks_workers_give_batch (crew, batch);
  return TRUE;
}

static gboolean
put_events (const LoomRanks *ranks, GError **error)
{
  LoomExport *merge = ranks->merge;
  LoomMergeOptions options = {
    .has_range = merge->options->has_range, .range = merge->options->range, .async_ends = TRUE, .sources = merge->wanted
  };
  g_autoptr (LoomKwayMerge) sweep = loom_kway_merge_new (merge->timeline, merge->places, &options);
  LoomRanksWorkers *crew = loom_ranks_workers_new (ranks);
  GError *problem = NULL;
  give_events (ranks, sweep, crew, &problem);
  if (problem == NULL)
    return loom_ranks_workers_finish (crew, error);
  loom_ranks_workers_cancel (crew);
  g_propagate_error (error, problem);
  return FALSE;
}

/* --- data computed before writing --------------------------------------------------------------------------------- */

static void
widen (LoomRange *range, const LoomClockMap *map, gint64 first_ns, gint64 last_ns)
{
  range->begin_ns = MIN (range->begin_ns, loom_clock_map_to_timeline (map, first_ns));
  range->end_ns = MAX (range->end_ns, loom_clock_map_to_timeline (map, last_ns));
}

/* Widens the range so that it contains the events of a track. Events and samples are sorted by time, and the events of
 * a row don't overlap. So it is enough to read the first and last event of each row and the first and last sample of
 * each series. */
static void
widen_by_track (LoomRange *range, const LoomClockMap *map, const LoomTrace *trace, const LoomTrack *track)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = 0; i < track->n_rows; i++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + i);
    guint32 last = row->first + row->n - 1;
    if (row->n > 0)
      widen (range, map, spans->start_ns[row->first],
             track->kind == LOOM_TRACK_INSTANTS ? spans->start_ns[last]
                                                : loom_time_add (spans->start_ns[last], spans->dur_ns[last]));
  }
  for (guint32 i = 0; i < track->n_series; i++) {
    const LoomSeries *series = loom_trace_get_series (trace, track->first_series + i);
    if (series->n > 0)
      widen (range, map, series->time_ns[0], series->time_ns[series->n - 1]);
  }
}

LoomRange
loom_export_find_times (const LoomExport *merge)
{
  LoomRange range = { G_MAXINT64, G_MININT64 };
  for (guint t = 0; t < loom_run_get_n_traces (merge->run); t++) {
    const LoomTrace *trace = loom_run_get_trace (merge->run, t);
    guint32 n_points;
    const LoomFlowPoint *points = loom_trace_get_flow_points (trace, &n_points);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
      const LoomTrack *track = loom_trace_get_track (trace, i);
      widen_by_track (&range, loom_timeline_get_map (merge->timeline, t, track->clock), trace, track);
    }
    /* the flow points of all clocks are in one list, so the first or the last point may be of any clock */
    for (guint clock = 0; n_points > 0 && clock < loom_trace_get_n_clocks (trace); clock++)
      widen (&range, loom_timeline_get_map (merge->timeline, t, clock), points[0].time_ns,
             points[n_points - 1].time_ns);
  }
  return range;
}

/* Returns TRUE if the difference between the origin and every time of the run fits into a gint64. */
static gboolean
is_origin_near (LoomExport *merge, gint64 origin_ns)
{
  LoomRange times = loom_export_find_times (merge);
  return !loom_time_is_saturated (loom_time_sub (times.begin_ns, origin_ns)) &&
         !loom_time_is_saturated (loom_time_sub (times.end_ns, origin_ns));
}

/* Returns the origin from which the times in the file are counted: the run's first instant in whole µs. Returns 0 if
 * the run is so long (more than 292 years) that times relative to its first instant would overflow. A file that was
 * merged before keeps its origin, so that merging it again gives the same file. */
static gint64
find_origin (LoomExport *merge)
{
  LoomRange extent;
  if (loom_run_get_n_sources (merge->run) == 1 &&
      strcmp (loom_run_get_source (merge->run, 0)->format, "traceloom") == 0) {
    const LoomClockMap *map = loom_timeline_get_map (merge->timeline, 0, loom_run_get_source (merge->run, 0)->clock);
    if (map->offset_ns == 0 && map->drift_ppt == 0)
      return loom_run_get_clock (merge->run, loom_run_get_clock_of_source (merge->run, 0))->base_ns;
  }
  if (!loom_timeline_get_extent (merge->timeline, &extent))
    return 0;
  gint64 below = extent.begin_ns % LOOM_NS_PER_US;
  gint64 origin_ns = loom_time_sub (extent.begin_ns, below < 0 ? below + LOOM_NS_PER_US : below);
  return is_origin_near (merge, origin_ns) ? origin_ns : 0;
}

static gint64
first_free_id (LoomExport *merge)
{
  gint64 largest = 0;
  for (guint i = 0; i < merge->places->processes->len; i++) {
    const LoomPidTidProcess *process = merge->places->processes->pdata[i];
    largest = MAX (largest, process->pid);
    for (guint j = 0; j < process->threads->len; j++)
      largest = MAX (largest, ((LoomPidTidThread *) g_ptr_array_index (process->threads, j))->tid);
  }
  return largest + 1;
}

/* Returns the number of events whose texts together have about BATCH_BYTES, according to the average length of an event
 * in the source files. */
static guint
find_batch_events (LoomExport *merge)
{
  guint64 n_bytes = 0, n_events = 0;
  for (guint i = 0; i < loom_run_get_n_sources (merge->run); i++) {
    const LoomSource *source = loom_run_get_source (merge->run, i);
    n_bytes += source->n_bytes * (g_str_has_suffix (source->path, ".gz") ? PACKED_TIMES : 1);
    n_events += source->n_events;
  }
  return (guint) CLAMP (BATCH_BYTES * n_events / MAX (n_bytes, 1), MIN_BATCH_EVENTS, MAX_BATCH_EVENTS);
}

static void
make_place (const LoomPidTidMap *places, guint trace, guint track, LoomRankPlace *place)
{
  const LoomPidTidProcess *process = loom_pid_tid_map_process_of (places, trace, track);
  const LoomPidTidThread *thread = loom_pid_tid_map_thread_of (places, trace, track);
  char *to = place->text;
  if (process->written) {
    to = g_stpcpy (to, ",\"pid\":");
    to += loom_time_write_int (process->pid, to);
  }
  if (thread->written) {
    to = g_stpcpy (to, ",\"tid\":");
    to += loom_time_write_int (thread->tid, to);
  }
  place->length = (guint) (to - place->text);
}

/* Returns TRUE if two series of a counter have their samples from the same events of the file. */
static gboolean
have_same_events (const LoomSeries *a, const LoomSeries *b)
{
  return a->n == b->n && (a->n == 0 || memcmp (a->ref, b->ref, a->n * sizeof *a->ref) == 0);
}

/* Returns TRUE if the events of a counter differ in their series. Catapult takes the series of a counter from its
 * first event and ignores other series in later events, so such a counter must be split. A sample without text in a
 * file counts as an event of its own. */
static gboolean
is_uneven (const LoomTrace *trace, const LoomTrack *track)
{
  if (track->kind != LOOM_TRACK_COUNTER || track->n_series < 2)
    return FALSE;
  const LoomSeries *first = loom_trace_get_series (trace, track->first_series);
  gboolean uneven = first->n > 0 && first->ref[0] == LOOM_REF_NONE;
  for (guint i = 1; i < track->n_series && !uneven; i++)
    uneven = !have_same_events (first, loom_trace_get_series (trace, track->first_series + i));
  return uneven;
}

static LoomRankLengths *
new_lengths (const LoomTrace *trace)
{
  guint n = loom_trace_get_n_names (trace);
  LoomRankLengths *lengths = g_new (LoomRankLengths, MAX (n, 1));
  for (guint i = 0; i < n; i++) {
    const LoomName *name = loom_trace_get_name (trace, i);
    lengths[i] = (LoomRankLengths) { (guint32) strlen (name->text), (guint32) strlen (name->category) };
  }
  return lengths;
}

/* Maximum number of names in a trace for which the beginning of the line (LoomRankHead) is prepared in advance. With
 * more names, this would cost more time than it saves. */
#define MAX_HEADS (1u << 16)

static LoomRankHead
make_head (GStringChunk *texts, const LoomName *name, GString *scratch)
{
  g_string_assign (scratch, ",\n{\"name\":");
  loom_json_slice_append_string (scratch, name->text, strlen (name->text));
  if (*name->category != '\0') {
    g_string_append (scratch, ",\"cat\":");
    loom_json_slice_append_string (scratch, name->category, strlen (name->category));
  }
  g_string_append (scratch, ",\"ph\":\"X\",\"ts\":");
  LoomRankHead head = { NULL, (guint32) scratch->len, g_str_hash (name->category) };
  g_string_append_printf (scratch, "%*s", (int) LOOM_STRICT_EVENT_PADDING, "");
  head.text = g_string_chunk_insert_const (texts, scratch->str);
  return head;
}

static LoomRankHead *
make_heads (const LoomRanks *ranks, const LoomTrace *trace)
{
  guint n = loom_trace_get_n_names (trace);
  if (n > MAX_HEADS)
    return NULL;
  g_autoptr (GString) scratch = g_string_new (NULL);
  LoomRankHead *heads = g_new (LoomRankHead, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    heads[i] = make_head (ranks->heads, loom_trace_get_name (trace, i), scratch);
  return heads;
}

static void
make_trace (const LoomRanks *ranks, guint number, LoomRankTrace *own)
{
  LoomRun *run = ranks->merge->run;
  own->trace = loom_run_get_trace (run, number);
  own->names = loom_trace_get_n_names (own->trace) > 0 ? loom_trace_get_name (own->trace, 0) : NULL;
  own->first_source = loom_run_get_first_source (run, number);
  own->n_sources = loom_trace_get_n_sources (own->trace);
  own->texts = g_new (LoomByteSource *, MAX (own->n_sources, 1));
  own->places = g_new (LoomRankPlace, MAX (loom_trace_get_n_tracks (own->trace), 1));
  own->uneven = g_new (gboolean, MAX (loom_trace_get_n_tracks (own->trace), 1));
  for (guint i = 0; i < own->n_sources; i++)
    own->texts[i] = loom_trace_get_source (own->trace, i)->text;
  for (guint i = 0; i < loom_trace_get_n_tracks (own->trace); i++) {
    make_place (ranks->merge->places, number, i, &own->places[i]);
    own->uneven[i] = is_uneven (own->trace, loom_trace_get_track (own->trace, i));
  }
  own->lengths = new_lengths (own->trace);
  own->heads = make_heads (ranks, own->trace);
}

static void
free_traces (LoomRanks *ranks)
{
  for (guint i = 0; i < ranks->n_traces; i++) {
    g_free (ranks->traces[i].texts);
    g_free (ranks->traces[i].places);
    g_free (ranks->traces[i].uneven);
    g_free (ranks->traces[i].lengths);
    g_free (ranks->traces[i].heads);
  }
  g_free (ranks->traces);
  g_string_chunk_free (ranks->heads);
}

/* --- texts of the input files in memory --------------------------------------------------------------------------- */

/* Returns the text (LoomByteSource) of each source of the run, in the order of the run's sources. */
static GPtrArray *
list_texts (const LoomRanks *ranks)
{
  GPtrArray *texts = g_ptr_array_new ();
  for (guint i = 0; i < ranks->n_traces; i++)
    for (guint k = 0; k < ranks->traces[i].n_sources; k++)
      g_ptr_array_add (texts, ranks->traces[i].texts[k]);
  return texts;
}

typedef struct {
  LoomSharedBlockCache *blocks;
  GError **errors; /* array indexed by source: an error if the source's file changed during the export, else NULL */
} Release;

static void
release_text (guint item, guint worker, gpointer user_data)
{
  const Release *release = user_data;
  loom_shared_block_cache_release (release->blocks, item, &release->errors[item]);
}

/* Frees the memory of the files, with several threads, because this takes long. Returns FALSE if a file changed during
 * the export; in this case sets `error`, unless it is already set. */
static gboolean
release_texts (LoomSharedBlockCache *blocks, guint n_texts, GError **error)
{
  Release release = { blocks, g_new0 (GError *, n_texts + 1) };
  gboolean good = TRUE;
  loom_parallel_for (n_texts, 0, release_text, &release, NULL);
  for (guint i = 0; i < n_texts; i++) {
    good &= release.errors[i] == NULL;
    if (release.errors[i] != NULL && (error == NULL || *error != NULL))
      g_clear_error (&release.errors[i]);
    else if (release.errors[i] != NULL)
      g_propagate_error (error, release.errors[i]);
  }
  g_free (release.errors);
  return good;
}

/* --- writing the file --------------------------------------------------------------------------------------------- */

gboolean
loom_export_write_ranks (LoomExport *merge, GError **error)
{
  LoomRanks ranks = { .merge = merge,
                      .origin_ns = find_origin (merge),
                      .prefix_ids = loom_run_get_n_traces (merge->run) > 1,
                      .rename_frames = loom_export_stack_frames_needs_rename (merge->run),
                      .next_stray = first_free_id (merge),
                      .batch_events = find_batch_events (merge),
                      .n_traces = loom_run_get_n_traces (merge->run) };
  ranks.heads = g_string_chunk_new (16 * 1024);
  ranks.traces = g_new0 (LoomRankTrace, MAX (ranks.n_traces, 1));
  for (guint i = 0; i < ranks.n_traces; i++)
    make_trace (&ranks, i, &ranks.traces[i]);
  g_autoptr (GPtrArray) texts = list_texts (&ranks);
  ranks.blocks = loom_shared_block_cache_new ((LoomByteSource *const *) texts->pdata, texts->len);
  loom_export_append_head (merge, ranks.origin_ns);
  put_metadata (merge);
  gboolean good = put_events (&ranks, error);
  good = release_texts (ranks.blocks, texts->len, error) && good;
  loom_export_put (merge, "\n]");
  /* stack frames come last: the importer must find the first event within LOOM_LIMIT_SNIFF_BYTES */
  loom_export_stack_frames_write (merge);
  loom_export_put (merge, "}\n");
  loom_shared_block_cache_free (ranks.blocks);
  free_traces (&ranks);
  return good;
}
