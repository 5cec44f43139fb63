/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis: visits the nested spans of one lane of a track in pre-order: a span, then the spans inside
 * it, then the span after it. The rows of a lane are read at the same time, so that no parent has to be searched: O(1)
 * per span. Times are local to the trace. One thread per walk.
 */
#pragma once

#include "loom-timeline.h"

typedef struct {
  guint32 next, end; /* range of the row's spans that are not visited yet, as indices in the columns */
} LoomSpanWalkRow;

typedef struct {
  const gint64 *start_ns;
  LoomSpanWalkRow *rows; /* [depth] row at this depth */
  guint n_rows, n_room;
  guint n_used;      /* number of rows that this visit reads, counted from the outermost row */
  guint32 first_row; /* index of the lane's first row in the trace */
  guint depth;       /* depth of the span that was returned last, plus 1; 0 at the beginning */
} LoomSpanWalk;

/* The rows of one lane of a track, outermost first. Spans that do not fit into the other lanes of a track are in its
 * overflow lane. The spans of the overflow lane are not nested, so each of its rows is treated as a separate lane. */
typedef struct {
  /* `first_row`: index of the lane's first row in the trace; `n_rows`: number of rows in the lane */
  guint32 first_row, n_rows;
} LoomSpanLane;

/* Sets `lane` to the lane that begins at the row `*row`, and sets `*row` to the first row after this lane. For the
 * first call, `*row` must be the track's first row. Returns FALSE after the last lane. */
gboolean loom_span_walk_next_lane (const LoomTrace *trace, const LoomTrack *track, guint32 *row, LoomSpanLane *lane);

/* Converts a range of the timeline to the clock of a track. */
LoomRange loom_span_walk_get_local (LoomTimeline *timeline, guint trace, const LoomTrack *track, LoomRange range);

/* Returns how many ns of a span are inside the range. */
static inline gint64
loom_span_walk_clip (const LoomSpans *spans, guint32 span, LoomRange local)
{
  gint64 end_ns = loom_time_add (spans->start_ns[span], spans->dur_ns[span]);
  return MAX (0, loom_time_sub (MIN (end_ns, local.end_ns), MAX (spans->start_ns[span], local.begin_ns)));
}

void loom_span_walk_init (LoomSpanWalk *walk);
void loom_span_walk_clear (LoomSpanWalk *walk);
/* Begins to visit the spans of the lane that touch the range `local`, and all spans that enclose them. O(rows · log
 * spans). */
void loom_span_walk_begin (LoomSpanWalk *walk, const LoomTrace *trace, LoomSpanLane lane, LoomRange local);

/* Like loom_span_walk_begin(), but faster if the last visit of `walk` was of the same lane and of a range nearby,
 * earlier or later. The visit does not end with the range: the caller must stop at the first span that starts at or
 * after the end of the range. O(r · log s). r: number of rows that have spans in the range; s: number of spans between
 * the two ranges. */
void loom_span_walk_begin_near (LoomSpanWalk *walk, const LoomTrace *trace, LoomSpanLane lane, LoomRange local);

/* Returns the next span, and sets `depth` to its depth in the lane; G_MAXUINT32 at the end. A span of depth d is inside
 * the last returned span of depth d − 1. */
static inline guint32
loom_span_walk_next (LoomSpanWalk *walk, guint *depth)
{
  for (guint d = MIN (walk->depth, walk->n_used - 1);; d--) {
    LoomSpanWalkRow *row = &walk->rows[d];
    /* Compare the next spans of the row at depth d and of the row at depth d − 1. If the span at depth d starts first,
     * it is visited first. Otherwise the span at depth d − 1 encloses it, and is visited first. */
    const LoomSpanWalkRow *above = d > 0 ? row - 1 : NULL;
    if (row->next < row->end &&
        (above == NULL || above->next >= above->end || walk->start_ns[row->next] < walk->start_ns[above->next])) {
      walk->depth = d + 1;
      *depth = d;
      return row->next++;
    }
    if (d == 0)
      return G_MAXUINT32;
  }
}

/* Returns the innermost span of a track at `time_ns`, a time on the track's clock; G_MAXUINT32: there is none. O(rows ·
 * log spans). */
guint32 loom_span_walk_find_innermost (const LoomTrace *trace, const LoomTrack *track, gint64 time_ns);
