/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-timeline-viewport.h"

void
loom_timeline_viewport_init (LoomTimelineViewport *self)
{
  *self = (LoomTimelineViewport) { .extent = { 0, LOOM_NS_PER_S }, .fitted = TRUE, .unmoved = TRUE };
  loom_viewport_init (&self->viewport, self->extent, 1, 1);
}

/* Extends `range` so that it contains all device tracks of the trace that belong to a rank, and adds these ranks to
 * `ranks`. */
static void
add_devices (LoomTimeline *timeline, guint number, LoomRange *range, GHashTable *ranks)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), number);
  for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++) {
    const LoomTrack *track = loom_trace_get_track (trace, i);
    if (track->kind != LOOM_TRACK_SPANS || (track->flags & LOOM_TRACK_DEVICE) == 0 || track->rank < 0 ||
        track->start_ns == LOOM_TIME_NONE)
      continue;
    const LoomClockMap *map = loom_timeline_get_map (timeline, number, track->clock);
    range->begin_ns = MIN (range->begin_ns, loom_clock_map_to_timeline (map, track->start_ns));
    range->end_ns = MAX (range->end_ns, loom_clock_map_to_timeline (map, track->end_ns));
    g_hash_table_add (ranks, GINT_TO_POINTER (track->rank + 1));
  }
}

/* Returns the range to show when the run is opened. This is the whole extent, except for a run with several ranks,
 * whose folded lanes show only the work of devices: if this work covers less than half of the extent, its range is
 * returned, because the rest has only metrics and would leave the lanes nearly empty. */
static LoomRange
find_first (const LoomTimelineViewport *self, LoomTimeline *timeline)
{
  LoomRange work = { G_MAXINT64, G_MININT64 };
  g_autoptr (GHashTable) ranks = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < loom_run_get_n_traces (loom_timeline_get_run (timeline)); i++)
    add_devices (timeline, i, &work, ranks);
  gboolean is_short = g_hash_table_size (ranks) > 1 && loom_time_sub (work.end_ns, work.begin_ns) <
                                                         loom_time_sub (self->extent.end_ns, self->extent.begin_ns) / 2;
  return is_short ? work : self->extent;
}

static void
show_first (LoomTimelineViewport *self)
{
  loom_viewport_fit_range (&self->viewport, self->extent, self->first, LOOM_VIEWPORT_FIT_MARGIN);
  self->unmoved = TRUE;
  self->fitted = self->first.begin_ns == self->extent.begin_ns && self->first.end_ns == self->extent.end_ns;
}

void
loom_timeline_viewport_set_extent (LoomTimelineViewport *self, LoomTimeline *timeline, const LoomRange *extent)
{
  if (extent != NULL)
    self->extent = *extent;
  else if (timeline == NULL || !loom_timeline_get_extent (timeline, &self->extent))
    self->extent = (LoomRange) { 0, LOOM_NS_PER_S };
  self->first = extent == NULL && timeline != NULL ? find_first (self, timeline) : self->extent;
  gboolean inside = self->viewport.end_ns > self->extent.begin_ns && self->viewport.begin_ns < self->extent.end_ns;
  if (self->unmoved || !inside)
    show_first (self);
  else if (self->fitted)
    loom_viewport_fit (&self->viewport, self->extent);
}

void
loom_timeline_viewport_clamp_scroll (LoomTimelineViewport *self, const LoomRowList *rows)
{
  loom_viewport_scroll (&self->viewport, loom_row_list_get_height (rows), loom_row_list_get_pinned_height (rows), 0);
}

LoomViewport
loom_timeline_viewport_get_fitted (const LoomTimelineViewport *self)
{
  LoomViewport all = self->viewport;
  loom_viewport_fit (&all, self->extent);
  return all;
}

gboolean
loom_timeline_viewport_move (LoomTimelineViewport *self, const LoomRowList *rows, const LoomViewport *viewport)
{
  LoomViewport old = self->viewport;
  self->viewport = *viewport;
  self->viewport.width_px = old.width_px;
  self->viewport.height_px = old.height_px;
  loom_timeline_viewport_clamp_scroll (self, rows);
  if (loom_viewport_equal (&old, &self->viewport))
    return FALSE;
  self->n_moves++;
  LoomViewport all = loom_timeline_viewport_get_fitted (self);
  self->fitted = self->viewport.begin_ns == all.begin_ns && self->viewport.end_ns == all.end_ns;
  self->unmoved &= self->viewport.begin_ns == old.begin_ns && self->viewport.end_ns == old.end_ns;
  return TRUE;
}

void
loom_timeline_viewport_resize (LoomTimelineViewport *self, double width_px, double height_px)
{
  if (self->has_size)
    loom_viewport_resize (&self->viewport, self->extent, width_px, height_px);
  /* when the size is set for the first time, the time range of the view does not change */
  self->viewport.width_px = width_px;
  self->viewport.height_px = height_px;
  self->has_size = TRUE;
  if (self->unmoved)
    show_first (self);
  else if (self->fitted)
    loom_viewport_fit (&self->viewport, self->extent);
}
