/* SPDX-License-Identifier: Apache-2.0
 *
 * Pairs begin and end events (phases B and E) of a thread, in order of time, with a stack of the begin events that are
 * still open. If a thread continues in another file, its events in all these files use the same stack. The record of a
 * begin event becomes the record of its span; its end event only sets the duration, so the spans are already sorted by
 * start. Open begin events with the same text are linked with one another, so that the innermost open begin event for an
 * end event is found in O(1).
 */
#include "loom-begin-end-pairing.h"

#include <string.h>

/* Maximum number of open begin events that are searched for one with the category of the end event. */
#define CATEGORY_SEARCH 64
/* Maximum number of end events that are examined for a begin event without a partner, to find an end event that was
 * added later, but has an earlier time and no partner either. Both events are then dropped. */
#define LATE_END_SEARCH 64
#define NO_ENTRY G_MAXUINT32
#define RECORD_DROPPED G_MAXUINT32

typedef struct {
  LoomLane *lane;
  guint32 record;     /* index, in lane->flat, of the record of the begin event */
  guint32 file_index; /* index of the record among all records, in the order in which they were added to the builder */
  guint32 name_id;
  guint32 below; /* index in `open` of the next outer begin event with the same text; NO_ENTRY: there is none */
  /* TRUE: this begin event was closed while begin events inside it were still open; the entry is removed when no entry
   * follows it any more */
  gboolean is_closed;
} Open;

typedef struct {
  guint32 file_index;
  guint32 text_id;
  gint64 time_ns;
  LoomRef ref;
  gboolean is_taken;
} Orphan;

struct _LoomBeginEndPairing {
  const LoomNameInterner *names;
  /* array indexed by text id: index in `open` of the innermost open begin event with this text; NO_ENTRY: there is
   * none. Allocated on first use */
  guint32 *topmost;
  GArray *open;    /* Open: the begin events that are still open, outermost first */
  GArray *orphans; /* Orphan: end events without a begin event in the current lane (the records of a thread in one
                    * file), in order of time */
};

LoomBeginEndPairing *
loom_begin_end_pairing_new (const LoomNameInterner *names)
{
  LoomBeginEndPairing *pairing = g_new0 (LoomBeginEndPairing, 1);
  pairing->names = names;
  pairing->open = g_array_new (FALSE, FALSE, sizeof (Open));
  pairing->orphans = g_array_new (FALSE, FALSE, sizeof (Orphan));
  return pairing;
}

void
loom_begin_end_pairing_free (LoomBeginEndPairing *pairing)
{
  if (pairing == NULL)
    return;
  g_free (pairing->topmost);
  g_array_unref (pairing->open);
  g_array_unref (pairing->orphans);
  g_free (pairing);
}

static inline Open *
open_at (LoomBeginEndPairing *pairing, guint32 i)
{
  return &g_array_index (pairing->open, Open, i);
}

static inline guint32
text_of (LoomBeginEndPairing *pairing, guint32 name_id)
{
  return loom_name_interner_get (pairing->names, name_id)->text_id;
}

static void
make_topmost (LoomBeginEndPairing *pairing)
{
  if (pairing->topmost != NULL)
    return;
  guint32 n_texts = loom_string_pool_get_count (pairing->names->texts);
  pairing->topmost = g_new (guint32, n_texts);
  memset (pairing->topmost, 0xFF, n_texts * sizeof (guint32));
}

static void
push (LoomBeginEndPairing *pairing, Open entry)
{
  guint32 *topmost = &pairing->topmost[text_of (pairing, entry.name_id)];
  entry.below = *topmost;
  *topmost = pairing->open->len;
  g_array_append_val (pairing->open, entry);
}

/* Closes an entry of `open`. `above`: index of the nearest inner entry with the same text; NO_ENTRY: there is none.
 * Also removes closed entries from the end of `open`. */
static void
close_entry (LoomBeginEndPairing *pairing, guint32 entry, guint32 above)
{
  Open *open = open_at (pairing, entry);
  if (above == NO_ENTRY)
    pairing->topmost[text_of (pairing, open->name_id)] = open->below;
  else
    open_at (pairing, above)->below = open->below;
  open->is_closed = TRUE;
  guint n = pairing->open->len;
  while (n > 0 && open_at (pairing, n - 1)->is_closed)
    n--;
  g_array_set_size (pairing->open, n);
}

