/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves the view in each frame of a widget, as a LoomViewAnimator says. The tick callback exists only while the view
 * moves, so that nothing is drawn otherwise. The functions must be called on the main thread.
 */
#pragma once

#include "loom-view-animator.h"

#include <gtk/gtk.h>

typedef struct _LoomViewAnimatorFrames LoomViewAnimatorFrames;

/* Makes an object that advances the animator in each frame of the widget. The widget is borrowed and must outlive the
 * object; takes a reference to the animator. */
LoomViewAnimatorFrames *loom_view_animator_frames_new (GtkWidget *widget, LoomViewAnimator *flight);
/* Frees the object. The animator is then no longer advanced. */
void loom_view_animator_frames_free (LoomViewAnimatorFrames *self);
