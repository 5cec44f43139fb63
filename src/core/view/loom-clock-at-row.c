/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the clock that belongs to the tracks of a row of the timeline (loom-clock-at-row.h).
 */
#include "loom-clock-at-row.h"

static guint
clock_of_row (LoomTimelineState *state, guint number)
{
  LoomRowList *outline = loom_timeline_state_get_row_list (state);
  LoomTimeline *timeline = loom_timeline_state_get_timeline (state);
  guint clock = G_MAXUINT;
  if (timeline == NULL || number >= loom_row_list_get_n_rows (outline))
    return G_MAXUINT;
  LoomRun *run = loom_timeline_get_run (timeline);
  const LoomTimelineRow *row = loom_row_list_get_row (outline, number);
  for (guint i = 0; i < row->n_tracks; i++) {
    guint32 trace = row->tracks[i].trace;
    guint own = loom_run_get_first_clock (run, trace) +
                loom_trace_get_track (loom_run_get_trace (run, trace), row->tracks[i].track)->clock;
    if (clock != G_MAXUINT && own != clock)
      return G_MAXUINT;
    clock = own;
  }
  return clock;
}

guint
loom_clock_at_row_at (LoomTimelineState *state, double y)
{
  return clock_of_row (state, loom_row_list_row_at (loom_timeline_state_get_row_list (state), y,
                                                    loom_timeline_state_get_viewport (state)->scroll_px));
}

guint
loom_clock_at_row_chosen (LoomTimelineState *state)
{
  LoomTimeline *timeline = loom_timeline_state_get_timeline (state);
  LoomSpanId lead = loom_timeline_state_get_lead (state);
  if (timeline != NULL && !loom_timeline_span_id_is_none (lead))
    return loom_timeline_get_clock (timeline, lead);
  return clock_of_row (state, loom_timeline_state_get_pointer (state)->row);
}
