/* SPDX-License-Identifier: Apache-2.0
 *
 * Updates the view in each frame of a widget, with the positions that a LoomViewAnimator computes. The tick callback
 * exists only while the view moves, so that no frames are drawn at other times. The functions must be called on the
 * main thread.
 */
#pragma once

#include "loom-view-animator.h"

#include <gtk/gtk.h>

typedef struct _LoomViewAnimatorFrames LoomViewAnimatorFrames;

/* Makes an object that advances the animator in each frame of the widget. The widget is borrowed, and must live longer
 * than the object. Takes a reference to the animator. */
LoomViewAnimatorFrames *loom_view_animator_frames_new (GtkWidget *widget, LoomViewAnimator *flight);
/* Frees the object. The animator is then no longer advanced. */
void loom_view_animator_frames_free (LoomViewAnimatorFrames *self);