/* Returns the index in `open` of the begin event that an end event with the name `name` closes. Considers only the
 * CATEGORY_SEARCH innermost open begin events with the text of the name. Among these, returns the innermost one with
 * the category of the name; if none has this category, the innermost one of all. Sets `above` to the index of the next
 * inner open begin event with the same text; NO_ENTRY: there is none. */
static guint32
find_named (LoomBeginEndPairing *pairing, const LoomNameEntry *name, guint32 *above)
{
  guint32 first = pairing->topmost[name->text_id];
  *above = NO_ENTRY;
  if (name->category_length == 0)
    return first;
  guint32 over = NO_ENTRY, entry = first;
  for (guint i = 0; i < CATEGORY_SEARCH && entry != NO_ENTRY; i++) {
    Open *open = open_at (pairing, entry);
    if (loom_name_interner_get (pairing->names, open->name_id)->category_id == name->category_id) {
      *above = over;
      return entry;
    }
    over = entry;
    entry = open->below;
  }
  return first;
}

static gboolean
close_with (LoomBeginEndPairing *pairing, const LoomRecord *end)
{
  const LoomNameEntry *name = loom_name_interner_get (pairing->names, end->name_id);
  /* equals NO_ENTRY if nothing is open, because 0 − 1 wraps around */
  guint32 above = NO_ENTRY, entry = pairing->open->len - 1;
  if (name->text_length > 0)
    entry = find_named (pairing, name, &above);
  if (entry == NO_ENTRY)
    return FALSE;
  Open *open = open_at (pairing, entry);
  LoomRecord *span = &open->lane->flat[open->record];
  if (end->time_ns < span->time_ns)
    return FALSE;
  span->dur_ns = loom_time_sub (end->time_ns, span->time_ns);
  if (end->kind == LOOM_RECORD_END_WITH_ARGS) {
    loom_lane_add_end_ref (open->lane, span->ref, end->ref);
    span->ref |= loom_source_ref_make (0, LOOM_REF_END, 0);
  }
  close_entry (pairing, entry, above);
  return TRUE;
}

/* Pairs begin and end events. `records` must be in the order of time. A begin event becomes a span with LOOM_DUR_OPEN
 * until its end is found; end events are removed. Spans are appended to lane->flat. `records` may point into
 * lane->flat: spans are never written beyond the record that is being read. */
static void
pair_records (LoomBeginEndPairing *pairing, LoomLane *lane, const LoomRecord *records, guint32 n)
{
  for (guint32 i = 0; i < n; i++) {
    LoomRecord record = records[i];
    guint32 file_index = (guint32) record.dur_ns;
    if (record.kind == LOOM_RECORD_SPAN) {
      lane->flat[lane->n++] = record;
    } else if (record.kind == LOOM_RECORD_BEGIN) {
      record.dur_ns = LOOM_DUR_OPEN;
      record.kind = LOOM_RECORD_SPAN;
      push (pairing, (Open) { .lane = lane, .record = lane->n, .file_index = file_index, .name_id = record.name_id });
      lane->flat[lane->n++] = record;
    } else if (!close_with (pairing, &record)) {
      Orphan orphan = { file_index, text_of (pairing, record.name_id), record.time_ns, record.ref, FALSE };
      g_array_append_val (pairing->orphans, orphan);
    }
  }
}

static int
compare_orphans (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Orphan *first = a, *second = b;
  if (first->text_id != second->text_id)
    return first->text_id < second->text_id ? -1 : 1;
  return first->file_index < second->file_index ? -1 : first->file_index > second->file_index;
}

/* Among the end events without a begin event (Orphan), returns the first one that has this text, was added after the
 * begin event `open`, has an earlier time than `begin_ns`, and was not returned before. NULL: there is none. */
static Orphan *
find_late_end (LoomBeginEndPairing *pairing, guint32 text_id, const Open *open, gint64 begin_ns)
{
  guint low = 0, high = pairing->orphans->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    const Orphan *orphan = &g_array_index (pairing->orphans, Orphan, middle);
    if (orphan->text_id < text_id || (orphan->text_id == text_id && orphan->file_index < open->file_index))
      low = middle + 1;
    else
      high = middle;
  }
  for (guint i = low; i < MIN (pairing->orphans->len, low + LATE_END_SEARCH); i++) {
    Orphan *orphan = &g_array_index (pairing->orphans, Orphan, i);
    if (orphan->text_id != text_id)
      return NULL;
    if (!orphan->is_taken && orphan->time_ns < begin_ns)
      return orphan;
  }
  return NULL;
}

