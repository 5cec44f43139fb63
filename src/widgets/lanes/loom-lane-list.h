/* SPDX-License-Identifier: Apache-2.0
 *
 * The lanes of results above the rows of the timeline, one below the other; hidden while there are none.
 */
#pragma once

#include "loom-query-lanes.h"
#include "loom-timeline-view.h"

/* Adds the list of lanes to the view. The list follows changes of the lanes as long as the view exists. */
void loom_lane_list_attach (LoomTimelineView *view, LoomQueryLanes *lanes);
