/* SPDX-License-Identifier: Apache-2.0
 *
 * The ruler above the tracks. Dragging moves the view. While the pointer is over the ruler, all visible counters show
 * their values at the time under the pointer. A double click on the flag of a mark emits "mark-activated" (gint64
 * time_ns).
 */
#pragma once

#include "loom-timeline-area.h"
#include "loom-view-animator.h"

#define LOOM_TYPE_RULER_BAR (loom_ruler_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomRulerBar, loom_ruler_bar, LOOM, RULER_BAR, LoomTimelineArea)

/* Sets the scene that the widget shows, and takes a reference to it. Sets the animator that moves the view (borrowed).
 * Must be called once, before use. */
void loom_ruler_bar_set_scene (LoomRulerBar *self, LoomRenderContext *scene, LoomViewAnimator *flight);
