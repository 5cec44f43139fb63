/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-span-navigation.h: finds neighbours of spans, also across the tracks that share a row.
 */
#include "loom-span-navigation.h"

#include "loom-row-parts.h"

static LoomTrace *
trace_of (LoomTimelineState *state, guint32 trace)
{
  return loom_run_get_trace (loom_timeline_get_run (loom_timeline_state_get_timeline (state)), trace);
}

/* Returns the row of `track` that has the depth and the lane of `like`; NULL if the track has no such row. A track has
 * several lanes if its spans overlap without being nested (LoomRow.lane). */
static const LoomRow *
row_like (LoomTrace *trace, const LoomTrack *track, const LoomRow *like)
{
  for (guint i = 0; i < track->n_rows; i++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + i);
    if (row->depth == like->depth && row->lane == like->lane)
      return row->n > 0 ? row : NULL;
  }
  return NULL;
}

static LoomRange
range_of (LoomTimelineState *state, LoomSpanId span)
{
  LoomRange range;
  loom_timeline_get_span (loom_timeline_state_get_timeline (state), span, &range.begin_ns, &range.end_ns);
  range.end_ns = MAX (range.end_ns, loom_time_add (range.begin_ns, 1)); /* an instant has no length; give it 1 ns */
  return range;
}

/* Returns the parts of the row that shows a track, in the order of time. A row may show several tracks one after the
 * other; a part (LoomRowPart) is a track and the range in which the row shows it. If no row shows the track, the only
 * part is the track itself, without time limits. */
static GArray *
list_parts (LoomTimelineState *state, LoomTrackId id)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  GArray *list = g_array_new (FALSE, FALSE, sizeof (LoomRowPart));
  LoomRowPart part = { id, { G_MININT64, G_MAXINT64 }, G_MININT64 };
  LoomRowParts parts;
  guint index;
  if (!loom_row_list_find_track (outline, id, &index)) {
    g_array_append_val (list, part);
    return list;
  }
  loom_row_parts_init (&parts, loom_timeline_get_run (loom_timeline_state_get_timeline (state)),
                       loom_row_list_get_row (outline, index));
  while (loom_row_parts_next (&parts, &part))
    g_array_append_val (list, part);
  return list;
}

static gboolean
touches (LoomRange a, LoomRange b)
{
  return a.begin_ns < b.end_ns && b.begin_ns < a.end_ns;
}

/* Returns the index of the first part (LoomRowPart) that shows the track `id` at a time in `range`; G_MAXUINT if there
 * is no such part. */
static guint
find_part (const GArray *parts, LoomTrackId id, LoomRange range)
{
  for (guint i = 0; i < parts->len; i++) {
    const LoomRowPart *part = &g_array_index (parts, LoomRowPart, i);
    if (part->id.trace == id.trace && part->id.track == id.track && touches (part->range, range))
      return i;
  }
  return G_MAXUINT;
}

/* Returns the first (`step` 1) or last (`step` −1) span of a part at the depth and in the lane of `like`. */
static LoomSpanId
find_in_part (LoomTimelineState *state, const LoomRowPart *part, const LoomRow *like, int step)
{
  const LoomRange all = { G_MININT64, G_MAXINT64 };
  LoomTrace *trace = trace_of (state, part->id.trace);
  const LoomRow *row = row_like (trace, loom_trace_get_track (trace, part->id.track), like);
  guint32 first, end;
  if (row == NULL)
    return LOOM_SPAN_ID_NONE;
  loom_row_part_find_spans (part, loom_timeline_state_get_timeline (state), row, all, &first, &end);
  return first < end ? (LoomSpanId) { part->id.trace, step > 0 ? first : end - 1 } : LOOM_SPAN_ID_NONE;
}

static LoomSpanId
walk_sideways (LoomTimelineState *state, LoomSpanId span, int step)
{
  LoomTrace *trace = trace_of (state, span.trace);
  guint32 track, row_number;
  loom_trace_locate_span (trace, span.span, &track, &row_number);
  const LoomRow *row = loom_trace_get_row (trace, row_number);
  g_autoptr (GArray) parts = list_parts (state, (LoomTrackId) { span.trace, track });
  guint at = find_part (parts, (LoomTrackId) { span.trace, track }, range_of (state, span));
  LoomSpanId next = { span.trace, span.span + (guint32) step };
  if (at != G_MAXUINT && next.span >= row->first && next.span - row->first < row->n &&
      touches (g_array_index (parts, LoomRowPart, at).range, range_of (state, next)))
    return next;
  for (guint i = at + (guint) step; at != G_MAXUINT && i < parts->len; i += (guint) step) {
    next = find_in_part (state, &g_array_index (parts, LoomRowPart, i), row, step);
    if (!loom_timeline_span_id_is_none (next))
      return next;
  }
  return LOOM_SPAN_ID_NONE;
}

