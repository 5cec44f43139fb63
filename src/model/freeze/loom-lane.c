/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-lane.h"

#include "loom-chunk-sort.h"
#include "loom-interval-packing.h"

#define BY_TIME(a, b) ((a)->time_ns < (b)->time_ns)
#define BY_START(a, b) ((a)->time_ns < (b)->time_ns || ((a)->time_ns == (b)->time_ns && (a)->dur_ns > (b)->dur_ns))

LOOM_DEFINE_SORT (sort_by_time, LoomRecord, BY_TIME)
LOOM_DEFINE_SORT (sort_by_start, LoomRecord, BY_START)
LOOM_DEFINE_CHUNK_SORT (sort_by_start, LoomRecord, BY_START)

LoomLane *
loom_lane_new (LoomTrackKind kind, guint source, gboolean anchored, LoomChunkList *chunks)
{
  LoomLane *lane = g_new0 (LoomLane, 1);
  lane->kind = kind;
  lane->source = source;
  lane->anchored = anchored;
  lane->recording_end_ns = LOOM_TIME_NONE;
  lane->rows = g_array_new (FALSE, FALSE, sizeof (LoomLaneRow));
  lane->extents = g_array_new (FALSE, FALSE, sizeof (LoomSourceExtent));
  if (chunks != NULL) {
    lane->n = (guint32) chunks->n;
    lane->chunks = *chunks;
    *chunks = (LoomChunkList) { 0 };
  }
  return lane;
}

void
loom_lane_drop_records (LoomLane *lane)
{
  loom_chunk_list_clear (&lane->chunks);
  g_clear_pointer (&lane->flat, g_free);
}

void
loom_lane_free (LoomLane *lane)
{
  if (lane == NULL)
    return;
  loom_lane_drop_records (lane);
  loom_problem_counts_clear (&lane->tally);
  g_array_unref (lane->rows);
  g_array_unref (lane->extents);
  g_clear_pointer (&lane->end_refs, g_array_unref);
  g_free (lane->order);
  g_free (lane);
}

gboolean
loom_lane_next_stretch (LoomLane *lane, LoomStretch *stretch)
{
  if (lane->flat != NULL) {
    gboolean is_first = stretch->at == NULL && lane->n > 0;
    stretch->at = lane->flat;
    stretch->n = lane->n;
    return is_first;
  }
  stretch->chunk = stretch->at == NULL ? lane->chunks.first : stretch->chunk->next;
  if (stretch->chunk == NULL)
    return FALSE;
  stretch->at = loom_chunk_list_data (stretch->chunk);
  stretch->n = stretch->chunk->n;
  return TRUE;
}

static void
remap_names (LoomStretch *stretch)
{
  const LoomRemap *remap = stretch->chunk != NULL ? stretch->chunk->remap : NULL;
  for (guint32 i = 0; remap != NULL && i < stretch->n; i++)
    stretch->at[i].name_id = remap->names[stretch->at[i].name_id];
  if (remap != NULL)
    stretch->chunk->remap = NULL;
}

static inline void
cut_duration (LoomRecord *record)
{
  if (G_UNLIKELY (record->time_ns > 0 && record->dur_ns > G_MAXINT64 - record->time_ns))
    record->dur_ns = G_MAXINT64 - record->time_ns;
}

static inline gint64
credible_duration (const LoomRecord *record)
{
  return record->dur_ns > 0 && (loom_source_ref_flags (record->ref) & LOOM_REF_SUSPECT) == 0 ? record->dur_ns : 0;
}

