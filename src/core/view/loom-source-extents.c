/* SPDX-License-Identifier: Apache-2.0
 *
 * Searches the rows and traces of the timeline for given sources (loom-source-extents.h).
 */
#include "loom-source-extents.h"

static gboolean
is_wanted (const guint *sources, guint n, guint source)
{
  for (guint i = 0; i < n; i++)
    if (sources[i] == source)
      return TRUE;
  return FALSE;
}

const char *
loom_source_extents_find_row (LoomRowList *outline, const guint *sources, guint n)
{
  LoomRun *run = loom_timeline_get_run (loom_row_list_get_timeline (outline));
  for (guint i = loom_row_list_get_n_pinned (outline); i < loom_row_list_get_n_rows (outline); i++) {
    const LoomTimelineRow *row = loom_row_list_get_row (outline, i);
    for (guint k = 0; k < row->n_tracks; k++) {
      const LoomTrack *track =
        loom_trace_get_track (loom_run_get_trace (run, row->tracks[k].trace), row->tracks[k].track);
      if (is_wanted (sources, n, loom_run_get_first_source (run, row->tracks[k].trace) + track->source))
        return row->key;
    }
  }
  return NULL;
}

gboolean
loom_source_extents_get_extent (LoomTimeline *timeline, const guint *sources, guint n, LoomRange *extent)
{
  LoomRun *run = loom_timeline_get_run (timeline);
  *extent = (LoomRange) { G_MAXINT64, G_MININT64 };
  for (guint i = 0; i < n; i++) {
    const LoomSource *source = loom_run_get_source (run, sources[i]);
    const LoomClockFit *fit =
      loom_alignment_get (loom_timeline_get_alignment (timeline), loom_run_get_clock_of_source (run, sources[i]));
    if (source->start_ns == LOOM_TIME_NONE)
      continue;
    extent->begin_ns = MIN (extent->begin_ns, loom_clock_map_to_timeline (&fit->map, source->start_ns));
    extent->end_ns = MAX (extent->end_ns, loom_clock_map_to_timeline (&fit->map, source->end_ns));
  }
  return extent->end_ns >= extent->begin_ns;
}
