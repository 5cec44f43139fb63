/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: the cursors of a k-way merge, and two ways of sorting their events. There is one cursor per
 * row, per counter track, and per list of flow points of a clock. A slice contains all events that start within a
 * period; they are read cursor by cursor and sorted. This is fast but needs memory for all events of the slice. A heap
 * contains only the next event of each cursor. It is used for counters, and for instants with more events than fit into
 * a slice.
 */
#pragma once

#include "loom-kway-merge.h"
#include "loom-time.h"

/* Bits of an element of LoomMergeSlice.order: the bits from this one on contain the time, the lower bits an index in
 * LoomMergeSlice.entries. */
#define LOOM_MERGE_SLICE_SHIFT 24
#define LOOM_MERGE_SLICE_ENTRY ((G_GUINT64_CONSTANT (1) << LOOM_MERGE_SLICE_SHIFT) - 1)

typedef struct {
  LoomMergeItemKind kind;
  guint trace, track;
  guint64 ordinal; /* sort key of the cursors; it ascends in the order of the tracks and, within a track, of the rows */
  guint16 depth, lane;
  const LoomTrace *owner;
  const LoomSpans *spans; /* the spans of the trace `owner` */
  const LoomClockMap *map;
  guint first_source; /* index in the run of the trace's first source */
  /* `at`: index of the next event; `end`: index after the last event. Both are indices in the arrays of LoomSpans or,
   * for flow points, in `points` */
  guint32 at, end;
  const LoomTrack *counter;
  guint32 *positions; /* array indexed by series of the counter: index of its next sample */
  /* series of the counter that have a next sample, as a heap with the earliest sample on top; NULL: not made yet */
  guint32 *series;
  guint n_series;
  guint32 *points;         /* indices of the flow points of one clock, ascending; NULL: all flow points of the trace */
  gint64 start_ns, end_ns; /* start and end of the cursor's next event, in timeline ns */
  guint32 name_id;
  LoomRef ref;
} LoomMergeCursor;

/* The sort key: events are sorted by start, then by length (the longest first), then by cursor. */
typedef struct {
  gint64 start_ns, end_ns;
  guint cursor;
} LoomMergeKey;

typedef struct {
  LoomMergeItem item;
  /* number of the span in the order of begins; of spans that end at the same time, the one that began last ends
   * first */
  guint64 sequence;
} PendingEnd;

typedef struct {
  LoomMergeKey key;  /* key of the cursor's next event */
  LoomMergeKey then; /* key of the cursor's first event after the period of the slice that is being read */
  gboolean ends;     /* TRUE: the cursor has no event after the period of the slice that is being read */
  /* position of the cursor before the slice was read; restored if the slice has no room for the events */
  guint32 at;
} LoomMergeHead;

typedef struct {
  LoomMergeItem item;
  /* end_ns of the sort key (LoomMergeKey) of the entry; start_ns of the key is in LoomMergeSlice.order */
  gint64 key_end_ns;
  guint cursor;
} LoomMergeEntry;

typedef struct {
  /* the cursors that have not ended and whose events are read into slices, sorted by their index in
   * LoomKwayMerge.cursors */
  LoomMergeHead *heads;
  guint n_heads;
  LoomMergeEntry *entries; /* the events of the slice, in the order in which they were read */
  /* `order`: for each entry, a number that contains the time of the entry since `begin_ns` and, in the low bits, the
   * index of the entry. `room`: a second array, needed for sorting `order` */
  guint64 *order, *room;
  guint n, at, capacity;
  gint64 begin_ns, width_ns;
} LoomMergeSlice;

struct _LoomKwayMerge {
  LoomTimeline *timeline;
  LoomMergeOptions options;
  LoomClockMap *maps; /* array indexed by clock of the run: map from local time to the timeline */
  GArray *cursors;    /* LoomMergeCursor: all cursors, sorted by `ordinal` */
  LoomMergeSlice slice;
  LoomMergeKey *heap; /* heap of the keys of cursors that are not in `slice`, the earliest on top */
  guint n_heap;
  GArray *ends; /* heap of PendingEnd, the earliest end on top */
  guint64 sequence;
  GArray *samples; /* LoomMergeSample: the samples of the counter event that was returned last */
};

static inline LoomMergeCursor *
loom_merge_cursor (const LoomKwayMerge *sweep, guint number)
{
  return &((LoomMergeCursor *) (gpointer) sweep->cursors->data)[number];
}

static inline gboolean
loom_merge_key_is_before (const LoomMergeKey *a, const LoomMergeKey *b)
{
  if (G_LIKELY (a->start_ns != b->start_ns))
    return a->start_ns < b->start_ns;
  if (a->end_ns != b->end_ns)
    return a->end_ns > b->end_ns;
  return a->cursor < b->cursor;
}

/* --- cursors: each reads the events of a row, counter or list in order -------------------------------------------- */

/* Makes a cursor for each requested row, counter and list of flow points. Does not load their first events. */
void loom_merge_make_cursors (LoomKwayMerge *sweep, const LoomPidTidMap *places);

