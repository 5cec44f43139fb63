/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts the tracks in the order in which they are displayed: global tracks first, then the tracks of one process after
 * another; tracks of the whole process come before those of its threads. Also numbers the rows: the rows with spans of
 * all tracks come first, the rows with instants of all tracks after them. The columns (LoomSpans) contain the events in
 * this order.
 */
#include "loom-freeze-private.h"

#include "loom-natural-collate.h"
#include "loom-track-order.h"

static const char *
keep (LoomFreeze *freeze, const char *text)
{
  LoomStringPool *labels = freeze->trace->labels;
  return text != NULL ? loom_string_pool_get (labels, loom_string_pool_intern (labels, text, strlen (text))) : NULL;
}

static const char *
keep_owned (LoomFreeze *freeze, char *text)
{
  const char *kept = keep (freeze, text);
  g_free (text);
  return kept;
}

LoomTrackDraft *
loom_freeze_last_draft (LoomFreeze *freeze)
{
  return &g_array_index (freeze->drafts, LoomTrackDraft, freeze->drafts->len - 1);
}

static void
describe_process (LoomFreeze *freeze, LoomTrack *track, guint32 process)
{
  const LoomProcessEntry *entry = loom_trace_builder_peek_process (freeze->builder, process);
  track->process = keep_owned (freeze, loom_track_order_dup_process_label (entry));
  track->process_key = keep (freeze, entry->key);
  track->process_sort = entry->sort;
  track->flags |= entry->flags;
  track->process_id = process;
  if (entry->path != NULL)
    track->path = keep (freeze, entry->path);
  if (entry->format != NULL)
    track->format = keep (freeze, entry->format);
  if (entry->has_place) {
    track->node = keep (freeze, entry->node);
    track->rank = entry->rank;
    if (entry->path != NULL && entry->rank < 0)
      track->flags |= LOOM_TRACK_RANKLESS;
  }
}

static void
describe_thread (LoomFreeze *freeze, LoomTrack *track, guint32 thread)
{
  const LoomThreadEntry *entry = loom_trace_builder_peek_thread (freeze->builder, thread);
  track->thread = keep_owned (freeze, loom_track_order_dup_thread_label (entry));
  track->thread_key = keep (freeze, entry->key);
  track->thread_sort = entry->sort;
  track->flags |= entry->flags;
  track->thread_id = thread;
}

void
loom_freeze_add_draft (LoomFreeze *freeze, LoomTrackKind kind, LoomLane *lane, guint source, guint32 process,
                       guint32 thread)
{
  const LoomSource *owner = freeze->trace->sources->pdata[source];
  LoomTrackDraft draft = { .lane = lane, .thread = thread, .serial = freeze->drafts->len };
  draft.track = (LoomTrack) {
    .kind = kind,
    .source = (guint16) source,
    .clock = (guint16) owner->clock,
    .path = owner->path,
    .format = owner->format,
    .node = keep (freeze, owner->node),
    .rank = owner->rank,
    .process = "",
    .process_key = "",
    .thread = "",
    .thread_key = "",
    .name = "",
    .category = "",
    .id = "",
    .process_id = G_MAXUINT32,
    .thread_id = G_MAXUINT32,
    .start_ns = LOOM_TIME_NONE,
    .end_ns = LOOM_TIME_NONE,
  };
  if (process != LOOM_ID_NONE)
    describe_process (freeze, &draft.track, process);
  else
    draft.track.flags |= LOOM_TRACK_GLOBAL;
  if (thread != LOOM_ID_NONE)
    describe_thread (freeze, &draft.track, thread);
  g_array_append_val (freeze->drafts, draft);
}

static void
add_counter (LoomFreeze *freeze, guint32 counter)
{
  const LoomCounterEntry *entry = loom_trace_builder_peek_counter (freeze->builder, counter);
  const LoomStringPool *labels = freeze->builder->labels;
  guint source = loom_trace_builder_peek_process (freeze->builder, entry->process)->source;
  loom_freeze_add_draft (freeze, LOOM_TRACK_COUNTER, NULL, source, entry->process, LOOM_ID_NONE);
  LoomTrackDraft *draft = loom_freeze_last_draft (freeze);
  draft->counter = counter;
  draft->track.name = keep (freeze, loom_string_pool_get (labels, entry->name));
  draft->track.category = keep (freeze, loom_string_pool_get (labels, entry->category));
  draft->track.id = keep (freeze, loom_string_pool_get (labels, entry->id));
}