/* Removes each pair of a begin and an end event in which the end event was added after the begin event, but has an
 * earlier time. Such a pair does not make a span. */
static void
drop_reversed_pairs (LoomBeginEndPairing *pairing, LoomLane *lane)
{
  if (pairing->orphans->len == 0)
    return;
  g_array_sort_with_data (pairing->orphans, compare_orphans, NULL);
  for (guint32 i = pairing->open->len; i-- > 0;) {
    Open *open = open_at (pairing, i);
    if (open->is_closed || open->lane != lane)
      continue;
    LoomRecord *begin = &lane->flat[open->record];
    Orphan *orphan = find_late_end (pairing, text_of (pairing, open->name_id), open, begin->time_ns);
    if (orphan == NULL)
      orphan = find_late_end (pairing, 0, open, begin->time_ns);
    if (orphan == NULL)
      continue;
    orphan->is_taken = TRUE;
    begin->kind = RECORD_DROPPED;
    lane->needs_finish = TRUE;
    loom_problem_counts_add (&lane->tally, LOOM_ISSUE_NEGATIVE_DURATION, begin->ref, lane->source);
  }
}

/* Removes dropped begin events from `open`. Otherwise end events of the next lanes (the records of the thread in later
 * files) would be paired with them. */
static void
forget_dropped (LoomBeginEndPairing *pairing)
{
  guint32 n = pairing->open->len;
  for (guint32 i = 0; i < n; i++)
    pairing->topmost[text_of (pairing, open_at (pairing, i)->name_id)] = NO_ENTRY;
  g_array_set_size (pairing->open, 0);
  for (guint32 i = 0; i < n; i++) {
    Open open = *open_at (pairing, i);
    if (!open.is_closed && open.lane->flat[open.record].kind != RECORD_DROPPED)
      push (pairing, open);
  }
}

static void
count_orphans (LoomBeginEndPairing *pairing, LoomLane *lane)
{
  for (guint i = 0; i < pairing->orphans->len; i++) {
    const Orphan *orphan = &g_array_index (pairing->orphans, Orphan, i);
    if (!orphan->is_taken)
      loom_problem_counts_add (&lane->tally, LOOM_ISSUE_ORPHAN_END, orphan->ref, lane->source);
  }
}

/* Empties `open` after the last lane of a chain. A lane contains the records of a thread in one file, a chain the lanes
 * of a thread and of the threads that continue it. Sets `needs_finish` of lanes whose begin events are still open. */
static void
forget_open (LoomBeginEndPairing *pairing)
{
  for (guint32 i = 0; i < pairing->open->len; i++) {
    const Open *open = open_at (pairing, i);
    pairing->topmost[text_of (pairing, open->name_id)] = NO_ENTRY;
    open->lane->needs_finish |= !open->is_closed;
  }
  g_array_set_size (pairing->open, 0);
}

/* Pairs the records of a lane (the records of a thread in one file) directly from its chunks, where they are in the
 * order of time. Frees each chunk after reading it. */
static void
pair_in_order (LoomBeginEndPairing *pairing, LoomLane *lane, guint32 n_spans)
{
  lane->flat = g_new (LoomRecord, MAX (n_spans, 1));
  lane->n = 0;
  while (lane->chunks.first != NULL) {
    LoomChunk *chunk = lane->chunks.first;
    pair_records (pairing, lane, loom_chunk_list_data (chunk), chunk->n);
    lane->chunks.first = chunk->next;
    loom_chunk_list_free_chunk (chunk);
  }
  lane->chunks = (LoomChunkList) { 0 };
}

/* Sorts the records of a lane (the records of a thread in one file) by time, and pairs them. Begin and end events have
 * no duration, so dur_ns contains their position in the file until they are paired. */
