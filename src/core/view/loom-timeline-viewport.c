/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-timeline-viewport.h"

void
loom_timeline_viewport_init (LoomTimelineViewport *self)
{
  *self = (LoomTimelineViewport) { .extent = { 0, LOOM_NS_PER_S }, .fitted = TRUE };
  loom_viewport_init (&self->viewport, self->extent, 1, 1);
}

void
loom_timeline_viewport_set_extent (LoomTimelineViewport *self, LoomTimeline *timeline, const LoomRange *extent)
{
  if (extent != NULL)
    self->extent = *extent;
  else if (timeline == NULL || !loom_timeline_get_extent (timeline, &self->extent))
    self->extent = (LoomRange) { 0, LOOM_NS_PER_S };
  gboolean inside = self->viewport.end_ns > self->extent.begin_ns && self->viewport.begin_ns < self->extent.end_ns;
  if (self->fitted || !inside) {
    loom_viewport_fit (&self->viewport, self->extent);
    self->fitted = TRUE;
  }
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
  if (self->fitted)
    loom_viewport_fit (&self->viewport, self->extent);
}
