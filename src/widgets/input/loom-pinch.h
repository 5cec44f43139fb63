/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/widgets: two fingers zoom about the middle between them.
 */
#pragma once

#include "loom-view-animator.h"

#include <gtk/gtk.h>

/* For a widget whose left edge is that of the view. Borrows both, which outlive it. */
GtkEventController *loom_pinch_new (LoomViewAnimator *flight, LoomTimelineState *state);
