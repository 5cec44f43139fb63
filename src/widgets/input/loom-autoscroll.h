/* SPDX-License-Identifier: Apache-2.0
 *
 * Scrolls the view in each frame while a drag is held beyond its edge; farther beyond means faster. Called on the main
 * thread.
 */
#pragma once

#include "loom-view-animator.h"

#include <gtk/gtk.h>

typedef struct _LoomAutoscroll LoomAutoscroll;

/* Called after each step, so that the dragged object can follow. */
typedef void (*LoomAutoscrolled) (gpointer user_data);

/* `widget` provides the frame clock and is passed as `user_data`; it must outlive the autoscroll, and so must the
 * animator and the state. */
LoomAutoscroll *loom_autoscroll_new (GtkWidget *widget, LoomViewAnimator *flight, LoomTimelineState *state,
                                     LoomAutoscrolled scrolled);
void loom_autoscroll_free (LoomAutoscroll *self);

/* Sets the position of the pointer in the track area; inside the view nothing scrolls. Scrolls vertically only if
 * `both_ways`. */
void loom_autoscroll_pull (LoomAutoscroll *self, double x, double y, gboolean both_ways);
void loom_autoscroll_stop (LoomAutoscroll *self);
