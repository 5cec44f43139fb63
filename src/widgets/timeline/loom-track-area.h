/* SPDX-License-Identifier: Apache-2.0
 *
 * The track area: spans, plots and overlays, with all functions of the pointer.
 *
 * Click: selects; Ctrl+click adds. Double click: zooms to the span; with Shift it selects all spans of that name in the
 * row. Drag: depending on the mode selects a range, pans or zooms. The edges of a range can be dragged and snap to
 * edges of spans, except with Ctrl or Alt. In the select mode Ctrl+drag draws a box and adds the spans in it.
 * Space+drag and right drag pan, Alt+drag moves a source against the others, Shift+drag and middle drag zoom to a
 * range. Wheel: scrolls; with Ctrl or Alt it zooms at the pointer, with Shift it pans. Pinch: zooms.
 *
 * Signals: "hover" when another object is under the pointer, see loom_track_area_get_hit(); "row-menu" (char *key,
 * double x, double y); "clock-moved" (guint clock, gint64 by_ns, gboolean begins) for each movement of a dragged
 * source; "mark-activated" (gint64 time_ns) on a double click on a mark.
 */
#pragma once

#include "loom-drag-mode.h"
#include "loom-timeline-area.h"
#include "loom-view-animator.h"
#include "loom-visible-spans.h"

#define LOOM_TYPE_TRACK_AREA (loom_track_area_get_type ())
G_DECLARE_FINAL_TYPE (LoomTrackArea, loom_track_area, LOOM, TRACK_AREA, LoomTimelineArea)

/* Sets the scene that the widget shows (takes a reference), and the animator that moves the view (borrowed). Call it
 * once, before use. */
void loom_track_area_set_scene (LoomTrackArea *self, LoomRenderContext *scene, LoomViewAnimator *flight);

/* Sets `hit` to the item under the pointer, and x and y to the position of the pointer. Returns FALSE if the pointer
 * is outside or over nothing. */
gboolean loom_track_area_get_hit (LoomTrackArea *self, LoomDrawHit *hit, double *x, double *y);

/* Returns the span that a click at this point of the area would select: the span at the point or near it; in a lane
 * with many spans, the one that fills most of the time there. LOOM_SPAN_ID_NONE: none. */
LoomSpanId loom_track_area_span_at (LoomTrackArea *self, double x, double y);

/* Treats the pointer as outside until it moves. Call it when the user has used another widget or the keyboard. */
void loom_track_area_leave (LoomTrackArea *self);

/* Sets `range` to the range that the user drags. Returns FALSE if there is none. */
gboolean loom_track_area_get_drag (LoomTrackArea *self, LoomRange *range);

/* Sets `box` to the box that the user drags. Returns FALSE if there is none. */
gboolean loom_track_area_get_box (LoomTrackArea *self, LoomVisibleBox *box);
/* Cancels the box that the user drags; the selection is not changed. Returns FALSE if the user drags none. */
gboolean loom_track_area_drop_box (LoomTrackArea *self);

/* These functions set what a drag without modifiers does. While `hand` is TRUE, such a drag pans, whatever the mode
 * is. */
void loom_track_area_set_mode (LoomTrackArea *self, LoomDragMode mode);
void loom_track_area_set_hand (LoomTrackArea *self, gboolean hand);
