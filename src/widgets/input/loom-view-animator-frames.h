/* SPDX-License-Identifier: Apache-2.0
 *
 * Drives a LoomViewAnimator with the frames of a widget; its tick callback exists only while the view moves. Main
 * thread only.
 */
#pragma once

#include "loom-view-animator.h"

#include <gtk/gtk.h>

typedef struct _LoomViewAnimatorFrames LoomViewAnimatorFrames;

/* The widget is borrowed and must outlive the result; takes a reference to the animator. */
LoomViewAnimatorFrames *loom_view_animator_frames_new (GtkWidget *widget, LoomViewAnimator *flight);
/* Frees it; the animator has no frames from then on. */
void loom_view_animator_frames_free (LoomViewAnimatorFrames *self);
