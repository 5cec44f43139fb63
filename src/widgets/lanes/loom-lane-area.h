/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws one lane of the timeline, which shows the result of a query as bars or as a line. Dragging moves the view, a
 * click on a bar selects its span or range, and the tooltip describes the bar or value under the pointer.
 */
#pragma once

#include "loom-timeline-area.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_LANE_AREA (loom_lane_area_get_type ())
G_DECLARE_FINAL_TYPE (LoomLaneArea, loom_lane_area, LOOM, LANE_AREA, LoomTimelineArea)

/* Sets the scene, which provides colours and font, and takes a reference to it. Sets the animator that moves the view
 * (borrowed). Must be called once, before use. */
void loom_lane_area_set_scene (LoomLaneArea *self, LoomRenderContext *scene, LoomViewAnimator *flight);
/* Sets the lane to draw, and takes a reference to it. If `lane` is NULL, nothing is drawn. `color`: number of the
 * lane's colour, from loom_query_lanes_get_color(). */
void loom_lane_area_set_lane (LoomLaneArea *self, const LoomResultLane *lane, guint color);
