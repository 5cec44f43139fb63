/* SPDX-License-Identifier: Apache-2.0
 *
 * The bar above the timeline that shows the whole run. The user can drag the visible range and its edges; a click
 * outside the visible range moves this range to the clicked time. In a plain bar (loom_overview_bar_set_plain()), the
 * user can drag over a range to select it.
 */
#pragma once

#include "loom-timeline-area.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_OVERVIEW_BAR (loom_overview_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomOverviewBar, loom_overview_bar, LOOM, OVERVIEW_BAR, LoomTimelineArea)

/* Sets the scene that the widget shows, and takes a reference to it. Sets the animator that moves the view (borrowed).
 * Must be called once, before use. */
void loom_overview_bar_set_scene (LoomOverviewBar *self, LoomRenderContext *scene, LoomViewAnimator *flight);
/* Sets how the bar marks the range that the timeline shows. FALSE (at first): by a window with handles; the run outside
 * the window is shaded. TRUE: only by a faint line along the lower edge, for pages whose results do not depend on the
 * visible range. */
void loom_overview_bar_set_plain (LoomOverviewBar *self, gboolean is_plain);
/* Sets the range that the results below the bar cover. Empty (at first): the results cover the whole run, and the range
 * is not marked. Otherwise, the bar outlines the range, and shades the rest of the run. In addition, it marks the range
 * that the timeline shows by a window with handles; if both ranges are equal, the window is drawn without the outline.
 * A plain bar (loom_overview_bar_set_plain()) has no window: if it has an outline, it does not mark the range that the
 * timeline shows. */
void loom_overview_bar_set_analyzed (LoomOverviewBar *self, LoomRange range);
LoomRange loom_overview_bar_get_analyzed (LoomOverviewBar *self);
