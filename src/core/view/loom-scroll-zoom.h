/* SPDX-License-Identifier: Apache-2.0
 *
 * How far wheels, touchpads and drags over the tracks move the view. `wheel`: in steps, which the
 * flight smooths; else in pixels, which it follows at once.
 */
#pragma once

#include "loom-view-animator.h"

/* In at x where `amount` is below 0, else out. */
void loom_scroll_zoom_zoom (LoomViewAnimator *flight, LoomTimelineState *state, double x, double amount,
                            gboolean wheel);
void loom_scroll_zoom_slide (LoomViewAnimator *flight, LoomTimelineState *state, double dx, double dy, gboolean wheel);

/* From where a gesture began: the view follows a pointer, or is that many times as wide about x. */
void loom_scroll_zoom_pan_from (LoomViewAnimator *flight, LoomTimelineState *state, const LoomViewport *from, double dx,
                                double dy);
void loom_scroll_zoom_zoom_from (LoomViewAnimator *flight, LoomTimelineState *state, const LoomViewport *from, double x,
                                 double factor);