static inline gint64
loom_merge_to_timeline (const LoomClockMap *map, gint64 local_ns)
{
  return G_LIKELY (map->drift_ppt == 0) ? loom_time_add (local_ns, map->offset_ns)
                                        : loom_clock_map_to_timeline (map, local_ns);
}

static inline gboolean
loom_merge_wants_source (const LoomKwayMerge *sweep, const LoomMergeCursor *cursor, LoomRef ref)
{
  if (G_LIKELY (sweep->options.sources == NULL))
    return TRUE;
  guint source = ref == LOOM_REF_NONE ? 0 : loom_source_ref_source (ref);
  if (source >= loom_trace_get_n_sources (cursor->owner))
    source = 0;
  return sweep->options.sources[cursor->first_source + source];
}

/* Prefetches the next cache line of each array of spans that a merge reads. A processor recognizes only a few
 * sequential reads at once and prefetches for them, but a merge reads the spans of many tracks at once. */
static inline void
loom_merge_look_ahead (const LoomSpans *spans, guint32 at)
{
  if (at % 8 != 0)
    return;
  __builtin_prefetch (spans->start_ns + at + 8);
  __builtin_prefetch (spans->dur_ns + at + 8);
  __builtin_prefetch (spans->ref + at + 8);
  __builtin_prefetch (spans->name_id + at + 8);
}

static inline gboolean
loom_merge_load_span (LoomKwayMerge *sweep, LoomMergeCursor *cursor)
{
  const LoomSpans *spans = cursor->spans;
  for (; cursor->at < cursor->end; cursor->at++) {
    LoomRef ref = spans->ref[cursor->at];
    loom_merge_look_ahead (spans, cursor->at);
    if (!loom_merge_wants_source (sweep, cursor, ref))
      continue;
    gint64 start_ns = spans->start_ns[cursor->at];
    gint64 end_ns =
      cursor->kind == LOOM_KWAY_MERGE_INSTANT ? start_ns : loom_time_add (start_ns, spans->dur_ns[cursor->at]);
    cursor->start_ns = loom_merge_to_timeline (cursor->map, start_ns);
    cursor->end_ns = end_ns == start_ns ? cursor->start_ns : loom_merge_to_timeline (cursor->map, end_ns);
    cursor->ref = ref;
    cursor->name_id = spans->name_id[cursor->at];
    return TRUE;
  }
  return FALSE;
}

static inline void
loom_merge_fill_span (const LoomMergeCursor *cursor, LoomMergeItem *item)
{
  item->kind = cursor->kind;
  item->trace = cursor->trace;
  item->track = cursor->track;
  item->index = cursor->at;
  item->depth = cursor->depth;
  item->lane = cursor->lane;
  item->name_id = cursor->name_id;
  item->ref = cursor->ref;
  item->start_ns = cursor->start_ns;
  item->end_ns = cursor->end_ns;
}

/* Loads the cursor's next event among those that the merge options select. Returns FALSE if the cursor has no more such
 * events. */
gboolean loom_merge_load_cursor (LoomKwayMerge *sweep, LoomMergeCursor *cursor);

/* Moves a cursor past its event; for a counter, stores the event's samples. */
void loom_merge_pass_cursor (LoomKwayMerge *sweep, LoomMergeCursor *cursor);

/* Copies the cursor's event to `item`. */
void loom_merge_fill_item (const LoomMergeCursor *cursor, LoomMergeItem *item);

/* --- heap: the cursors that are not in the slice ------------------------------------------------------------------ */

/* Adds a cursor, whose next event has been loaded, to the heap. */
void loom_merge_heap_add (LoomKwayMerge *sweep, const LoomMergeKey *key);

/* Moves the first event of the heap, which must not be empty, to `item`. */
void loom_merge_heap_pop (LoomKwayMerge *sweep, LoomMergeItem *item);

/* --- slice: the next events of its cursors, sorted ---------------------------------------------------------------- */

/* Adds a cursor, whose next event has been loaded, to the slice, in the order of the cursors. Must not be called for
 * cursors of counters. */
void loom_merge_slice_add (LoomKwayMerge *sweep, const LoomMergeKey *key);

/* Fills an empty slice with the events of the next period. Returns FALSE, and leaves the slice empty, if no cursor of
 * the slice has further events. Other events may then remain in the heap. */
gboolean loom_merge_slice_fill (LoomKwayMerge *sweep);

void loom_merge_slice_clear (LoomMergeSlice *slice);

static inline const LoomMergeEntry *
loom_merge_slice_first (const LoomMergeSlice *slice)
{
  return &slice->entries[slice->order[slice->at] & LOOM_MERGE_SLICE_ENTRY];
}

/* Returns the key of the first event of a slice, which must not be empty. */
static inline LoomMergeKey
loom_merge_slice_key (const LoomMergeSlice *slice)
{
  const LoomMergeEntry *entry = loom_merge_slice_first (slice);
  gint64 start_ns = loom_time_add (slice->begin_ns, (gint64) (slice->order[slice->at] >> LOOM_MERGE_SLICE_SHIFT));
  return (LoomMergeKey) { start_ns, entry->key_end_ns, entry->cursor };
}
