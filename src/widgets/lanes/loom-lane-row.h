/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget that shows one lane of the timeline: a header with the name of the lane, and the result of its query or, if
 * there is no result, the reason. The menu of the header renames the lane, runs its query again, and removes the lane.
 */
#pragma once

#include "loom-query-lanes.h"
#include "loom-timeline-view.h"

#define LOOM_TYPE_LANE_ROW (loom_lane_row_get_type ())
G_DECLARE_FINAL_TYPE (LoomLaneRow, loom_lane_row, LOOM, LANE_ROW, GtkWidget)

/* Makes a row that shows the lane with this index, aligned with the tracks of the view. Takes a reference to `lanes`.
 * The view must live longer than the row. */
GtkWidget *loom_lane_row_new (LoomQueryLanes *lanes, guint lane, LoomTimelineView *view);
/* Updates all parts of the row after its lane has changed. */
void loom_lane_row_update (LoomLaneRow *self);
