/* SPDX-License-Identifier: Apache-2.0
 *
 * The strip of the whole run: its window can be dragged, its edges too; a click elsewhere jumps there.
 */
#pragma once

#include "loom-timeline-area.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_OVERVIEW_BAR (loom_overview_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomOverviewBar, loom_overview_bar, LOOM, OVERVIEW_BAR, LoomTimelineArea)

/* What is shown and what moves it; the scene is kept alive by a reference, the animator is not. Once, before it is used. */
void loom_overview_bar_set_scene (LoomOverviewBar *self, LoomRenderContext *scene, LoomViewAnimator *flight);
