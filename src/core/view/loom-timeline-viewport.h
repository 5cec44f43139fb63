/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/core: the viewport of the timeline. It stays inside the extent, the range of time that can be shown.
 * Each LoomTimelineState owns a LoomTimelineViewport, which no other code changes. Times are in ns on the timeline,
 * sizes in px. Called on the main thread; each call is O(1) unless its comment says otherwise.
 */
#pragma once

#include "loom-row-list.h"
#include "loom-viewport.h"

typedef struct {
  LoomRange extent;
  LoomViewport viewport;
  /* range shown when the run is opened: the extent, or the part of the extent that has work (see find_first()) */
  LoomRange first;
  /* `fitted`: TRUE while the view shows the whole extent. `unmoved`: TRUE until the view is moved from `first`, the
   * range that it shows at the beginning, to another range. `has_size`: TRUE after the size was set for the first
   * time. */
  gboolean fitted, unmoved, has_size;
  guint n_moves; /* number of calls of loom_timeline_viewport_move() that changed the viewport; wraps around */
} LoomTimelineViewport;

void loom_timeline_viewport_init (LoomTimelineViewport *self);

/* Sets the extent, and sets self->first to the range to show when the run is opened. If `extent` is NULL, the extent is
 * the range that the timeline covers; if the timeline is NULL or empty, it is one second from 0. Then changes the range
 * that the view shows: to self->first, if the view has not been moved, or is completely outside of the new extent;
 * otherwise to the whole new extent, if the view showed the whole old extent. In all other cases, the view shows the
 * same range as before. O(tracks). */
void loom_timeline_viewport_set_extent (LoomTimelineViewport *self, LoomTimeline *timeline, const LoomRange *extent);

/* Moves the view to the time range and the scroll position of `viewport`; the size of the view does not change. Limits
 * scrolling to the rows. Returns FALSE if nothing changed. */
gboolean loom_timeline_viewport_move (LoomTimelineViewport *self, const LoomRowList *rows,
                                      const LoomViewport *viewport);
/* Sets the size of the view. A view that shows the whole extent, or the range self->first, also shows it after the
 * change. */
void loom_timeline_viewport_resize (LoomTimelineViewport *self, double width_px, double height_px);
/* Limits the scroll position, so that the view does not scroll beyond the last row. */
void loom_timeline_viewport_clamp_scroll (LoomTimelineViewport *self, const LoomRowList *rows);

/* Returns a viewport of the same size that shows the whole extent. */
LoomViewport loom_timeline_viewport_get_fitted (const LoomTimelineViewport *self);
