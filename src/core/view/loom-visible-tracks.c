/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-visible-tracks.h"

GArray *
loom_visible_tracks (LoomTimelineState *state, gboolean derived)
{
  if (loom_timeline_state_shows_all (state))
    return NULL;
  LoomRun *run = loom_timeline_get_run (loom_timeline_state_get_timeline (state));
  GArray *tracks = g_array_new (TRUE, FALSE, sizeof (LoomTrackId));
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_run_get_trace (run, i);
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++) {
      LoomTrackId id = { i, k };
      if ((derived || !(loom_trace_get_track (trace, k)->flags & LOOM_TRACK_DERIVED)) &&
          loom_timeline_state_shows_track (state, id))
        g_array_append_val (tracks, id);
    }
  }
  return tracks;
}
