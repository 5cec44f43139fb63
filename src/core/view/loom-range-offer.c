/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-range-offer.h"

/* Minimum length of the trace, as a multiple of the length of the view. A view of more than half of the trace is an
 * overview, for which the summary in the index is enough. */
#define LEAST_ZOOM 2.0

static gboolean
is_short (const LoomSource *source, gint64 view_ns)
{
  if (source->start_ns == LOOM_TIME_NONE || view_ns <= 0)
    return FALSE;
  double zoom = (double) loom_time_sub (source->end_ns, source->start_ns) / (double) view_ns;
  return zoom >= LEAST_ZOOM && (double) source->n_events / zoom <= LOOM_RANGE_OFFER_EVENTS;
}

static gboolean
is_offered (LoomTimelineState *state, const LoomTimelineRow *row)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  if (row->kind != LOOM_ROW_SPANS || row->rank < 0 || row->n_tracks == 0)
    return FALSE;
  LoomRun *run = loom_timeline_get_run (loom_timeline_state_get_timeline (state));
  const LoomTrace *trace = loom_run_get_trace (run, row->tracks[0].trace);
  return loom_trace_is_index (trace) &&
         is_short (loom_trace_get_source (trace, 0), loom_time_sub (view->end_ns, view->begin_ns));
}

gint
loom_range_offer_find_rank (LoomTimelineState *state, guint *row)
{
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  if (loom_timeline_state_get_timeline (state) == NULL)
    return -1;
  double top = view->scroll_px - loom_row_list_get_pinned_height (rows), end = top + view->height_px,
         begin = top + loom_row_list_get_cover (rows, view->scroll_px);
  for (guint i = loom_row_list_first_below (rows, begin); i < loom_row_list_get_n_rows (rows); i++) {
    const LoomTimelineRow *track = loom_row_list_get_row (rows, i);
    if (track->y >= end)
      break;
    if (!is_offered (state, track))
      continue;
    *row = track->sticky != G_MAXUINT ? track->sticky : i;
    return track->rank;
  }
  return -1;
}
