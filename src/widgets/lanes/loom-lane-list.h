/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows the list of lanes above the rows of the timeline. Each lane shows the result of a query. The list is hidden
 * while there are no lanes.
 */
#pragma once

#include "loom-query-lanes.h"
#include "loom-timeline-view.h"

/* Adds the list of lanes to the view. When the lanes change, the list is updated, as long as the view exists. */
void loom_lane_list_attach (LoomTimelineView *view, LoomQueryLanes *lanes);
