/* SPDX-License-Identifier: Apache-2.0
 *
 * Scrolls the timeline while the user drags something beyond the edge of the view; the farther the pointer is beyond
 * the edge, the faster the timeline scrolls. The functions must be called on the main thread.
 */
#pragma once

#include "loom-view-animator.h"

#include <gtk/gtk.h>

typedef struct _LoomAutoscroll LoomAutoscroll;

/* Called after each step of scrolling, so that the dragged object can follow the pointer. */
typedef void (*LoomAutoscrolled) (gpointer user_data);

/* Makes an object that scrolls the timeline. `widget` provides the frame clock, and is passed to `scrolled` as
 * `user_data`. `widget`, `flight` and `state` are borrowed, and must live longer than the object. */
LoomAutoscroll *loom_autoscroll_new (GtkWidget *widget, LoomViewAnimator *flight, LoomTimelineState *state,
                                     LoomAutoscrolled scrolled);
void loom_autoscroll_free (LoomAutoscroll *self);

/* Sets the position of the pointer in the track area. If the pointer is outside of the view, scrolls towards the
 * pointer until another position is set. Scrolls vertically only if `both_ways` is TRUE. */
void loom_autoscroll_pull (LoomAutoscroll *self, double x, double y, gboolean both_ways);
void loom_autoscroll_stop (LoomAutoscroll *self);
