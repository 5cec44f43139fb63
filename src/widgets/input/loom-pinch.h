/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/widgets: a pinch with two fingers zooms around the point between them.
 */
#pragma once

#include "loom-view-animator.h"

#include <gtk/gtk.h>

/* Makes the controller for a widget whose left edge is the left edge of the view. `flight` and `state` are borrowed and
 * must outlive the controller. */
GtkEventController *loom_pinch_new (LoomViewAnimator *flight, LoomTimelineState *state);
