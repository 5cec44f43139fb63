/* SPDX-License-Identifier: Apache-2.0
 *
 * The bars or the line of one lane. Dragging moves the view, a click on a bar selects its span or range, and the tooltip
 * says what is under the pointer.
 */
#pragma once

#include "loom-timeline-area.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_LANE_AREA (loom_lane_area_get_type ())
G_DECLARE_FINAL_TYPE (LoomLaneArea, loom_lane_area, LOOM, LANE_AREA, LoomTimelineArea)

/* Call it once, before use; takes a reference to the scene, the animator is borrowed. */
void loom_lane_area_set_scene (LoomLaneArea *self, LoomRenderContext *scene, LoomViewAnimator *flight);
/* Takes a reference to the lane; NULL: none. `color`: number of its colour. */
void loom_lane_area_set_lane (LoomLaneArea *self, const LoomResultLane *lane, guint color);
