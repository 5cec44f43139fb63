/* SPDX-License-Identifier: Apache-2.0
 *
 * Zooms the timeline when the user pinches with two fingers: the point between the fingers stays in place. Private to
 * src/widgets.
 */
#pragma once

#include "loom-view-animator.h"

#include <gtk/gtk.h>

/* Makes the event controller for a widget whose left edge is the left edge of the view. `flight` and `state` are
 * borrowed, and must live longer than the controller. */
GtkEventController *loom_pinch_new (LoomViewAnimator *flight, LoomTimelineState *state);
