/* SPDX-License-Identifier: Apache-2.0
 *
 * The track area: spans, plots, what lies on top of them, and everything a pointer can do there. Click selects (Ctrl
 * adds), double click zooms to the span, with Shift it selects all of that name on the row; drag does what the mode says:
 * it selects a range whose edges can be dragged again (edges of spans attract it, with Ctrl or, on an edge, Alt they do
 * not), pans, or zooms. Where it selects, Ctrl from the start draws a box and adds the spans in it. With Space it always pans; Alt+drag moves a source against the others, Shift+drag and middle drag
 * zoom to a range, right drag pans; wheel scrolls, with Ctrl or Alt it zooms at the pointer, with Shift it pans; pinch
 * zooms.
 *
 * Signals: "hover" when what is under the pointer changed: loom_track_area_get_hit() tells; "row-menu" (char *key, double
 * x, double y); "clock-moved" (guint clock, gint64 by_ns, gboolean begins) as a source is dragged, bit by bit;
 * "mark-activated" (gint64 time_ns) on a double click on a mark.
 */
#pragma once

#include "loom-drag-mode.h"
#include "loom-timeline-area.h"
#include "loom-view-animator.h"
#include "loom-visible-spans.h"

#define LOOM_TYPE_TRACK_AREA (loom_track_area_get_type ())
G_DECLARE_FINAL_TYPE (LoomTrackArea, loom_track_area, LOOM, TRACK_AREA, LoomTimelineArea)

/* What is shown and what moves it; the scene is kept alive by a reference, the animator is not. Once, before it is used. */
void loom_track_area_set_scene (LoomTrackArea *self, LoomRenderContext *scene, LoomViewAnimator *flight);

/* What is under the pointer and where that is; FALSE when the pointer is away or nothing is there. */
gboolean loom_track_area_get_hit (LoomTrackArea *self, LoomDrawHit *hit, double *x, double *y);

/* As if the pointer were away, until it moves: something else was pointed at. */
void loom_track_area_leave (LoomTrackArea *self);

/* The range being dragged right now; FALSE when none is. */
gboolean loom_track_area_get_drag (LoomTrackArea *self, LoomRange *range);

/* The box being drawn right now; FALSE when none is. */
gboolean loom_track_area_get_box (LoomTrackArea *self, LoomVisibleBox *box);
/* It is given up, nothing is selected; FALSE when there was none. */
gboolean loom_track_area_drop_box (LoomTrackArea *self);

/* What a plain drag does; with `hand` it pans, whatever the mode. */
void loom_track_area_set_mode (LoomTrackArea *self, LoomDragMode mode);
void loom_track_area_set_hand (LoomTrackArea *self, gboolean hand);
