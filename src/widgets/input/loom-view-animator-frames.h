/* SPDX-License-Identifier: Apache-2.0
 *
 * Drives a LoomViewAnimator with the frames of a widget; its tick callback exists only while the view moves. Main
 * thread only.
 */
#pragma once

#include "loom-view-animator.h"

#include <gtk/gtk.h>

typedef struct _LoomViewAnimatorFrames LoomViewAnimatorFrames;

/* Advances the animator in each frame of the widget. The widget is borrowed and must outlive the result; takes a
 * reference to the animator. */
LoomViewAnimatorFrames *loom_view_animator_frames_new (GtkWidget *widget, LoomViewAnimator *flight);
/* Frees the object; the animator is not advanced any more. */
void loom_view_animator_frames_free (LoomViewAnimatorFrames *self);
