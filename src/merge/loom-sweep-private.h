/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/merge: the cursors of a sweep, one per row, counter track and flow list of a clock, and the two ways of
 * putting what they stand on in order. A slice is all that starts within some time, gathered row by row and sorted: that
 * is quick, and needs room for all of it. A heap needs none: counters go through it, and whatever has more events in one
 * instant than a slice holds.
 */
#pragma once

#include "loom-sweep.h"
#include "loom-time.h"

G_BEGIN_DECLS

/* Of a word of a slice's order: the number of the entry, and above it the time. */
#define LOOM_SWEEP_SLICE_SHIFT 24
#define LOOM_SWEEP_SLICE_ENTRY ((G_GUINT64_CONSTANT (1) << LOOM_SWEEP_SLICE_SHIFT) - 1)

/* The points of a flow list that a cursor stands on. */
typedef enum {
  LOOM_SWEEP_ALL_FLOWS,
  LOOM_SWEEP_EARLY_FLOWS, /* that stand before all that starts at their time */
  LOOM_SWEEP_LATE_FLOWS,  /* the others */
} LoomSweepFlows;

typedef struct {
  LoomSweepKind kind;
  guint trace, track;
  guint64 ordinal;           /* place among all cursors */
  guint16 depth, lane;
  const LoomTrace *owner;
  const LoomSpans *spans;    /* of the owner */
  const LoomClockMap *map;
  guint first_source;        /* flat number of the trace's source 0 */
  guint32 at, end;           /* columns; positions in `points` for flows */
  const LoomTrack *counter;
  guint32 *positions;        /* of each series of a counter */
  guint32 *points;           /* flow points of one clock, in order; NULL: all there are */
  LoomSweepFlows flows;      /* which of them */
  gint64 start_ns, end_ns;   /* of what is next, timeline */
  guint32 name_id;
  LoomRef ref;
} LoomSweepCursor;

/* What is compared: by start, the longer first, then by cursor. */
typedef struct {
  gint64 start_ns, end_ns;
  guint cursor;
} LoomSweepKey;

typedef struct {
  LoomSweepItem item;
  guint64 sequence; /* begun later, ended first */
} PendingEnd;

typedef struct {
  LoomSweepKey key;   /* of what is next */
  LoomSweepKey then;  /* the same behind the slice that is being gathered */
  gboolean ends;      /* there is nothing behind it */
  guint32 at;         /* where the cursor stood before it */
} LoomSweepHead;

typedef struct {
  LoomSweepItem item;
  gint64 key_end_ns;  /* it is ordered by this, and by the start in `order` */
  guint cursor;
} LoomSweepEntry;

typedef struct {
  LoomSweepHead *heads;    /* of the cursors that are not at their end, in their order */
  guint n_heads;
  LoomSweepEntry *entries; /* as they were gathered */
  guint64 *order, *room;   /* times since `begin_ns`, and below them the numbers of entries */
  guint n, at, capacity;
  gint64 begin_ns, width_ns;
} LoomSweepSlice;

struct _LoomSweep {
  LoomTimeline *timeline;
  LoomSweepOptions options;
  LoomClockMap *maps;     /* one per clock of the run */
  GArray *cursors;        /* LoomSweepCursor, by ordinal */
  LoomSweepSlice slice;
  LoomSweepKey *heap;     /* with the times, so that comparing does not touch the cursors */
  guint n_heap;
  GArray *ends;           /* PendingEnd, a heap */
  guint64 sequence;
  GArray *samples;        /* LoomSweepSample */
};

static inline LoomSweepCursor *
loom_sweep_cursor (const LoomSweep *sweep, guint number)
{
  return &((LoomSweepCursor *) (gpointer) sweep->cursors->data)[number];
}

static inline gboolean
loom_sweep_key_is_before (const LoomSweepKey *a, const LoomSweepKey *b)
{
  if (G_LIKELY (a->start_ns != b->start_ns))
    return a->start_ns < b->start_ns;
  if (a->end_ns != b->end_ns)
    return a->end_ns > b->end_ns;
  return a->cursor < b->cursor;
}

/* The end that a cursor's event is ordered by, after its start. */
static inline gint64
loom_sweep_order_end (const LoomSweepCursor *cursor)
{
  return cursor->flows == LOOM_SWEEP_EARLY_FLOWS ? G_MAXINT64 : cursor->end_ns;
}

/* --- cursors ------------------------------------------------------------------------------------------------------- */

