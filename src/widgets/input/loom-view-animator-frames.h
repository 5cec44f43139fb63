/* SPDX-License-Identifier: Apache-2.0
 *
 * The frames of a widget as the screen of a LoomViewAnimator: a tick callback that is there only while the view moves. Main thread only.
 */
#pragma once

#include "loom-view-animator.h"

#include <gtk/gtk.h>

typedef struct _LoomViewAnimatorFrames LoomViewAnimatorFrames;

/* The widget is borrowed and outlives it; of the flight a reference is taken. */
LoomViewAnimatorFrames *loom_view_animator_frames_new (GtkWidget *widget, LoomViewAnimator *flight);
/* The flight has no screen from then on. */
void loom_view_animator_frames_free (LoomViewAnimatorFrames *self);
