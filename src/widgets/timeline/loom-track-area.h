/* SPDX-License-Identifier: Apache-2.0
 *
 * The track area: draws spans, plots and overlays, and handles the pointer.
 *
 * Click                               selects a span; with Ctrl, adds it to the selection
 * Double click                        zooms to a span; with Shift, selects all spans with the same name in the row
 * Drag                                selects a range, pans or zooms, depending on the mode
 *   at a range's edge                 moves the edge, which snaps to edges of spans, except with Ctrl or Alt
 *   with Ctrl                         in the select mode, draws a box and adds the spans in it to the selection
 *   with Space or the right button    pans
 *   with Alt                          moves the clock of the tracks, and so their times in relation to other clocks
 *   with Shift or the middle button   zooms to the dragged range
 * Wheel                               scrolls; with Ctrl or Alt, zooms at the pointer; with Shift, pans
 * Pinch                               zooms
 *
 * Signals:
 *   "hover"                                                     when another item is under the pointer, see
 *                                                               loom_track_area_get_hit()
 *   "row-menu" (char *key, double x, double y)                  to show the menu of a row
 *   "clock-moved" (guint clock, gint64 by_ns, gboolean begins)  for each movement of a dragged clock
 *   "mark-activated" (gint64 time_ns)                           on a double click on a mark
 */
#pragma once

#include "loom-drag-mode.h"
#include "loom-timeline-area.h"
#include "loom-view-animator.h"
#include "loom-visible-spans.h"

#define LOOM_TYPE_TRACK_AREA (loom_track_area_get_type ())
G_DECLARE_FINAL_TYPE (LoomTrackArea, loom_track_area, LOOM, TRACK_AREA, LoomTimelineArea)

/* Sets the scene that the widget shows, and takes a reference to it. Sets the animator that moves the view (borrowed).
 * Must be called once, before use. */
void loom_track_area_set_scene (LoomTrackArea *self, LoomRenderContext *scene, LoomViewAnimator *flight);

/* Sets `hit` to the item under the pointer, and x and y to the position of the pointer. Returns FALSE if the pointer is
 * outside of the area, or not over an item. */
gboolean loom_track_area_get_hit (LoomTrackArea *self, LoomDrawHit *hit, double *x, double *y);

/* Returns the span that a click at this point of the area would select: the span at the point or near it; in a lane
 * with many spans, the span that fills most of the time at the point. LOOM_SPAN_ID_NONE if the click would select no
 * span. */
LoomSpanId loom_track_area_span_at (LoomTrackArea *self, double x, double y);

/* Treats the pointer as outside of the area until it moves. To be called when the user has used another widget or the
 * keyboard. */
void loom_track_area_leave (LoomTrackArea *self);

/* Sets `range` to the range that the user drags. Returns FALSE if the user drags no range. */
gboolean loom_track_area_get_drag (LoomTrackArea *self, LoomRange *range);

/* Sets `box` to the box that the user drags. Returns FALSE if the user drags no box. */
gboolean loom_track_area_get_box (LoomTrackArea *self, LoomVisibleBox *box);
/* Cancels the box that the user drags; the selection is not changed. Returns FALSE if the user drags no box. */
gboolean loom_track_area_drop_box (LoomTrackArea *self);

/* These functions set what dragging without modifier keys does. If `hand` is TRUE, dragging pans in every mode;
 * otherwise, what it does depends on `mode`. */
void loom_track_area_set_mode (LoomTrackArea *self, LoomDragMode mode);
void loom_track_area_set_hand (LoomTrackArea *self, gboolean hand);
