/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/merge: the cursors of a sweep, one per row, counter track and flow list of a clock.
 */
#pragma once

#include "loom-sweep.h"

G_BEGIN_DECLS

typedef struct {
  LoomSweepKind kind;
  guint trace, track;
  guint64 ordinal;           /* place among all cursors */
  guint16 depth, lane;
  const LoomTrace *owner;
  const LoomClockMap *map;
  guint first_source;        /* flat number of the trace's source 0 */
  guint32 at, end;           /* columns; positions in `points` for flows */
  const LoomTrack *counter;
  guint32 *positions;        /* of each series of a counter */
  guint32 *points;           /* flow points of one clock, in order; NULL: all there are */
  gint64 start_ns, end_ns;   /* of what is next, timeline */
  LoomRef ref;
} LoomSweepCursor;

typedef struct {
  LoomSweepItem item;
  guint64 sequence; /* begun later, ended first */
} PendingEnd;

/* What the heap compares: the times of a cursor's next event. */
typedef struct {
  gint64 start_ns, end_ns;
  guint cursor;
} LoomSweepKey;

struct _LoomSweep {
  LoomTimeline *timeline;
  LoomSweepOptions options;
  LoomClockMap *maps;     /* one per clock of the run */
  GArray *cursors;        /* LoomSweepCursor */
  LoomSweepKey *heap;     /* with the times, so that comparing does not touch the cursors */
  guint n_heap;
  GArray *ends;           /* PendingEnd, a heap */
  guint64 sequence;
  GArray *samples;        /* LoomSweepSample */
};

/* Makes a cursor for everything that is asked for; none of them stands on an event yet. */
void loom_sweep_make_cursors (LoomSweep *sweep, const LoomPlaces *places);

/* Puts the cursor on its next event that is wanted; FALSE at its end. */
gboolean loom_sweep_load_cursor (LoomSweep *sweep, LoomSweepCursor *cursor);

/* Moves a cursor behind the event it stands on; of a counter, notes the samples it was made of. */
void loom_sweep_pass_cursor (LoomSweep *sweep, LoomSweepCursor *cursor);

G_END_DECLS