static void
pair_out_of_order (LoomBeginEndPairing *pairing, LoomLane *lane)
{
  guint32 n = lane->n;
  loom_lane_flatten (lane);
  for (guint32 i = 0; i < n; i++) {
    if (lane->flat[i].kind != LOOM_RECORD_SPAN)
      lane->flat[i].dur_ns = i;
  }
  loom_lane_sort_by_time (lane);
  lane->n = 0;
  pair_records (pairing, lane, lane->flat, n);
  drop_reversed_pairs (pairing, lane);
  forget_dropped (pairing);
}

static void
pair (LoomBeginEndPairing *pairing, LoomLane *lane, const LoomLaneState *state)
{
  make_topmost (pairing);
  g_array_set_size (pairing->orphans, 0);
  if (state->is_ascending)
    pair_in_order (pairing, lane, lane->n - state->n_ends);
  else
    pair_out_of_order (pairing, lane);
  count_orphans (pairing, lane);
}

static gint64
find_last_instant (const LoomLane *lane, gint64 last_ns)
{
  for (LoomChunk *chunk = lane->also != NULL ? lane->also->first : NULL; chunk != NULL; chunk = chunk->next) {
    const LoomRecord *records = loom_chunk_list_data (chunk);
    for (guint32 i = 0; i < chunk->n; i++)
      if ((loom_source_ref_flags (records[i].ref) & LOOM_REF_SUSPECT) == 0)
        last_ns = MAX (last_ns, records[i].time_ns);
  }
  return last_ns;
}

/* Closes spans that last until the next span begins (LOOM_DUR_TO_NEXT). If no span follows, the span ends at `last_ns`.
 * Records are in order of time. */
static void
close_at_next (LoomLane *lane, gint64 last_ns)
{
  gint64 next_ns = last_ns;
  for (guint32 i = lane->n; i-- > 0;) {
    LoomRecord *record = &lane->flat[i];
    if (record->kind == RECORD_DROPPED)
      continue;
    if (record->dur_ns == LOOM_DUR_TO_NEXT) {
      loom_problem_counts_add (&lane->tally, LOOM_ISSUE_CUT_AT_NEXT, record->ref, lane->source);
      record->dur_ns = loom_time_sub (next_ns, record->time_ns);
      record->ref |= record->ref != LOOM_REF_NONE ? loom_source_ref_make (0, LOOM_REF_OPEN, 0) : 0;
    }
    next_ns = record->time_ns;
  }
}

/* Closes all open spans and removes dropped records. `last_ns`: latest start or end of a record. Open spans end at the
 * latest of three times: `last_ns`, the time of the last event in lane->also, and lane->recording_end_ns. */
static void
finish_lane (LoomLane *lane, gint64 last_ns)
{
  last_ns = MAX (find_last_instant (lane, last_ns), lane->recording_end_ns);
  close_at_next (lane, last_ns);
  guint32 n_out = 0;
  for (guint32 i = 0; i < lane->n; i++) {
    LoomRecord record = lane->flat[i];
    if (record.kind == RECORD_DROPPED)
      continue;
    if (record.dur_ns == LOOM_DUR_OPEN) {
      loom_problem_counts_add (&lane->tally, LOOM_ISSUE_OPEN_SPAN, record.ref, lane->source);
      record.dur_ns = loom_time_sub (last_ns, record.time_ns);
      if (record.ref != LOOM_REF_NONE)
        record.ref |= loom_source_ref_make (0, LOOM_REF_OPEN, 0);
    }
    lane->flat[n_out++] = record;
  }
  lane->n = n_out;
}

void
loom_begin_end_pairing_run (LoomBeginEndPairing *pairing, LoomLane *const *lanes, guint n_lanes)
{
  g_autofree LoomLaneState *states = g_new (LoomLaneState, n_lanes);
  for (guint i = 0; i < n_lanes; i++) {
    states[i] = loom_lane_survey (lanes[i]);
    lanes[i]->needs_finish = states[i].has_open;
    if (states[i].has_pairs)
      pair (pairing, lanes[i], &states[i]);
  }
  forget_open (pairing);
  for (guint i = 0; i < n_lanes; i++) {
    if (lanes[i]->needs_finish) {
      loom_lane_flatten (lanes[i]);
      if (!states[i].is_ascending)
        loom_lane_sort_by_time (lanes[i]);
      finish_lane (lanes[i], states[i].last_ns);
    }
    if (states[i].has_pairs || lanes[i]->needs_finish || !states[i].is_sorted)
      loom_lane_sort_by_start (lanes[i]);
  }
}
