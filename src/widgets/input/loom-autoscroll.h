/* SPDX-License-Identifier: Apache-2.0
 *
 * The view moves by itself while a drag is held beyond its edge, the faster the farther beyond, frame by frame. Main thread.
 */
#pragma once

#include "loom-view-animator.h"

#include <gtk/gtk.h>

typedef struct _LoomAutoscroll LoomAutoscroll;

/* Called after each bit, for what is dragged to follow. */
typedef void (*LoomAutoscrolled) (gpointer user_data);

/* `widget` lends its frame clock, and is `user_data`; it outlives this, as the flight and the state do. */
LoomAutoscroll *loom_autoscroll_new (GtkWidget *widget, LoomViewAnimator *flight, LoomTimelineState *state,
                                     LoomAutoscrolled scrolled);
void loom_autoscroll_free (LoomAutoscroll *self);

/* Where the pointer is held, in the track area; within the view nothing moves. Up and down only when `both_ways`. */
void loom_autoscroll_pull (LoomAutoscroll *self, double x, double y, gboolean both_ways);
void loom_autoscroll_stop (LoomAutoscroll *self);