LoomLaneState
loom_lane_survey (LoomLane *lane)
{
  LoomLaneState state = { .is_ascending = TRUE, .is_sorted = TRUE, .last_ns = G_MININT64 };
  gint64 last_ns = G_MININT64, last_dur_ns = G_MAXINT64;
  LoomStretch stretch = { 0 };
  while (loom_lane_next_stretch (lane, &stretch)) {
    remap_names (&stretch);
    for (guint32 i = 0; i < stretch.n; i++) {
      LoomRecord *record = &stretch.at[i];
      cut_duration (record);
      state.has_pairs |= record->kind != LOOM_RECORD_SPAN;
      state.n_ends += record->kind >= LOOM_RECORD_END;
      state.has_open |= record->dur_ns < 0;
      state.is_ascending &= record->time_ns >= last_ns;
      state.is_sorted &= record->time_ns > last_ns || (record->time_ns == last_ns && record->dur_ns <= last_dur_ns);
      state.last_ns = MAX (state.last_ns, record->time_ns + credible_duration (record));
      last_ns = record->time_ns;
      last_dur_ns = record->dur_ns;
    }
  }
  return state;
}

void
loom_lane_flatten (LoomLane *lane)
{
  if (lane->flat != NULL || lane->n == 0)
    return;
  LoomRecord *flat = g_new (LoomRecord, lane->n);
  loom_chunk_list_drain (&lane->chunks, sizeof (LoomRecord), flat);
  lane->flat = flat;
}

void
loom_lane_sort_by_time (LoomLane *lane)
{
  loom_lane_flatten (lane);
  sort_by_time (lane->flat, lane->n);
}

/* Sorts the records of each chunk, then moves records between neighbouring chunks. Returns FALSE if a record would have
 * to move too far (LOOM_MOST_DISORDER). The caller must then copy all records into one array and sort this array. */
static gboolean
sort_in_chunks (LoomLane *lane)
{
  g_autoptr (GPtrArray) chunks = g_ptr_array_new ();
  for (LoomChunk *chunk = lane->chunks.first; chunk != NULL; chunk = chunk->next) {
    sort_by_start (loom_chunk_list_data (chunk), chunk->n);
    if (chunk->n > 0)
      g_ptr_array_add (chunks, chunk);
  }
  return sort_by_start_chunks ((LoomChunk **) chunks->pdata, chunks->len);
}

void
loom_lane_sort_by_start (LoomLane *lane)
{
  if (lane->flat == NULL && sort_in_chunks (lane))
    return;
  loom_lane_flatten (lane);
  sort_by_start (lane->flat, lane->n);
}

void
loom_lane_add_end_ref (LoomLane *lane, LoomRef begin, LoomRef end)
{
  if (lane->end_refs == NULL)
    lane->end_refs = g_array_new (FALSE, FALSE, sizeof (LoomEndRef));
  LoomEndRef entry = { loom_source_ref_make (loom_source_ref_source (begin), 0, loom_source_ref_offset (begin)), end };
  g_array_append_val (lane->end_refs, entry);
}

void
loom_lane_arrange_instants (LoomLane *lane)
{
  if (!loom_lane_survey (lane).is_ascending)
    loom_lane_sort_by_time (lane);
  LoomStretch stretch = { 0 };
  while (loom_lane_next_stretch (lane, &stretch)) {
    for (guint32 i = 0; i < stretch.n; i++)
      stretch.at[i].kind = 0;
  }
  LoomLaneRow row = { .n = lane->n };
  g_array_append_val (lane->rows, row);
}

void
loom_lane_arrange_packed (LoomLane *lane)
{
  loom_lane_survey (lane);
  loom_lane_flatten (lane);
  loom_lane_sort_by_start (lane);
  g_autoptr (LoomIntervalPacking) packing = loom_interval_packing_new ();
  for (guint32 i = 0; i < lane->n; i++) {
    LoomRecord *record = &lane->flat[i];
    record->kind = loom_interval_packing_place (packing, record->time_ns, record->time_ns + record->dur_ns);
    if (record->kind == lane->rows->len) {
      LoomLaneRow row = { .depth = (guint16) MIN (record->kind, G_MAXUINT16) };
      g_array_append_val (lane->rows, row);
    }
    g_array_index (lane->rows, LoomLaneRow, record->kind).n++;
  }
}