static LoomSpanId
walk_up (LoomTimelineState *state, LoomSpanId span)
{
  guint32 parent = loom_trace_get_parent (trace_of (state, span.trace), span.span);
  return parent == G_MAXUINT32 ? LOOM_SPAN_ID_NONE : (LoomSpanId) { span.trace, parent };
}

static LoomSpanId
walk_down (LoomTimelineState *state, LoomSpanId span)
{
  LoomTrace *trace = trace_of (state, span.trace);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 track_number, row_number;
  loom_trace_locate_span (trace, span.span, &track_number, &row_number);
  const LoomTrack *track = loom_trace_get_track (trace, track_number);
  if (track->kind == LOOM_TRACK_INSTANTS)
    return LOOM_SPAN_ID_NONE;
  LoomRow wanted = *loom_trace_get_row (trace, row_number);
  wanted.depth++;
  const LoomRow *below = row_like (trace, track, &wanted);
  if (below == NULL)
    return LOOM_SPAN_ID_NONE;
  guint32 child = below->first + loom_trace_row_lower_bound (trace, below, spans->start_ns[span.span]);
  if (child < below->first + below->n && loom_trace_get_parent (trace, child) == span.span)
    return (LoomSpanId) { span.trace, child };
  return LOOM_SPAN_ID_NONE;
}

LoomSpanId
loom_span_navigation (LoomTimelineState *state, LoomSpanId span, LoomSpanDirection direction)
{
  g_return_val_if_fail (loom_timeline_state_get_timeline (state) != NULL, LOOM_SPAN_ID_NONE);
  switch (direction) {
  case LOOM_SPAN_DIRECTION_NEXT: return walk_sideways (state, span, 1);
  case LOOM_SPAN_DIRECTION_PREVIOUS: return walk_sideways (state, span, -1);
  case LOOM_SPAN_DIRECTION_PARENT: return walk_up (state, span);
  case LOOM_SPAN_DIRECTION_CHILD: return walk_down (state, span);
  default: g_return_val_if_reached (LOOM_SPAN_ID_NONE);
  }
}

/* Returns the first visible span in the top row of the track of a part; LOOM_SPAN_ID_NONE: no span is visible. */
static LoomSpanId
first_in_view (LoomTimelineState *state, const LoomRowPart *part)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  LoomTrace *trace = trace_of (state, part->id.trace);
  const LoomTrack *track = loom_trace_get_track (trace, part->id.track);
  guint32 first, end;
  if (track->n_rows == 0)
    return LOOM_SPAN_ID_NONE;
  loom_row_part_find_spans (part, loom_timeline_state_get_timeline (state),
                            loom_trace_get_row (trace, track->first_row), (LoomRange) { view->begin_ns, view->end_ns },
                            &first, &end);
  return first < end ? (LoomSpanId) { part->id.trace, first } : LOOM_SPAN_ID_NONE;
}

static LoomSpanId
first_in_row (LoomTimelineState *state, const LoomTimelineRow *row)
{
  LoomRowParts parts;
  LoomRowPart part;
  LoomSpanId span = LOOM_SPAN_ID_NONE;
  loom_row_parts_init (&parts, loom_timeline_get_run (loom_timeline_state_get_timeline (state)), row);
  while (loom_timeline_span_id_is_none (span) && loom_row_parts_next (&parts, &part))
    span = first_in_view (state, &part);
  return span;
}

LoomSpanId
loom_span_navigation_start (LoomTimelineState *state)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  LoomSpanId span = LOOM_SPAN_ID_NONE;
  guint first = loom_row_list_first_below (outline, loom_timeline_state_get_viewport (state)->scroll_px);
  for (guint i = first; i < loom_row_list_get_n_rows (outline) && loom_timeline_span_id_is_none (span); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (outline, i);
    if (row->kind == LOOM_ROW_SPANS || row->kind == LOOM_ROW_ASYNC)
      span = first_in_row (state, row);
  }
  return span;
}
