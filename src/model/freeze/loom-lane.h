/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/model. A lane contains the records of the spans, async spans or instants of one track while a trace is
 * made, and arranges them in rows. Lanes are processed in parallel; only the lanes of a thread that continues in
 * another file are processed together, because begin and end events may be in different lanes.
 */
#pragma once

#include "loom-problem-counts.h"
#include "loom-trace-builder-private.h"
#include "loom-trace.h"

typedef struct {
  LoomRef begin; /* LoomRef of the span's begin event, without flags; `end` is the LoomRef of its end event */
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
  guint source; /* source that owns the track */
  /* TRUE: the times of the source count from 1970. `extents` then exclude times that are not plausible dates. */
  gboolean anchored;
  LoomChunkList chunks; /* the records, until `flat` is set */
  LoomRecord *flat;
  guint32 n;
  /* TRUE: some records are open spans, which must be closed, or dropped records, which must be removed;
   * loom_begin_end_pairing_run() does this */
  gboolean needs_finish;
  /* time at which the recording of the source ended (loom_trace_builder_source_extend_open()); spans without an end
   * last until then. LOOM_TIME_NONE: they last until the end of the lane */
  gint64 recording_end_ns;
  /* a second list with events of the same thread; open spans of this lane end at the latest time in both lists. NULL:
   * there is no second list */
  const LoomChunkList *also;
  GArray *rows;     /* LoomLaneRow; once rows are assigned, LoomRecord.kind is an index into this array */
  guint32 *order;   /* indexed like `rows`: number of the row in the trace; NULL until rows of the trace are assigned */
  GArray *end_refs; /* LoomEndRef: spans whose end event may have args; NULL: there are none */
  LoomProblemCounts tally;
  GArray *extents; /* LoomSourceExtent: for each source, the time range of its events in this lane */
} LoomLane;

LoomLane *loom_lane_new (LoomTrackKind kind, guint source, gboolean anchored, LoomChunkList *chunks);
void loom_lane_free (LoomLane *lane);

/* A part of the records that is contiguous in memory. To iterate over the parts of a lane, begin with at = NULL. */
typedef struct {
  LoomRecord *at;
  guint32 n;
  LoomChunk *chunk;
} LoomStretch;

gboolean loom_lane_next_stretch (LoomLane *lane, LoomStretch *stretch);

/* The kinds and the order of the records of a lane; they determine which steps are needed to make a sorted list of
 * spans. */
typedef struct {
  gboolean has_pairs;    /* TRUE if there are begin or end events (phases B and E) */
  gboolean has_open;     /* TRUE if there are spans with LOOM_DUR_OPEN or LOOM_DUR_TO_NEXT */
  gboolean is_ascending; /* TRUE if the records are sorted by time */
  /* TRUE if the records are sorted by start, and those with equal starts by duration, longest first */
  gboolean is_sorted;
  guint32 n_ends; /* number of end events (phase E) */
  gint64 last_ns; /* latest start or end of a record; ends with LOOM_REF_SUSPECT do not count */
} LoomLaneState;

/* Replaces the ids of names in the records by their final ids, shortens durations so that no end exceeds gint64, and
 * returns the kinds and the order of the records. */
LoomLaneState loom_lane_survey (LoomLane *lane);

/* Copies the records from the chunks to the array `flat`. Must be called before the functions below. */
void loom_lane_flatten (LoomLane *lane);
void loom_lane_sort_by_time (LoomLane *lane);
/* Sorts by start; spans with equal starts by duration, longest first. Does nothing if the lane is sorted already. */
void loom_lane_sort_by_start (LoomLane *lane);

void loom_lane_add_end_ref (LoomLane *lane, LoomRef begin, LoomRef end);

/* Puts all records into one row, sorted by time. Used for instants. */
void loom_lane_arrange_instants (LoomLane *lane);

/* Puts spans into rows without overlaps, each into the lowest free row. Used for async spans. */
void loom_lane_arrange_packed (LoomLane *lane);

/* Puts spans into rows so that a span is below the spans that contain it. A span that overlaps other spans only in part
 * goes to an overflow lane, an additional group of rows. Used for spans of a thread. The records must be sorted by
 * start. */
void loom_lane_arrange_nested (LoomLane *lane);

/* Frees the records, but keeps `rows`, `tally` and `extents`. */
void loom_lane_drop_records (LoomLane *lane);
