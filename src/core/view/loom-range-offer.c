/* SPDX-License-Identifier: Apache-2.0
 *
 * Estimates how many events of a trace a time range contains, and finds the rows that say that events could not be read
 * (loom-range-offer.h).
 */
#include "loom-range-offer.h"

gboolean
loom_range_offer_is_short (const LoomTrace *trace, gint64 range_ns)
{
  const LoomSource *source = loom_trace_get_source (trace, 0);
  if (!loom_trace_is_index (trace) || source->start_ns == LOOM_TIME_NONE || range_ns <= 0)
    return FALSE;
  double share = (double) range_ns / (double) MAX (loom_time_sub (source->end_ns, source->start_ns), 1);
  return (double) source->n_events * MIN (share, 1) <= LOOM_RANGE_OFFER_EVENTS;
}

static gboolean
is_offered (LoomRowList *rows, const LoomTimelineRow *row)
{
  const LoomTimelineRow *group = row->sticky != G_MAXUINT ? loom_row_list_get_row (rows, row->sticky) : row;
  return row->kind == LOOM_ROW_SPANS && row->rank >= 0 && group->note.is_error;
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
    if (!is_offered (rows, track))
      continue;
    *row = track->sticky != G_MAXUINT ? track->sticky : i;
    return track->rank;
  }
  return -1;
}
