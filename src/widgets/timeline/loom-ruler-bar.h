/* SPDX-License-Identifier: Apache-2.0
 *
 * The ruler with the corner beside it. A click changes what it reads: since start, UTC, local time, step; dragging
 * moves the view. While the pointer is over it, all counters in view say their values at that instant. A double click on the flag of a mark is for the mark: signal "mark-activated" (gint64 time_ns).
 */
#pragma once

#include "loom-timeline-area.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_RULER_BAR (loom_ruler_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomRulerBar, loom_ruler_bar, LOOM, RULER_BAR, LoomTimelineArea)

/* What is shown and what moves it; the scene is kept alive by a reference, the animator is not. Once, before it is used. */
void loom_ruler_bar_set_scene (LoomRulerBar *self, LoomRenderContext *scene, LoomViewAnimator *flight);

/* The width of the corner: that of the header column. */
void loom_ruler_bar_set_corner (LoomRulerBar *self, int width_px);
