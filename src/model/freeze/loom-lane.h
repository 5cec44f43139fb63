/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. A lane is the work of freeze for one track of spans, instants or async spans: from raw records to rows.
 * Lanes are independent of one another, except where one continues another (pairing), so they run in parallel.
 */
#pragma once

#include "loom-problem-counts.h"
#include "loom-trace-builder-private.h"
#include "loom-trace.h"

G_BEGIN_DECLS

typedef struct {
  LoomRef begin; /* without flags */
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
  guint source;         /* of the owner */
  gboolean anchored;    /* its clock tells UTC: implausible times stay out of extents */
  LoomChunkList chunks; /* the records, while `flat` is NULL */
  LoomRecord *flat;
  guint32 n;
  gboolean needs_finish;     /* something in it is open, or was dropped */
  const LoomChunkList *also; /* more events of the thread, for its last instant; may be NULL */
  GArray *rows;              /* LoomLaneRow; a record's kind is an index into it */
  guint32 *order;            /* from there to the row of the trace; NULL before it is placed */
  GArray *end_refs;          /* LoomEndRef, or NULL */
  LoomProblemCounts tally;
  GArray *extents; /* LoomSourceExtent */
} LoomLane;

LoomLane *loom_lane_new (LoomTrackKind kind, guint source, gboolean anchored, LoomChunkList *chunks);
void loom_lane_free (LoomLane *lane);

/* Walks the records in stretches: begin with at = NULL. */
typedef struct {
  LoomRecord *at;
  guint32 n;
  LoomChunk *chunk;
} LoomStretch;

gboolean loom_lane_next_stretch (LoomLane *lane, LoomStretch *stretch);

/* What has to be done before the records are a sorted list of spans. */
typedef struct {
  gboolean has_pairs;    /* B or E */
  gboolean has_open;     /* LOOM_DUR_OPEN, LOOM_DUR_TO_NEXT */
  gboolean is_ascending; /* by time */
  gboolean is_sorted;    /* by start, at equal start longer first */
  guint32 n_ends;        /* E */
  gint64 last_ns;        /* latest time or credible end */
} LoomLaneState;

/* Translates ids, cuts durations that leave gint64, and looks at the order. */
LoomLaneState loom_lane_survey (LoomLane *lane);

/* Into one array, which the steps below need. */
void loom_lane_flatten (LoomLane *lane);
void loom_lane_sort_by_time (LoomLane *lane);
void loom_lane_sort_by_start (LoomLane *lane); /* longer first; nothing to do when in order */

void loom_lane_add_end_ref (LoomLane *lane, LoomRef begin, LoomRef end);

/* Ends in one row, in order of time: for instants. */
void loom_lane_arrange_instants (LoomLane *lane);

/* Rows of non-overlapping spans, lowest free row first: for async spans. */
void loom_lane_arrange_packed (LoomLane *lane);

/* Containment, with overflow lanes: for spans of a thread. Records must be in order of start. */
void loom_lane_arrange_nested (LoomLane *lane);

/* Frees the records, keeps rows, tally and extents. */
void loom_lane_drop_records (LoomLane *lane);

G_END_DECLS
