/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes how far wheels, touchpads and drags over the tracks move the view. If `wheel` is TRUE, distances are steps
 * of a wheel, and the view moves with an animation; if it is FALSE, distances are pixels, and the view moves at once.
 */
#pragma once

#include "loom-view-animator.h"

/* Zooms in if `amount` is negative, else out. The time at `x` stays in place. */
void loom_scroll_zoom_zoom (LoomViewAnimator *flight, LoomTimelineState *state, double x, double amount,
                            gboolean wheel);
void loom_scroll_zoom_slide (LoomViewAnimator *flight, LoomTimelineState *state, double dx, double dy, gboolean wheel);

/* The next two functions change the view during a gesture. `from` is the view at the start of the gesture.
 * loom_scroll_zoom_pan_from() sets the view to `from`, moved by a distance in pixels. loom_scroll_zoom_zoom_from() sets
 * it to `from` with its time range multiplied by `factor`; the time at `x` stays in place. */
void loom_scroll_zoom_pan_from (LoomViewAnimator *flight, LoomTimelineState *state, const LoomViewport *from, double dx,
                                double dy);
void loom_scroll_zoom_zoom_from (LoomViewAnimator *flight, LoomTimelineState *state, const LoomViewport *from, double x,
                                 double factor);
