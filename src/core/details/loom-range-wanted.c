/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-range-wanted.h: examines the visible rows, and chooses the range to read for each rank.
 */
#include "loom-range-wanted.h"

#include "loom-range-details.h"
#include "loom-range-offer.h"

#define WHOLE_EVENTS 50000 /* a trace with at most this many events is read completely */

/* Returns the range to read for a view. For a trace with few events, it is the whole trace. For another trace, it is
 * the view, extended on each side by half of its length, so that the user can pan a little before more must be read.
 * If this longer range contains too many events, it is only the view. */
static LoomRange
widen (LoomTimeline *timeline, guint number, LoomRange view)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), number);
  gint64 half_ns = loom_time_sub (view.end_ns, view.begin_ns) / 2;
  LoomRange wide = { loom_time_sub (view.begin_ns, half_ns), loom_time_add (view.end_ns, half_ns) }, own;
  if (loom_trace_get_source (trace, 0)->n_events <= WHOLE_EVENTS && loom_trace_get_extent (trace, 0, &own)) {
    const LoomClockMap *map = loom_timeline_get_map (timeline, number, 0);
    own = (LoomRange) { loom_clock_map_to_timeline (map, own.begin_ns), loom_clock_map_to_timeline (map, own.end_ns) };
    return (LoomRange) { MIN (own.begin_ns, view.begin_ns), MAX (own.end_ns, view.end_ns) };
  }
  return loom_range_offer_is_short (trace, loom_time_sub (wide.end_ns, wide.begin_ns)) ? wide : view;
}

const LoomRangeWanted *
loom_range_wanted_find (const GArray *wanted, guint trace)
{
  for (guint i = 0; i < wanted->len; i++)
    if (g_array_index (wanted, LoomRangeWanted, i).trace == trace)
      return &g_array_index (wanted, LoomRangeWanted, i);
  return NULL;
}

static void
add_wanted (LoomTimeline *timeline, GArray *wanted, const LoomTimelineRow *row, LoomRange view)
{
  for (guint i = 0; i < row->n_tracks && wanted->len < LOOM_RANGE_DETAILS_MOST_RANKS; i++) {
    guint number = row->tracks[i].trace;
    const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), number);
    if (loom_range_wanted_find (wanted, number) != NULL || loom_trace_get_n_sources (trace) != 1 ||
        loom_trace_get_n_clocks (trace) != 1 ||
        !loom_range_offer_is_short (trace, loom_time_sub (view.end_ns, view.begin_ns)))
      continue;
    LoomRangeWanted found = { number, widen (timeline, number, view) };
    g_array_append_val (wanted, found);
  }
}

GArray *
loom_range_wanted_list (LoomTimelineState *state, LoomTimeline *timeline)
{
  GArray *wanted = g_array_new (FALSE, FALSE, sizeof (LoomRangeWanted));
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  LoomRowList *rows = loom_timeline_state_get_row_list (state);
  double top = view->scroll_px - loom_row_list_get_pinned_height (rows),
         begin = top + loom_row_list_get_cover (rows, view->scroll_px);
  guint n = loom_row_list_get_n_rows (rows), n_pinned = loom_row_list_get_n_pinned (rows),
        first = loom_row_list_first_below (rows, begin);
  for (guint i = n_pinned > 0 ? 0 : first; i < n; i = i + 1 == n_pinned ? MAX (first, n_pinned) : i + 1) {
    const LoomTimelineRow *row = loom_row_list_get_row (rows, i);
    if (i >= n_pinned && row->y >= top + view->height_px)
      break;
    if (row->kind == LOOM_ROW_SPANS || row->kind == LOOM_ROW_ASYNC)
      add_wanted (timeline, wanted, row, (LoomRange) { view->begin_ns, view->end_ns });
  }
  return wanted;
}