static void
add_counters (LoomFreeze *freeze)
{
  LoomTraceBuilder *builder = freeze->builder;
  g_autofree gboolean *has_samples = g_new0 (gboolean, builder->counters->len + 1);
  for (guint32 i = 0; i < builder->series->len; i++) {
    const LoomSeriesEntry *series = loom_trace_builder_peek_series (builder, i);
    has_samples[series->counter] |= series->samples.n > 0;
  }
  for (guint32 i = 0; i < builder->counters->len; i++) {
    if (has_samples[i])
      add_counter (freeze, i);
  }
}

static int
compare_drafts (gconstpointer a, gconstpointer b)
{
  const LoomTrackDraft *first = a, *second = b;
  static const int order_of_kind[] = { 0, 1, 3, 2 }; /* array indexed by LoomTrackKind: position of tracks of this kind
                                                      * among the tracks of one process or thread; counters come last */
  if (first->process_position != second->process_position)
    return first->process_position < second->process_position ? -1 : 1;
  if (first->thread_position != second->thread_position)
    return first->thread_position < second->thread_position ? -1 : 1;
  if (first->track.kind != second->track.kind)
    return order_of_kind[first->track.kind] - order_of_kind[second->track.kind];
  int order = loom_natural_collate_compare (first->track.name, second->track.name);
  if (order == 0)
    order = loom_natural_collate_compare (first->track.category, second->track.category);
  if (order == 0)
    order = loom_natural_collate_compare (first->track.id, second->track.id);
  return order != 0 ? order : (first->serial < second->serial ? -1 : first->serial > second->serial);
}

static void
sort_drafts (LoomFreeze *freeze)
{
  g_autofree guint32 *processes = loom_track_order_sort_processes (freeze->builder);
  g_autofree guint32 *threads = loom_track_order_sort_threads (freeze->builder, processes);
  for (guint i = 0; i < freeze->drafts->len; i++) {
    LoomTrackDraft *draft = &g_array_index (freeze->drafts, LoomTrackDraft, i);
    const LoomTrack *track = &draft->track;
    draft->process_position = track->process_id != G_MAXUINT32 ? processes[track->process_id] + 1 : 0;
    draft->thread_position = draft->thread != LOOM_ID_NONE ? threads[draft->thread] + 1 : 0;
  }
  g_array_sort (freeze->drafts, compare_drafts);
}

/* Numbers the processes and threads that have tracks, in order of display. */
static void
number_owners (LoomFreeze *freeze)
{
  guint32 n_processes = 0, n_threads = 0;
  const LoomTrackDraft *previous = NULL;
  for (guint i = 0; i < freeze->drafts->len; i++) {
    LoomTrackDraft *draft = &g_array_index (freeze->drafts, LoomTrackDraft, i);
    gboolean is_global = draft->process_position == 0;
    gboolean is_new = previous == NULL || previous->process_position != draft->process_position ||
                      (is_global && previous->track.source != draft->track.source);
    n_processes += is_new;
    draft->track.process_id = n_processes - 1;
    if (draft->thread_position != 0) {
      n_threads += previous == NULL || previous->thread_position != draft->thread_position;
      draft->track.thread_id = n_threads - 1;
    }
    previous = draft;
  }
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const LoomLaneRow *first = &g_array_index ((GArray *) user_data, LoomLaneRow, *(const guint32 *) a);
  const LoomLaneRow *second = &g_array_index ((GArray *) user_data, LoomLaneRow, *(const guint32 *) b);
  if (first->lane != second->lane)
    return first->lane < second->lane ? -1 : 1;
  if (first->depth != second->depth)
    return first->depth < second->depth ? -1 : 1;
  return *(const guint32 *) a < *(const guint32 *) b ? -1 : 1;
}