/* Makes a cursor for everything that is asked for; none of them stands on an event yet. */
void loom_sweep_make_cursors (LoomSweep *sweep, const LoomPlaces *places);

static inline gint64
loom_sweep_to_timeline (const LoomClockMap *map, gint64 local_ns)
{
  return G_LIKELY (map->drift_ppt == 0) ? loom_time_add (local_ns, map->offset_ns)
                                        : loom_clock_map_to_timeline (map, local_ns);
}

static inline gboolean
loom_sweep_wants_source (const LoomSweep *sweep, const LoomSweepCursor *cursor, LoomRef ref)
{
  if (G_LIKELY (sweep->options.sources == NULL))
    return TRUE;
  guint source = ref == LOOM_REF_NONE ? 0 : loom_ref_source (ref);
  if (source >= loom_trace_get_n_sources (cursor->owner))
    source = 0;
  return sweep->options.sources[cursor->first_source + source];
}

/* A row is read from begin to end, but there are more rows than a processor looks ahead in: a cache line of each column
 * is asked for while the one before it is used. */
static inline void
loom_sweep_look_ahead (const LoomSpans *spans, guint32 at)
{
  if (at % 8 != 0)
    return;
  __builtin_prefetch (spans->start_ns + at + 8);
  __builtin_prefetch (spans->dur_ns + at + 8);
  __builtin_prefetch (spans->ref + at + 8);
  __builtin_prefetch (spans->name_id + at + 8);
}

static inline gboolean
loom_sweep_load_span (LoomSweep *sweep, LoomSweepCursor *cursor)
{
  const LoomSpans *spans = cursor->spans;
  for (; cursor->at < cursor->end; cursor->at++) {
    LoomRef ref = spans->ref[cursor->at];
    loom_sweep_look_ahead (spans, cursor->at);
    if (!loom_sweep_wants_source (sweep, cursor, ref))
      continue;
    gint64 start_ns = spans->start_ns[cursor->at];
    gint64 end_ns = cursor->kind == LOOM_SWEEP_INSTANT ? start_ns : loom_time_add (start_ns, spans->dur_ns[cursor->at]);
    cursor->start_ns = loom_sweep_to_timeline (cursor->map, start_ns);
    cursor->end_ns = end_ns == start_ns ? cursor->start_ns : loom_sweep_to_timeline (cursor->map, end_ns);
    cursor->ref = ref;
    cursor->name_id = spans->name_id[cursor->at];
    return TRUE;
  }
  return FALSE;
}

static inline void
loom_sweep_fill_span (const LoomSweepCursor *cursor, LoomSweepItem *item)
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
gboolean loom_sweep_load_cursor (LoomSweep *sweep, LoomSweepCursor *cursor);

/* Moves a cursor behind the event it stands on; of a counter, notes the samples it was made of. */
void loom_sweep_pass_cursor (LoomSweep *sweep, LoomSweepCursor *cursor);

/* What the cursor stands on. */
void loom_sweep_fill_item (const LoomSweepCursor *cursor, LoomSweepItem *item);

/* --- the heap ------------------------------------------------------------------------------------------------------ */

/* A cursor that stands on an event. */
void loom_sweep_heap_add (LoomSweep *sweep, const LoomSweepKey *key);

/* Takes the first event, which there is. */
void loom_sweep_heap_pop (LoomSweep *sweep, LoomSweepItem *item);

/* --- the slice ----------------------------------------------------------------------------------------------------- */

/* A cursor that stands on an event; they come in their order. Not for counters. */
void loom_sweep_slice_add (LoomSweep *sweep, const LoomSweepKey *key);

/* Fills an empty slice with what comes next. FALSE when there is nothing that the heap does not have. */
gboolean loom_sweep_slice_fill (LoomSweep *sweep);

void loom_sweep_slice_clear (LoomSweepSlice *slice);

static inline const LoomSweepEntry *
loom_sweep_slice_first (const LoomSweepSlice *slice)
{
  return &slice->entries[slice->order[slice->at] & LOOM_SWEEP_SLICE_ENTRY];
}

/* The key of the first event of a slice that is not empty. */
static inline LoomSweepKey
loom_sweep_slice_key (const LoomSweepSlice *slice)
{
  const LoomSweepEntry *entry = loom_sweep_slice_first (slice);
  gint64 start_ns = loom_time_add (slice->begin_ns, (gint64) (slice->order[slice->at] >> LOOM_SWEEP_SLICE_SHIFT));
  return (LoomSweepKey) { start_ns, entry->key_end_ns, entry->cursor };
}

G_END_DECLS
