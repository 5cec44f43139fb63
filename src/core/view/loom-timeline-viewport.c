/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-timeline-viewport.h: limits the view to the extent, and chooses the range to show first.
 */
#include "loom-timeline-viewport.h"

#include "loom-timeline-coverage.h"

#define LEAST_SHARE 20

void
loom_timeline_viewport_init (LoomTimelineViewport *self)
{
  *self = (LoomTimelineViewport) { .extent = { 0, LOOM_NS_PER_S }, .fitted = TRUE, .unmoved = TRUE };
  loom_viewport_init (&self->viewport, self->extent, 1, 1);
}

static gint64
length_of (LoomRange range)
{
  return loom_time_sub (range.end_ns, range.begin_ns);
}

/* Returns the range to show when the run is opened. This is the range of work, if it is shorter than half of the
 * extent: the rest of the extent would leave the lanes nearly empty, because it has only metrics, instants, or the
 * start of the program. Otherwise it is the whole extent. If the run is shown as folded lanes of the work of ranks or
 * devices, the range of work is that of the spans on devices; in other runs, it is that of all spans. If a run has
 * devices but no ranks, and the devices work for less than 1/LEAST_SHARE of the extent, the range of work is also that
 * of all spans, because what matters in such a run is the work of its hosts. */
static LoomRange
find_first (const LoomTimelineViewport *self, LoomTimeline *timeline)
{
  const LoomTimelineCoverage *coverage = loom_timeline_coverage_get (timeline);
  gint64 half = length_of (self->extent) / 2;
  gboolean has_lanes = coverage->has_lanes &&
                       (coverage->has_ranks || length_of (coverage->devices) >= length_of (self->extent) / LEAST_SHARE);
  LoomRange work = has_lanes ? coverage->devices : coverage->spans;
  return work.begin_ns < work.end_ns && length_of (work) < half ? work : self->extent;
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
  /* set the first size without changing the time range of the view */
  self->viewport.width_px = width_px;
  self->viewport.height_px = height_px;
  self->has_size = TRUE;
  if (self->unmoved)
    show_first (self);
  else if (self->fitted)
    loom_viewport_fit (&self->viewport, self->extent);
}
