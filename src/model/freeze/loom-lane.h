/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. A lane turns the raw records of one track of spans, instants or async spans into rows. Lanes are
 * independent, except where one continues another (pairing), so they are processed in parallel.
 */
#pragma once

#include "loom-problem-counts.h"
#include "loom-trace-builder-private.h"
#include "loom-trace.h"

typedef struct {
  LoomRef begin; /* reference without flags */
  LoomRef end;
} LoomEndRef;

typedef struct {
  guint32 n;
  guint16 lane, depth;
} LoomLaneRow;

typedef struct {
  guint source;
  gint64 start_ns, end_ns;
} LoomSourceExtent;

typedef struct {
  LoomTrackKind kind;
  guint source;         /* the source that owns the track */
  gboolean anchored;    /* the clock of `source` is anchored to UTC, so implausible times are excluded from extents */
  LoomChunkList chunks; /* the records, until `flat` is set */
  LoomRecord *flat;
  guint32 n;
  gboolean needs_finish; /* some spans are open or were dropped */
  /* other events of the thread, whose times count when the last time of the thread is determined; may be NULL */
  const LoomChunkList *also;
  GArray *rows;     /* LoomLaneRow; a record's kind is an index into it */
  guint32 *order;   /* row of the trace for each element of `rows`; NULL until the lane is placed */
  GArray *end_refs; /* LoomEndRef, or NULL */
  LoomProblemCounts tally;
  GArray *extents; /* LoomSourceExtent */
} LoomLane;

LoomLane *loom_lane_new (LoomTrackKind kind, guint source, gboolean anchored, LoomChunkList *chunks);
void loom_lane_free (LoomLane *lane);

/* Iterates over the records in contiguous stretches; begin with at = NULL. */
typedef struct {
  LoomRecord *at;
  guint32 n;
  LoomChunk *chunk;
} LoomStretch;

gboolean loom_lane_next_stretch (LoomLane *lane, LoomStretch *stretch);

/* Kinds and order of the records; they decide which steps make the records a sorted list of spans. */
typedef struct {
  gboolean has_pairs;    /* there are B or E */
  gboolean has_open;     /* there are LOOM_DUR_OPEN or LOOM_DUR_TO_NEXT */
  gboolean is_ascending; /* sorted by time */
  gboolean is_sorted;    /* sorted by start, at equal starts longer first */
  guint32 n_ends;        /* number of E */
  gint64 last_ns;        /* latest start or end of a record; ends with LOOM_REF_SUSPECT do not count */
} LoomLaneState;

/* Translates ids, shortens durations that would exceed gint64, and checks the order. */
LoomLaneState loom_lane_survey (LoomLane *lane);

/* Copies the records into one array, as the functions below require. */
void loom_lane_flatten (LoomLane *lane);
void loom_lane_sort_by_time (LoomLane *lane);
/* Sorts by start; spans with equal starts by duration, longest first. Does nothing if the lane is sorted already. */
void loom_lane_sort_by_start (LoomLane *lane);

void loom_lane_add_end_ref (LoomLane *lane, LoomRef begin, LoomRef end);

/* Puts all records into one row, sorted by time: for instants. */
void loom_lane_arrange_instants (LoomLane *lane);

/* Puts spans into rows without overlaps, lowest free row first: for async spans. */
void loom_lane_arrange_packed (LoomLane *lane);

/* Nests spans by containment, with overflow lanes: for spans of a thread. Records must be sorted by start. */
void loom_lane_arrange_nested (LoomLane *lane);

/* Frees the records; keeps rows, tally and extents. */
void loom_lane_drop_records (LoomLane *lane);