/* Assigns a row of the trace to each row of a lane, and stores the index of the trace's row in lane->order. */
static void
place_lane (LoomFreeze *freeze, guint32 track, LoomLane *lane, guint32 *first_span)
{
  LoomTrace *trace = freeze->trace;
  guint32 n = lane->rows->len;
  g_autofree guint32 *slots = g_new (guint32, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    slots[i] = i;
  g_qsort_with_data (slots, (gint) n, sizeof *slots, compare_rows, lane->rows);
  lane->order = g_new (guint32, MAX (n, 1));
  trace->tracks[track].first_row = trace->n_rows;
  trace->tracks[track].n_rows = n;
  trace->tracks[track].n_events = lane->n;
  for (guint32 i = 0; i < n; i++) {
    const LoomLaneRow *row = &g_array_index (lane->rows, LoomLaneRow, slots[i]);
    lane->order[slots[i]] = trace->n_rows;
    trace->row_tracks[trace->n_rows] = track;
    trace->rows[trace->n_rows++] = (LoomRow) { *first_span, row->n, row->depth, row->lane, 0 };
    *first_span += row->n;
  }
}

static void
place_lanes (LoomFreeze *freeze, gboolean instants, guint32 *first_span)
{
  for (guint32 i = 0; i < freeze->drafts->len; i++) {
    LoomLane *lane = g_array_index (freeze->drafts, LoomTrackDraft, i).lane;
    if (lane != NULL && (lane->kind == LOOM_TRACK_INSTANTS) == instants)
      place_lane (freeze, i, lane, first_span);
  }
}

static void
place_rows (LoomFreeze *freeze)
{
  LoomTrace *trace = freeze->trace;
  guint32 n_rows = 0, n_spans = 0;
  for (guint i = 0; i < freeze->lanes->len; i++)
    n_rows += ((LoomLane *) freeze->lanes->pdata[i])->rows->len;
  trace->rows = g_new (LoomRow, MAX (n_rows, 1));
  trace->row_tracks = g_new (guint32, MAX (n_rows, 1));
  place_lanes (freeze, FALSE, &n_spans);
  trace->first_instant = n_spans;
  place_lanes (freeze, TRUE, &n_spans);
  trace->spans.n = n_spans;
}

/* Gives the series of each counter consecutive positions, in the order in which the series were added to the
 * builder. */
static void
place_series (LoomFreeze *freeze)
{
  LoomTrace *trace = freeze->trace;
  LoomTraceBuilder *builder = freeze->builder;
  g_autofree guint32 *track_of_counter = g_new (guint32, builder->counters->len + 1);
  g_autofree guint32 *next = g_new0 (guint32, trace->n_tracks + 1);
  memset (track_of_counter, 0xFF, builder->counters->len * sizeof (guint32));
  for (guint32 i = 0; i < trace->n_tracks; i++) {
    if (trace->tracks[i].kind == LOOM_TRACK_COUNTER)
      track_of_counter[g_array_index (freeze->drafts, LoomTrackDraft, i).counter] = i;
  }
  for (guint32 i = 0; i < builder->series->len; i++) {
    guint32 track = track_of_counter[loom_trace_builder_peek_series (builder, i)->counter];
    if (track != G_MAXUINT32)
      trace->tracks[track].n_series++;
  }
  for (guint32 i = 0; i < trace->n_tracks; i++) {
    trace->tracks[i].first_series = next[i] = trace->n_series;
    trace->n_series += trace->tracks[i].n_series;
  }
  g_array_set_size (freeze->series, trace->n_series);
  for (guint32 i = 0; i < builder->series->len; i++) {
    guint32 track = track_of_counter[loom_trace_builder_peek_series (builder, i)->counter];
    if (track != G_MAXUINT32)
      g_array_index (freeze->series, guint32, next[track]++) = i;
  }
}

static void
map_threads (LoomFreeze *freeze)
{
  guint32 n = freeze->builder->threads->len;
  freeze->track_of_thread = g_new (guint32, n + 1);
  memset (freeze->track_of_thread, 0xFF, n * sizeof (guint32));
  for (guint32 i = 0; i < freeze->drafts->len; i++) {
    const LoomTrackDraft *draft = &g_array_index (freeze->drafts, LoomTrackDraft, i);
    if (draft->track.kind == LOOM_TRACK_SPANS)
      freeze->track_of_thread[draft->thread] = i;
  }
}

static void
drop_empty (LoomFreeze *freeze)
{
  for (guint i = freeze->drafts->len; i-- > 0;) {
    const LoomTrackDraft *draft = &g_array_index (freeze->drafts, LoomTrackDraft, i);
    if (draft->lane != NULL && draft->lane->n == 0)
      g_array_remove_index (freeze->drafts, i);
  }
}

void
loom_freeze_place (LoomFreeze *freeze)
{
  LoomTrace *trace = freeze->trace;
  add_counters (freeze);
  drop_empty (freeze);
  sort_drafts (freeze);
  number_owners (freeze);
  trace->n_tracks = freeze->drafts->len;
  trace->tracks = g_new (LoomTrack, MAX (trace->n_tracks, 1));
  for (guint32 i = 0; i < trace->n_tracks; i++)
    trace->tracks[i] = g_array_index (freeze->drafts, LoomTrackDraft, i).track;
  place_rows (freeze);
  place_series (freeze);
  map_threads (freeze);
}
