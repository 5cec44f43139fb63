/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/export: the cursors of a sweep, one per row, counter track and flow list of a clock, and the two ways of
 * putting what they stand on in order. A slice is all that starts within some time, gathered row by row and sorted: that
 * is quick, and needs room for all of it. A heap needs none: counters go through it, and whatever has more events in one
 * instant than a slice holds.
 */
#pragma once

#include "loom-kway-merge.h"
#include "loom-time.h"

G_BEGIN_DECLS

/* Of a word of a slice's order: the number of the entry, and above it the time. */
#define LOOM_MERGE_SLICE_SHIFT 24
#define LOOM_MERGE_SLICE_ENTRY ((G_GUINT64_CONSTANT (1) << LOOM_MERGE_SLICE_SHIFT) - 1)

typedef struct {
  LoomMergeItemKind kind;
  guint trace, track;
  guint64 ordinal; /* place among all cursors */
  guint16 depth, lane;
  const LoomTrace *owner;
  const LoomSpans *spans; /* of the owner */
  const LoomClockMap *map;
  guint first_source; /* flat number of the trace's source 0 */
  guint32 at, end;    /* columns; positions in `points` for flows */
  const LoomTrack *counter;
  guint32 *positions;      /* of each series of a counter */
  guint32 *points;         /* flow points of one clock, in order; NULL: all there are */
  gint64 start_ns, end_ns; /* of what is next, timeline */
  guint32 name_id;
  LoomRef ref;
} LoomMergeCursor;

/* What is compared: by start, the longer first, then by cursor. */
typedef struct {
  gint64 start_ns, end_ns;
  guint cursor;
} LoomMergeKey;

typedef struct {
  LoomMergeItem item;
  guint64 sequence; /* begun later, ended first */
} PendingEnd;

typedef struct {
  LoomMergeKey key;  /* of what is next */
  LoomMergeKey then; /* the same behind the slice that is being gathered */
  gboolean ends;     /* there is nothing behind it */
  guint32 at;        /* where the cursor stood before it */
} LoomMergeHead;

typedef struct {
  LoomMergeItem item;
  gint64 key_end_ns; /* it is ordered by this, and by the start in `order` */
  guint cursor;
} LoomMergeEntry;

typedef struct {
  LoomMergeHead *heads; /* of the cursors that are not at their end, in their order */
  guint n_heads;
  LoomMergeEntry *entries; /* as they were gathered */
  guint64 *order, *room;   /* times since `begin_ns`, and below them the numbers of entries */
  guint n, at, capacity;
  gint64 begin_ns, width_ns;
} LoomMergeSlice;

struct _LoomKwayMerge {
  LoomTimeline *timeline;
  LoomMergeOptions options;
  LoomClockMap *maps; /* one per clock of the run */
  GArray *cursors;    /* LoomMergeCursor, by ordinal */
  LoomMergeSlice slice;
  LoomMergeKey *heap; /* with the times, so that comparing does not touch the cursors */
  guint n_heap;
  GArray *ends; /* PendingEnd, a heap */
  guint64 sequence;
  GArray *samples; /* LoomMergeSample */
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

/* --- cursors ------------------------------------------------------------------------------------------------------- */

/* Makes a cursor for everything that is asked for; none of them stands on an event yet. */
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

/* A row is read from begin to end, but there are more rows than a processor looks ahead in: a cache line of each column
 * is asked for while the one before it is used. */
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

/* Puts the cursor on its next event that is wanted; FALSE at its end. */
gboolean loom_merge_load_cursor (LoomKwayMerge *sweep, LoomMergeCursor *cursor);

/* Moves a cursor behind the event it stands on; of a counter, notes the samples it was made of. */
void loom_merge_pass_cursor (LoomKwayMerge *sweep, LoomMergeCursor *cursor);

/* What the cursor stands on. */
void loom_merge_fill_item (const LoomMergeCursor *cursor, LoomMergeItem *item);

/* --- the heap ------------------------------------------------------------------------------------------------------ */

/* A cursor that stands on an event. */
void loom_merge_heap_add (LoomKwayMerge *sweep, const LoomMergeKey *key);

/* Takes the first event, which there is. */
void loom_merge_heap_pop (LoomKwayMerge *sweep, LoomMergeItem *item);

/* --- the slice ----------------------------------------------------------------------------------------------------- */

/* A cursor that stands on an event; they come in their order. Not for counters. */
void loom_merge_slice_add (LoomKwayMerge *sweep, const LoomMergeKey *key);

/* Fills an empty slice with what comes next. FALSE when there is nothing that the heap does not have. */
gboolean loom_merge_slice_fill (LoomKwayMerge *sweep);

void loom_merge_slice_clear (LoomMergeSlice *slice);

static inline const LoomMergeEntry *
loom_merge_slice_first (const LoomMergeSlice *slice)
{
  return &slice->entries[slice->order[slice->at] & LOOM_MERGE_SLICE_ENTRY];
}

/* The key of the first event of a slice that is not empty. */
static inline LoomMergeKey
loom_merge_slice_key (const LoomMergeSlice *slice)
{
  const LoomMergeEntry *entry = loom_merge_slice_first (slice);
  gint64 start_ns = loom_time_add (slice->begin_ns, (gint64) (slice->order[slice->at] >> LOOM_MERGE_SLICE_SHIFT));
  return (LoomMergeKey) { start_ns, entry->key_end_ns, entry->cursor };
}

G_END_DECLS
