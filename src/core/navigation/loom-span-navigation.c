/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-span-navigation.h"

static LoomTrace *
trace_of (LoomTimelineState *state, guint32 trace)
{
  return loom_run_get_trace (loom_timeline_get_run (loom_timeline_state_get_timeline (state)), trace);
}

/* Returns the row of `track` with the depth and lane of `like`; NULL if there is none. */
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

/* A row of the timeline may contain several tracks, one after the other. Returns the nearest span in the track that
 * follows (`step` 1) or precedes (`step` −1) `track` in the same row. */
static LoomSpanId
walk_to_next_track (LoomTimelineState *state, LoomSpanId span, guint32 track, const LoomRow *like, int step)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  guint index;
  if (!loom_row_list_find_track (outline, (LoomTrackId) { span.trace, track }, &index))
    return LOOM_SPAN_ID_NONE;
  const LoomTimelineRow *shown = loom_row_list_get_row (outline, index);
  gint at = 0;
  while (at < (gint) shown->n_tracks && (shown->tracks[at].trace != span.trace || shown->tracks[at].track != track))
    at++;
  if (at == (gint) shown->n_tracks) /* a track of a detail (LoomRowDetail), which is shown within a track of its rank */
    return LOOM_SPAN_ID_NONE;
  for (gint i = at + step; i >= 0 && i < (gint) shown->n_tracks; i += step) {
    LoomTrace *trace = trace_of (state, shown->tracks[i].trace);
    const LoomRow *row = row_like (trace, loom_trace_get_track (trace, shown->tracks[i].track), like);
    if (row != NULL)
      return (LoomSpanId) { shown->tracks[i].trace, step > 0 ? row->first : row->first + row->n - 1 };
  }
  return LOOM_SPAN_ID_NONE;
}

static LoomSpanId
walk_sideways (LoomTimelineState *state, LoomSpanId span, int step)
{
  LoomTrace *trace = trace_of (state, span.trace);
  guint32 track, row_number;
  loom_trace_locate_span (trace, span.span, &track, &row_number);
  const LoomRow *row = loom_trace_get_row (trace, row_number);
  gint64 next = (gint64) span.span + step;
  if (next >= row->first && next < (gint64) row->first + row->n)
    return (LoomSpanId) { span.trace, (guint32) next };
  return walk_to_next_track (state, span, track, row, step);
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

/* Returns the first visible span in the top row of a track; LOOM_SPAN_ID_NONE: none. */
static LoomSpanId
first_in_view (LoomTimelineState *state, LoomTrackId id)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  LoomTrace *trace = trace_of (state, id.trace);
  const LoomTrack *track = loom_trace_get_track (trace, id.track);
  if (track->n_rows == 0)
    return LOOM_SPAN_ID_NONE;
  const LoomClockMap *map = loom_timeline_get_map (loom_timeline_state_get_timeline (state), id.trace, track->clock);
  const LoomRow *row = loom_trace_get_row (trace, track->first_row);
  guint32 i = loom_trace_row_first_ending_after (trace, row, loom_clock_map_to_local (map, view->begin_ns));
  if (i >= row->n ||
      loom_trace_get_spans (trace)->start_ns[row->first + i] >= loom_clock_map_to_local (map, view->end_ns))
    return LOOM_SPAN_ID_NONE;
  return (LoomSpanId) { id.trace, row->first + i };
}

LoomSpanId
loom_span_navigation_start (LoomTimelineState *state)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  guint first = loom_row_list_first_below (outline, loom_timeline_state_get_viewport (state)->scroll_px);
  for (guint i = first; i < loom_row_list_get_n_rows (outline); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (outline, i);
    gboolean has_spans = row->kind == LOOM_ROW_SPANS || row->kind == LOOM_ROW_ASYNC;
    for (guint k = 0; has_spans && k < row->n_tracks; k++) {
      LoomSpanId span = first_in_view (state, row->tracks[k]);
      if (!loom_timeline_span_id_is_none (span))
        return span;
    }
  }
  return LOOM_SPAN_ID_NONE;
}
